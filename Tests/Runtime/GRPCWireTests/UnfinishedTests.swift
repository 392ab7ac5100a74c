import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

/// Incomplete messages are counted, and dropped after a time.
@Suite struct UnfinishedTests {
    private let clock = TestClock()
    private let recorder: ServerRecorder

    init() throws {
        let clock = clock
        recorder = try ServerRecorder(now: { clock.now })
        try receive("preface")
    }

    private var session: ServerSession { recorder.session }

    private func receive(_ lines: String...) throws {
        for line in lines { try recorder.receive(TestFrames.bytes(line)) }
    }

    private func expire() throws { try session.expireUnfinished(at: clock.now, events: recorder) }

    private func seconds(_ count: Int64) -> Int64 { 1 + count * 1_000_000_000 }

    @Test("nothing that is whole expires, however many calls there were")
    func whole() throws {
        #expect(session.nextExpiry == .max)
        try receive("headers 1 gRPC:/test.v1.S/Echo", "data 1 end 0000000000", "headers 3 gRPC:/test.v1.S/Chat", "data 3 0000000000")
        #expect(session.nextExpiry == .max)
        clock.advance(seconds: 1000)
        try expire()
        #expect(recorder.log == ["request 1 test.v1.S/Echo", "open 3 test.v1.S/Chat", "message 3"])
    }

    @Test("a call's own deadline runs while its request is still arriving, and then the call ends")
    func deadline() throws {
        try receive("headers 1 gRPC:/test.v1.S/Echo grpc-timeout=2S", "data 1 00000000ff0102")
        #expect(session.nextExpiry == seconds(2))
        clock.advance(seconds: 1)
        try expire()
        #expect(recorder.frames() == [])
        clock.advance(seconds: 1)
        try expire()
        let frames = recorder.frames()
        #expect(frames.first?.contains("grpc-status=4") == true && frames.count == 2, "\(frames)")
        #expect(session.nextExpiry == .max)
        #expect(recorder.log == ["ended 1"])
        #expect(recorder.unreported == ["test.v1.S/Echo DEADLINE_EXCEEDED"])
    }

    @Test("many calls with the same deadline are ended a few at a time")
    func sameDeadline() throws {
        for number in 0..<100 { try receive("headers \(2 * number + 1) gRPC:/test.v1.S/Echo grpc-timeout=2S") }
        clock.advance(seconds: 2)
        var ended: [Int] = []
        while session.nextExpiry <= clock.now, ended.count < 10 {
            try expire()
            ended.append(recorder.frames().count { $0.contains("grpc-status=4") })
        }
        #expect(ended == [32, 64, 96, 100])
    }

    @Test("a message that is longer than the window expires like any other while its client may send more of it", arguments: ["Echo", "Chat"])
    func longMessage(_ method: String) throws {
        try receive("headers 1 gRPC:/test.v1.S/\(method)", "data 1 0000400000 01")
        for _ in 0..<9 {
            clock.advance(seconds: 1)
            try receive("data 1 01")
            try expire()
        }
        #expect(recorder.frames() == [])
        #expect(session.nextExpiry == seconds(10))
        clock.advance(seconds: 1)
        try expire()
        #expect(recorder.frames().first?.contains("grpc-status=4") == true)
    }

    @Test("the deadline of a call runs while its long request arrives")
    func deadlineOfLongMessage() throws {
        try receive("headers 1 gRPC:/test.v1.S/Echo grpc-timeout=2S", "data 1 0000400000 01")
        clock.advance(seconds: 2)
        try expire()
        #expect(recorder.frames().first?.contains("grpc-status=4") == true)
    }

    @Test("a request whose headers came and nothing else is given up after ten seconds", arguments: ["Echo", "Watch"])
    func headersOnly(_ method: String) throws {
        try receive("headers 1 gRPC:/test.v1.S/\(method) grpc-timeout=1H")
        #expect(session.nextExpiry == seconds(10))
        clock.advance(seconds: 10)
        try expire()
        #expect(recorder.frames().first?.contains("grpc-status=4") == true)
        // The host knows a stream since its headers.
        #expect(recorder.unreported == (method == "Echo" ? ["test.v1.S/Echo DEADLINE_EXCEEDED"] : []))
    }

    @Test("a stream may wait for its next message for ever, but a message that has begun has ten seconds")
    func streamMessage() throws {
        try receive("headers 1 gRPC:/test.v1.S/Chat", "data 1 0000000000")
        clock.advance(seconds: 100)
        #expect(session.nextExpiry == .max)
        try receive("data 1 00000000")
        #expect(session.nextExpiry == seconds(110))
        clock.advance(seconds: 9)
        try receive("data 1 02")
        clock.advance(seconds: 1)
        try expire()
        #expect(recorder.frames().first?.contains("grpc-status=4") == true)
        #expect(recorder.log == ["open 1 test.v1.S/Chat", "message 1", "ended 1"])
    }

    @Test("each message has its own ten seconds, also if the end of one and the beginning of the next always come together")
    func severalMessages() throws {
        try receive("headers 1 gRPC:/test.v1.S/Chat", "data 1 0000")
        for _ in 0..<15 {
            clock.advance(seconds: 1)
            try receive("data 1 0000000000")
            try expire()
        }
        #expect(recorder.frames() == [])
        #expect(session.nextExpiry == seconds(25))
        clock.advance(seconds: 10)
        try expire()
        #expect(recorder.frames().first?.contains("grpc-status=4") == true)
    }

    @Test("trailers in parts of a stream that is already over are no unfinished frame")
    func trailersInParts() throws {
        try receive("headers 3 gRPC:/test.v1.S/Chat", "headers 5 gRPC:/test.v1.S/Chat content-length=0")
        let block = TestFrames.headerBlock([("a", "b")])
        try recorder.receive(TestFrames.bytes("data 5 00") + TestFrames.frame(1, 1, 5, block) + TestFrames.frame(9, 4, 5, block))
        for _ in 0..<20 {
            clock.advance(seconds: 1)
            try receive("data 3 0000000000")
            try expire()
        }
        #expect(recorder.log.count { $0 == "message 3" } == 20)
    }

    @Test("what is not the first to expire keeps its time")
    func several() throws {
        try receive("headers 1 gRPC:/test.v1.S/Echo grpc-timeout=5S", "headers 3 gRPC:/test.v1.S/Echo grpc-timeout=3S")
        clock.advance(seconds: 3)
        try expire()
        #expect(session.nextExpiry == seconds(5))
        try receive("data 1 end 0000000000")
        #expect(session.nextExpiry == .max)
        #expect(recorder.log.last?.hasPrefix("request 1") == true)
    }

    @Test("half a frame, of whatever kind, and half a header block end the connection after ten seconds")
    func halfFrame() throws {
        for part in [
            [0, 0, 8], [0, 0, 8, 6, 0, 0, 0, 0, 0, 1], Array(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo").dropLast()),
            TestFrames.frame(1, 0, 1, [0x82]),
        ] as [[UInt8]] {
            let clock = TestClock()
            let recorder = try ServerRecorder(now: { clock.now })
            try recorder.receive(TestFrames.bytes("preface"))
            #expect(recorder.session.nextExpiry == .max)
            clock.advance(seconds: 1)
            try recorder.receive(part)
            #expect(recorder.session.nextExpiry == seconds(11))
            clock.advance(seconds: 9)
            try recorder.session.expireUnfinished(at: clock.now, events: recorder)
            clock.advance(seconds: 1)
            #expect(throws: ProtocolViolation.self) { try recorder.session.expireUnfinished(at: clock.now, events: recorder) }
        }
    }

    @Test("a message that this side holds back has its time when it may go on")
    func heldBack() throws {
        // The reader takes nothing here, so there is no window left for the rest.
        let reader = SilentReader()
        let session = try #require(ServerSession(now: { clock.now }))
        let kilobyte = TestFrames.frame(0, 0, 1, [0, 0, 0, 4, 0] + [UInt8](repeating: 0, count: 1024))
        let input = TestFrames.bytes("preface") + TestFrames.frame(4, 1, 0, []) + TestFrames.bytes("headers 1 gRPC:/test.v1.S/Chat")
            + Array(repeatElement(kilobyte, count: 250).joined()) + TestFrames.frame(0, 0, 1, [0, 0, 1, 0, 0, 7])
        try session.receive(input.span.bytes, events: reader)
        clock.advance(seconds: 100)
        try session.expireUnfinished(at: clock.now, events: reader)
        #expect(reader.endCount == 0 && reader.messageCount == 250)
        session.consumed(250 * 1029, on: 1)
        #expect(session.nextExpiry == seconds(110))
        clock.advance(seconds: 10)
        try session.expireUnfinished(at: clock.now, events: reader)
        #expect(reader.endCount == 1)
    }

    @Test("a stream that waits for its reader does not keep the turn of other large messages")
    func behindItsReader() throws {
        let reader = SilentReader()
        var limits = SessionLimits()
        // Little room is left above a sixteenth: 1,000 bytes.
        limits.maximumUnfinishedByteCount = 16_000
        let session = try #require(ServerSession(limits: limits, now: { clock.now }))
        let kilobyte = TestFrames.frame(0, 0, 1, [0, 0, 0, 4, 0] + [UInt8](repeating: 0, count: 1024))
        let input = TestFrames.bytes("preface") + TestFrames.frame(4, 1, 0, []) + TestFrames.bytes("headers 1 gRPC:/test.v1.S/Chat")
            + Array(repeatElement(kilobyte, count: 100).joined()) + TestFrames.bytes("data 1 0000010000 07*2000")
            + TestFrames.bytes("headers 3 gRPC:/test.v1.S/Echo") + TestFrames.bytes("data 3 0000001770 07*5000")
        try session.receive(input.span.bytes, events: reader)
        #expect(session.streams[3]?.isHeldBack == false)
        // Now its reader has read, and it waits for its turn.
        session.consumed(100 * 1029, on: 1)
        #expect(session.streams[1]?.isHeldBack == true)
        try session.receive(TestFrames.bytes("data 3 end 07*1000").span.bytes, events: reader)
        #expect(session.streams[1]?.isHeldBack == false)
    }

    @Test("the deadline of a call passes also while this side holds its request back, and then its client may send it")
    func deadlineWhileHeldBack() throws {
        var limits = SessionLimits()
        limits.maximumBufferedByteCount = 1000
        let clock = clock
        let recorder = try ServerRecorder(answers: ["1 ok x*2000"], limits: limits, now: { clock.now })
        // The client has no window, so the first answer waits, and later requests are held back.
        try recorder.receive(TestFrames.preface + TestFrames.bytes("settings 0 000400000000"))
        try recorder.receive(TestFrames.bytes("headers 1 gRPC:/test.v1.S/Echo") + TestFrames.bytes("data 1 end 0000000000"))
        try recorder.receive(TestFrames.bytes("headers 3 gRPC:/test.v1.S/Echo grpc-timeout=2S") + TestFrames.bytes("data 3 0000010000 01*5000"))
        let session = recorder.session
        #expect(session.streams[3]?.isHeldBack == true)
        try session.expireUnfinished(at: clock.now, events: recorder)
        #expect(session.nextExpiry == seconds(2))
        clock.advance(seconds: 2)
        try session.expireUnfinished(at: clock.now, events: recorder)
        #expect(recorder.unreported == ["test.v1.S/Echo DEADLINE_EXCEEDED"])
    }

    @Test("all that is unfinished can be dropped at once; what is whole goes on")
    func drop() throws {
        try receive("headers 1 gRPC:/test.v1.S/Echo", "data 1 0000000fff 01*1000", "headers 3 gRPC:/test.v1.S/Chat", "headers 5 gRPC:/test.v1.S/Chat")
        try receive("data 5 00000000ff01")
        let held = session.heldByteCount
        session.dropUnfinished(.max, RPCError(.resourceExhausted, "no room"), events: recorder)
        _ = recorder.frames()
        #expect(session.heldByteCount <= held - 1000)
        try receive("data 3 end 0000000000")
        #expect(recorder.log.suffix(4).sorted() == ["ended 1", "ended 5", "half-closed 3", "message 3"])
        #expect(recorder.unreported == ["test.v1.S/Echo RESOURCE_EXHAUSTED"])
    }

    @Test("what is held is counted: headers of running calls once for each block, pieces of messages, answers, and nothing when all is over")
    func held() throws {
        // nghttp2's own memory for the connection.
        let own = session.heldByteCount
        #expect((24 << 10..<25 << 10).contains(own), "\(own)")
        _ = recorder.frames()
        try receive("headers 1 gRPC:/test.v1.S/Echo x=\(String(repeating: "y", count: 8000))", "data 1 0000010000 01*5000")
        #expect((13_000...16_000).contains(session.heldByteCount - own), "\(session.heldByteCount)")
        try receive("headers 3 gRPC:/test.v1.S/Chat x=\(String(repeating: "z", count: 2000))")
        let one = session.heldByteCount
        for id in 0..<100 { try receive("headers \(2 * id + 5) gRPC:/test.v1.S/Chat x=\(String(repeating: "z", count: 2000))") }
        #expect(session.heldByteCount - one < 100 * 2100)
        for id in 0..<102 { try receive("reset \(2 * id + 1) 8") }
        _ = recorder.frames()
        // The table of 102 streams, and known header blocks.
        #expect(session.heldByteCount - own < 9_000, "\(session.heldByteCount)")
    }
}

/// Receives messages of streams and never reports them as read.
private final class SilentReader: PassiveHost {
    private(set) var messageCount = 0
    private(set) var endCount = 0

    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        testMethod(String(decoding: array(service), as: UTF8.self), String(decoding: array(method), as: UTF8.self))
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) { messageCount += 1 }
    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) { endCount += 1 }
}
