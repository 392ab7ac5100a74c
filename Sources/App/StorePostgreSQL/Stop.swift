import Foundation
import Synchronization

/// Tells waiting threads that the store is closing.
final class Stop: Sendable {
    private let flag = Atomic(false)
    private let condition = NSCondition()

    /// Whether the store is closing.
    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
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
        while !isSet {
            guard condition.wait(until: end) else { return isSet }
        }
        return true
    }
}
