/// The percent-encoding of `grpc-message`: UTF-8, with everything outside 0x20…0x7E, and `%`, as `%XX` (PROTOCOL-HTTP2.md); a space at either end too,
/// as no HTTP/2 header value may begin or end with one (RFC 9113, 8.2.1).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            let isAtEnd = index == 0 || index == text.count - 1
            if byte >= 0x20, byte <= 0x7E, byte != UInt8(ascii: "%"), byte != 0x20 || !isAtEnd {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return encoded
    }

    /// Decodes leniently, as the specification demands: what is no encoding stays as it is, what is no UTF-8 is replaced.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
