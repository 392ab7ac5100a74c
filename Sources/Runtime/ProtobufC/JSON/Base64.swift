/// Base64 (RFC 4648) for `bytes` fields in JSON, and for gRPC's binary metadata.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The standard alphabet, with padding as proto3 JSON writes it, or without as gRPC does.
    package static func encode(_ bytes: UnsafeBufferPointer<UInt8>, padded: Bool = true) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = UInt32(bytes[start]) << 16
            if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[start + 2]) }
            for position in 0..<(padded ? 4 : count + 1) {
                let sextet = Int(group >> UInt32(18 - 6 * position) & 0x3F)
                text.append(position <= count ? alphabet[sextet] : UInt8(ascii: "="))
            }
        }
        return text
    }

    /// Reads both alphabets, padded or not; `nil` for any other text, or wrong padding. Unused bits that are set are refused unless they are allowed.
    /// JSON allows them, like other implementations of protobuf.
    package static func decode(_ text: String, allowsUnusedBits: Bool = false) -> [UInt8]? {
        var utf8 = Substring(text).utf8
        let length = utf8.count
        while utf8.last == UInt8(ascii: "="), length - utf8.count < 2 { utf8.removeLast() }
        guard utf8.count == length || length % 4 == 0, utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count * 3 / 4)
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for character in utf8 {
            guard let sextet = sextet(character) else { return nil }
            group = group << 6 | sextet
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= (1 << bits) - 1
            }
        }
        return group == 0 || allowsUnusedBits ? bytes : nil
    }

    /// The value of a character of either alphabet, 0…63; nil for any other character.
    package static func value(_ character: UInt8) -> UInt8? { sextet(character).map { UInt8($0) } }

    private static func sextet(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
