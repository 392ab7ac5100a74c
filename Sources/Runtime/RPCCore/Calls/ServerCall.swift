import ProtobufC

/// A call on the server whose handler may wait, with its message types erased.
@_documentation(visibility: internal)
public class ServerCall: @unchecked Sendable {
    // Sendable: mutable state is touched on the connection's event loop only. The handler's task, which may run on another thread, uses only
    // constants of Sendable type.
    /// The call on its connection.
    public final let id: CallID
    /// What its handler sees of it.
    public final let context: CallContext
    /// Runs the call's handler, and then the next calls of the queue. (A closure, because it is compiled for the message types;
    /// a method of a generic class is not.)
    @usableFromInline package final let handlers: Handlers
    /// The server's end of a streaming call; nil for a unary one.
    @usableFromInline package final let stream: ServerStreamEnd?
    /// Whether its request takes too long to decode for an event loop, or its method is handled apart (``Router/handleApart(_:)``). Then another
    /// thread decodes the request, runs the handler and encodes the answer.
    @usableFromInline package final let isLarge: Bool
    /// How many bytes more than on the wire its decoded request takes, at most; 0 for a stream, and for a request that is decoded on another thread.
    @usableFromInline package final let growthByteCount: Int
    /// Whether the call has ended, by its handler, its deadline, its peer or a disconnect. Loop-bound.
    /// (Unchecked in release builds, like the properties below: a call makes five accesses, and a check is expensive. Each access is a single read or
    /// write.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    @usableFromInline package var hasEnded = false
    /// Whether its connection has it in the table of ids. Loop-bound.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    @usableFromInline package var isNoted = false

    /// When its request was read, or its stream opened, nanoseconds on the monotonic clock; 0 while the call has not waited. Loop-bound.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    package var startedAt: Int64 = 0

    /// Bytes of its request, or of its requests so far, and of everything counted for it while it waits. Loop-bound.
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

    /// Runs the handler of a call, and then the handlers of the next calls in the queue that have the same class. It may wait in the queue for more.
    /// Returns the first call of another class, or nil when there are no more. It keeps no call (hence `consuming`).
    ///
    /// It stays on the executor of its caller, here and in every step to the handler, because each possible change of executor costs time even if
    /// the executor stays the same.
    public typealias Handlers = nonisolated(nonsending) @Sendable (consuming ServerCall, any CallQueue) async -> ServerCall?

    /// - Parameter stream: nil for a unary call.
    @inlinable
    package init(
        _ id: CallID, _ context: consuming CallContext, _ stream: ServerStreamEnd?, isLarge: Bool, growthByteCount: Int,
        _ handlers: @escaping Handlers
    ) {
        self.id = id
        self.context = context
        self.stream = stream
        self.isLarge = isLarge
        self.growthByteCount = growthByteCount
        self.handlers = handlers
    }

    /// A streaming call.
    package convenience init(_ id: CallID, _ context: consuming CallContext, _ stream: ServerStreamEnd) {
        self.init(id, context, stream, isLarge: false, growthByteCount: 0) { (call: consuming ServerCall, queue) in
            await call.runStream(in: queue)
            return queue.next()
        }
    }

    private nonisolated(nonsending) func runStream(in queue: any CallQueue) async {
        // A call that has already ended, because its client made a mistake, is not begun.
        guard let stream, !hasEnded else { return queue.ended(self, throwing: CancellationError()) }
        do {
            try await context.deadline.asCurrent { try await stream.run(context) }
            queue.ended(self)
        } catch {
            queue.ended(self, throwing: error)
        }
    }
}

/// The calls whose handlers run one after another in one task. It also takes the ends of these calls.
///
/// Each call ends once. An end for a call that has already ended (its deadline passed, its connection is gone) is ignored.
@_documentation(visibility: internal)
public protocol CallQueue: AnyObject {
    /// Takes the next call, if there is one and the task may run another.
    func next() -> ServerCall?

    /// Resumes with the next call when there is one, or with nil when the task must end.
    func waitForNext(_ continuation: UnsafeContinuation<ServerCall?, Never>)

    /// Counts what a request that was decoded outside of the event loop takes beyond its wire bytes, until its call ends. The thread of the call.
    /// - Throws: ``RPCError`` when the user has no memory left for it.
    func hold(growthByteCount: Int) throws

    /// Ends a unary call with its handler's answer. Any thread. On the event loop the answer is encoded into the output; on another thread it is
    /// encoded first.
    func ended(_ call: ServerCall, with response: borrowing PackableMessage)
    /// Ends a call with the error that its handler threw, or `INTERNAL` for an answer that cannot be encoded. Any thread.
    func ended(_ call: ServerCall, throwing error: any Error)
    /// Ends a streaming call whose handler has written all of its responses. Any thread.
    func ended(_ call: ServerCall)
}
