/// The result of checking the bytes of a `string` field.
enum TextCheck {
    case valid
    case containsNUL
    case invalidUTF8

    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101

    /// Checks that `count` bytes are UTF-8 (Unicode 15, table 3-7: no overlong forms, surrogates or values above U+10FFFF)
    /// and contain no NUL. ASCII is checked eight bytes at a time.
    static func of(_ start: UnsafePointer<UInt8>, count: Int) -> TextCheck {
        let bytes = UnsafeRawPointer(start)
        var index = 0
        while index < count {
            if index &+ 8 <= count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // No high bit set, and no byte that borrows when 1 is taken from it.
                if (word | (word &- lowBits)) & highBits == 0 {
                    index &+= 8
                    continue
                }
            }
            let first = start[index]
            if first < 0x80 {
                if first == 0 { return .containsNUL }
                index &+= 1
                continue
            }
            let length = sequenceLength(start + index, available: count &- index)
            guard length > 0 else { return .invalidUTF8 }
            index &+= length
        }
        return .valid
    }

    /// Bytes of the well-formed multi-byte sequence at `bytes`, or 0 if there is none.
    @inline(__always)
    private static func sequenceLength(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
        let first = bytes[0]
        switch first {
        case 0xC2...0xDF:
            return available >= 2 && isContinuation(bytes[1]) ? 2 : 0
        case 0xE0...0xEF:
            guard available >= 3, isContinuation(bytes[1]), isContinuation(bytes[2]) else { return 0 }
            if first == 0xE0 && bytes[1] < 0xA0 { return 0 }
            if first == 0xED && bytes[1] > 0x9F { return 0 }
            return 3
        case 0xF0...0xF4:
            guard available >= 4, isContinuation(bytes[1]), isContinuation(bytes[2]), isContinuation(bytes[3]) else {
                return 0
            }
            if first == 0xF0 && bytes[1] < 0x90 { return 0 }
            if first == 0xF4 && bytes[1] > 0x8F { return 0 }
            return 4
        default:
            return 0
        }
    }

    @inline(__always)
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
