import Foundation
import Synchronization

/// Says to threads that wait that the store is being closed.
final class Stop: Sendable {
    private let isSet = Atomic(false)
    private let condition = NSCondition()

    func set() {
        isSet.store(true, ordering: .releasing)
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for so long. - Returns: whether the store is being closed; then at once.
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
