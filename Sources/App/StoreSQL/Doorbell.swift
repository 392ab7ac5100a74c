import Foundation
import Synchronization

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

    /// Sleeps until the bell rings or an instant. - Returns: whether it rang.
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
