/// A map with a maximum size. When it is full, the CLOCK algorithm evicts an entry that was not used since the hand last passed. A
/// look-up sets one flag; an eviction takes amortised O(1). It is a plain value: its owner locks it and decides what may be kept
/// (``WriteFence``).
struct ClockCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        let key: Key
        var value: Value
        var isUsed: Bool
    }

    /// Maximum number of entries.
    let capacity: Int
    private var slots: [Slot] = []
    private var positions: [Key: Int] = [:]
    private var hand = 0

    init(capacity: Int) {
        precondition(capacity > 0, "a cache holds at least one entry")
        self.capacity = capacity
    }

    /// The present number of entries.
    var count: Int { slots.count }

    /// Answers from memory (``countHit()``).
    private(set) var hits: UInt64 = 0
    /// Questions to the store (``countMiss()``).
    private(set) var misses: UInt64 = 0

    /// The cached value of a key.
    mutating func value(for key: Key) -> Value? {
        guard let position = positions[key] else { return nil }
        slots[position].isUsed = true
        return slots[position].value
    }

    /// Counts an answer from memory. The owner knows whether an entry may answer.
    mutating func countHit() { hits &+= 1 }

    /// Counts a question to the store. A call may look here more than once before it asks.
    mutating func countMiss() { misses &+= 1 }

    /// Keeps a value.
    /// - Returns: the value that was evicted for it, if any.
    mutating func insert(_ value: Value, for key: Key) -> Value? {
        if let position = positions[key] {
            slots[position].value = value
            return nil
        }
        guard slots.count == capacity else {
            positions[key] = slots.count
            slots.append(Slot(key: key, value: value, isUsed: false))
            return nil
        }
        let position = takeSlot()
        let evicted = slots[position]
        positions[evicted.key] = nil
        positions[key] = position
        slots[position] = Slot(key: key, value: value, isUsed: false)
        return evicted.value
    }

    /// Forgets one key.
    /// - Returns: its value.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let position = positions.removeValue(forKey: key) else { return nil }
        let value = slots[position].value
        vacate(position)
        return value
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

/// The usage of a cache.
public struct CacheUsage: Sendable, Hashable {
    /// What the cache holds, such as `profiles`.
    public let name: String
    /// The present number of entries.
    public let entries: Int
    /// Maximum number of entries.
    public let capacity: Int
    /// Answers from memory since the start.
    public let hits: UInt64
    /// Questions to the store since the start, because memory had no answer.
    public let misses: UInt64
}

extension ClockCache {
    func usage(_ name: String) -> CacheUsage {
        CacheUsage(name: name, entries: count, capacity: capacity, hits: hits, misses: misses)
    }
}
