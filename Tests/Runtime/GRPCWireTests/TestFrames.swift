import CNGHTTP2

/// Converts HTTP/2 frames between the vectors' text and bytes.
enum TestFrames {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let kinds: [UInt8: String] = [
        0: "data", 1: "headers", 2: "priority", 3: "reset", 4: "settings", 6: "ping", 7: "goaway", 8: "window", 9: "continuation",
    ]

    static func frame(_ kind: UInt8, _ flags: UInt8, _ id: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags] + bigEndian(id) + payload
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// A header block of literals that are neither indexed nor compressed (RFC 7541, 6.2.2).
    static func headerBlock(_ pairs: some Sequence<(String, String)>) -> [UInt8] {
        pairs.flatMap { [0] + literal($0) + literal($1) }
    }

    private static func literal(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        if bytes.count < 127 { return [UInt8(bytes.count)] + bytes }
        var rest = bytes.count - 127
        var length: [UInt8] = [127]
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }

    /// One line of a vector's input: `preface`, or `<kind> <id> [end] …`, where `…` is `name=value` pairs for headers (a space in a value is written
    /// `_`), `gRPC` for those of a usual request, hexadecimal for data, a code for reset, an increment for window; or `hex …`.
    static func bytes(_ line: String) -> [UInt8] {
        let words = line.split(separator: " ").map(String.init)
        if words[0] == "preface" { return preface + frame(4, 0, 0, []) }
        if words[0] == "hex" { return hex(words.dropFirst()) }
        let id = UInt32(words[1])!
        let flags: UInt8 = words.contains("end") ? 1 : 0
        let rest = words.dropFirst(2).filter { $0 != "end" }
        switch words[0] {
        case "headers":
            let pairs = rest.flatMap { word -> [(String, String)] in
                if word.hasPrefix("gRPC:") { return usual(String(word.dropFirst(5))) }
                let equals = word.firstIndex(of: "=")!
                return [(String(word[..<equals]), String(word[word.index(after: equals)...]).replacing("_", with: " "))]
            }
            return frame(1, flags | 4, id, headerBlock(pairs))
        case "data": return frame(0, flags, id, hex(rest))
        case "goaway": return frame(7, 0, 0, bigEndian(id) + bigEndian(UInt32(rest[0])!))
        case "reset": return frame(3, 0, id, bigEndian(UInt32(rest[0])!))
        case "window": return frame(8, 0, id, bigEndian(UInt32(rest[0])!))
        case "ping": return frame(6, flags, id, [UInt8](repeating: 7, count: 8))
        case "settings": return frame(4, 0, id, hex(rest))
        case "priority": return frame(2, 0, id, [0, 0, 0, 0, 1])
        default: preconditionFailure("no frame: \(line)")
        }
    }

    private static func usual(_ path: String) -> [(String, String)] {
        [
            (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"), ("content-type", "application/grpc"),
            ("te", "trailers")
        ]
    }

    static func hex(_ words: some Sequence<String>) -> [UInt8] {
        words.flatMap { word -> [UInt8] in
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

/// Decodes a session's output frame by frame.
final class FrameLog {
    private var inflater: OpaquePointer?
    private var rest: [UInt8] = []
    private var isAtStart = true
    private(set) var lines: [String] = []

    init() { nghttp2_hd_inflate_new(&inflater) }

    deinit { nghttp2_hd_inflate_del(inflater) }

    /// Adds output. SETTINGS and windows are left out, because they do not belong to calls.
    func append(_ bytes: [UInt8]) {
        rest += bytes
        // A client begins with its preface.
        if isAtStart, rest.count >= TestFrames.preface.count {
            isAtStart = false
            if rest.starts(with: TestFrames.preface) { rest.removeFirst(TestFrames.preface.count) }
        }
        while rest.count >= 9 {
            let length = Int(rest[0]) << 16 | Int(rest[1]) << 8 | Int(rest[2])
            guard rest.count >= 9 + length else { return }
            let id = rest[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            line(rest[3], rest[4], id, Array(rest[9..<(9 + length)]))
            rest.removeFirst(9 + length)
        }
    }

    private func line(_ kind: UInt8, _ flags: UInt8, _ id: UInt32, _ payload: [UInt8]) {
        let end = flags & 1 != 0 ? " end" : ""
        switch kind {
        case 0: lines.append("data \(id)\(end)" + (payload.isEmpty ? "" : " " + TestFrames.hex(payload)))
        case 1: lines.append("headers \(id)\(end) " + fields(payload).joined(separator: " "))
        case 3: lines.append("reset \(id) \(payload.reduce(0) { $0 << 8 | Int($1) })")
        case 6: lines.append(flags & 1 != 0 ? "pong" : "ping")
        case 7:
            let code = payload[4..<8].reduce(0) { $0 << 8 | Int($1) }
            let reason = String(decoding: payload[8...], as: UTF8.self)
            lines.append("goaway \(payload[0..<4].reduce(0) { $0 << 8 | Int($1) }) \(code)" + (reason.isEmpty ? "" : " " + reason))
        default: break
        }
    }

    private func fields(_ block: [UInt8]) -> [String] {
        var fields: [String] = []
        block.withUnsafeBufferPointer { block in
            var used = 0
            while true {
                var field = nghttp2_nv()
                var flags: Int32 = 0
                let count = nghttp2_hd_inflate_hd2(inflater, &field, &flags, block.baseAddress! + used, block.count - used, 1)
                guard count >= 0 else { return fields.append("no header block") }
                used += count
                if UInt32(flags) & NGHTTP2_HD_INFLATE_EMIT.rawValue != 0 {
                    let name = String(decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
                    let value = String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
                    fields.append(name + "=" + value.replacing(" ", with: "_"))
                }
                if UInt32(flags) & NGHTTP2_HD_INFLATE_FINAL.rawValue != 0 { break }
            }
            nghttp2_hd_inflate_end_headers(inflater)
        }
        return fields
    }
}
