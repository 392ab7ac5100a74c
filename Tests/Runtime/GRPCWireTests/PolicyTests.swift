import Testing
import WireBytes

@testable import GRPCWire

/// How much a peer may send, and how often it may ping.
@Suite struct PolicyTests {
    private func expect(_ pace: inout InboundPace, unfinished: Int, grants byteCount: Int, at place: SourceLocation = #_sourceLocation) {
        let granted = pace.grant(unfinished: unfinished, slack: 10)
        #expect(granted == byteCount, sourceLocation: place)
    }

    @Test("a message that waits for its reader is granted when it is taken, and nothing is granted twice")
    func paceOfReader() {
        var pace = InboundPace()
        pace.arrived(100)
        pace.delivered(100)
        expect(&pace, unfinished: 0, grants: 0)
        pace.taken(100)
        expect(&pace, unfinished: 0, grants: 100)
        expect(&pace, unfinished: 0, grants: 0)
    }

    @Test("a message larger than the window arrives once the reader has taken what was before it")
    func paceOfLargeMessage() {
        var pace = InboundPace()
        pace.arrived(50)
        pace.delivered(50)
        pace.arrived(200)
        expect(&pace, unfinished: 200, grants: 0)
        pace.taken(50)
        expect(&pace, unfinished: 200, grants: 250)
        pace.arrived(100)
        pace.delivered(300)
        // Two thirds of it were granted while it arrived; the rest waits with the message.
        expect(&pace, unfinished: 0, grants: 0)
        pace.taken(300)
        expect(&pace, unfinished: 0, grants: 100)
    }

    @Test("the third ping too early is one too many; a frame of a call begins again")
    func keepalive() {
        var policy = PingPolicy()
        #expect((0..<4).map { policy.receivedPing(at: $0) } == [true, true, true, false])

        policy = PingPolicy()
        for now in 0..<100 as Range<Int64> {
            let isTaken = policy.receivedPing(at: now)
            #expect(isTaken)
            policy.sentCallFrame()
        }
        policy = PingPolicy()
        #expect((0..<100).allSatisfy { policy.receivedPing(at: $0 * PingPolicy.minimumInterval) })
    }

    @Test("frames that move nothing are counted, and each useful one forgives a few of them")
    func flood() {
        let limit = SessionLimits().maximumGlitchCount
        var guardian = FloodGuard(maximumGlitchCount: limit)
        for _ in 0..<20_000 {
            guardian.idle(FloodGuard.idleFramesEach) { 1 }
            guardian.moved()
        }
        guardian.idle(FloodGuard.maximumIdleFrames + limit) { 1 }
        #expect(!guardian.glitches.isExceeded)
        guardian.idle(1) { 1 }
        #expect(guardian.glitches.isExceeded)
        let settings = (0...FloodGuard.maximumSettings).map { _ in guardian.receivedSettings() }
        #expect(settings.dropLast().allSatisfy { $0 } && settings.last == false)
    }
}
