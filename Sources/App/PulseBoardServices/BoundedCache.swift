import Synchronization

/// A map of bounded size that many threads read and fill under one short lock.
///
/// It is session memory only (B3): it helps the store and is gone with the process. Values have keys (X2). A value is kept only after the store has
/// answered (X3). It is not kept while a write of its key is under way, or if it was asked for before such a write ended. The filling task shows the
/// ticket that it drew before it asked the store.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Ticket = WriteFence<Key>.Ticket

    private struct State {
        var values: ClockCache<Key, Value>
        var writes = WriteFence<Key>()
    }

    /// Most entries held.
    let capacity: Int
    private let state: Mutex<State>

    init(capacity: Int) {
        self.capacity = capacity
        state = Mutex(State(values: ClockCache(capacity: capacity)))
    }

    func usage(_ name: String) -> CacheUsage { state.withLock { $0.values.usage(name) } }

    /// The cached value of a key.
    func value(for key: Key) -> Value? { state.withLock { $0.values.value(for: key) } }

    /// To be drawn before the store is asked.
    func ticket() -> Ticket { state.withLock { $0.writes.ticket } }

    /// Keeps what the store answered, unless the key is being written, or was since the ticket was drawn.
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

    /// A write that has begun was acknowledged, or failed.
    func endWrite(_ key: Key) { state.withLock { $0.writes.end(key) } }

    /// Forgets one key, and refuses what was asked about it before.
    func invalidate(_ key: Key) {
        beginWrite(key)
        endWrite(key)
    }

    /// Entries held now.
    var count: Int { state.withLock { $0.values.count } }
}
