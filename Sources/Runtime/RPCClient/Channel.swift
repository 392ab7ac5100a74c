import ProtobufC
import RPCCore
import SocketTransport
import Synchronization
import TTRPCWire

/// A way to a server over its Unix socket: connects when the first call is made, and again after a lost connection.
///
///     let greeter = GreeterClient(channel: try Channel(socketPath: "/run/greeter.sock"))
///     print(try await greeter.sayHello(HelloRequest(name: "world")).text)
///
/// Any number of tasks may call at once; their calls share the channel's connections and are answered in any order.
///
/// A channel lives as long as somebody holds it, a client or a stream of it included. When the last of them lets go, its connections close.
/// ``close()`` does so at a moment of your choice, and ``withChannel(_:_:)`` at the end of a block.
public final class Channel: CallChannel {
    /// The address of a channel's server.
    public enum Target: Sendable {
        /// At a Unix socket's path.
        case unixSocket(path: String)
        /// In this process.
        case inProcess(InProcessSocket)
    }

    /// How a channel is set up.
    public struct Configuration: Sendable {
        /// The address of the server.
        public var target: Target
        /// The protocol on the socket. Default ttrpc, which costs both sides less. gRPC also reaches servers of other makes, and carries response
        /// metadata.
        public var wireProtocol = WireProtocol.ttrpc
        /// Connections that calls are spread over in turn. Default 1, which is enough for hundreds of thousands of calls a second; a server uses
        /// one event loop a connection, so more of them spread heavy load over its cores.
        public var connectionCount = 1
        /// One message, bytes, both ways: the data of a ttrpc frame, a gRPC message after decompression. Default 4 MiB; also the most for ttrpc, whose own
        /// limit it is.
        public var maximumMessageByteCount = 4 << 20
        /// Responses of all streams together that wait for their readers, bytes. Default 64 MiB. Over it: the stream whose message it is ends
        /// with `RESOURCE_EXHAUSTED`; one alone at 8 MiB.
        public var maximumQueuedByteCount = 64 << 20
        /// The uids that the server may run as; nil (the default) for any. A client that sends secrets over a socket in a shared
        /// directory names them: calls to any other server end with `UNAVAILABLE` and nothing is sent.
        public var trustedServerUIDs: Set<UInt32>?
        /// Defaults for calls whose own options say nothing else: timeouts, retries, hedging. Default: none.
        public var methods: [MethodConfiguration] = []
        /// When the channel stops to make calls again because too much fails. Default: never.
        public var retryThrottling: RetryThrottling?
        /// The stream id from which on a connection is replaced by a fresh one. Not for callers: the tests cannot make 2^29 calls.
        var renewalStreamID: UInt32 = 1 << 30
        /// What the pauses between attempts go by. Not for callers: the tests do not wait.
        var attemptTiming = AttemptTiming()

        public init(target: Target) { self.target = target }

        public init(socketPath: String) { self.init(target: .unixSocket(path: socketPath)) }
    }

    let loop: EventLoop
    let maximumMessageByteCount: Int
    let inboundBudget: InboundBudget
    /// The configuration of methods and retries; nil if there is none, and calls are made as they are.
    let policies: CallPolicies?
    let attemptTiming: AttemptTiming
    private let connections: [LoopBound<ChannelConnection>]
    private let turn = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// Makes a channel; nothing is connected yet.
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
        attemptTiming = configuration.attemptTiming
        connections = (0..<max(1, configuration.connectionCount)).map { _ in
            LoopBound(ChannelConnection(configuration, loop), to: loop)
        }
    }

    /// Makes a channel to the server at a path; nothing is connected yet.
    /// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors.
    public convenience init(socketPath: String) throws(SocketError) {
        try self.init(Configuration(socketPath: socketPath))
    }

    deinit {
        // No call is under way: each of them holds the channel.
        if !isClosed.load(ordering: .acquiring) { Self.end(connections, on: loop) {} }
    }

    /// Tasks that prefer this executor make their calls without any thread change: `Task(executorPreference: channel.executor)`.
    public var executor: any TaskExecutor { loop }

    /// Closes the connections; calls still under way end with `UNAVAILABLE`, later ones too.
    public func close() async {
        isClosed.store(true, ordering: .releasing)
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

    /// What the caller allows, and never more than is left of the call that it is answering itself.
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
    func unaryAttempt<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions, _ deadline: Deadline
    ) async throws(RPCError) -> Response {
        let handle = CallHandle()
        let result: Result<Response, RPCError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let connection = nextConnection()
                loop.execute { [loop] in
                    let call = OutboundCall(
                        continuation, method.responseCodec, loop: loop, responseMetadata: options.responseMetadata)
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
        // Not the opened stream itself: its lifetime is the caller's.
        loop.execute { [loop, options, requests = opened.requests, responses = opened.responses, link = opened.link, metadata = opened.metadata] in
            let call = OutboundStream(
                requests: requests, responses: responses, Response.descriptor, shape: method.shape, loop: loop, responseMetadata: metadata)
            link.attach(call)
            connection.value.start(call, deadline: deadline, waitForReady: options.waitForReady) { (wire, timeout) throws(RPCError) in
                try send(wire, timeout, options)
            }
        }
        return opened
    }
}

/// The published protocols that a channel can speak. A PulseBoard server tells them apart by the first byte.
public enum WireProtocol: Sendable, Hashable, CaseIterable {
    /// containerd's ttrpc, with PulseBoard's additions if the server knows them.
    case ttrpc
    /// gRPC over HTTP/2.
    case grpc
}

/// Runs `body` with a channel, which is closed afterwards, whatever comes of it.
///
///     try await withChannel(Channel.Configuration(socketPath: "/run/greeter.sock")) { channel in
///         print(try await GreeterClient(channel: channel).sayHello(HelloRequest(name: "world")).text)
///     }
/// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors; what `body` throws.
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
