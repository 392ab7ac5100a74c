/// A 128-bit identifier. The store's caller makes it, never the store.
///
/// Identifiers need no counter that all writers share, so they fit a distributed database as well
/// (docs/storage.md, Kept portable). The text form is the canonical lower-case UUID, the stored form 16 bytes.
public protocol UUIDIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The 128 bits.
    var bits: UUIDBits { get }
    init(bits: UUIDBits)
}

extension UUIDIdentifier {
    /// Reads the canonical lower-case UUID text (36 ASCII bytes), or `nil` for every other spelling.
    ///
    /// It is strict on purpose: wherever text is compared, two spellings of one identifier would be two keys.
    public init?(text: String) {
        guard let bits = UUIDBits(text: text) else { return nil }
        self.init(bits: bits)
    }

    /// Reads an identifier in a request.
    /// - Throws: `ValidationError` for `field`.
    public static func parse(_ text: String, field: String) throws(ValidationError) -> Self {
        guard let identifier = Self(text: text) else {
            throw ValidationError(field: field, reason: .identifierInvalid)
        }
        return identifier
    }

    /// Makes a fresh random identifier (UUID version 4: 122 random bits).
    public static func random(using source: some RandomSource) -> Self {
        Self(bits: UUIDBits(randomBytes: source.bytes(16)))
    }

    /// The canonical lower-case UUID text.
    public var description: String { bits.text }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

/// The id of a user. A user has at most one profile, and several identities and sessions.
public struct UserID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}

/// The id of a session. It is not secret: only the token gives access.
public struct SessionID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}

/// The 128 bits of an identifier. Their order is that of the 16 big-endian bytes, as of BLOB keys in a store.
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
        let bytes = text.utf8Span.span
        guard bytes.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for position in bytes.indices {
            let byte = bytes[position]
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
        }
        self.init(high: high, low: low)
    }

    /// The canonical lower-case text, 36 ASCII bytes.
    public var text: String {
        let digits = Self.digits(of: high), moreDigits = Self.digits(of: low)
        // The text begins as 36 dashes; the digits are written over them.
        return String(unsafeUninitializedCapacity: 36) { buffer in
            buffer.update(repeating: UInt8(ascii: "-"))
            let text = UnsafeMutableRawBufferPointer(buffer)
            text.storeBytes(of: digits[0], toByteOffset: 0, as: UInt64.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: digits[1]), toByteOffset: 9, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: digits[1] >> 32), toByteOffset: 14, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: moreDigits[0]), toByteOffset: 19, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: moreDigits[0] >> 32), toByteOffset: 24, as: UInt32.self)
            text.storeBytes(of: moreDigits[1], toByteOffset: 28, as: UInt64.self)
            return 36
        }
    }

    /// The sixteen hexadecimal digits of a number as ASCII, eight in a word. The first digit is in a word's lowest byte, because that byte is first
    /// in memory.
    private static func digits(of number: UInt64) -> SIMD2<UInt64> {
        // Each lane gets half of the bytes. Then the two digits of each byte are separated. Then all sixteen become ASCII at once.
        var lanes = SIMD2(number >> 32, number & 0xFFFF_FFFF)
        lanes = (lanes | lanes &<< 16) & 0x0000_FFFF_0000_FFFF
        lanes = (lanes | lanes &<< 8) & 0x00FF_00FF_00FF_00FF
        lanes = (lanes | lanes &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
        // With 6 added, a digit above 9 sets bit 4. Such a digit becomes a letter, which is 39 higher in ASCII.
        let letters = ((lanes &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
        let ascii = lanes &+ 0x3030_3030_3030_3030 &+ letters &* 39
        return SIMD2(ascii[0].byteSwapped.littleEndian, ascii[1].byteSwapped.littleEndian)
    }

    /// The 16 big-endian bytes.
    public var bytes: [UInt8] {
        withBytes { [UInt8]($0) }
    }

    /// Lends the 16 big-endian bytes without allocating.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The pair is valid for the duration of the call. It has no padding, so its 16 bytes are the value.
        let pair = (high.bigEndian, low.bigEndian)
        return try withUnsafePointer(to: pair) { pointer throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(pointer), count: 16))
        }
    }

    public static func < (left: UUIDBits, right: UUIDBits) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
