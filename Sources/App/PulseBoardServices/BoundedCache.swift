import Synchronization

/// A cache with a maximum size. Many threads read and fill it under one lock, which is held only briefly.
///
/// It exists only in memory (B3) and is gone with the process. Values have keys (X2). Only values that the store returned are kept (X3). A value is
/// not kept while its key is being written, or if it was requested before such a write ended. To prove when it asked, a task takes a ticket before
/// it asks the store and passes it to ``fill(_:for:ticket:)``.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Ticket = WriteFence<Key>.Ticket

    private struct State {
        var values: ClockCache<Key, Value>
        var writes = WriteFence<Key>()
    }

    /// Maximum number of entries.
    let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int) {
        self.capacity = capacity
        state = Mutex(State(values: ClockCache(capacity: capacity)))
    }

    func usage(_ name: String) -> CacheUsage { state.withLock { $0.values.usage(name) } }

    /// The cached value of a key.
    func value(for key: Key) -> Value? { state.withLock { $0.values.value(for: key) } }

    /// Returns a ticket. Take it before you ask the store.
    func ticket() -> Ticket { state.withLock { $0.writes.ticket } }

    /// Keeps a value from the store, unless the key is being written or was written since the ticket.
    func fill(_ value: Value, for key: Key, ticket: Ticket) {
        state.withLock { state in
            if state.writes.admits(key, ticket) { _ = state.values.insert(value, for: key) }
        }
    }

    /// Forgets a key that is about to be written, and keeps nothing about it until the write ends.
    func beginWrite(_ key: Key) {
        state.withLock { state in
            state.writes.begin(key)
            state.values.remove(key)
        }
    }

    /// Ends a write: it was acknowledged, or it failed.
    func endWrite(_ key: Key) { state.withLock { $0.writes.end(key) } }

    /// Forgets a key, and refuses values for it with an earlier ticket.
    func invalidate(_ key: Key) {
        beginWrite(key)
        endWrite(key)
    }

    /// The present number of entries.
    var count: Int { state.withLock { $0.values.count } }
}
