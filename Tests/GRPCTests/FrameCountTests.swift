import Testing

@testable import GRPC

@Suite struct FrameCountTests {
    @Test("frames are counted where they begin, whatever the pieces in which they arrive")
    func pieces() {
        let frames: [[UInt8]] = [TestFrames.bytes("preface"), TestFrames.bytes("ping 0"), TestFrames.frame(77, 3, 9, []), TestFrames.frame(0, 0, 1, [UInt8](repeating: 1, count: 300))]
        let input = frames.flatMap { $0 }
        for size in [1, 2, 3, 5, 8, 9, 10, 25, 1000] {
            var count = FrameCount()
            for start in stride(from: 0, to: input.count, by: size) {
                #expect(count.isMidFrame || start > 0)
                input[start..<min(start + size, input.count)].withUnsafeBytes { count.take($0) }
            }
            #expect(count.begun == 4 && !count.isMidFrame && !count.isInPayload, "in pieces of \(size)")
            TestFrames.frame(0, 0, 1, [7]).dropLast().withUnsafeBytes { count.take($0) }
            #expect(count.begun == 5 && count.isMidFrame && count.isInPayload)
        }
    }
}
