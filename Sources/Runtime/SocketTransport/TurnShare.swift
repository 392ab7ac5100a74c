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
    /// Connections that have something to do, oldest first, from ``first`` on.
    private var waiting: [Connection] = []
    private var first = 0

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

    func append(_ connection: Connection) { waiting.append(connection) }

    func popFirst() -> Connection? {
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

/// The shares of an event loop's users, and which of them have connections that wait for their turn. Loop-bound.
struct TurnShares {
    private var shares: [UInt64: TurnShare] = [:]
    private var waiting: [TurnShare] = []
    /// Counts the loop's turns.
    private(set) var turn: UInt64 = 1

    var hasWaiting: Bool { !waiting.isEmpty }

    mutating func nextTurn() { turn &+= 1 }

    /// Adds a connection to its user's share.
    mutating func join(_ user: UInt64) -> TurnShare {
        let share = shares[user] ?? TurnShare(user)
        shares[user] = share
        share.connectionCount += 1
        return share
    }

    mutating func leave(_ share: TurnShare) {
        share.connectionCount -= 1
        if share.connectionCount == 0 { shares[share.user] = nil }
    }

    /// Has a connection wait for its turn, behind the others of its user.
    mutating func wait(_ connection: Connection, in share: TurnShare) {
        if !share.hasWaiting { waiting.append(share) }
        share.append(connection)
    }

    /// The users whose connections wait. Call ``putBack(_:)`` for each that still has some afterwards.
    mutating func takeWaiting() -> [TurnShare] {
        defer { waiting = [] }
        return waiting
    }

    mutating func putBack(_ share: TurnShare) { waiting.append(share) }
}
