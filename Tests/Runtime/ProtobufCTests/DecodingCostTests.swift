import Testing

@testable import ProtobufC

/// Which messages decode quickly.
@Suite struct DecodingCostTests {
    private func isCheap(_ bytes: WireBytes) -> Bool { Node.descriptor.decodesByCopying(bytes.bytes.span.bytes) }
    private func children(_ count: Int) -> WireBytes { (0..<count).reduce(WireBytes()) { bytes, _ in bytes.message(3, WireBytes()) } }
    private let text = String(repeating: "x", count: 60_000)

    @Test("a message with more than 1,024 fields does not, however few its bytes")
    func fields() {
        #expect(isCheap(children(1024)))
        #expect(!isCheap(children(1025)))
        #expect(!isCheap(WireBytes().message(3, children(1024))))
        #expect(isCheap(children(1000).string(1, text)))
        #expect(!isCheap(children(1030).string(1, text)))
        #expect(!isCheap(WireBytes().string(1, text).raw(children(1030).bytes)))
    }

    @Test("one with more than 64 KiB outside of bytes does not, at whatever depth")
    func bytes() {
        let blob = WireBytes().delimited(6, [UInt8](repeating: 7, count: 1 << 20))
        #expect(isCheap(blob) && isCheap(WireBytes().message(3, blob)))
        #expect(isCheap(WireBytes().string(1, text)) && isCheap(WireBytes().message(3, WireBytes().string(1, text))))
        #expect(!isCheap(WireBytes().string(1, text).message(3, WireBytes().string(1, text))))
        #expect(!isCheap(WireBytes().string(1, text).delimited(99, [UInt8](repeating: 7, count: 10_000))))
    }

    @Test("neither does one with a group, one that is nested too deeply, and one that is cut")
    func others() {
        let long = WireBytes().string(1, String(repeating: "x", count: 3000))
        #expect(isCheap(long))
        #expect(!isCheap(long.tag(99, 3).tag(99, 4)))
        #expect(!isCheap((0..<200).reduce(long) { inner, _ in WireBytes().message(3, inner) }))
        #expect(!isCheap(WireBytes().raw(long.bytes.dropLast())))
    }
}
