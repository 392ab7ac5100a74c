import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// Incomplete messages are counted, and dropped after a time.
@Suite struct UnfinishedTests {
    private final class Clock {
        var now: Int64 = 1
    }

    private let clock = Clock()
    private let session: ServerSession
    private let events = NoEvents()

    init() {
        let clock = clock
        session = ServerSession(frameTimeout: .seconds(10), now: { clock.now })
    }

    private func receive(_ bytes: [UInt8]) throws { try Self.receive(bytes, session, events) }

    private static func receive(_ bytes: [UInt8], _ session: ServerSession, _ events: NoEvents) throws {
        try session.receive(bytes.span.bytes, events: events)
    }

    private static func frame(_ id: UInt32, kind: UInt8 = 1, byteCount: Int) -> [UInt8] {
        [0, UInt8(byteCount >> 16), UInt8(byteCount >> 8 & 0xFF), UInt8(byteCount & 0xFF), 0, 0, UInt8(id >> 8), UInt8(id & 0xFF), kind, 0]
            + [UInt8](repeating: 0x0A, count: byteCount)
    }

    private static let second: Int64 = 1_000_000_000

    @Test("half a frame ends the connection after ten seconds, whole ones never", arguments: [1, 9, 10, 60])
    func halfFrame(_ count: Int) throws {
        try receive(Self.frame(1, byteCount: 50))
        #expect(session.nextExpiry == .max)
        clock.now += Self.second
        try receive(Array(Self.frame(3, byteCount: 51).prefix(count)))
        #expect(session.nextExpiry == clock.now + 10 * Self.second)
        clock.now += 9 * Self.second
        try session.expireUnfinished(at: clock.now, events: events)
        // One more byte is not another frame.
        if count == 10 { try receive([0x0A]) }
        clock.now += Self.second
        #expect(session.nextExpiry == clock.now)
        #expect(throws: ProtocolViolation.self) { try session.expireUnfinished(at: clock.now, events: events) }
    }

    @Test("each frame has its own ten seconds")
    func next() throws {
        let frame = Self.frame(1, byteCount: 50)
        try receive(Array(frame.prefix(20)))
        clock.now += 9 * Self.second
        try receive(Array(frame.dropFirst(20)) + Array(Self.frame(3, byteCount: 50).prefix(20)))
        #expect(session.nextExpiry == clock.now + 10 * Self.second)
        try receive(Array(Self.frame(3, byteCount: 50).dropFirst(20)))
        #expect(session.nextExpiry == .max)
    }

    @Test("half a frame is counted, and can be dropped: its call is answered, the rest of it passed over, and the connection goes on")
    func drop() throws {
        let frame = Self.frame(1, byteCount: 5000)
        try receive(Array(frame.prefix(4000)))
        // The rest has its room already.
        #expect((4000...5010).contains(session.heldByteCount))
        session.dropUnfinished(.max, RPCError(.resourceExhausted, "no room"), events: events)
        let answer = session.outputByteCount
        #expect(session.heldByteCount == answer && answer > 0 && answer < 100)
        try receive(Array(frame.dropFirst(4000)))
        #expect(session.outputByteCount == answer && session.nextExpiry == .max)
        try receive(Self.frame(3, byteCount: 10))
        #expect(session.outputByteCount > answer)
    }

    @Test("frames that break a rule, collide or mean nothing end the connection when there are thousands, and not when they come slowly")
    func glitches() throws {
        let kinds: [(UInt32) -> [UInt8]] = [
            // An even id, a used id, a response, data without a stream, an unknown type, a cancel, a window without a stream.
            { _ in Self.frame(2, byteCount: 0) }, { _ in Self.frame(1, byteCount: 0) }, { Self.frame($0, kind: 2, byteCount: 0) },
            { Self.frame($0, kind: 3, byteCount: 0) }, { Self.frame($0, kind: 99, byteCount: 0) },
            { Self.frame($0, kind: 0x10, byteCount: 0) }, { Self.frame($0, kind: 0x11, byteCount: 8) },
        ]
        for kind in kinds {
            let clock = Clock()
            let session = ServerSession(now: { clock.now })
            let frames = (0..<6000).map { kind(UInt32($0)) }
            #expect(throws: ProtocolViolation.self) { try Self.receive(frames.flatMap { $0 }, session, events) }
            let patient = ServerSession(now: { clock.now })
            for frame in frames {
                clock.now += Self.second / 100
                try Self.receive(frame, patient, events)
            }
        }
    }

    @Test("the number of such frames can be set")
    func glitchLimit() throws {
        let session = ServerSession(maximumGlitchCount: 100, now: { 1 })
        let frame = Self.frame(2, byteCount: 0)
        for _ in 0..<100 { try Self.receive(frame, session, events) }
        #expect(throws: ProtocolViolation.self) { for _ in 0..<2 { try Self.receive(frame, session, events) } }
    }

    @Test(
        "frames that move nothing on an open stream, or on one that the server has ended, end the connection when there are thousands",
        arguments: [(0x04, false), (0x05, false), (0x04, true)] as [(UInt8, Bool)])
    func emptyFrames(_ flags: UInt8, afterItsEnd: Bool) throws {
        // A stream whose client still sends, and one whose client has sent its only request.
        let method = flags == 0x04 ? "Chat" : "Watch"
        let session = ServerSession(now: { 1 })
        let envelope = [0x0A, 9] + Array("test.v1.S".utf8) + [0x12, UInt8(method.utf8.count)] + Array(method.utf8)
        var opening = Self.frame(1, byteCount: envelope.count).prefix(10) + envelope
        opening[9] = flags == 0x04 ? 0x02 : 0x01
        try Self.receive(Array(opening), session, events)
        #expect(session.streams.count == 1)
        if afterItsEnd { session.finish(1, metadata: nil) }
        var empty = Self.frame(1, kind: 3, byteCount: 0)
        empty[9] = flags
        let many = [UInt8](repeatElement(empty, count: 3000).joined())
        try Self.receive(many, session, events)
        #expect(throws: ProtocolViolation.self) { try Self.receive(many, session, events) }
    }

    @Test("calls that the host refuses count too")
    func refusals() throws {
        for _ in 0..<6000 { session.noteRefusal() }
        #expect(throws: ProtocolViolation.self) { try receive(Self.frame(1, byteCount: 0)) }
    }
}

private final class NoEvents: PassiveHost {
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? {
        testMethod(String(decoding: array(service), as: UTF8.self), String(decoding: array(method), as: UTF8.self))
    }
}
