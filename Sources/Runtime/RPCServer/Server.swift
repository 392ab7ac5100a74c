import Logging
import RPCCore
import SocketTransport
import Synchronization

/// Serves services on Unix sockets, over ttrpc and gRPC. The first bytes of a connection show the protocol.
///
///     let server = try Server(services: [GreeterService()], observers: [CallLog()])
///     try await server.run(socketPath: "/run/greeter.sock")
///
/// ``run(socketPath:until:gracePeriod:whenReady:)`` is a whole server program: it serves until SIGTERM or Ctrl-C. A program with more to do calls
/// ``start(on:as:)`` and ``shutdown(gracePeriod:)``, or ``withServer(services:interceptors:observers:logger:socketPath:gracePeriod:_:)``.
///
/// There is one event loop for every two cores, and a connection stays on its loop. A server that has shut down cannot start again.
public final class Server: Sendable {
    /// How a server is set up.
    ///
    ///     var configuration = Server.Configuration(loopCount: 4)
    ///     configuration.limits.maximumConcurrentCallsPerUser = 1000
    ///     let server = try Server(configuration, services: [GreeterService()])
    public struct Configuration: Sendable {
        /// What clients may take. Default: as `ServerLimits()`.
        public var limits: ServerLimits
        /// The number of event loops. Default 0: one for every two cores (``SocketTransport/EventLoop/localDefaultCount``).
        public var loopCount: Int

        public init(limits: ServerLimits = ServerLimits(), loopCount: Int = 0) {
            self.limits = limits
            self.loopCount = loopCount
        }
    }

    let loops: [EventLoop]
    private let shutdownActions: [@Sendable () -> Void]
    let shared: ServerShared
    private let listeners: LoopBound<ListenerList>
    /// Whether nothing has used the loops yet.
    private let isUnused = Atomic<Bool>(true)

    /// Makes a server of services. It opens only the descriptors of its loops.
    /// - Parameters:
    ///   - services: the services. No two of them may have a method in common.
    ///   - interceptors: they run before every handler; the first is the outermost.
    ///   - observers: observers of the calls: metrics, a log, a limit.
    ///   - logger: the logger of the server. Handlers log to it with the fields of their call.
    /// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors.
    public convenience init(
        _ configuration: Configuration = Configuration(), services: [any RPCService], interceptors: [any ServerInterceptor] = [],
        observers: [any CallObserver] = [], logger: Logger = Logger(label: "rpc.server")
    ) throws(SocketError) {
        try self.init(configuration, router: Router(services: services), interceptors: interceptors, observers: observers, logger: logger)
    }

    /// Makes a server of a router, for methods that are registered one by one. It opens only the descriptors of its loops.
    /// - Parameters:
    ///   - interceptors: they run before every handler; the first is the outermost.
    ///   - observers: observers of the calls: metrics, a log, a limit.
    ///   - logger: the logger of the server. Handlers log to it with the fields of their call.
    /// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors.
    public init(
        _ configuration: Configuration = Configuration(), router: Router, interceptors: [any ServerInterceptor] = [],
        observers: [any CallObserver] = [], logger: Logger = Logger(label: "rpc.server")
    ) throws(SocketError) {
        loops = try Self.makeLoops(configuration.loopCount > 0 ? configuration.loopCount : EventLoop.localDefaultCount)
        shutdownActions = router.shutdownActions
        shared = ServerShared(
            methods: router.methodTable(interceptors: interceptors, observers: observers, loopCount: loops.count, logger: logger),
            pathsWithReservedCalls: router.pathsWithReservedCalls, pathsEndedAtShutdown: router.pathsEndedAtShutdown,
            limits: configuration.limits, logger: logger, loops: loops)
        listeners = LoopBound(ListenerList(), to: loops[0])
    }

    /// A server that was never started closes the descriptors of its loops. One that was started serves until ``shutdown(gracePeriod:)``.
    deinit {
        guard isUnused.load(ordering: .acquiring) else { return }
        Task { [loops] in for loop in loops { await loop.stop() } }
    }

    /// If one loop cannot be made, those before it are stopped, which closes their descriptors.
    private static func makeLoops(_ count: Int) throws(SocketError) -> [EventLoop] {
        var loops: [EventLoop] = []
        do throws(SocketError) {
            for index in 0..<count { loops.append(try EventLoop(label: "rpc.loop.\(index)")) }
            return loops
        } catch {
            Task { [loops] in for loop in loops { await loop.stop() } }
            throw error
        }
    }

    /// Open connections of all peers.
    public var connectionCount: Int { shared.accountant.connectionCount }

    /// Running calls of all connections. Calls that are answered at once never count.
    public var runningCallCount: Int { shared.accountant.runningCallCount }

    /// Bytes of memory that the server holds for its clients, as ``ServerLimits/maximumHeldByteCount`` counts them.
    public var heldByteCount: Int { shared.accountant.totalHeldByteCount }

    /// Replaces the limits while the server serves, for example after its configuration has changed.
    ///
    /// The limits of calls, memory and connections change at once. Calls and connections over a lower limit stay until they end, and new ones are
    /// refused. The two times of a drain count from the next drain, the queue of one stream from the next stream. Everything else changes for new
    /// connections only: the queue of a connection, glitches, other times, lengths of messages, and what a gRPC client is told.
    public func setLimits(_ limits: ServerLimits) {
        shared.limits.set(limits)
        shared.accountant.limitsHaveChanged()
    }

    /// The limits as they are now.
    public var limits: ServerLimits { shared.limits.all }

    /// The present usage of each user, and the usage since the start, in no order. Of users who have left, it has the last 1,024. One element without
    /// a principal is the sum of all others.
    public var users: [UserUsage] { shared.accountant.usage }

    /// How often each limit has refused each class of users. Zeros are left out.
    public var refusals: [LimitRefusals] { shared.accountant.refusalCounts }

    /// How long the turns of each event loop took.
    public var loopTurns: [LoopTurns] { loops.map(\.turns) }

    /// Returns when every event loop has taken a turn after this call, so this does not return while one of them hangs. A loop that has
    /// ended counts too.
    public func takeTurns() async {
        for loop in loops {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let turn = Turn(continuation)
                loop.execute { withExtendedLifetime(turn) {} }
            }
        }
    }

    /// Resumes when the loop has run, or dropped, the closure that holds it.
    private final class Turn: Sendable {
        private let continuation: CheckedContinuation<Void, Never>
        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
        deinit { continuation.resume() }
    }

    /// Whether the shutdown has begun.
    public var isShuttingDown: Bool { shared.isShuttingDown.load(ordering: .acquiring) }

    /// Begins to serve a socket, which belongs to the server from now on. Clients may have connected before and are served now. May be called
    /// for several sockets. It returns before the socket is served. After the shutdown has begun, it closes the socket.
    /// - Parameter role: whether the socket is for local clients or for a gateway.
    public func start(on socket: ListeningSocket, as role: ListenerRole = .local) {
        isUnused.store(false, ordering: .releasing)
        let listeners = listeners
        listeners.loop.execute { [shared, loops] in
            guard !shared.isShuttingDown.load(ordering: .acquiring) else { return socket.close() }
            var next = 0
            let number = listeners.value.takeNumber()
            let listener = Listener(socket, loop: listeners.loop) {
                Self.log($0, to: shared.logger)
            } descriptorsAreScarce: {
                shared.closeIdleConnections()
            } accept: { accepted in
                next = (next + 1) % loops.count
                return Self.serve(accepted, ConnectionPeer(accepted.peer, role, listener: number), on: loops[next], shared)
            }
            listeners.value.all.append(listener)
        }
    }

    /// Begins to serve channels of this process. May be called for several sockets, beside those with a path.
    ///
    ///     let socket = InProcessSocket()
    ///     server.start(on: socket)
    ///     let channel = try Channel(Channel.Configuration(target: .inProcess(socket)))
    ///
    /// The peer of each call is this process itself.
    public func start(on socket: InProcessSocket) {
        isUnused.store(false, ordering: .releasing)
        let listeners = listeners
        listeners.loop.execute { [shared, loops] in
            guard !shared.isShuttingDown.load(ordering: .acquiring) else { return socket.close() }
            let number = listeners.value.takeNumber()
            let turn = Mutex(0)
            listeners.value.inProcess.append(socket)
            socket.serve { accepted in
                let loop = turn.withLock { turn in
                    turn = (turn + 1) % loops.count
                    return loops[turn]
                }
                _ = Self.serve(accepted, ConnectionPeer(accepted.peer, .local, listener: number), on: loop, shared)
            }
        }
    }

    private static func log(_ shortage: DescriptorShortage, to logger: Logger) {
        switch shortage {
        case .pauses(inARow: 1): logger.warning("out of descriptors: new connections wait")
        case .pauses(let count): logger.debug("still out of descriptors", metadata: ["pauses": "\(count)"])
        case .refuses(inARow: 1): logger.warning("only descriptors in reserve are left: new connections are refused")
        case .refuses(let count): logger.debug("still only descriptors in reserve", metadata: ["refused": "\(count)"])
        case .isOver(let count): logger.notice("connections are accepted again", metadata: ["pauses": "\(count)"])
        }
    }

    /// Serves an accepted connection. False if it is refused.
    private static func serve(_ accepted: AcceptedSocket, _ peer: ConnectionPeer, on loop: EventLoop, _ shared: ServerShared) -> Bool {
        let principal = peer.holder.principal
        let limit = shared.limits.all.connectionLimit(of: principal, descriptors: DescriptorLimit.forConnections)
        guard let account = shared.accountant.openConnection(of: peer.holder, limit) else {
            shared.accountant.count(principal.refusingLimit, of: principal)
            accepted.refuse()
            guard let count = shared.countRefusedConnection(of: peer.holder) else { return false }
            var facts: Logger.Metadata = ["limit": "\(limit.own)", "refused": "\(count)"]
            // The origin of a local peer has the uid already.
            if case .listener = principal { facts["gateway.uid"] = "\(peer.holder.uid)" }
            if let ofListener = limit.ofListener { facts["limit.listener"] = "\(ofListener)" }
            let whose = if case .listener = principal { "gateway" } else { "uid" }
            shared.logger.warning("refused a connection: too many of this \(whose)", metadata: peer.logMetadata(facts))
            return false
        }
        // This runs before the loop stops, because that comes after the end of the listener. It may run after the drain of a shutdown, if another
        // thread connects in the process.
        loop.execute {
            let handler = ProtocolSniffer(shared: shared, peer: peer, account: account)
            shared.connectionOpened(handler, on: loop)
            handler.attach(accepted.attach(to: loop, user: peer.holder.number, handler: handler))
            if shared.isShuttingDown.load(ordering: .acquiring) { handler.drain() }
        }
        return true
    }

    /// Stops accepting, lets running calls finish for `gracePeriod`, then cancels them, and closes everything. Returns when all is closed. Clients
    /// have one more second to read the last answers.
    ///
    /// A handler that ignores its cancellation may still run afterwards, although its call has ended. So whatever handlers use must stay valid after
    /// it is closed. If this function is called again meanwhile, the earlier of the two deadlines counts.
    public func shutdown(gracePeriod: Duration) async {
        isUnused.store(false, ordering: .releasing)
        for action in shutdownActions { action() }
        await stopAccepting()
        await waitForConnectionsToClose(gracePeriod)
        for loop in loops {
            loop.execute { [shared] in shared.handlerTasks(of: loop).close() }
            await loop.stop()
        }
    }

    /// Closes the listeners, then lets every loop drain its connections. All accepted connections are with their loops by then, so
    /// no client that has already called is refused. Later clients wait in the socket's queue.
    private func stopAccepting() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            listeners.loop.execute { [listeners, loops, shared] in
                shared.isShuttingDown.store(true, ordering: .releasing)
                for listener in listeners.value.all { listener.close() }
                for socket in listeners.value.inProcess { socket.close() }
                for loop in loops {
                    loop.execute { for connection in shared.connections(of: loop) { connection.drain() } }
                }
                continuation.resume()
            }
        }
    }

    private func waitForConnectionsToClose(_ gracePeriod: Duration) async {
        let first = loops[0]
        let nanoseconds = gracePeriod.wholeNanoseconds
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let once = Once(continuation)
            shared.whenEmpty { once.resume() }
            first.execute { [shared, loops] in
                let end = Deadline(now: MonotonicClock.now(), timeoutNanoseconds: nanoseconds)
                _ = first.schedule(at: end.nanoseconds) {
                    for loop in loops {
                        loop.execute { for connection in shared.connections(of: loop) { connection.endDrain() } }
                    }
                    // A peer that does not read its last answers does not delay the end of the server.
                    _ = first.schedule(at: MonotonicClock.now() + Self.lastWriteNanoseconds) { once.resume() }
                }
            }
        }
    }

    /// How long the last answers may take to be written at shutdown, nanoseconds.
    private static let lastWriteNanoseconds: Int64 = 1_000_000_000
}

/// Holds the listeners on their loop, in the order in which they were started.
private final class ListenerList {
    var all: [Listener] = []
    var inProcess: [InProcessSocket] = []
    private var count = 0

    /// A listener's number, in the order in which they were started.
    func takeNumber() -> Int {
        defer { count += 1 }
        return count
    }
}

extension Server {
    /// Serves a socket until the process gets a signal or the calling task is cancelled, then shuts down. This is a complete server program.
    ///
    /// A program that has to stop more than its server uses ``start(on:as:)`` and ``shutdown(gracePeriod:)``. After a shutdown has begun, this closes
    /// the socket and returns at once.
    /// - Parameters:
    ///   - signals: the signals that stop it. If empty, only the cancellation of the task stops it.
    ///   - gracePeriod: how long running calls may take to finish before they are cancelled.
    ///   - whenReady: called once, when the server serves and waits for the signals.
    public func run(
        on socket: ListeningSocket, until signals: Set<ProcessSignal> = [.terminate, .interrupt],
        gracePeriod: Duration = .seconds(10), whenReady: () -> Void = {}
    ) async {
        guard !isShuttingDown else {
            shared.logger.warning("a server that has shut down does not serve again", metadata: ["socket": "\(socket.path)"])
            return socket.close()
        }
        let told = await ProcessSignals(signals)
        start(on: socket)
        shared.logger.info("serving", metadata: ["socket": "\(socket.path)"])
        whenReady()
        await told.next()
        shared.logger.info("stopping")
        await shutdown(gracePeriod: gracePeriod)
        // Another signal during the shutdown does not cut it short.
        withExtendedLifetime(told) {}
    }

    /// Makes the socket at a path, for this user alone, and serves it as ``run(on:until:gracePeriod:whenReady:)`` does.
    /// - Throws: ``SocketTransport/SocketError`` if the socket cannot be made, for example because another server has it. Then nothing was served.
    public func run(
        socketPath: String, until signals: Set<ProcessSignal> = [.terminate, .interrupt],
        gracePeriod: Duration = .seconds(10), whenReady: () -> Void = {}
    ) async throws(SocketError) {
        await run(on: try ListeningSocket(path: socketPath), until: signals, gracePeriod: gracePeriod, whenReady: whenReady)
    }
}

/// Resumes a continuation at the first call, and ignores the others.
final class Once: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume() {
        let waiting = continuation.withLock { continuation in
            let waiting = continuation
            continuation = nil
            return waiting
        }
        waiting?.resume()
    }
}

/// Serves services at a path while `body` runs, then shuts the server down.
///
///     try await withServer(services: [GreeterService()], socketPath: "/run/greeter.sock") { server in
///         try await doSomethingElse()
///     }
///
/// For tests of a service there is `withInProcessServer` in the module `RPCTesting`, which needs no path.
/// - Parameter gracePeriod: how long running calls may take to finish before they are cancelled.
/// - Throws: ``SocketTransport/SocketError`` if the socket cannot be made; errors of `body`.
nonisolated(nonsending) public func withServer<Result>(
    services: [any RPCService], interceptors: [any ServerInterceptor] = [], observers: [any CallObserver] = [],
    logger: Logger = Logger(label: "rpc.server"), socketPath: String, gracePeriod: Duration = .seconds(10),
    _ body: nonisolated(nonsending) (Server) async throws -> Result
) async throws -> Result {
    let server = try Server(services: services, interceptors: interceptors, observers: observers, logger: logger)
    do {
        server.start(on: try ListeningSocket(path: socketPath))
        let result = try await body(server)
        await server.shutdown(gracePeriod: gracePeriod)
        return result
    } catch {
        await server.shutdown(gracePeriod: gracePeriod)
        throw error
    }
}
