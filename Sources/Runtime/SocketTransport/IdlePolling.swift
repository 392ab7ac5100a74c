/// Whether an idle loop polls for a while before it sleeps.
///
/// Sleeping and waking takes tens of microseconds: the kernel's and, in a virtual machine, the host's. A client that calls again as soon as it is
/// answered is faster. The loop guesses from its last pause whether such a client is there. If guesses fail, it guesses less and less often. So a
/// loop that is idle or rarely called sleeps as it would without polling. (Polling uses up a CPU quota of a control group. A call costs no more CPU
/// time with it.)
struct IdlePolling {
    /// How long a loop polls, nanoseconds: about what sleeping and waking cost, so that a wrong guess costs as much again and no more.
    static let windowNanoseconds: Int64 = 50_000
    /// A pause that polling may shorten, nanoseconds. It was measured by a loop that slept, so waking up is a part of it.
    private static let promisingPause = 2 * windowNanoseconds
    /// A shorter pause does not count, nanoseconds: the work was there before the loop looked, so the pause says nothing about the next one.
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
