/// The 128 bits of an identifier, ordered as their 16 big-endian bytes are (as a store's BLOB keys are).
public struct UUIDBits: Hashable, Sendable, Comparable {
    /// The first eight of the 16 bytes, then the last eight.
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes exactly 16 big-endian bytes; any other count gives `nil`.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Takes exactly 16 big-endian bytes; any other count gives `nil`.
    public init?(bytes: [UInt8]) {
        guard let bits = bytes.withUnsafeBytes({ UUIDBits(bytes: $0) }) else { return nil }
        self = bits
    }

    /// Stamps version 4 and the RFC 9562 variant on 16 random bytes.
    init(randomBytes: [UInt8]) {
        precondition(randomBytes.count == 16, "a random identifier is made of 16 bytes")
        let (first, second) = randomBytes.withUnsafeBytes {
            ($0.loadUnaligned(fromByteOffset: 0, as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        high = (first & 0xFFFF_FFFF_FFFF_0FFF) | 0x0000_0000_0000_4000
        low = (second & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    }

    /// Reads `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in lower-case hexadecimal digits.
    public init?(text: String) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var position = 0
        for byte in text.utf8 {
            defer { position += 1 }
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            if position < 18 {
                high = high << 4 | UInt64(digit)
            } else {
                low = low << 4 | UInt64(digit)
            }
            if position > 35 { return nil }
        }
        guard position == 36 else { return nil }
        self.init(high: high, low: low)
    }

    /// The canonical lower-case text, 36 ASCII bytes.
    public var text: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            func put(_ value: UInt64, digits: Int) {
                for index in stride(from: digits - 1, through: 0, by: -1) {
                    let digit = UInt8(truncatingIfNeeded: value >> UInt64(index * 4)) & 0x0F
                    buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    position += 1
                }
            }
            func dash() {
                buffer[position] = UInt8(ascii: "-")
                position += 1
            }
            put(high >> 32, digits: 8)
            dash()
            put(high >> 16 & 0xFFFF, digits: 4)
            dash()
            put(high & 0xFFFF, digits: 4)
            dash()
            put(low >> 48, digits: 4)
            dash()
            put(low & 0xFFFF_FFFF_FFFF, digits: 12)
            return 36
        }
    }

    /// The 16 big-endian bytes.
    public var bytes: [UInt8] {
        withBytes { [UInt8]($0) }
    }

    /// Lends the 16 big-endian bytes without allocating.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The two words live in this frame for exactly the call; the pair has no padding, so its 16 bytes are the value.
        let pair = (high.bigEndian, low.bigEndian)
        return try withUnsafePointer(to: pair) { pointer throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(pointer), count: 16))
        }
    }

    public static func < (left: UUIDBits, right: UUIDBits) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
