/// The owner of a descriptor that an event loop watches.
protocol EventMember: AnyObject {
    /// epoll reported these events for the member's descriptor.
    func handle(events: UInt32)
    /// The loop ends. Close the descriptor.
    func loopStopped()
}

/// The members of an event loop by token. A token has a slot and a generation. So an event for a closed socket does not reach the new member of
/// its slot.
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
        // Below 2^31, so that no token equals one of the two reserved ones.
        slots[index].generation = (slots[index].generation + 1) & 0x7FFF_FFFF
        free.append(index)
    }

    subscript(token: UInt64) -> (any EventMember)? {
        let slot = slots[Int(token & 0xFFFF_FFFF)]
        return slot.generation == UInt32(token >> 32) ? slot.member : nil
    }
}
