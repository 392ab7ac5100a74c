import ProtobufC
import RPCCore
import SocketTransport
import Synchronization
import TTRPCWire

/// A channel to a server over its Unix socket. It connects when the first call is made, and again after it has lost the connection.
///
///     let greeter = GreeterClient(channel: try Channel(socketPath: "/run/greeter.sock"))
///     print(try await greeter.sayHello(HelloRequest(name: "world")).text)
///
/// Any number of tasks may call at once; their calls share the channel's connections and are answered in any order. A server limits the running
/// calls of a connection (default 1,024). Over gRPC, more calls wait until others have ended. ttrpc does not tell clients the limit, so there the
/// server refuses them with `RESOURCE_EXHAUSTED`: use more connections, fewer calls, or gRPC.
///
/// A channel lives as long as a reference to it exists. Its clients and streams also hold it. When the last reference is gone, its connections close.
/// ``close()`` closes it earlier, and ``withChannel(_:_:)`` at the end of a block.
public final class Channel: CallChannel {
    /// The address of a channel's server.
    public enum Target: Sendable {
        /// At a Unix socket's path.
        case unixSocket(path: String)
        /// In this process.
        case inProcess(InProcessSocket)
    }

    /// How a channel is set up.
    ///
    ///     var configuration = Channel.Configuration(socketPath: "/run/greeter.sock")
    ///     configuration.wireProtocol = .grpc
    ///     configuration.connectionCount = 4
    ///     configuration.trustedServerUIDs = [getuid()]
    ///     let greeter = GreeterClient(channel: try Channel(configuration))
    public struct Configuration: Sendable {
        /// The address of the server.
        public var target: Target
        /// The protocol on the socket. Default ttrpc, which is faster. gRPC also works with other servers, and has response
        /// metadata.
        public var wireProtocol = WireProtocol.ttrpc
        /// The number of connections; calls use them in turn. Default 1, which is enough for most clients; less counts as 1. A server uses
        /// one event loop for a connection, so more connections spread a heavy load over its cores.
        public var connectionCount = 1
        /// One message, bytes, both ways: the data of a ttrpc frame, a gRPC message after decompression. Default 4 MiB. With ttrpc, more
        /// counts as 4 MiB. Over it: the call ends with `RESOURCE_EXHAUSTED`. Single answers of one gRPC connection whose status has not come
        /// may take 64 MiB together, or as much as one message.
        public var maximumMessageByteCount = 4 << 20
        /// Responses of all streams together that wait for their readers, bytes, compressed ones as they came. Default 64 MiB. Over it: the
        /// stream of the message ends with `RESOURCE_EXHAUSTED`. The limit of one stream is 8 MiB. Raise it with ``maximumMessageByteCount``: a
        /// longer message than this is taken only if its reader waits for it.
        public var maximumQueuedByteCount = 64 << 20
        /// Requests of one connection that wait, bytes, while the server takes nothing although calls have ended meanwhile, at their deadlines or by
        /// cancellation. Default 64 MiB. Over it: new calls end with `RESOURCE_EXHAUSTED`.
        public var maximumUnsentByteCount = 64 << 20
        /// The uids whose processes may have opened the server's socket; nil (the default) for any. With the system's socket units that is 0. Set
        /// them if a client sends secrets over a socket in a shared directory. Calls to any other server end with `UNAVAILABLE`, also those that wait
        /// for a server, and nothing is sent.
        public var trustedServerUIDs: Set<UInt32>?
        /// Default options for calls of some methods: timeouts, retries, hedging. Default: none.
        public var methods: [MethodConfiguration] = []
        /// When the channel stops retrying because too many calls fail. Default: never.
        public var retryThrottling: RetryThrottling?
        /// The stream id from which a connection is replaced by a new one. For tests only, because they cannot make 2^29 calls.
        var renewalStreamID: UInt32 = 1 << 30
        /// The clock of the pauses between attempts. For tests only, because they do not wait.
        var attemptTiming = AttemptTiming()

        /// The default configuration, for this target.
        public init(target: Target) { self.target = target }

        /// The default configuration, for a server at this Unix socket.
        public init(socketPath: String) { self.init(target: .unixSocket(path: socketPath)) }
    }

    let loop: EventLoop
    let maximumMessageByteCount: Int
    let inboundBudget: InboundBudget
    /// The configuration of methods and retries; nil if there is none.
    let policies: CallPolicies?
    let pauses: AttemptPauses
    private let connections: [LoopBound<ChannelConnection>]
    private let turn = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// Makes a channel. It does not connect yet.
    /// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors.
    public init(_ configuration: Configuration) throws(SocketError) {
        let loop = try EventLoop(label: "rpc.channel")
        self.loop = loop
        maximumMessageByteCount =
            switch configuration.wireProtocol {
            case .ttrpc: min(configuration.maximumMessageByteCount, TTRPCLimits.maximumDataLength)
            case .grpc: configuration.maximumMessageByteCount
            }
        inboundBudget = InboundBudget(limit: configuration.maximumQueuedByteCount)
        policies = CallPolicies(configuration.methods, configuration.retryThrottling)
        pauses = AttemptPauses(configuration.attemptTiming)
        connections = (0..<max(1, configuration.connectionCount)).map { _ in
            LoopBound(ChannelConnection(configuration, loop), to: loop)
        }
    }

    /// Makes a channel to the server at a path. It does not connect yet.
    /// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors.
    public convenience init(socketPath: String) throws(SocketError) {
        try self.init(Configuration(socketPath: socketPath))
    }

    deinit {
        // No call is running, because each running call holds the channel.
        if !isClosed.load(ordering: .acquiring) { Self.end(connections, on: loop) {} }
    }

    /// Tasks that prefer this executor make their calls without a change of thread: `Task(executorPreference: channel.executor)`.
    public var executor: any TaskExecutor { loop }

    /// Closes the connections. Running calls and later calls end with `UNAVAILABLE`, and are not made again.
    public func close() async {
        isClosed.store(true, ordering: .releasing)
        pauses.end()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Self.end(connections, on: loop) { continuation.resume() }
        }
    }

    private static func end(
        _ connections: [LoopBound<ChannelConnection>], on loop: EventLoop, then ended: @escaping @Sendable () -> Void
    ) {
        loop.execute {
            for connection in connections { connection.value.close() }
            loop.stop(then: ended)
        }
    }

    /// The connection whose turn it is.
    private func nextConnection() -> LoopBound<ChannelConnection> {
        guard connections.count > 1 else { return connections[0] }
        let index = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return connections[Int(UInt(bitPattern: index) % UInt(connections.count))]
    }

    /// The caller's deadline, or the deadline of the call that the current task answers, if that is earlier.
    static func deadline(_ options: CallOptions) -> Deadline {
        let own = options.timeout.map { Deadline(now: MonotonicClock.now(), timeoutNanoseconds: $0.wholeNanoseconds) } ?? .never
        return min(own, .current)
    }

    // MARK: Unary calls

    public func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        guard policies == nil, options.executionPolicy == nil else { return try await unaryByPolicy(method, request, options) }
        return try await unaryAttempt(method, request, options, Self.deadline(options))
    }

    /// Makes a unary call once.
    /// - Parameters:
    ///   - handle: cancels the call.
    ///   - whenBegun: called on the loop when the headers of the response come. Not on ttrpc, which has none.
    func unaryAttempt<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions, _ deadline: Deadline,
        handle: CallHandle = CallHandle(), whenBegun: (@Sendable () -> Void)? = nil
    ) async throws(RPCError) -> Response {
        let result: Result<Response, RPCError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let connection = nextConnection()
                loop.execute { [loop] in
                    let call = OutboundCall(
                        continuation, method.responseCodec, loop: loop, responseMetadata: options.responseMetadata, whenBegun: whenBegun)
                    guard !handle.register(LoopBound(call, to: loop)) else { return call.end(.taskCancelled) }
                    connection.value.start(call, deadline: deadline, waitForReady: options.waitForReady) {
                        (wire, timeout) throws(RPCError) in
                        try wire.send(request, to: method, timeout: timeout, options: options)
                    }
                }
            }
        } onCancel: {
            handle.cancel()
        }
        return try result.get()
    }

    // MARK: Streaming calls

    public func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response> {
        guard policies == nil, options.executionPolicy == nil else { return serverStreamByPolicy(method, request, options) }
        return serverStreamAttempt(method, request, options, Self.deadline(options))
    }

    /// Makes a server-streaming call once.
    func serverStreamAttempt<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions, _ deadline: Deadline
    ) -> ServerStream<Response> {
        let call = open(method, options, deadline) { (wire, timeout, options) throws(RPCError) in
            try wire.send(request, to: method, timeout: timeout, options: options)
        }
        return ServerStream(
            responses: MessageStream(call.responses, method.responseCodec, lifetime: call.lifetime), metadata: call.metadata,
            cancel: { [link = call.link] in link.cancel() })
    }

    public func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response> {
        let call = openForWriting(method, options)
        return ClientStream(
            requests: MessageWriter(call.requests, method.requestCodec, lifetime: call.lifetime), metadata: call.metadata,
            finish: { () async throws(RPCError) -> Response in
                call.finishWriting()
                var responses = MessageStream(call.responses, method.responseCodec).makeAsyncIterator()
                guard let answer = try await responses.next() else {
                    throw RPCError(.internal, "the server ended the call without its response")
                }
                return answer
            },
            cancel: { [link = call.link] in link.cancel() })
    }

    public func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response> {
        let call = openForWriting(method, options)
        return BidirectionalStream(
            requests: MessageWriter(call.requests, method.requestCodec, lifetime: call.lifetime),
            responses: MessageStream(call.responses, method.responseCodec, lifetime: call.lifetime), metadata: call.metadata,
            finishWriting: { call.finishWriting() }, cancel: { [link = call.link] in link.cancel() })
    }

    private func openForWriting<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ options: CallOptions
    ) -> OpenedStream {
        let options = policies?.applied(to: options, service: method.service, path: method.path) ?? options
        return open(method, options, Self.deadline(options)) { (wire, timeout, options) throws(RPCError) in
            try wire.open(method, timeout: timeout, options: options)
        }
    }

    private func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ options: CallOptions, _ deadline: Deadline,
        send: @escaping @Sendable (any ClientWireProtocol, Int64, CallOptions) throws(RPCError) -> CallID
    ) -> OpenedStream {
        let opened = OpenedStream(self, options.responseMetadata ?? ResponseMetadata())
        var options = options
        options.responseMetadata = opened.metadata
        let connection = nextConnection()
        // The closure must not hold the opened stream itself, because the caller decides its lifetime.
        loop.execute {
            [
                loop, options, requests = opened.requests, responses = opened.responses, link = opened.link, metadata = opened.metadata,
                tokens = policies?.tokens
            ] in
            let call = OutboundStream(
                requests: requests, responses: responses, Response.descriptor, shape: method.shape, loop: loop, responseMetadata: metadata,
                tokens: tokens)
            link.attach(call)
            connection.value.start(call, deadline: deadline, waitForReady: options.waitForReady) { (wire, timeout) throws(RPCError) in
                try send(wire, timeout, options)
            }
        }
        return opened
    }
}

/// The published protocols that a channel can use. A PulseBoard server recognizes them by the first bytes.
public enum WireProtocol: Sendable, Hashable, CaseIterable {
    /// containerd's ttrpc, with PulseBoard's additions if the server knows them.
    case ttrpc
    /// gRPC over HTTP/2.
    case grpc
}

/// Runs `body` with a channel, and then closes the channel, also if `body` throws.
///
///     try await withChannel(Channel.Configuration(socketPath: "/run/greeter.sock")) { channel in
///         print(try await GreeterClient(channel: channel).sayHello(HelloRequest(name: "world")).text)
///     }
/// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors; errors of `body`.
nonisolated(nonsending) public func withChannel<Result>(
    _ configuration: Channel.Configuration, _ body: nonisolated(nonsending) (Channel) async throws -> Result
) async throws -> Result {
    let channel = try Channel(configuration)
    do {
        let result = try await body(channel)
        await channel.close()
        return result
    } catch {
        await channel.close()
        throw error
    }
}

/// Runs `body` with a channel to the server at a path, as ``withChannel(_:_:)`` does.
nonisolated(nonsending) public func withChannel<Result>(
    socketPath: String, _ body: nonisolated(nonsending) (Channel) async throws -> Result
) async throws -> Result {
    try await withChannel(Channel.Configuration(socketPath: socketPath), body)
}
