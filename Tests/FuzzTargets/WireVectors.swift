#if DEBUG || FUZZING
import Foundation

/// The received bytes of the conversations in `Tests/Vectors`, as inputs of targets.
enum WireVectors {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors")

    /// The inputs of one side of ttrpc, with a first byte for receiving everything at once.
    static func ttrpc(side: String) -> [[UInt8]] {
        files("ttrpc").filter { $0.contains("side \(side)") }.map { [0] + received($0).flatMap { hex($0.split(separator: " ").map(String.init)) } }
    }

    /// The inputs of one side of gRPC. A client's conversations have a section of calls.
    static func grpc(side: String) -> [[UInt8]] {
        files("grpc").filter { ($0.contains("\ncalls") ? "client" : "server") == side }.map { [0] + received($0).flatMap(frames) }
    }

    /// Header blocks in the target's format.
    static func headerBlocks() -> [[UInt8]] {
        let blocks = files("grpc").map { file in
            received(file).filter { $0.hasPrefix("headers ") }.map { Array(frames($0).dropFirst(9)) }
        }
        return blocks.filter { !$0.isEmpty }.map { $0.flatMap { [UInt8($0.count >> 8 & 0xFF), UInt8($0.count & 0xFF)] + $0 } }
    }

    private static func files(_ kind: String) -> [String] {
        let directory = folder.appending(path: kind)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.sorted().compactMap { try? String(contentsOf: directory.appending(path: $0), encoding: .utf8) }
    }

    /// The lines of the section `in`, without comments.
    private static func received(_ file: String) -> [String] {
        var isInside = false
        var lines: [String] = []
        for line in file.split(separator: "\n").map({ $0.prefix { $0 != "#" } }) where !line.allSatisfy({ $0 == " " }) {
            guard line.hasPrefix(" ") else {
                isInside = line.split(separator: " ").first == "in"
                continue
            }
            let text = line.trimmingPrefix { $0 == " " }
            if isInside, text != "pause" { lines.append(String(text)) }
        }
        return lines
    }

    /// Reads hexadecimal words. `<hex>*<count>` repeats, here at most 64 times, because a fuzzer's inputs should be
    /// short.
    private static func hex(_ words: some Sequence<String>) -> [UInt8] {
        words.flatMap { word -> [UInt8] in
            let parts = word.split(separator: "*")
            let digits = Array(parts[0])
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
            return Array(repeatElement(bytes, count: parts.count > 1 ? min(64, Int(parts[1]) ?? 1) : 1).joined())
        }
    }

    /// A line of a gRPC vector, as `Tests/Runtime/GRPCWireTests/TestFrames.swift` reads it.
    private static func frames(_ line: String) -> [UInt8] {
        let words = line.split(separator: " ").map(String.init)
        if words[0] == "preface" { return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HTTP2Bytes.frame(4, 0, 0, []) }
        if words[0] == "hex" { return hex(words.dropFirst()) }
        guard words.count > 1, let id = UInt32(words[1]) else { return [] }
        let flags: UInt8 = words.contains("end") ? 1 : 0
        let rest = words.dropFirst(2).filter { $0 != "end" }
        switch words[0] {
        case "headers":
            let pairs = rest.flatMap { word -> [(String, String)] in
                if word.hasPrefix("gRPC:") { return usual(String(word.dropFirst(5))) }
                guard let equals = word.firstIndex(of: "=") else { return [] }
                return [(String(word[..<equals]), String(word[word.index(after: equals)...]).replacing("_", with: " "))]
            }
            return HTTP2Bytes.frame(1, flags | 4, id, HTTP2Bytes.block(pairs))
        case "data": return HTTP2Bytes.frame(0, flags, id, hex(rest))
        case "goaway": return HTTP2Bytes.frame(7, 0, 0, HTTP2Bytes.bigEndian(id) + HTTP2Bytes.bigEndian(UInt32(rest.first ?? "") ?? 0))
        case "reset": return HTTP2Bytes.frame(3, 0, id, HTTP2Bytes.bigEndian(UInt32(rest.first ?? "") ?? 0))
        case "window": return HTTP2Bytes.frame(8, 0, id, HTTP2Bytes.bigEndian(UInt32(rest.first ?? "") ?? 0))
        case "ping": return HTTP2Bytes.frame(6, flags, id, [UInt8](repeating: 7, count: 8))
        case "settings": return HTTP2Bytes.frame(4, 0, id, hex(rest))
        case "priority": return HTTP2Bytes.frame(2, 0, id, [0, 0, 0, 0, 1])
        default: return []
        }
    }

    private static func usual(_ path: String) -> [(String, String)] {
        [
            (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"), ("content-type", "application/grpc"),
            ("te", "trailers")
        ]
    }
}
#endif
