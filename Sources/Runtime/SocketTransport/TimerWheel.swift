/// A pending action on an event loop. Used on that loop only.
public final class LoopTimer {
    /// When to act, nanoseconds on ``MonotonicClock``.
    public let deadline: Int64
    /// The user whose connection set it; nil for the server's own timers, and for those of clients.
    fileprivate let share: TurnShare?
    fileprivate(set) var action: (() -> Void)?
    fileprivate var slot = -1
    fileprivate var next: LoopTimer?
    /// Not owned, to avoid a reference cycle. This is safe, because the previous timer in its slot's list owns this one, and removing either from
    /// the list resets it.
    fileprivate unowned(unsafe) var previous: LoopTimer?

    init(deadline: Int64, for share: TurnShare? = nil, action: @escaping () -> Void) {
        self.deadline = deadline
        self.share = share
        self.action = action
    }

    /// Acts once, unless the timer was cancelled.
    func fire() {
        let action = action
        self.action = nil
        action?()
    }
}

/// Timers, hashed by the millisecond in which they are due. Adding and removing one is O(1) and makes no system call.
///
/// There are 4,096 slots of 1 ms. A timer further ahead waits in its slot for as many rounds as it needs. A timer fires up to 1 ms late and never
/// early. The wheel has no clock: the caller passes the time.
struct TimerWheel {
    static let slotCount = 4096
    static let tick: Int64 = 1_000_000

    private var slots = [LoopTimer?](repeating: nil, count: slotCount)
    /// One bit for each slot, so that the next occupied slot is found quickly.
    private var occupied = [UInt64](repeating: 0, count: slotCount / 64)
    /// The last tick whose timers have been taken.
    private var current: Int64
    private(set) var count = 0

    init(now: Int64) { current = now / Self.tick }

    mutating func insert(_ timer: LoopTimer) {
        // Rounded up, so that no timer fires early, and at least one tick after the last tick that was taken.
        let due = max((timer.deadline &+ (Self.tick - 1)) / Self.tick, current + 1)
        let slot = Int(due % Int64(Self.slotCount))
        timer.slot = slot
        timer.next = slots[slot]
        timer.next?.previous = timer
        slots[slot] = timer
        occupied[slot / 64] |= 1 << UInt64(slot % 64)
        count += 1
    }

    /// Removes a timer before it fires, even if it is already due.
    mutating func remove(_ timer: LoopTimer) {
        timer.action = nil
        if timer.slot >= 0 { unlink(timer) }
    }

    /// Removes all timers, and breaks the links between them one by one.
    mutating func removeAll() {
        for slot in slots.indices {
            while let timer = slots[slot] { remove(timer) }
        }
    }

    /// All timers due at `now`, earliest slot first, for the caller to fire.
    mutating func takeDue(at now: Int64) -> [LoopTimer] {
        let target = now / Self.tick
        guard target > current else { return [] }
        var due: [LoopTimer] = []
        var tick = max(current + 1, target - Int64(Self.slotCount) + 1)
        while let next = firstOccupiedTick(from: tick), next <= target {
            var timer = slots[Int(next % Int64(Self.slotCount))]
            while let each = timer {
                timer = each.next
                if each.deadline <= now {
                    unlink(each)
                    due.append(each)
                }
            }
            tick = next + 1
        }
        current = target
        return due
    }

    /// When to check the wheel next, nanoseconds; nil if it is empty. Perhaps no timer is due then: a slot also has timers of later rounds.
    func nextLook() -> Int64? { firstOccupiedTick(from: current + 1).map { $0 * Self.tick } }

    /// The first tick from this one on whose slot has timers; nil if none of the next ``slotCount`` ticks has. Idle ticks are skipped 64 at a time.
    private func firstOccupiedTick(from tick: Int64) -> Int64? {
        guard count > 0 else { return nil }
        let start = Int(tick % Int64(Self.slotCount))
        for step in 0...(Self.slotCount / 64) {
            let word = (start / 64 + step) % occupied.count
            var bits = occupied[word]
            if step == 0 { bits &= ~0 << UInt64(start % 64) }
            if bits != 0 {
                let slot = word * 64 + bits.trailingZeroBitCount
                return tick + Int64((slot - start + Self.slotCount) % Self.slotCount)
            }
        }
        return nil
    }

    private mutating func unlink(_ timer: LoopTimer) {
        let slot = timer.slot
        let next = timer.next
        next?.previous = timer.previous
        if let previous = timer.previous { previous.next = next } else { slots[slot] = next }
        if slots[slot] == nil { occupied[slot / 64] &= ~(1 << UInt64(slot % 64)) }
        timer.next = nil
        timer.previous = nil
        timer.slot = -1
        count -= 1
    }
}

/// Timers that are due and have not acted yet. Loop-bound.
///
/// Each user has a queue (in its ``TurnShare``), and the queues take turns. A user can give thousands of calls one deadline, and nobody else's timer
/// waits for them. The server's own timers come first: they are few.
struct DueTimers {
    /// Timers of no user.
    private var common = TurnQueue<LoopTimer>()
    /// The users with due timers, the next one first.
    private var shares = TurnQueue<TurnShare>()

    var isEmpty: Bool { shares.isEmpty && common.isEmpty }

    /// The number of users whose turn it is before the others have another one.
    var userCount: Int { shares.count }

    mutating func append(_ timer: LoopTimer) {
        guard let share = timer.share else { return common.append(timer) }
        share.dueTimers.append(timer)
        guard !share.isDue else { return }
        share.isDue = true
        shares.append(share)
    }

    /// The next timer of no user.
    mutating func popCommon() -> LoopTimer? { common.popFirst() }

    /// The user whose turn it is. Call ``putBack(_:)`` afterwards.
    mutating func takeShare() -> TurnShare? { shares.popFirst() }

    /// Lists a user again if timers are left.
    mutating func putBack(_ share: TurnShare) {
        share.isDue = !share.dueTimers.isEmpty
        if share.isDue { shares.append(share) }
    }

    /// Takes all timers.
    mutating func removeAll() -> [LoopTimer] {
        var all: [LoopTimer] = []
        while let timer = popCommon() { all.append(timer) }
        while let share = takeShare() {
            share.isDue = false
            while let timer = share.dueTimers.popFirst() { all.append(timer) }
        }
        return all
    }
}
