/// Whether a loop that has nothing to do looks for more for a while before it sleeps.
///
/// To sleep and be woken takes tens of microseconds, the kernel's and, in a virtual machine, the host's; a client that calls again as soon as it
/// is answered is back before. Whether one will be is guessed from the pause before, and guessed less and less often where that fails: a loop that
/// is idle, or called now and then, sleeps as it would without. (Where a process may use less of its processors than there are, as with a quota of
/// a control group, polling takes from that; a call takes no more CPU with it than without.)
struct IdlePolling {
    /// How long a loop polls, nanoseconds: about what sleeping and waking cost, so that a wrong guess costs as much again and no more.
    static let windowNanoseconds: Int64 = 50_000
    /// A pause that polling may shorten, nanoseconds. It was measured by a loop that slept, so waking up is a part of it.
    private static let promisingPause = 2 * windowNanoseconds
    /// A pause that is none, nanoseconds: what ended it was there before, and says nothing of the next.
    private static let shortestPause: Int64 = 2_000
    /// Pauses left out at most after a wrong guess.
    private static let longestRest = 256

    private var lastPause = Int64.max
    /// Pauses to be left out after the next wrong guess.
    private var rest = 1
    private var restLeft = 0

    /// Whether to poll through the pause that begins.
    var isDue: Bool { lastPause < Self.promisingPause && restLeft == 0 }

    /// Notes how long a pause was, and whether it was polled through at first.
    mutating func ended(after pause: Int64, polled: Bool) {
        guard pause > Self.shortestPause else { return }
        lastPause = pause
        if !polled {
            restLeft = max(0, restLeft - 1)
        } else if pause < Self.windowNanoseconds {
            rest = max(1, rest / 2)
        } else {
            restLeft = rest
            rest = min(rest * 2, Self.longestRest)
        }
    }
}
