/// A map of bounded size; when full, an entry not used since the hand last passed makes room (the CLOCK algorithm: a hit costs one
/// flag, an eviction amortised O(1)). A plain value: its owner locks.
struct ClockCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let invalidations: UInt64
    }

    private struct Slot {
        let key: Key
        var value: Value
        var isUsed: Bool
    }

    /// Most entries held.
    let capacity: Int
    private var slots: [Slot] = []
    private var positions: [Key: Int] = [:]
    private var hand = 0
    private var invalidations: UInt64 = 0

    init(capacity: Int) {
        precondition(capacity > 0, "a cache holds at least one entry")
        self.capacity = capacity
    }

    /// Entries held now.
    var count: Int { slots.count }

    /// Look-ups that found their entry.
    private(set) var hits: UInt64 = 0
    /// Look-ups that did not.
    private(set) var misses: UInt64 = 0

    /// The cached value of a key.
    mutating func value(for key: Key) -> Value? {
        guard let position = positions[key] else {
            misses &+= 1
            return nil
        }
        hits &+= 1
        slots[position].isUsed = true
        return slots[position].value
    }

    /// To be drawn before the store is asked.
    var ticket: Ticket { Ticket(invalidations: invalidations) }

    /// Keeps what the store answered, unless anything was invalidated since the ticket was drawn.
    ///
    /// Any invalidation counts, not only the key's own: a lost fill costs one more read of the store, whereas a
    /// counter per key would grow without bound.
    /// - Returns: whether it was kept, and the value that made room for it.
    mutating func fill(_ value: Value, for key: Key, ticket: Ticket) -> (isKept: Bool, evicted: Value?) {
        guard invalidations == ticket.invalidations else { return (false, nil) }
        if let position = positions[key] {
            slots[position].value = value
            return (true, nil)
        }
        guard slots.count == capacity else {
            positions[key] = slots.count
            slots.append(Slot(key: key, value: value, isUsed: false))
            return (true, nil)
        }
        let position = takeSlot()
        let evicted = slots[position]
        positions[evicted.key] = nil
        positions[key] = position
        slots[position] = Slot(key: key, value: value, isUsed: false)
        return (true, evicted.value)
    }

    /// Refuses every fill that is under way.
    mutating func refuseFills() { invalidations += 1 }

    /// Forgets one key, and refuses every fill that is under way.
    mutating func invalidate(_ key: Key) {
        refuseFills()
        guard let position = positions.removeValue(forKey: key) else { return }
        vacate(position)
    }

    /// Forgets every entry of which `isStale` holds, and refuses every fill that is under way. Looks at all entries.
    mutating func invalidate(where isStale: (Value) -> Bool) {
        refuseFills()
        for position in slots.indices.reversed() where isStale(slots[position].value) {
            positions[slots[position].key] = nil
            vacate(position)
        }
    }

    /// Moves the hand to an entry that was not used since it last passed.
    private mutating func takeSlot() -> Int {
        while true {
            if hand >= slots.count { hand = 0 }
            let position = hand
            hand += 1
            if !slots[position].isUsed { return position }
            slots[position].isUsed = false
        }
    }

    /// Fills the gap at `position` with the last slot.
    private mutating func vacate(_ position: Int) {
        let last = slots.removeLast()
        guard position < slots.count else { return }
        slots[position] = last
        positions[last.key] = position
    }
}
