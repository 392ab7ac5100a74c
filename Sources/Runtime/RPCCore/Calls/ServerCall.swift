import ProtobufC

/// A call on the server whose handler may wait, its message types erased. What its handler answers goes to its ``host``.
public class ServerCall: @unchecked Sendable {
    // Sendable: what changes is touched on the host's event loop only; the handler's task, which may come to run elsewhere, uses the constants.
    // Those are of Sendable type, but for the host, of which the task calls only what says of itself that it may be called anywhere.
    public let id: CallID
    public let context: CallContext
    /// The connection that it came by.
    public let host: any CallHost
    /// Runs the call's handler, and goes on with the calls behind it. (A closure, because it is compiled for the message types;
    /// a method of a generic class is not.)
    @usableFromInline package let handlers: Handlers
    /// The server's end of a streaming call; nil for a unary one.
    @usableFromInline package let stream: ServerStreamEnd?
    /// Whether it has come to its end, whoever came first: handler, deadline, peer or disconnect. Loop-bound.
    /// (Unchecked in release builds, as those below: five accesses a call, 100 instructions each to check. Each is read or replaced at once.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    @usableFromInline package var hasEnded = false
    /// Whether its connection knows it by its id. Loop-bound.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    @usableFromInline package var isNoted = false

    /// When its request was read, or its stream opened, nanoseconds on the monotonic clock; 0 for one that has not waited yet. Loop-bound.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package var startedAt: Int64 = 0

    /// Bytes of its request, or of its requests so far, and of all that is counted for it while it waits. Loop-bound.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package var requestByteCount = 0
    /// Bytes of a stream's responses so far. Loop-bound.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package var responseByteCount = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package var heldByteCount = 0

    /// Runs the handler of a call, then waits for the next one, and keeps nothing of the call meanwhile (hence `consuming`). A unary call's runs all
    /// that are of the call's class, one after another. Gives back a call that it does not run itself, or nil when the task is to end.
    ///
    /// It stays on the executor that calls it, here and in every step to the handler: each change of executor that might be one costs 0.1 µs,
    /// whether it is one or not.
    public typealias Handlers = nonisolated(nonsending) @Sendable (consuming ServerCall, any HandlerQueue) async -> ServerCall?

    /// - Parameter stream: nil for a unary call.
    @inlinable
    package init(
        _ id: CallID, _ context: consuming CallContext, _ host: any CallHost, _ stream: ServerStreamEnd?, _ handlers: @escaping Handlers
    ) {
        self.id = id
        self.context = context
        self.host = host
        self.stream = stream
        self.handlers = handlers
    }

    /// A streaming call.
    package convenience init(_ id: CallID, _ context: consuming CallContext, _ host: any CallHost, _ stream: ServerStreamEnd) {
        self.init(id, context, host, stream) { (call: consuming ServerCall, queue) in
            await call.runStream()
            // Not kept while the task waits.
            _ = consume call
            return await withUnsafeContinuation { queue.waitForCall($0) }
        }
    }

    private nonisolated(nonsending) func runStream() async {
        // A call that ended while it was gathered, on a mistake of its client's, is not begun.
        guard let stream, !hasEnded else { return host.handlerEnded(self, throwing: CancellationError()) }
        do {
            try await context.deadline.asCurrent { try await stream.run(context) }
            host.handlerEnded(self)
        } catch {
            host.handlerEnded(self, throwing: error)
        }
    }
}

/// The calls whose handlers are to run after one another in one task.
public protocol HandlerQueue: AnyObject {
    /// Takes the next call, if there is one and the task may run another.
    func next() -> ServerCall?
    /// Resumes with the next call as soon as there is one, and with nil when the task is to end.
    func waitForCall(_ continuation: UnsafeContinuation<ServerCall?, Never>)
}

/// A unary call, with its decoded request.
@usableFromInline
final class UnaryCall<Request: Message, Response: Message>: ServerCall, @unchecked Sendable {
    // Sendable: constants of Sendable type besides what it inherits.
    @usableFromInline let request: Request
    /// Its method's.
    @usableFromInline let handler: UnaryHandling<Request, Response>.Handler

    @inlinable
    init(
        _ id: CallID, _ request: consuming Request, _ handler: @escaping UnaryHandling<Request, Response>.Handler,
        _ context: consuming CallContext, _ host: any CallHost, _ handlers: @escaping Handlers
    ) {
        self.request = request
        self.handler = handler
        super.init(id, context, host, nil, handlers)
    }
}
