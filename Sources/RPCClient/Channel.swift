import ProtobufC
import RPCCore
import SocketTransport
import TTRPC

/// A way to a server over its Unix socket: connects when the first call is made, and again after a lost connection.
///
/// Any number of tasks may call at once; their calls share one connection and are answered in any order. Use several channels to
/// spread heavy load over several of the server's event loops. Close it when done.
public final class Channel: CallChannel {
    /// How a channel is set up.
    public struct Configuration: Sendable {
        /// Path of the server's socket.
        public var socketPath: String
        /// Data of one frame, bytes, both ways. Default and maximum 4 MiB, ttrpc's own limit.
        public var maximumMessageByteCount = 4 << 20
        /// The uids that the server may run as; nil (the default) for any. A client that sends secrets over a socket in a shared
        /// directory names them: calls to any other server end with `UNAVAILABLE` and nothing is sent.
        public var trustedServerUIDs: Set<UInt32>?
        /// The stream id from which on a connection is replaced by a fresh one. Not for callers: the tests cannot make 2^29 calls.
        var renewalStreamID = ClientSession.defaultRenewalStreamID

        public init(socketPath: String) { self.socketPath = socketPath }
    }

    private let loop: EventLoop
    private let state: LoopBound<ChannelState>

    /// Makes a channel; nothing is connected yet.
    /// - Throws: ``SocketError`` when the process is out of descriptors.
    public init(_ configuration: Configuration) throws(SocketError) {
        loop = try EventLoop(label: "rpc.channel")
        state = LoopBound(ChannelState(configuration, loop), to: loop)
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
        let deadline = options.timeout.map { Deadline(now: MonotonicClock.now(), timeoutNanoseconds: $0.wholeNanoseconds) } ?? .never
        let handle = CallHandle()
        let result: Result<Response, RPCError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { [state, loop] in
                    let call = OutboundCall(continuation, loop: loop)
                    guard !handle.register(LoopBound(call, to: loop)) else {
                        return call.end(RPCError(.cancelled, "the calling task was cancelled"))
                    }
                    state.value.start(call, method, request, options.metadata, deadline)
                }
            }
        } onCancel: {
            handle.cancel()
        }
        return try result.get()
    }

    /// Closes the connection; calls still under way end with `UNAVAILABLE`, later ones too.
    public func close() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute { [state] in
                state.value.close()
                continuation.resume()
            }
        }
        await loop.stop()
    }
}

extension Duration {
    /// Whole nanoseconds; durations beyond 292 years are held at that.
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
