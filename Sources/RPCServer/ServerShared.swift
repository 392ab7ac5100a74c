import Logging
import RPCCore
import SocketTransport
import Synchronization

/// What all connections of a server share. Immutable, but for the counters and the per-loop lists of connections.
final class ServerShared: Sendable {
    let methods: MethodTable
    let limits: ServerLimits
    let counters = ServerCounters()
    let logger: Logger
    /// The open connections by loop; each list is used on its own loop only.
    private let lists: [ObjectIdentifier: LoopBound<ConnectionList>]
    private let pools: [ObjectIdentifier: LoopBound<HandlerTaskPool>]
    private let onEmpty = Mutex<[@Sendable () -> Void]>([])
    /// Set when the shutdown begins.
    let isShuttingDown = Atomic<Bool>(false)

    init(methods: MethodTable, limits: ServerLimits, logger: Logger, loops: [EventLoop]) {
        self.methods = methods
        self.limits = limits
        self.logger = logger
        var lists: [ObjectIdentifier: LoopBound<ConnectionList>] = [:]
        for loop in loops { lists[ObjectIdentifier(loop)] = LoopBound(ConnectionList(), to: loop) }
        self.lists = lists
        pools = Dictionary(
            uniqueKeysWithValues: loops.map { (ObjectIdentifier($0), LoopBound(HandlerTaskPool($0), to: $0)) })
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

    func connectionOpened(_ connection: any DrainableConnection, on loop: EventLoop) {
        lists[ObjectIdentifier(loop)]?.value.connections[ObjectIdentifier(connection)] = connection
    }

    func connectionClosed(_ connection: any DrainableConnection, on loop: EventLoop, principal: Principal) {
        lists[ObjectIdentifier(loop)]?.value.connections[ObjectIdentifier(connection)] = nil
        connectionGone(principal)
    }

    /// Notes that another handler has a connection's socket now; it stays counted.
    func handedOver(_ connection: any DrainableConnection, to next: any DrainableConnection, on loop: EventLoop) {
        lists[ObjectIdentifier(loop)]?.value.connections[ObjectIdentifier(connection)] = nil
        connectionOpened(next, on: loop)
    }

    /// Gives back the place of a connection that was counted.
    func connectionGone(_ principal: Principal) {
        counters.releaseConnection(of: principal)
        if counters.connectionCount == 0 { for action in onEmpty.withLock({ $0 }) { action() } }
    }

    /// Calls `action` when the last connection closes; at once when there is none. It may be called more than once.
    func whenEmpty(_ action: @escaping @Sendable () -> Void) {
        onEmpty.withLock { $0.append(action) }
        if counters.connectionCount == 0 { action() }
    }
}

/// The open connections of one loop.
final class ConnectionList {
    var connections: [ObjectIdentifier: any DrainableConnection] = [:]
}

/// An open connection, as the server's shutdown sees it.
protocol DrainableConnection: AnyObject {
    /// Has the connection close as soon as nothing is lost by it.
    func drain()
    /// Closes the connection now, with all that is under way on it.
    func endDrain()
}
