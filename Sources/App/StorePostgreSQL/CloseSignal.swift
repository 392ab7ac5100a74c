import StoreSQL
import Synchronization

/// Tells waiting threads that the store is closing.
final class CloseSignal: Sendable {
    private let flag = Atomic(false)
    private let pauses = TimedWait()

    /// Whether the store is closing.
    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
        pauses.end()
    }

    /// Waits for a duration, or until the store closes.
    /// - Returns: whether the store is closing.
    func pause(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isSet, ContinuousClock.now < end { pauses.wait(until: end) }
        return isSet
    }
}
