import CLinuxSockets
import Glibc

extension EventLoop {
    /// Looks for events. Without `hasWork`, it waits for them, at most as long as an idle loop waits.
    /// - Parameter start: when the last turn ended, nanoseconds.
    /// - Returns: the number of events; 0 or less for none. After a pause, `lastClock` is its end.
    func wait(for events: inout [epoll_event], hasWork: Bool, since start: Int64) -> Int {
        guard !hasWork else { return look(for: &events, waiting: 0) }
        working.store(false, ordering: .relaxed)
        defer { working.store(true, ordering: .relaxed) }
        guard Self.hasPeersBeside else {
            defer { _ = readClock() }
            return look(for: &events, waiting: Self.lingerNanoseconds)
        }
        let polls = idlePolling.isDue
        if polls {
            // If events are already there, there is no pause, and the clock need not be read.
            let count = look(for: &events, waiting: 0)
            if count > 0 { return count }
        }
        let count = polls ? poll(for: &events, since: start) : 0
        defer { idlePolling.ended(after: readClock() - start, polled: polls) }
        return count > 0 ? count : look(for: &events, waiting: Self.lingerNanoseconds)
    }

    private func poll(for events: inout [epoll_event], since start: Int64) -> Int {
        var count = 0
        repeat {
            count = look(for: &events, waiting: 0)
        } while count == 0 && MonotonicClock.now() - start < IdlePolling.windowNanoseconds
        return count
    }

    private func look(for events: inout [epoll_event], waiting nanoseconds: Int) -> Int {
        Int(pulse_epoll_wait(epoll, &events, Int32(events.count), nanoseconds))
    }
}

/// Whether an idle loop polls for a while before it sleeps.
///
/// Sleeping and waking takes tens of microseconds, in the kernel and, in a virtual machine, in the host. A client that calls again as soon as it is
/// answered is faster than that. The loop guesses from its last pause whether there is such a client. After wrong guesses, it polls less and less
/// often. So an idle loop sleeps as it would without polling. (Polling uses the CPU quota of a control group. A call costs no more CPU time with it.)
struct IdlePolling {
    /// How long a loop polls, nanoseconds: about as long as sleeping and waking take. So a wrong guess at most doubles the cost.
    static let windowNanoseconds: Int64 = 50_000
    /// The longest pause that polling may shorten, nanoseconds. The loop slept in it, so it includes the time to wake up.
    private static let promisingPause = 2 * windowNanoseconds
    /// Pauses below this do not count, nanoseconds. The work was already there when the loop looked, so the pause says nothing about the next one.
    private static let shortestPause: Int64 = 2_000
    /// The most pauses without polling after a wrong guess.
    private static let longestRest = 256

    private var lastPause = Int64.max
    /// The number of pauses without polling after the next wrong guess.
    private var rest = 1
    private var restLeft = 0

    /// Whether to poll in the pause that begins.
    var isDue: Bool { lastPause < Self.promisingPause && restLeft == 0 }

    /// Notes how long a pause was, and whether the loop polled at its beginning.
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
