import Foundation
import Testing

/// A scripted conversation with a session, read from a file in `Tests/Vectors/grpc`. With `calls` it is a client session, else a server session.
///
/// A file consists of lines. `#` begins a comment, and the first comment says why the case exists. `limit <bytes>` (one message), `drains` (the
/// server drains from the start) and `violates` (the connection ends) are single lines. The others begin a section of indented lines:
/// - `in`: the received frames, in the format of ``TestFrames``. `pause` separates frames that never come in one burst.
/// - `answers`: the immediate actions of a call's handler: `id ok text`, `id send text`, `id finish` or `id CODE message`. With `id.message` or
///   `id.closed` instead of an id, they happen at each message, or at the half-close.
/// - `calls`: the client's actions before anything is received, in the format of ``ClientRecorder``
/// - `expect`: the session's events in order
/// - `frames`: the frames that the session sends for calls, in the format of ``FrameLog``. `COMMON` stands for the headers of every answer,
///   `REQUEST:method` for those of every request.
struct Vector: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    private(set) var limit = 4 << 20
    private(set) var drains = false
    private(set) var violates = false
    private var sections: [String: [String]] = [:]

    static let directory = URL(filePath: #filePath).appending(path: "../../../Vectors/grpc").standardized

    /// All vectors, by name.
    static let all: [Vector] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".frames") }.sorted().map(Vector.init)
    }()

    init(_ name: String) {
        self.name = name
        text = (try? String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)) ?? ""
        var section = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            if line.hasPrefix(" ") {
                sections[section, default: []].append(words.joined(separator: " "))
            } else if first == "drains" {
                drains = true
            } else if first == "violates" {
                violates = true
            } else if first == "limit" {
                limit = Int(words[1]) ?? 0
            } else {
                section = first
            }
        }
    }

    var testDescription: String { name }
    var hasReason: Bool { text.hasPrefix("# ") && text.prefix { $0 != "\n" }.count > 20 }
    var isClient: Bool { sections["calls"] != nil }
    var calls: [String] { sections["calls"] ?? [] }
    var answers: [String] { sections["answers"] ?? [] }
    var expected: [String] { sections["expect"] ?? [] }
    var frames: [String] {
        (sections["frames"] ?? []).map { line in
            let words = line.split(separator: " ").map { word in
                if word == "COMMON" { return ":status=200 content-type=application/grpc grpc-accept-encoding=identity,deflate,gzip" }
                guard word.hasPrefix("REQUEST:") else { return String(word) }
                return ":method=POST :scheme=http :path=/test.v1.S/\(word.dropFirst(8)) :authority=localhost content-type=application/grpc"
                    + " te=trailers grpc-accept-encoding=identity,deflate,gzip"
            }
            return words.joined(separator: " ")
        }
    }
    /// The received bytes between the pauses.
    var input: [[UInt8]] {
        (sections["in"] ?? []).split(separator: "pause", omittingEmptySubsequences: false).map { $0.flatMap { TestFrames.bytes($0) } }
    }
}
