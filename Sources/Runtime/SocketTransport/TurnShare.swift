/// What one user's connections may take of an event loop's turn. Loop-bound.
///
/// A loop serves everybody on one thread, so work is cut into slices. A connection works for ``slice`` and then goes to the end of its user's
/// queue. All connections of a user together work for ``allowance`` a turn; then the other users have theirs. However many connections a
/// user opens, somebody else waits for one allowance of that user's and no longer.
final class TurnShare {
    /// How long one connection works before the next one of the same user, nanoseconds: 0.2 ms. It finishes the part that it works on, which is about
    /// sixteen calls or one message.
    static let slice: Int64 = 200_000
    /// How long all connections of a user work in one turn, nanoseconds: 0.4 ms.
    static let allowance: Int64 = 400_000

    /// Whose connections these are.
    let user: UInt64
    /// Open connections that share it.
    var connectionCount = 0
    /// Nanoseconds of the turn that have been used.
    private var used: Int64 = 0
    /// The turn that ``used`` is about.
    private var turn: UInt64 = 0
    /// Who has something to do, oldest first, from ``first`` on. (Unchecked in release builds: two accesses an event, 130 instructions each to check.
    /// Nothing is called while it is read or changed.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var waiting: [any TurnTaker] = []
    private var first = 0
    /// Whether the loop has it among those that wait.
    fileprivate var isListed = false

    init(_ user: UInt64) { self.user = user }

    var hasWaiting: Bool { first < waiting.count }

    /// Whether there is time left in a turn.
    func hasTime(in turn: UInt64) -> Bool {
        if turn != self.turn {
            self.turn = turn
            used = 0
        }
        return used < Self.allowance
    }

    /// Notes that the user's connections have worked for so long.
    func use(_ nanoseconds: Int64) { used += nanoseconds }

    fileprivate func append(_ taker: any TurnTaker) { waiting.append(taker) }

    fileprivate func prepend(_ taker: any TurnTaker) {
        guard first > 0 else { return waiting.insert(taker, at: 0) }
        first -= 1
        waiting[first] = taker
    }

    func popFirst() -> (any TurnTaker)? {
        guard hasWaiting else { return nil }
        defer {
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: waiting.count <= 64)
                first = 0
            } else if first >= 64, first * 2 >= waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
        }
        return waiting[first]
    }
}

/// Something that works for a slice when its user's turn has come. Loop-bound.
protocol TurnTaker: AnyObject {
    func takeTurn()
    /// The loop has stopped, and there are no turns any more.
    func turnsHaveEnded()
}

/// What a connection has left to be done in small steps, which need not be over before the connection is. Loop-bound.
final class LeftWork: TurnTaker {
    private let loop: EventLoop
    private let share: TurnShare
    /// Does a step; false after the last one.
    private let step: () -> Bool

    init(on loop: EventLoop, in share: TurnShare, _ step: @escaping () -> Bool) {
        self.loop = loop
        self.share = share
        self.step = step
    }

    func takeTurn() {
        let start = loop.clock
        var isMore = true
        repeat { isMore = step() } while isMore && loop.readClock() < start + TurnShare.slice
        share.use(loop.readClock() - start)
        if isMore { loop.turnShares.wait(self, in: share) }
    }

    func turnsHaveEnded() {
        while step() {}
    }
}

/// The shares of an event loop's users, and which of them have something that waits for its turn. Loop-bound.
struct TurnShares {
    private var shares: [UInt64: TurnShare] = [:]
    private var waiting: [TurnShare] = []
    /// Users whose last connection has closed. They are kept to the end of the turn: who connects again goes on with what is left of its share.
    private var left: [TurnShare] = []
    /// Counts the loop's turns.
    private(set) var turn: UInt64 = 1

    var hasWaiting: Bool { !waiting.isEmpty }

    mutating func nextTurn() {
        turn &+= 1
        if !left.isEmpty { forgetLeft() }
    }

    private mutating func forgetLeft() {
        for share in left where share.connectionCount == 0 && !share.isListed && shares[share.user] === share { shares[share.user] = nil }
        left.removeAll { $0.connectionCount > 0 || !$0.isListed }
    }

    /// Adds a connection to its user's share.
    mutating func join(_ user: UInt64) -> TurnShare {
        let share = shares[user] ?? TurnShare(user)
        shares[user] = share
        share.connectionCount += 1
        return share
    }

    mutating func leave(_ share: TurnShare) {
        share.connectionCount -= 1
        if share.connectionCount == 0 { left.append(share) }
    }

    /// Has somebody wait for a turn, behind the others of the same user.
    /// - Parameter first: before the others instead.
    mutating func wait(_ taker: any TurnTaker, in share: TurnShare, first: Bool = false) {
        if first { share.prepend(taker) } else { share.append(taker) }
        guard !share.isListed else { return }
        share.isListed = true
        waiting.append(share)
    }

    /// The users of whom something waits. Call ``putBack(_:)`` for each of them afterwards.
    mutating func takeWaiting() -> [TurnShare] {
        defer { waiting = [] }
        return waiting
    }

    /// Lists a user again if something of it still waits.
    mutating func putBack(_ share: TurnShare) {
        share.isListed = share.hasWaiting
        if share.hasWaiting { waiting.append(share) }
    }
}
