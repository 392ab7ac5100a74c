/// The share of one user's connections in an event loop's turn. Loop-bound.
///
/// A loop serves many users on one thread, so work is cut into slices. A connection works for ``slice`` and then goes to the end of its user's
/// queue. All connections of a user together work for ``allowance`` a turn; then other users have their turn. So however many connections a
/// user opens, others wait for at most one allowance of that user. Handlers that continue take turns by user and connection too (``ReadyWork``).
///
/// Connections with little work go before those with much, as in FQ-CoDel (RFC 8290, section 4.2): behind a gateway, whoever makes a few calls does
/// not wait for whoever makes thousands. A connection has little work until it has used a slice in the present round. A round has as many turns of
/// connections with much work as waited at its start, so without such connections it does not end.
final class TurnShare {
    /// How long one connection works before the next one of the same user, nanoseconds: 0.2 ms. It first finishes its present part, which is about
    /// sixteen calls or one message.
    static let slice: Int64 = 200_000
    /// How long all connections of a user work in one turn, nanoseconds: 0.4 ms.
    static let allowance: Int64 = 400_000

    /// The user's number.
    let user: UInt64
    /// The user's open connections.
    var connectionCount = 0
    /// Used time of the turn, nanoseconds.
    private var used: Int64 = 0
    /// The turn of ``used``.
    private var turn: UInt64 = 0
    /// Connections that wait for their turn. (Unchecked in release builds: two accesses an event, and each check is expensive. No other code runs
    /// during an access.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var waiting = SparseFirstQueue<any TurnTaker>()
    /// The lines of the user's connections with ready work.
    var readyLines = SparseFirstQueue<ReadyLine>()
    /// The pieces of ready work in all lines.
    var readyCount = 0
    /// Whether it is in the loop's list of shares with ready work.
    var isReady = false
    /// Due timers of the user's connections, earliest first.
    var dueTimers = TurnQueue<LoopTimer>()
    /// Whether it is in the loop's list of shares with due timers.
    var isDue = false
    /// Whether it is in the loop's list of waiting shares.
    fileprivate var isListed = false
    /// Whether it is among the shares of users who have left.
    fileprivate var hasLeft = false

    init(_ user: UInt64) { self.user = user }

    var hasWaiting: Bool { !waiting.isEmpty }

    /// The number of the present round.
    var round: UInt64 { waiting.round }

    /// Whether there is time left in a turn.
    func hasTime(in turn: UInt64) -> Bool {
        if turn != self.turn {
            self.turn = turn
            used = 0
        }
        return used < Self.allowance
    }

    /// Adds to the time that the user's connections have worked.
    func use(_ nanoseconds: Int64) { used += nanoseconds }

    fileprivate func add(_ taker: any TurnTaker, _ place: PlaceInQueue) { waiting.add(taker, place) }

    func popFirst() -> (any TurnTaker)? { waiting.popFirst() }
}

/// Where an element of a ``SparseFirstQueue`` waits.
enum PlaceInQueue {
    /// Before all others.
    case first
    /// Behind others with little work.
    case sparse
    /// Before others with much work.
    case next
    /// Behind all others.
    case last
}

/// Elements of one user that wait for their turn: connections, or their lines of ready work. Those with little work go first.
struct SparseFirstQueue<Element> {
    /// After so many elements with little work, one with much has its turn. So a user who opens new connections without end does not stop it.
    static var mostSparseInARow: Int { 8 }

    /// Those that go before all others.
    private var first = TurnQueue<Element>()
    /// Those with little work, oldest first.
    private var sparse = TurnQueue<Element>()
    /// Those with much work, oldest first.
    private var busy = TurnQueue<Element>()
    /// The number of the present round.
    private(set) var round: UInt64 = 1
    /// How many of the present round still wait.
    private var leftInRound = 0
    /// How many with little work have had their turn since the last one with much.
    private var sparseInARow = 0

    var isEmpty: Bool { busy.isEmpty && sparse.isEmpty && first.isEmpty }

    mutating func add(_ element: Element, _ place: PlaceInQueue) {
        switch place {
        case .first: first.append(element)
        case .sparse: sparse.append(element)
        case .next: busy.prepend(element)
        case .last: busy.append(element)
        }
    }

    mutating func popFirst() -> Element? {
        if let element = first.popFirst() { return element }
        if sparseInARow < Self.mostSparseInARow || busy.isEmpty, let element = sparse.popFirst() {
            sparseInARow += 1
            return element
        }
        sparseInARow = 0
        guard let element = busy.popFirst() else { return nil }
        if leftInRound == 0 {
            round &+= 1
            leftInRound = busy.count + 1
        }
        leftInRound -= 1
        return element
    }
}

/// A first-in, first-out queue in one array. Taking the first element moves no others.
struct TurnQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        guard head > 0 else { return elements.insert(element, at: 0) }
        head -= 1
        elements[head] = element
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}

/// Something that works for a slice when its user's turn has come. Loop-bound.
protocol TurnTaker: AnyObject {
    func takeTurn()
    /// The loop has stopped, and there are no turns any more.
    func turnsHaveEnded()
}

/// Work of a connection in small steps, which may continue after the connection has closed. Loop-bound.
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
        var isMore = true, hasMadeMuch = false
        repeat {
            let readyCount = loop.readyCount
            isMore = step()
            hasMadeMuch = loop.hasMuchReadyWork && loop.readyCount > readyCount
        } while isMore && !hasMadeMuch && loop.readClock() < start + TurnShare.slice
        // If steps make ready work, that of other users comes behind it. So the user's turn ends.
        share.use(hasMadeMuch ? TurnShare.allowance : loop.readClock() - start)
        // It goes on before the user's connections, because they could take memory faster than it frees some.
        if isMore { loop.turnShares.wait(self, in: share, hasMadeMuch ? .last : .first) }
    }

    func turnsHaveEnded() {
        while step() {}
    }
}

/// The shares of an event loop's users, and the list of those with waiting connections. Loop-bound.
struct TurnShares {
    private var shares: [UInt64: TurnShare] = [:]
    /// The users with waiting connections, the next one first.
    private var waiting = TurnQueue<TurnShare>()
    /// Users whose last connection has closed. They are kept as long as anything refers to their share, such as a handler that still runs, or a task
    /// that waits for the next call. So a user who connects again does not get another share beside the first.
    private var left = TurnQueue<UInt64>()
    /// How many turns pass between two checks of these users, and how many users one check looks at.
    static let turnsPerLook: UInt64 = 64
    /// Counts the loop's turns.
    private(set) var turn: UInt64 = 1

    var hasWaiting: Bool { !waiting.isEmpty }

    /// The number of users who have a share.
    var userCount: Int { shares.count }

    mutating func nextTurn() {
        turn &+= 1
        if turn % Self.turnsPerLook == 0, !left.isEmpty { forgetLeft() }
    }

    private mutating func forgetLeft() {
        for _ in 0..<min(left.count, Int(Self.turnsPerLook)) {
            guard let user = left.popFirst(), var share = shares.removeValue(forKey: user) else { continue }
            // The lists of waiting shares, executors and timers refer to it too.
            if share.connectionCount == 0, isKnownUniquelyReferenced(&share) { continue }
            shares[user] = share
            share.hasLeft = share.connectionCount == 0
            if share.hasLeft { left.append(user) }
        }
    }

    /// All shares.
    var all: some Sequence<TurnShare> { shares.values }

    /// Adds a connection to its user's share.
    mutating func join(_ user: UInt64) -> TurnShare {
        let share = shares[user] ?? TurnShare(user)
        shares[user] = share
        share.connectionCount += 1
        return share
    }

    mutating func leave(_ share: TurnShare) {
        share.connectionCount -= 1
        guard share.connectionCount == 0, !share.hasLeft else { return }
        share.hasLeft = true
        left.append(share.user)
    }

    /// Adds a taker to its user's queue.
    mutating func wait(_ taker: any TurnTaker, in share: TurnShare, _ place: PlaceInQueue) {
        share.add(taker, place)
        guard !share.isListed else { return }
        share.isListed = true
        waiting.append(share)
    }

    /// The number of users whose turn it is before the others have another one.
    var waitingCount: Int { waiting.count }

    /// The user whose turn it is. Call ``putBack(_:)`` afterwards.
    mutating func takeWaiting() -> TurnShare? { waiting.popFirst() }

    /// Lists a user again if one of its connections still waits.
    mutating func putBack(_ share: TurnShare) {
        share.isListed = share.hasWaiting
        if share.hasWaiting { waiting.append(share) }
    }
}
