import CNGHTTP2
import RPCCore
import WireBytes

/// Counts the useless frames of a client, and says when its connection must end (CVE-2019-9511 to 9518, CVE-2025-8671).
///
/// A frame is idle if it moves neither a message nor a call. Correct clients send some idle frames: windows, priorities, unknown types, frames for a
/// stream that has just ended. Each useful frame permits a few of them. Idle frames beyond that are glitches. Other frames are always glitches.
struct FloodGuard {
    /// The most SETTINGS frames of a connection. Each has to be answered, and clients need only a few.
    static let maximumSettings = 64
    /// The most idle frames at once that are not glitches.
    static let maximumIdleFrames = 1000
    /// Idle frames that each useful frame permits.
    static let idleFramesEach = 8

    private var settings = 0
    private var allowance = maximumIdleFrames
    private(set) var glitches: GlitchBudget
    private(set) var resets = GlitchBudget(burst: GlitchBudget.cancelBurst)

    /// - Parameter maximumGlitchCount: glitches that may come at once.
    init(maximumGlitchCount: Int) { glitches = GlitchBudget(burst: maximumGlitchCount) }

    mutating func receivedSettings() -> Bool {
        settings += 1
        return settings <= Self.maximumSettings
    }

    /// Counts idle frames.
    /// - Parameter now: the monotonic clock, nanoseconds. It is read only if there are too many frames.
    @inline(__always)
    mutating func idle(_ count: Int, _ now: () -> Int64) {
        allowance -= count
        if allowance < 0 { overdraw(now()) }
    }

    private mutating func overdraw(_ now: Int64) {
        for _ in allowance..<0 { glitches.take(at: now) }
        allowance = 0
    }

    /// Counts a call that the client has reset.
    mutating func reset(at now: Int64) { resets.take(at: now) }

    /// Counts a glitch.
    mutating func glitch(at now: Int64) { glitches.take(at: now) }

    /// Counts useful frames, in both directions.
    @inline(__always)
    mutating func moved(_ count: Int = 1) { allowance = min(allowance + count * Self.idleFramesEach, Self.maximumIdleFrames) }
}

/// How many of nghttp2's reports have been counted, so that each frame is counted once.
struct JudgedFrames {
    private var idle = 0
    private var skipped = 0
    private var sent = 0
    var sentBeforePing = 0
    var resets = 0
    var receivedResets = 0

    /// The number of idle frames since the last call of this function. Frames that nghttp2 skipped count, late frames do not.
    mutating func idleFrames(begun frames: FrameScanner, _ http2: HTTP2Session) -> Int {
        // A frame that is still arriving is reported later.
        let skipped = max(self.skipped, frames.begun &- http2.reportedFrameCount &- frames.lateCount - (frames.isInPayload ? 1 : 0))
        let new = http2.idleFrameCount &- idle + skipped - self.skipped
        idle = http2.idleFrameCount
        self.skipped = skipped
        return new
    }

    /// The number of HEADERS and DATA frames that were sent since the last call. A client may answer each with windows.
    mutating func sentFrames(_ http2: HTTP2Session) -> Int {
        defer { sent = http2.sentCallFrameCount }
        return http2.sentCallFrameCount &- sent
    }
}

/// Limits the pings of clients: gRPC's keepalive rules for servers (gRFC A8).
///
/// A client may ping once in five minutes. After each HEADERS or DATA frame from the server it may ping again at once, for example to measure
/// the bandwidth. The third ping that is too early breaks the rule.
struct PingPolicy {
    /// Nanoseconds between two pings: five minutes.
    static let minimumInterval: Int64 = 300_000_000_000
    /// The number of early pings that are permitted.
    static let maximumStrikes = 2

    private var lastPing: Int64?
    private var strikes = 0

    mutating func sentCallFrame() {
        lastPing = nil
        strikes = 0
    }

    /// Notes a ping. False if there were too many.
    /// - Parameter now: nanoseconds on the monotonic clock.
    mutating func receivedPing(at now: Int64) -> Bool {
        if let lastPing, now - lastPing < Self.minimumInterval {
            strikes += 1
        } else {
            lastPing = now
        }
        return strikes <= Self.maximumStrikes
    }
}
