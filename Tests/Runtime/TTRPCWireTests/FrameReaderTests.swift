import TestHarness
import Testing

@testable import TTRPCWire

@Suite struct FrameReaderTests {
    /// The events of a reader for `bytes` in pieces.
    private func read(_ bytes: [UInt8], limit: Int, pieces: (Int) -> Int) -> [String] {
        var reader = FrameReader(limit: limit)
        var log: [String] = []
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + max(1, pieces(offset)))
            Array(bytes[offset..<end]).withUnsafeBytes { piece in
                var input = piece
                while let frame = reader.next(&input) {
                    switch frame {
                    case .complete(let header, let data): log.append("\(header.streamID) \(header.kind) \(Vector.hex(data))")
                    case .oversized(let header): log.append("\(header.streamID) oversized \(header.dataLength)")
                    }
                }
                #expect(input.count == 0)
            }
            offset = end
        }
        return log
    }

    @Test("random frames, in random pieces, come out as they went in")
    func randomPieces() {
        var random = SeededRandom(seed: 23)
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            var expected: [String] = []
            for id in 1...UInt32.random(in: 1...12, using: &random) {
                let count = Int.random(in: 0...90, using: &random)
                let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes += TestFrame(streamID: id, kind: 1, flags: 0, data: data).bytes
                expected.append(count > 64 ? "\(id) oversized \(count)" : "\(id) 1 \(Vector.hex(data))")
            }
            #expect(read(bytes, limit: 64) { _ in bytes.count } == expected)
            #expect(read(bytes, limit: 64) { _ in 1 } == expected)
            #expect(read(bytes, limit: 64) { _ in Int.random(in: 1...40, using: &random) } == expected)
        }
    }

    @Test("ttrpc's own limit, to the byte: 4 MiB pass and one more is discarded", arguments: [4 << 20, 4 << 20 + 1])
    func fullSize(_ count: Int) {
        let bytes =
            TestFrame(streamID: 1, kind: 1, flags: 0, data: [UInt8](repeating: 5, count: count)).bytes
            + TestFrame(streamID: 3, kind: 1, flags: 0, data: [7]).bytes
        for piece in [bytes.count, 256 * 1024, 1_000_003] {
            let log = read(bytes, limit: TTRPCLimits.maximumDataLength) { _ in piece }
            #expect(log.count == 2)
            #expect(log.last == "3 1 07")
            #expect((log.first == "1 oversized \(count)") == (count > 4 << 20))
        }
    }

    @Test("the longest length that a header can say is discarded as it comes, and stored nowhere")
    func fourGigabytes() {
        var reader = FrameReader(limit: 64)
        let header: [UInt8] = [255, 255, 255, 255, 0, 0, 0, 1, 1, 0]
        var oversized = 0
        header.withUnsafeBytes { bytes in
            var input = bytes
            while let frame = reader.next(&input) { if case .oversized = frame { oversized += 1 } }
        }
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        var left = 0xFFFF_FFFF
        while left > 0 {
            piece.withUnsafeBytes { bytes in
                var input = UnsafeRawBufferPointer(rebasing: bytes[..<min(left, bytes.count)])
                left -= input.count
                if reader.next(&input) != nil { oversized += 1 }
            }
        }
        #expect(oversized == 1)
        TestFrame(streamID: 3, kind: 1, flags: 0, data: [7]).bytes.withUnsafeBytes { bytes in
            var input = bytes
            guard case .complete(let header, let data) = reader.next(&input) else { Issue.record("lost"); return }
            #expect(header.streamID == 3)
            #expect(Array(data) == [7])
        }
    }
}
