/// Writing base-128 numbers.
public enum Varint {
    /// Bytes that `value` takes, 1…10.
    @inlinable public static func byteCount(_ value: UInt64) -> Int { (64 - (value | 1).leadingZeroBitCount + 6) / 7 }

    /// Writes `value` and returns where the next byte goes.
    @inlinable public static func write(_ value: UInt64, to bytes: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var value = value
        var at = bytes
        while value >= 0x80 {
            at.storeBytes(of: UInt8(truncatingIfNeeded: value) | 0x80, as: UInt8.self)
            value >>= 7
            at += 1
        }
        at.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        return at + 1
    }
}
