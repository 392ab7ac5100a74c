/// Something that an event loop watches a descriptor for.
protocol EventMember: AnyObject {
    /// epoll reported these events for the member's descriptor.
    func handle(events: UInt32)
    /// The loop ends: close the descriptor.
    func loopStopped()
}

/// The members of an event loop by token: slot and generation, so that an event for a socket that was closed a moment ago, and whose
/// slot is in use again, reaches nobody.
struct EventMembers {
    static let wakeToken = UInt64.max
    static let alarmToken = UInt64.max - 1

    private var slots: [(generation: UInt32, member: (any EventMember)?)] = []
    private var free: [Int] = []

    var all: [any EventMember] { slots.compactMap(\.member) }

    mutating func insert(_ member: any EventMember) -> UInt64 {
        let index: Int
        if let reused = free.popLast() {
            index = reused
        } else {
            index = slots.count
            slots.append((0, nil))
        }
        slots[index].member = member
        return UInt64(slots[index].generation) << 32 | UInt64(index)
    }

    mutating func remove(_ token: UInt64) {
        let index = Int(token & 0xFFFF_FFFF)
        guard slots[index].generation == UInt32(token >> 32) else { return }
        slots[index].member = nil
        // Kept below 2^31 so that no token meets the two reserved ones.
        slots[index].generation = (slots[index].generation + 1) & 0x7FFF_FFFF
        free.append(index)
    }

    subscript(token: UInt64) -> (any EventMember)? {
        let slot = slots[Int(token & 0xFFFF_FFFF)]
        return slot.generation == UInt32(token >> 32) ? slot.member : nil
    }
}
