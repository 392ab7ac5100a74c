import Foundation
import Testing

/// A scripted conversation with one session, read from a file in `Tests/Vectors/ttrpc`.
///
/// A file consists of lines. `#` begins a comment, and the first comment says why the case exists. `side server|client` and `limit <bytes>`
/// (data of one frame) are single lines. `calls`, `in`, `answers`, `expect` and `frames` begin a section of indented lines:
/// - `calls` (client): what is sent before anything is received: `service method text timeout key=value…`
/// - `then` (client): the next actions, still before anything is received: `send id text`, `close id`, `cancel id`
/// - `in`: the received bytes in hexadecimal; `<hex>*<count>` repeats
/// - `answers` (server): the immediate actions of a call's handler: `id ok text`, `id send text`, `id finish` or `id CODE message`. With
///   `id.message` or `id.closed` instead of an id, they happen at each message, or at the half-close. A line `drains` means that the server
///   drains from the start.
/// - `expect`: the session's events in order, as `ServerRecorder` and `ClientRecorder` write them
/// - `frames`: the session's output, frame by frame: `id ok <hex of the data>` or `id CODE` for a server's Response, else the whole frame in
///   hexadecimal. For a client, the frames that `calls` and `then` send.
/// - `sent` (client): the frames that are sent because of `in`
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    private(set) var isServer = true
    private(set) var limit = 4 << 20
    private(set) var drains = false
    private var sections: [String: [String]] = [:]

    static let directory = URL(filePath: #filePath).appending(path: "../../../Vectors/ttrpc").standardized

    /// All vectors, by name.
    static let all: [Vector] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".hex") }.sorted().map(Vector.init)
    }()

    init(_ name: String) {
        self.name = name
        let text = (try? String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)) ?? ""
        var section = ""
        for line in text.split(separator: "\n") {
            let line = line.prefix { $0 != "#" }
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            if line.hasPrefix(" ") {
                sections[section, default: []].append(words.joined(separator: " "))
            } else if first == "side" {
                isServer = words[1] == "server"
            } else if first == "drains" {
                drains = true
            } else if first == "limit" {
                limit = Int(words[1]) ?? 0
            } else {
                section = first
                sections[section] = sections[section] ?? []
            }
        }
    }

    var testDescription: String { name }

    var hasReason: Bool {
        let text = (try? String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)) ?? ""
        return text.hasPrefix("# ") && text.prefix { $0 != "\n" }.count > 20
    }

    var calls: [String] { sections["calls"] ?? [] }
    var then: [String] { sections["then"] ?? [] }
    var answerFrames: [String] { sections["sent"] ?? [] }
    var answers: [String] { sections["answers"] ?? [] }
    var expected: [String] { sections["expect"] ?? [] }
    var frames: [String] { sections["frames"] ?? [] }
    var input: [UInt8] { (sections["in"] ?? []).flatMap { Self.bytes($0) } }

    static func bytes(_ hex: String) -> [UInt8] {
        hex.split(separator: " ").flatMap { word -> [UInt8] in
            let parts = word.split(separator: "*")
            let digits = Array(parts[0])
            let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
            return Array(repeatElement(bytes, count: parts.count > 1 ? Int(parts[1])! : 1).joined())
        }
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
