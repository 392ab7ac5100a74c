/// Wire bytes written by hand, for input that no correct sender writes.
struct WireBytes {
    private(set) var bytes: [UInt8] = []

    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    func tag(_ number: UInt64, _ wireType: UInt64) -> WireBytes { raw(Self.varint(number << 3 | wireType)) }

    func raw(_ more: [UInt8]) -> WireBytes {
        var copy = self
        copy.bytes += more
        return copy
    }

    func varint(_ number: UInt64, _ value: UInt64) -> WireBytes { tag(number, 0).raw(Self.varint(value)) }

    func delimited(_ number: UInt64, _ payload: [UInt8]) -> WireBytes {
        tag(number, 2).raw(Self.varint(UInt64(payload.count))).raw(payload)
    }

    func string(_ number: UInt64, _ text: String) -> WireBytes { delimited(number, Array(text.utf8)) }

    func message(_ number: UInt64, _ inner: WireBytes) -> WireBytes { delimited(number, inner.bytes) }
}
