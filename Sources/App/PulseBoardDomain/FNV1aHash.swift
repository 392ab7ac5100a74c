/// FNV-1a, 64 bits: a hash that is the same in every process, on every machine and in every version. It may be stored and compared.
///
/// It does not withstand anybody who looks for two inputs with one hash.
public struct FNV1aHash: Sendable {
    /// The hash of the bytes so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    /// Adds a byte.
    public mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0100_0000_01B3 }

    /// The hash of these bytes.
    public static func value(of bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1aHash()
        for byte in bytes { hash.combine(byte) }
        return hash.value
    }
}
