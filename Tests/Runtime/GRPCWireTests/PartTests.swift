import TestHarness
import Testing

@testable import GRPCWire

/// A burst is processed in parts, so that its first answers do not wait for its last call.
@Suite struct PartTests {
    /// Calls, each with a message of `byteCount` bytes.
    private func calls(_ count: Int, from first: Int = 0, byteCount: Int = 0) -> [UInt8] {
        let message = [0, 0, 0] + [UInt8(byteCount >> 8), UInt8(byteCount & 0xFF)] + [UInt8](repeating: 0, count: byteCount)
        return (first..<first + count).flatMap { index in
            TestFrames.bytes("headers \(2 * index + 1) gRPC:/test.v1.S/Echo") + TestFrames.frame(0, 1, UInt32(2 * index + 1), message)
        }
    }

    /// How many calls were reported after each part of `burst`.
    private func parts(_ recorder: ServerRecorder, _ burst: [UInt8]) throws -> [Int] {
        var taken = 0
        var counts: [Int] = []
        while taken < burst.count {
            taken += try recorder.session.receivePart(of: burst.span.bytes.extracting(taken..<burst.count), events: recorder)
            counts.append(recorder.log.count)
        }
        return counts
    }

    @Test("a burst of many calls is taken in parts of about sixteen, whatever the size of a call, and none is lost", arguments: [0, 200, 1000])
    func aboutSixteen(_ byteCount: Int) throws {
        let recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface"))
        let counts = try parts(recorder, calls(1000, byteCount: byteCount))
        #expect(counts.last == 1000)
        let sizes = zip(counts.dropFirst(), counts).map { $0 - $1 }.dropFirst(8).dropLast()
        #expect(sizes.count > 20 && sizes.allSatisfy { (7...32).contains($0) }, "\(sizes)")
    }

    @Test("parts that have grown with large messages shrink again where calls are small")
    func shrinks() throws {
        let recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface"))
        _ = try parts(recorder, calls(64, byteCount: 10_000))
        for round in 1...10 { _ = try parts(recorder, calls(64, from: 64 * round)) }
        #expect(try parts(recorder, calls(64, from: 704)).count > 2)
    }

    @Test("bursts of few calls leave the parts as they are")
    func fewCalls() throws {
        let recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface"))
        for index in 0..<100 { #expect(try parts(recorder, calls(1, from: index)).count == 1) }
        #expect(try parts(recorder, calls(64, from: 100)).count > 2)
    }

    @Test("a part grows to all that is read at once where calls are large, and shrinks to a few calls where they are small")
    func bounds() {
        var size = PartSize()
        for _ in 0..<20 { size.adapt(callCount: 0, wasCut: true, nanoseconds: 1000) }
        #expect(size.byteCount == PartSize.range.upperBound)
        for _ in 0..<20 { size.adapt(callCount: 1000, wasCut: true, nanoseconds: 1000) }
        #expect(size.byteCount == PartSize.range.lowerBound)
        size.adapt(callCount: ServerSession.callsInPart, wasCut: true, nanoseconds: 1000)
        #expect(size.byteCount == PartSize.range.lowerBound)
    }

    @Test("a part of frames that cost much and are no calls stays small: 256 KiB of them would hold the loop up")
    func costly() {
        var size = PartSize()
        for _ in 0..<20 { size.adapt(callCount: 0, wasCut: true, nanoseconds: Int64(size.byteCount) * 100) }
        #expect(size.byteCount <= 4 << 10)
        for _ in 0..<20 { size.adapt(callCount: 0, wasCut: true, nanoseconds: 1_000_000) }
        #expect(size.byteCount == PartSize.range.lowerBound)
    }
}
