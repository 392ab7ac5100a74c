import RPCCore

/// A connection's streams by their ids. It is faster than a `Dictionary`.
///
/// It uses open addressing. The place of an id depends on a random number of the process, so a peer cannot choose ids that collide.
struct StreamTable<Stream: AnyObject> {
    private struct Slot {
        var id: CallID = 0
        var stream: Stream?
    }

    private static var smallest: Int { 8 }

    private let key: UInt64
    private var slots: [Slot] = []
    private(set) var count = 0

    /// - Parameter key: odd.
    init(key: UInt64 = StreamTableKey.ofProcess) { self.key = key }

    var isEmpty: Bool { count == 0 }

    /// The number of places, taken or free.
    var capacity: Int { slots.count }

    /// All streams, in no order.
    var values: [Stream] { slots.compactMap(\.stream) }

    subscript(id: CallID) -> Stream? {
        guard count > 0 else { return nil }
        var index = home(id)
        while let stream = slots[index].stream {
            if slots[index].id == id { return stream }
            index = (index + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a stream whose id is not there yet.
    mutating func insert(_ stream: Stream, _ id: CallID) {
        if (count + 1) * 2 > slots.count { resize(to: max(Self.smallest, slots.count * 2)) }
        place(stream, id)
        count += 1
    }

    mutating func remove(_ id: CallID) {
        guard count > 0 else { return }
        var index = home(id)
        while slots[index].id != id || slots[index].stream == nil {
            guard slots[index].stream != nil else { return }
            index = (index + 1) & (slots.count - 1)
        }
        count -= 1
        close(index)
        // Frees the memory of many streams when few are left.
        if slots.count > 128, count * 8 <= slots.count { resize(to: slots.count / 2) }
    }

    // MARK: Slots

    /// The place of an id. The id is multiplied with the process's number; the halves of the product are mixed and multiplied with 2⁶⁴ over the
    /// golden ratio.
    private func home(_ id: CallID) -> Int {
        let product = UInt64(id) &* key
        return Int(truncatingIfNeeded: ((product ^ product >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (slots.count - 1)
    }

    private mutating func place(_ stream: Stream, _ id: CallID) {
        var index = home(id)
        while slots[index].stream != nil { index = (index + 1) & (slots.count - 1) }
        slots[index] = Slot(id: id, stream: stream)
    }

    /// Empties a slot, and moves later streams that were placed after it into the gap.
    private mutating func close(_ index: Int) {
        let mask = slots.count - 1
        var gap = index
        var next = (gap + 1) & mask
        while let stream = slots[next].stream {
            // A stream may move if the gap is not before its home.
            if (next &- home(slots[next].id)) & mask >= (next &- gap) & mask {
                slots[gap] = Slot(id: slots[next].id, stream: stream)
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = Slot()
    }

    private mutating func resize(to capacity: Int) {
        let old = slots
        slots = Array(repeating: Slot(), count: capacity)
        for slot in old { if let stream = slot.stream { place(stream, slot.id) } }
    }
}

/// The random number for the places of stream ids.
enum StreamTableKey {
    /// Made once, by the system's random number generator.
    static let ofProcess = UInt64.random(in: 0...UInt64.max) | 1
}
