import Synchronization

/// A map of bounded size that is read and filled from many threads under one short lock.
///
/// Session memory only (B3): auxiliary to the store and gone with the process. Values are keyed (X2), go in only after
/// the store has answered (X3), and a value that was read before an invalidation never goes in after it, because the
/// filling party shows the ticket it drew before it asked the store.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Ticket = ClockCache<Key, Value>.Ticket

    /// Most entries held.
    let capacity: Int
    private let cache: Mutex<ClockCache<Key, Value>>

    init(capacity: Int) {
        self.capacity = capacity
        cache = Mutex(ClockCache(capacity: capacity))
    }

    func usage(_ name: String) -> CacheUsage { cache.withLock { $0.usage(name) } }

    /// The cached value of a key.
    func value(for key: Key) -> Value? { cache.withLock { $0.value(for: key) } }

    /// To be drawn before the store is asked.
    func ticket() -> Ticket { cache.withLock { $0.ticket } }

    /// Keeps what the store answered, unless anything was invalidated since the ticket was drawn.
    func fill(_ value: Value, for key: Key, ticket: Ticket) {
        cache.withLock { _ = $0.fill(value, for: key, ticket: ticket) }
    }

    /// Forgets one key, and refuses every fill that is under way.
    func invalidate(_ key: Key) { cache.withLock { $0.invalidate(key) } }

    /// Forgets every entry of which `isStale` holds, and refuses every fill that is under way. Looks at all entries.
    func invalidate(where isStale: (Value) -> Bool) { cache.withLock { $0.invalidate(where: isStale) } }

    /// Entries held now.
    var count: Int { cache.withLock { $0.count } }
}
