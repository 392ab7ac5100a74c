import PulseBoardDomain
import Synchronization

@testable import StoreSQLite

/// What a store has told of itself, in order.
final class EventRecord: Sendable {
    private let stream: AsyncStream<StoreEvent>
    private let told = Mutex<[StoreEvent]>([])

    init(_ store: SQLiteStore) {
        let (stream, continuation) = AsyncStream<StoreEvent>.makeStream()
        self.stream = stream
        store.observe { continuation.yield($0) }
    }

    init(_ health: StoreHealth) {
        let (stream, continuation) = AsyncStream<StoreEvent>.makeStream()
        self.stream = stream
        health.observe { continuation.yield($0) }
    }

    /// Waits until the store says that it works again. - Returns: everything that it has said until then.
    @discardableResult
    func recovery() async -> [StoreEvent] {
        for await event in stream {
            let all = told.withLock { told in
                told.append(event)
                return told
            }
            if case .recovered = event { return all }
        }
        return []
    }
}
