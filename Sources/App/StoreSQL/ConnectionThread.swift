import Foundation
import Synchronization

/// A thread of the store. It holds one connection while it runs.
///
/// It is not a Dispatch queue, because waking a thread costs fewer system calls. The connection's prepared statements are local variables of
/// the thread and need no lock.
package final class ConnectionThread: Sendable {
    private let work = Doorbell()
    private let end = Doorbell()
    /// `pthread_self()` of the thread; 0 until it runs.
    private let identity = Atomic<UInt>(0)

    /// Starts the thread.
    /// - Parameter body: the work of the thread; the thread ends when it returns.
    package init(_ name: String, _ body: @escaping @Sendable (ConnectionThread) -> Void) {
        let thread = Thread { [self] in
            identity.store(UInt(pthread_self()), ordering: .relaxed)
            body(self)
            end.ring()
        }
        thread.name = name
        thread.start()
    }

    /// Wakes the thread.
    package func wake() { work.ring() }

    /// Sleeps until ``wake()``. Call it on the thread itself.
    package func sleep() { work.wait() }

    /// Sleeps until ``wake()`` or an instant; `nil` for no limit. Call it on the thread itself.
    package func sleep(until end: ContinuousClock.Instant?) {
        if let end { work.wait(until: end) } else { work.wait() }
    }

    /// Waits until the thread has ended. On the thread itself it returns at once. Call it only once.
    package func join() {
        guard identity.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
        end.wait()
    }
}

/// Wakes one sleeping thread. Ringing twice before it wakes has the effect of ringing once.
package final class Doorbell: Sendable {
    private let isRung = Atomic(false)
    private let condition = NSCondition()

    package init() {}

    /// Wakes the waiting thread, or makes the next wait return at once.
    package func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The lock is needed: otherwise a thread that has just checked, but does not sleep yet, would miss the signal.
        condition.lock()
        condition.signal()
        condition.unlock()
    }

    /// Sleeps until the bell rings. Returns at once if it has rung since the last wait.
    package func wait() {
        if isRung.exchange(false, ordering: .acquiringAndReleasing) { return }
        condition.lock()
        while !isRung.exchange(false, ordering: .acquiringAndReleasing) { condition.wait() }
        condition.unlock()
    }

    /// Sleeps until the bell rings or an instant.
    /// - Returns: whether it rang.
    @discardableResult
    package func wait(until end: ContinuousClock.Instant) -> Bool {
        if isRung.exchange(false, ordering: .acquiringAndReleasing) { return true }
        condition.lock()
        defer { condition.unlock() }
        while !isRung.exchange(false, ordering: .acquiringAndReleasing) {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            _ = condition.wait(until: Date(timeIntervalSinceNow: left / .seconds(1)))
        }
        return true
    }
}
