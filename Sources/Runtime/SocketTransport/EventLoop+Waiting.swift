import CLinuxSockets
import Glibc

extension EventLoop {
    /// Looks for events. Without `hasWork`, it waits for them, at most as long as an idle loop waits.
    /// - Parameter start: when the last turn ended, nanoseconds.
    /// - Returns: the number of events; 0 or less for none. After a pause, `lastClock` is its end.
    func wait(for events: inout [epoll_event], hasWork: Bool, since start: Int64) -> Int {
        guard !hasWork else { return look(for: &events, waiting: 0) }
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
