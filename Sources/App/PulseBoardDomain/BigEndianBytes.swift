extension FixedWidthInteger {
    /// The bytes of the number, the most significant one first. So bytes of numbers that are not negative have the order of the numbers.
    @inlinable package var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
