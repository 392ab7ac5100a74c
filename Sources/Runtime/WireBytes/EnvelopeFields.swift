/// Appends a base-128 number.
@inlinable public func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
        value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
}

/// Appends a length-delimited field. `number` is 1…15.
@inlinable public func appendField(_ number: UInt8, _ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(number << 3 | 2)
    appendVarint(UInt64(value.count), to: &bytes)
    bytes.append(contentsOf: value)
}
