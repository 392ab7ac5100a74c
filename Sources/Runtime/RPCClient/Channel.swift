import ProtobufC
import RPCCore
import SocketTransport
import Synchronization
import TTRPCWire

/// A way to a server over its Unix socket: connects when the first call is made, and again after a lost connection.
///
/// Any number of tasks may call at once; their calls share the channel's connections and are answered in any order. Close it when done.
public final class Channel: CallChannel {
    /// How a channel is set up.
    public struct Configuration: Sendable {
        /// Path of the server's socket.
        public var socketPath: String
        /// What is spoken on the socket. Default ttrpc, which costs both sides less; gRPC also reaches servers that are not ours, and carries response
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
        /// The stream id from which on a connection is replaced by a fresh one. Not for callers: the tests cannot make 2^29 calls.
        var renewalStreamID: UInt32 = 1 << 30

        public init(socketPath: String) { self.socketPath = socketPath }
    }

    let loop: EventLoop
    let maximumMessageByteCount: Int
    let inboundBudget: InboundBudget
    private let connections: [LoopBound<ChannelConnection>]
    private let turn = Atomic<Int>(0)

    /// Makes a channel; nothing is connected yet.
    /// - Throws: ``SocketError`` when the process is out of descriptors.
    public init(_ configuration: Configuration) throws(SocketError) {
        let loop = try EventLoop(label: "rpc.channel")
        self.loop = loop
        maximumMessageByteCount =
            switch configuration.wireProtocol {
            case .ttrpc: min(configuration.maximumMessageByteCount, TTRPCLimits.maximumDataLength)
            case .grpc: configuration.maximumMessageByteCount
            }
        inboundBudget = InboundBudget(limit: configuration.maximumQueuedByteCount)
        connections = (0..<max(1, configuration.connectionCount)).map { _ in
            LoopBound(ChannelConnection(configuration, loop), to: loop)
        }
    }

    /// Makes a channel to the server at a path; nothing is connected yet.
    /// - Throws: ``SocketError`` when the process is out of descriptors.
    public convenience init(socketPath: String) throws(SocketError) {
        try self.init(Configuration(socketPath: socketPath))
    }

    /// Tasks that prefer this executor make their calls without any thread change: `Task(executorPreference: channel.executor)`.
    public var executor: any TaskExecutor { loop }

    public func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        let deadline = Self.deadline(options)
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

    /// Closes the connections; calls still under way end with `UNAVAILABLE`, later ones too.
    public func close() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute { [connections] in
                for connection in connections { connection.value.close() }
                continuation.resume()
            }
        }
        await loop.stop()
    }

    /// The connection whose turn it is.
    func nextConnection() -> LoopBound<ChannelConnection> {
        guard connections.count > 1 else { return connections[0] }
        let index = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return connections[Int(UInt(bitPattern: index) % UInt(connections.count))]
    }

    /// What the caller allows, and never more than is left of the call that it is answering itself.
    static func deadline(_ options: CallOptions) -> Deadline {
        let own = options.timeout.map { Deadline(now: MonotonicClock.now(), timeoutNanoseconds: $0.wholeNanoseconds) } ?? .never
        return min(own, .current)
    }
}

/// The published protocols that a channel can speak; a server of ours tells them apart by the first byte.
public enum WireProtocol: Sendable, Hashable, CaseIterable {
    /// Containerd's ttrpc, with our extensions where the server knows them.
    case ttrpc
    /// gRPC over HTTP/2.
    case grpc
}
