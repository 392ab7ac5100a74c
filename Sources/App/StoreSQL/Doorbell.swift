import Foundation
import Synchronization

/// Wakes one thread that sleeps until it is rung for. Ringing twice before it wakes is ringing once.
package final class Doorbell: Sendable {
    private let isRung = Atomic(false)
    private let condition = NSCondition()

    package init() {}

    /// Wakes the thread that waits, or lets the next wait return at once.
    package func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Through the lock: a thread that has just looked and not yet gone to sleep would miss the signal.
        condition.lock()
        condition.signal()
        condition.unlock()
    }

    /// Sleeps until the bell is rung, unless it has been since the last wait.
    package func wait() {
        if isRung.exchange(false, ordering: .acquiringAndReleasing) { return }
        condition.lock()
        while !isRung.exchange(false, ordering: .acquiringAndReleasing) { condition.wait() }
        condition.unlock()
    }

    /// The same until an instant. - Returns: whether it was rung.
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
