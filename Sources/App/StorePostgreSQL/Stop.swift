import Foundation
import Synchronization

/// Tells waiting threads that the store is closing.
final class Stop: Sendable {
    private let isSet = Atomic(false)
    private let condition = NSCondition()

    func set() {
        isSet.store(true, ordering: .releasing)
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for a duration, or until the store closes.
    /// - Returns: whether the store is closing.
    func pause(_ duration: Duration) -> Bool {
        let end = Date(timeIntervalSinceNow: duration / .seconds(1))
        condition.lock()
        defer { condition.unlock() }
        while !isSet.load(ordering: .acquiring) {
            guard condition.wait(until: end) else { return isSet.load(ordering: .acquiring) }
        }
        return true
    }
}
