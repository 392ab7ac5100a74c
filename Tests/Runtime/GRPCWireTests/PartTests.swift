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
        while taken < burst.count || recorder.session.hasUnfinishedWork {
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

    // MARK: Kept events

    /// A session that reads 128 KiB at once.
    private func grown() throws -> ServerRecorder {
        let recorder = try ServerRecorder()
        try recorder.receive(TestFrames.bytes("preface"))
        _ = try parts(recorder, (0..<40).flatMap { _ in TestFrames.frame(0x77, 0, 0, [UInt8](repeating: 0, count: 16 << 10)) })
        return recorder
    }

    /// Receives a burst, of which a part reads as much as a part may. Returns how many events each part has reported.
    private func kept(_ recorder: ServerRecorder, _ burst: [UInt8]) throws -> [Int] {
        var count = recorder.log.count
        var counts: [Int] = []
        var bytes = burst
        while !bytes.isEmpty || recorder.session.hasUnfinishedWork {
            let taken = try recorder.session.receivePart(of: bytes.span.bytes, events: recorder)
            // What waits must not lie in the buffer of the socket.
            for index in 0..<taken { bytes[index] = 0xFF }
            bytes.removeFirst(taken)
            counts.append(recorder.log.count - count)
            count = recorder.log.count
        }
        return counts
    }

    private func number(_ index: Int) -> [UInt8] { [UInt8(index >> 8), UInt8(index & 0xFF)] }

    private func headers(_ index: Int, _ method: String = "Echo") -> [UInt8] {
        TestFrames.bytes("headers \(2 * index + 1) gRPC:/test.v1.S/\(method)")
    }

    private func message(_ index: Int, _ flags: UInt8 = 1, byteCount: Int = 0) -> [UInt8] {
        let payload = number(index) + [UInt8](repeating: 7, count: byteCount)
        return TestFrames.frame(0, flags, UInt32(2 * index + 1), [0] + TestFrames.bigEndian(UInt32(payload.count)) + payload)
    }

    private func reset(_ index: Int) -> [UInt8] { TestFrames.bytes("reset \(2 * index + 1) 8") }

    private func request(_ index: Int) -> String { "request \(2 * index + 1) test.v1.S/Echo " + TestFrames.hex(number(index)) }

    @Test("many calls that are read at once begin in parts of sixteen, in order")
    func keptCalls() throws {
        let recorder = try grown()
        let counts = try kept(recorder, (0..<500).flatMap { headers($0) + message($0) })
        #expect(counts.allSatisfy { $0 <= 16 } && counts.count <= 40, "\(counts)")
        #expect(recorder.log == (0..<500).map(request))
        #expect(try parts(recorder, (500..<564).flatMap { headers($0) + message($0) }).last == 564)
    }

    @Test("a part ends after some hundred frames, also if nghttp2 handles them alone", arguments: [
        "window 0 1", "headers 1 gRPC:/test.v1.S/Echo", "data",
    ])
    func frames(_ frame: String) throws {
        let recorder = try grown()
        if frame == "data" {
            try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo") + TestFrames.frame(0, 0, 1, [0, 0, 0, 0xFF, 0xFF]))
        }
        let one = frame == "data" ? TestFrames.frame(0, 0, 1, [7]) : TestFrames.bytes(frame)
        let burst = [[UInt8]](repeating: one, count: 2_000).flatMap(\.self)
        let taken = try recorder.session.receivePart(of: burst.span.bytes, events: recorder)
        // Later headers of one stream are more work. The part may end between the header and the payload of a frame.
        let fewest = frame.hasPrefix("headers") ? 10 : 100
        #expect([0, 9].contains(taken % one.count) && (fewest...512).contains(taken / one.count), "\(taken / one.count) frames")
    }

    @Test(
        "no part has more than 32 KiB of a header block, of which each byte may be a field", arguments: [[16_384], [16_320, 16_256, 16_384], [8_100]])
    func block(_ sizes: [Int]) throws {
        let recorder = try grown()
        // The method GET from HPACK's table, again and again.
        let frames = (0..<7).map { TestFrames.frame($0 == 0 ? 1 : 9, 0, 1, [UInt8](repeating: 0x82, count: sizes[$0 % sizes.count])) }
        var burst = frames.flatMap(\.self)
        var taken: [Int] = []
        while !burst.isEmpty {
            taken.append(try recorder.session.receivePart(of: burst.span.bytes, events: recorder))
            burst.removeFirst(taken.last!)
        }
        #expect(taken.allSatisfy { (1...(32 << 10) + 4 * 9).contains($0) }, "\(taken)")
        #expect(taken.count >= frames.flatMap(\.self).count / (32 << 10))
    }

    @Test("so they do if all of them were opened before the first request, or before the first end")
    func keptRequests() throws {
        for isLate in [false, true] {
            let recorder = try grown()
            var burst = (0..<300).flatMap { headers($0) } + (0..<300).flatMap { message($0, isLate ? 0 : 1) }
            if isLate { burst += (0..<300).flatMap { TestFrames.bytes("data \(2 * $0 + 1) end") } }
            let counts = try kept(recorder, burst)
            #expect(counts.allSatisfy { $0 <= 32 } && recorder.log == (0..<300).map(request), "\(counts)")
        }
    }

    @Test("a kept call that was reset in the same input never begins, and the others do")
    func keptAndReset() throws {
        let recorder = try grown()
        let counts = try kept(recorder, (0..<100).flatMap { headers($0) + message($0) } + reset(0) + reset(99))
        #expect(counts.count > 3)
        #expect(recorder.log == (1..<99).map(request) && recorder.unreported.isEmpty)
    }

    @Test("a kept call that is reset later begins, and ends")
    func resetLater() throws {
        let recorder = try grown()
        #expect(try kept(recorder, (0..<100).flatMap { headers($0) + message($0) }).count > 3)
        let counts = try kept(recorder, (0..<100).flatMap { reset($0) })
        #expect(counts.allSatisfy { $0 <= 32 })
        #expect(recorder.log == (0..<100).map(request) + (0..<100).map { "ended \(2 * $0 + 1)" })
        #expect(!recorder.session.hasPartialInput)
    }

    @Test("messages of streams that are read at once are reported in parts, each stream's in order")
    func keptMessages() throws {
        let recorder = try grown()
        let messages = (0..<1000).flatMap { message($0 % 2, 0) }
        let counts = try kept(recorder, headers(0, "Chat") + headers(1, "Upload") + messages + TestFrames.bytes("data 1 end"))
        #expect(counts.count > 3 && counts.allSatisfy { $0 <= 256 })
        let expected = ["open 1 test.v1.S/Chat", "open 3 test.v1.S/Upload"]
            + (0..<1000).map { "message \(2 * ($0 % 2) + 1) " + TestFrames.hex(number($0 % 2)) }
        #expect(recorder.log == expected + ["half-closed 1"])
    }

    @Test("a part ends with the message that passes 64 KiB")
    func bytes() throws {
        let recorder = try grown()
        #expect(try kept(recorder, (0..<6).flatMap { headers($0) + message($0, byteCount: 16_000) }) == [5, 1])
    }

    @Test("kept calls count as memory and as requests that have come, until the last of them has begun")
    func memory() throws {
        let recorder = try grown()
        let burst = (0..<150).flatMap { headers($0) + message($0, byteCount: 100) }
        #expect(try recorder.session.receivePart(of: burst.span.bytes, events: recorder) == burst.count)
        for index in 0..<16 { recorder.session.respond(to: UInt32(2 * index + 1), with: text(""), metadata: nil) }
        _ = recorder.frames()
        #expect(recorder.session.hasPartialInput && recorder.session.heldByteCount > 134 * 100)
        while recorder.session.hasUnfinishedWork {
            #expect(try recorder.session.receivePart(of: [UInt8]().span.bytes, events: recorder) == 0)
            for index in 16..<150 { recorder.session.respond(to: UInt32(2 * index + 1), with: text(""), metadata: nil) }
            _ = recorder.frames()
        }
        #expect(recorder.log.count == 150 && !recorder.session.hasPartialInput)
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
