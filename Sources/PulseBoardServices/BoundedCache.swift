import Synchronization

/// A map of bounded size that is read and filled from many threads under one short lock.
///
/// Session memory only (B3): auxiliary to the store and gone with the process. Values are keyed (X2), go in only after
/// the store has answered (X3), and a value that was read before an invalidation never goes in after it, because the
/// filling party shows the ticket it drew before it asked the store. When full, an entry not used since the hand last
/// passed makes room (the CLOCK algorithm: a hit costs one flag, an eviction amortised O(1)).
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let invalidations: UInt64
    }

    private struct Slot {
        let key: Key
        var value: Value
        var isUsed: Bool
    }

    private struct State {
        var slots: [Slot] = []
        var positions: [Key: Int] = [:]
        var hand = 0
        var invalidations: UInt64 = 0
    }

    /// Most entries held.
    let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        precondition(capacity > 0, "a cache holds at least one entry")
        self.capacity = capacity
    }

    /// The cached value of a key.
    func value(for key: Key) -> Value? {
        state.withLock { state in
            guard let position = state.positions[key] else { return nil }
            state.slots[position].isUsed = true
            return state.slots[position].value
        }
    }

    /// To be drawn before the store is asked.
    func ticket() -> Ticket {
        state.withLock { Ticket(invalidations: $0.invalidations) }
    }

    /// Keeps what the store answered, unless anything was invalidated since the ticket was drawn.
    ///
    /// Any invalidation counts, not only the key's own: a lost fill costs one more read of the store, whereas a
    /// counter per key would grow without bound.
    /// - Returns: the value that is not in the cache now: one that made room, or `value` itself when it was refused.
    @discardableResult
    func fill(_ value: Value, for key: Key, ticket: Ticket) -> Value? {
        state.withLock { state in
            guard state.invalidations == ticket.invalidations else { return value }
            if let position = state.positions[key] {
                state.slots[position].value = value
                return nil
            }
            if state.slots.count < capacity {
                state.positions[key] = state.slots.count
                state.slots.append(Slot(key: key, value: value, isUsed: false))
                return nil
            }
            let position = Self.takeSlot(&state)
            let evicted = state.slots[position]
            state.positions[evicted.key] = nil
            state.positions[key] = position
            state.slots[position] = Slot(key: key, value: value, isUsed: false)
            return evicted.value
        }
    }

    /// Forgets one key, and refuses every fill that is under way.
    func invalidate(_ key: Key) {
        state.withLock { state in
            state.invalidations += 1
            guard let position = state.positions.removeValue(forKey: key) else { return }
            Self.vacate(position, in: &state)
        }
    }

    /// Forgets every entry of which `isStale` holds, and refuses every fill that is under way. Looks at all entries.
    func invalidate(where isStale: (Value) -> Bool) {
        state.withLock { state in
            state.invalidations += 1
            for position in state.slots.indices.reversed() where isStale(state.slots[position].value) {
                state.positions[state.slots[position].key] = nil
                Self.vacate(position, in: &state)
            }
        }
    }

    /// Entries held now.
    var count: Int { state.withLock { $0.slots.count } }

    /// Moves the hand to an entry that was not used since it last passed.
    private static func takeSlot(_ state: inout State) -> Int {
        while true {
            if state.hand >= state.slots.count { state.hand = 0 }
            let position = state.hand
            state.hand += 1
            if !state.slots[position].isUsed { return position }
            state.slots[position].isUsed = false
        }
    }

    /// Fills the gap at `position` with the last slot.
    private static func vacate(_ position: Int, in state: inout State) {
        let last = state.slots.removeLast()
        guard position < state.slots.count else { return }
        state.slots[position] = last
        state.positions[last.key] = position
    }
}
