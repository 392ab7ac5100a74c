extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant one first. So bytes of numbers that are not negative have the order of the numbers.
    @inlinable package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
