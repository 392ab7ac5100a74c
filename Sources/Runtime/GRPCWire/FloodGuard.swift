import WireBytes

/// Ends a connection that is kept busy with frames that move nothing (CVE-2019-9511 to 9518, CVE-2025-8671).
///
/// Some frames move nothing and are sent by clients of good will too: windows, priorities, types that are not known here, frames for a stream
/// that has just ended. Each frame that moves something forgives a few of those; beyond that they are glitches, as others are from the first on.
struct FloodGuard {
    /// SETTINGS frames in the life of a connection: each has to be answered, and nobody has more than a few to say.
    static let maximumSettings = 64
    /// Frames that move nothing and cost nothing, at once.
    static let maximumIdleFrames = 1000
    /// Frames that move nothing and are forgiven for one that does.
    static let idleFramesEach = 8

    private var settings = 0
    private var allowance = maximumIdleFrames
    private(set) var glitches = GlitchBudget()

    mutating func receivedSettings() -> Bool {
        settings += 1
        return settings <= Self.maximumSettings
    }

    /// Frames that move nothing.
    /// - Parameter now: the monotonic clock, nanoseconds; asked only where there are too many.
    @inline(__always)
    mutating func idle(_ count: Int, _ now: () -> Int64) {
        allowance -= count
        if allowance < 0 { overdraw(now()) }
    }

    private mutating func overdraw(_ now: Int64) {
        for _ in allowance..<0 { glitches.take(at: now) }
        allowance = 0
    }

    /// What no client of good will does more than now and then.
    mutating func glitch(at now: Int64) { glitches.take(at: now) }

    /// Frames that move something, either way.
    @inline(__always)
    mutating func moved(_ count: Int = 1) { allowance = min(allowance + count * Self.idleFramesEach, Self.maximumIdleFrames) }
}
