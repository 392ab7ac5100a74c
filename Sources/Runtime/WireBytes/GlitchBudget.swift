/// How many glitches a peer may cause.
///
/// A glitch is input that makes work and has no use, and that correct clients rarely send: a frame for a call that is over, a call that is refused, a
/// mistake that makes this side reset a call. All kinds share one counter, so a mixture is not cheaper (CVE-2019-9511 to 9518, CVE-2023-44487,
/// CVE-2025-8671).
public struct GlitchBudget {
    /// Glitches that may come at once, unless ``init(burst:)`` says otherwise.
    public static var burst: Int { 4000 }
    /// Calls that a peer may cancel at once, without counting them as glitches; ``perSecond`` more each second (CVE-2023-44487). The handler of a
    /// cancelled call still counts until it has ended, and a connection has a limit of handlers.
    public static var cancelBurst: Int { 5000 }
    /// Glitches that may come each second in the long run.
    public static var perSecond: Int { 200 }

    private static let nanosecondsEach = 1_000_000_000 / Int64(perSecond)

    private let burst: Int
    private var left: Int
    private var refilledAt: Int64?

    /// A full budget.
    /// - Parameter burst: glitches that may come at once.
    public init(burst: Int = GlitchBudget.burst) {
        self.burst = burst
        left = burst
    }

    /// Whether the peer has caused too many glitches.
    public private(set) var isExceeded = false

    /// Notes a glitch.
    /// - Parameter now: nanoseconds on the monotonic clock.
    public mutating func take(at now: Int64) {
        refill(now)
        if left > 0 { left -= 1 } else { isExceeded = true }
    }

    /// Marks this budget as exceeded because another budget of the peer is. Then its owner checks only this one.
    public mutating func exceed() { isExceeded = true }

    private mutating func refill(_ now: Int64) {
        guard let last = refilledAt else { return refilledAt = now }
        let count = (now - last) / Self.nanosecondsEach
        guard count > 0 else { return }
        left = min(burst, left + Int(min(count, Int64(burst))))
        // The rest of an interval counts for the next one.
        refilledAt = last + count * Self.nanosecondsEach
    }
}
