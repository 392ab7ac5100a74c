import Logging
import RPCCore
import SocketTransport
import Synchronization

/// The state that all connections of a server share. Any thread may use it: what changes is atomic, behind a `Mutex`, or bound to a loop.
final class ServerShared: Sendable {
    let methods: MethodTable
    let limits: CurrentLimits
    let accountant: Accountant
    /// Methods whose calls may use the reserved places.
    let pathsWithReservedCalls: Set<String>
    /// Streaming methods whose calls end when a drain begins.
    let pathsEndedAtShutdown: Set<String>
    let logger: Logger
    /// The open connections by loop; each list is used on its own loop only.
    private let lists: [ObjectIdentifier: LoopBound<ConnectionList>]
    private let pools: [ObjectIdentifier: LoopBound<HandlerTaskPool>]
    private let ends: [ObjectIdentifier: LoopBound<CallEnds>]
    /// Whether calls are observed or limited.
    let isObserved: Bool
    /// Refused connections of each user that no warning has counted yet, and when the next warning may come, nanoseconds.
    private let refusedConnections = Mutex<[AccountHolder: (count: Int, nextWarning: Int64)]>([:])
    private let onEmpty = Mutex<[@Sendable () -> Void]>([])
    /// Set when the shutdown begins.
    let isShuttingDown = Atomic<Bool>(false)

    init(
        methods: MethodTable, pathsWithReservedCalls: Set<String>, pathsEndedAtShutdown: Set<String>, limits: ServerLimits, logger: Logger,
        loops: [EventLoop]
    ) {
        self.methods = methods
        isObserved = methods.methods.contains { $0.target.observer != nil || $0.target.limit != nil }
        ends = Dictionary(
            uniqueKeysWithValues: loops.enumerated().map { (ObjectIdentifier($1), LoopBound(CallEnds(loop: $0), to: $1)) })
        self.pathsWithReservedCalls = pathsWithReservedCalls
        self.pathsEndedAtShutdown = pathsEndedAtShutdown
        self.limits = CurrentLimits(limits)
        // By default there are half as many loops as processors. While one of them sleeps, a processor is probably free.
        accountant = Accountant(self.limits, loopCount: loops.count) { loops.allSatisfy(\.isAtWork) }
        self.logger = logger
        var lists: [ObjectIdentifier: LoopBound<ConnectionList>] = [:]
        for loop in loops { lists[ObjectIdentifier(loop)] = LoopBound(ConnectionList(), to: loop) }
        self.lists = lists
        pools = Dictionary(
            uniqueKeysWithValues: loops.map { (ObjectIdentifier($0), LoopBound(HandlerTaskPool($0), to: $0)) })
    }

    /// The shortest time between two warnings of a user's refused connections, nanoseconds. A client can have hundreds refused in a second.
    private static let warningInterval: Int64 = 1_000_000_000
    /// The most users whose refused connections are counted at once. Those of more users are not told.
    private static let mostRefusedUsers = 64

    /// Counts a refused connection of a user.
    /// - Returns: how many were refused since the user's last warning; nil if it is too early for the next one.
    func countRefusedConnection(of holder: AccountHolder) -> Int? {
        let now = MonotonicClock.now()
        return refusedConnections.withLock { users in
            if users[holder] == nil, users.count == Self.mostRefusedUsers { users = users.filter { $0.value.nextWarning > now } }
            guard users[holder] != nil || users.count < Self.mostRefusedUsers else { return nil }
            var user = users[holder] ?? (0, .min)
            defer { users[holder] = user }
            user.count += 1
            guard now >= user.nextWarning else { return nil }
            defer { user = (0, now + Self.warningInterval) }
            return user.count
        }
    }

    /// The connections of a loop. On that loop only.
    func connections(of loop: EventLoop) -> [any DrainableConnection] {
        lists[ObjectIdentifier(loop)].map { Array($0.value.connections.values) } ?? []
    }

    /// The tasks that run the handlers of a loop's connections. On that loop only.
    func handlerTasks(of loop: EventLoop) -> HandlerTaskPool {
        guard let pool = pools[ObjectIdentifier(loop)] else { preconditionFailure("a loop of another server") }
        return pool.value
    }

    /// The object that reports ended calls of a loop to observers. On that loop only.
    func ends(of loop: EventLoop) -> CallEnds {
        guard let ends = ends[ObjectIdentifier(loop)] else { preconditionFailure("a loop of another server") }
        return ends.value
    }

    func connectionOpened(_ connection: any DrainableConnection, on loop: EventLoop) {
        lists[ObjectIdentifier(loop)]?.value.connections[ObjectIdentifier(connection)] = connection
    }

    func connectionClosed(_ connection: any DrainableConnection, on loop: EventLoop, _ account: UserAccount) {
        lists[ObjectIdentifier(loop)]?.value.connections[ObjectIdentifier(connection)] = nil
        accountant.closeConnection(of: account)
        if accountant.connectionCount == 0 { for action in onEmpty.withLock({ $0 }) { action() } }
    }

    // MARK: Idle connections

    /// When idle connections were last closed, nanoseconds.
    private let lastRelief = Atomic<Int64>(0)
    /// The least time between two rounds of closing, nanoseconds. It is longer if there are many connections.
    private static let reliefInterval: Int64 = 1_000_000
    private static let lookInterval: Int64 = 1_000
    /// The number of connections that are closed in one round, of all loops.
    static let closedAtATime = 32

    /// Closes idle connections to make room. The longest idle connection goes first. Any thread.
    /// - Parameters:
    ///   - holder: whose; nil for all who have an even share of all connections, or more.
    ///   - age: how long they have been idle at least, nanoseconds.
    func closeIdleConnections(of holder: AccountHolder? = nil, idleFor age: Int64 = 0) {
        let now = MonotonicClock.now(), last = lastRelief.load(ordering: .relaxed)
        let interval = Self.reliefInterval + Self.lookInterval * Int64(accountant.connectionCount)
        guard now - last >= interval, lastRelief.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged else { return }
        // Comparing with one holder costs much less than hashing each, and there may be thousands of connections.
        let isChosen: @Sendable (AccountHolder) -> Bool
        if let holder {
            isChosen = { $0 == holder }
        } else {
            let holders = accountant.holdersOfManyConnections
            isChosen = { holders.contains($0) }
        }
        for list in lists.values {
            list.loop.execute { [self] in
                closeIdle(list.value, where: isChosen, idleSince: now - age, count: max(1, Self.closedAtATime / lists.count))
            }
        }
    }

    private func closeIdle(_ list: ConnectionList, where isChosen: (AccountHolder) -> Bool, idleSince latest: Int64, count: Int) {
        var idle: [(since: Int64, connection: any DrainableConnection)] = []
        for connection in list.connections.values where isChosen(connection.holder) {
            if let since = connection.idleSince, since <= latest { idle.append((since, connection)) }
        }
        guard !idle.isEmpty else { return }
        idle.sort { $0.since < $1.since }
        for (_, connection) in idle.prefix(count) { connection.retire() }
        logger.notice("closed idle connections to make room", metadata: ["closed": "\(min(count, idle.count))", "idle": "\(idle.count)"])
    }

    /// Notes that another handler now has the socket of a connection. The connection is still counted.
    func handedOver(_ connection: any DrainableConnection, to next: any DrainableConnection, on loop: EventLoop) {
        lists[ObjectIdentifier(loop)]?.value.connections[ObjectIdentifier(connection)] = nil
        connectionOpened(next, on: loop)
    }

    /// Calls `action` when the last connection closes, or at once if there is none. This function may be called more than once.
    func whenEmpty(_ action: @escaping @Sendable () -> Void) {
        onEmpty.withLock { $0.append(action) }
        if accountant.connectionCount == 0 { action() }
    }
}

/// The open connections of one loop.
final class ConnectionList {
    var connections: [ObjectIdentifier: any DrainableConnection] = [:]
}

/// An open connection, as the server's shutdown sees it.
protocol DrainableConnection: AnyObject {
    /// Closes the connection as soon as no call is lost by it.
    func drain()
    /// Closes the connection now, and ends its running calls.
    func endDrain()

    /// Whose account counts it.
    var holder: AccountHolder { get }
    /// When its client was last active, nanoseconds on the monotonic clock; nil while a call is running.
    var idleSince: Int64? { get }
    /// Closes the idle connection to make room for others. A client that supports drains gets a notice.
    func retire()
}
