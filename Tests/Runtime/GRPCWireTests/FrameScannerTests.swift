import Testing

@testable import GRPCWire

@Suite struct FrameScannerTests {
    @Test("frames are counted where they begin, whatever the pieces in which they arrive")
    func pieces() {
        let frames: [[UInt8]] = [
            TestFrames.bytes("preface"), TestFrames.bytes("ping 0"), TestFrames.frame(77, 3, 9, []),
            TestFrames.frame(0, 0, 1, [UInt8](repeating: 1, count: 300))
        ]
        let input = frames.flatMap { $0 }
        func take(_ bytes: some Collection<UInt8>, _ count: inout FrameScanner) -> Bool {
            var at = 0
            return Array(bytes).withUnsafeBytes { count.take($0, &at) != nil }
        }
        for size in [1, 2, 3, 5, 8, 9, 10, 25, 1000] {
            var count = FrameScanner()
            for start in stride(from: 0, to: input.count, by: size) {
                #expect(count.isMidFrame || start > 0)
                let stops = take(input[start..<min(start + size, input.count)], &count)
                #expect(!stops)
            }
            #expect(count.begun == 4 && !count.isMidFrame && !count.isInPayload, "in pieces of \(size)")
            let stops = take(TestFrames.frame(0, 0, 1, [7]).dropLast(), &count)
            #expect(!stops)
            #expect(count.begun == 5 && count.isMidFrame && count.isInPayload)
        }
    }

    @Test("HEADERS for a stream that was opened before are told, before their own header ends, whatever the pieces", arguments: 1...25)
    func laterHeaders(_ size: Int) {
        let frames: [[UInt8]] = [
            TestFrames.bytes("preface"), TestFrames.frame(1, 4, 3, [1, 2, 3]), TestFrames.frame(0, 0, 3, [1]), TestFrames.frame(1, 4, 5, []),
            TestFrames.frame(1, 5, 3, [1, 2]), TestFrames.frame(1, 5, 5, []), TestFrames.frame(1, 5, 7, []),
        ]
        let input = frames.flatMap { $0 }
        // Where the two later frames begin.
        let starts = [4, 5].map { frames[..<$0].reduce(0) { $0 + $1.count } }
        var count = FrameScanner()
        var found: [(id: UInt32, offset: Int)] = []
        for start in stride(from: 0, to: input.count, by: size) {
            Array(input[start..<min(start + size, input.count)]).withUnsafeBytes { piece in
                var at = 0
                while let mishandled = count.take(piece, &at) { found.append((mishandled.id, start + mishandled.offset)) }
                #expect(at == piece.count)
            }
        }
        #expect(found.map(\.id) == [3, 5] && count.begun == 7)
        for (found, start) in zip(found, starts) { #expect((start...(start + 8)).contains(found.offset)) }
    }

    @Test("a part of a burst has few trailers, because each may name fields of thousands of bytes with one byte each")
    func trailers() {
        let input = TestFrames.bytes("preface") + TestFrames.frame(1, 4, 1, [0x82])
            + (0..<500).flatMap { _ in TestFrames.frame(1, 4, 1, [0xBE, 0xBE, 0xBE, 0xBE]) }
        var count = FrameScanner()
        count.beginPart()
        var at = 0
        input.withUnsafeBytes { bytes in while count.take(bytes, &at) != nil {} }
        #expect((10...20).contains(count.begun), "\(count.begun)")
        #expect(at < input.count)
    }
}
