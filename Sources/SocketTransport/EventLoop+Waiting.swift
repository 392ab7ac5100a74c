import CLinuxSockets
import Glibc

extension EventLoop {
    /// Looks for events; without `hasWork`, waits for some as long as a loop lingers.
    /// - Returns: how many there are; 0 or less for none.
    func wait(for events: inout [epoll_event], hasWork: Bool) -> Int {
        guard !hasWork else { return look(for: &events, waiting: 0) }
        let start = MonotonicClock.now()
        let polls = Self.hasPeersBeside && idlePolling.isDue
        var count = 0
        if polls {
            repeat {
                count = look(for: &events, waiting: 0)
            } while count == 0 && MonotonicClock.now() - start < IdlePolling.windowNanoseconds
        }
        if count == 0 { count = look(for: &events, waiting: Self.lingerNanoseconds) }
        idlePolling.ended(after: MonotonicClock.now() - start, polled: polls)
        return count
    }

    private func look(for events: inout [epoll_event], waiting nanoseconds: Int) -> Int {
        Int(pulse_epoll_wait(epoll, &events, Int32(events.count), nanoseconds))
    }
}
