import ProtobufC

/// A call on the server whose handler is to run and may wait, its message types erased.
public class ServerCall: @unchecked Sendable {
    // Sendable: what changes is touched on the connection's event loop only; the handler's task, which may come to run elsewhere, uses the
    // constants, which are of Sendable type.
    public let id: CallID
    public let context: CallContext
    /// Runs the call's handler, and goes on with the calls behind it. (A closure, because it is compiled for the message types;
    /// a method of a generic class is not.)
    @usableFromInline package let handlers: Handlers
    /// The server's end of a streaming call; nil for a unary one.
    @usableFromInline package let stream: ServerStreamEnd?
    /// Whether its request takes longer to decode than an event loop may be held up: then its handler runs elsewhere, and decodes it there.
    @usableFromInline package let isLarge: Bool
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

    /// Runs the handler of a call, and of those behind it in the queue that are of the same class, one after another. Gives back the first that it does
    /// not run itself, or nil when there are no more. Nothing of a call is kept (hence `consuming`).
    ///
    /// It stays on the executor that calls it, here and in every step to the handler: each change of executor that might be one costs 0.1 µs,
    /// whether it is one or not.
    public typealias Handlers = nonisolated(nonsending) @Sendable (consuming ServerCall, any CallQueue) async -> ServerCall?

    /// - Parameter stream: nil for a unary call.
    @inlinable
    package init(
        _ id: CallID, _ context: consuming CallContext, _ stream: ServerStreamEnd?, isLarge: Bool, _ handlers: @escaping Handlers
    ) {
        self.id = id
        self.context = context
        self.stream = stream
        self.isLarge = isLarge
        self.handlers = handlers
    }

    /// A streaming call.
    package convenience init(_ id: CallID, _ context: consuming CallContext, _ stream: ServerStreamEnd) {
        self.init(id, context, stream, isLarge: false) { (call: consuming ServerCall, queue) in
            await call.runStream(in: queue)
            return queue.next()
        }
    }

    private nonisolated(nonsending) func runStream(in queue: any CallQueue) async {
        // A call that ended while it was gathered, on a mistake of its client's, is not begun.
        guard let stream, !hasEnded else { return queue.ended(self, throwing: CancellationError()) }
        do {
            try await context.deadline.asCurrent { try await stream.run(context) }
            queue.ended(self)
        } catch {
            queue.ended(self, throwing: error)
        }
    }
}

/// The calls whose handlers are to run after one another in one task, and where their ends go.
///
/// Each call ends once; an end for a call that has already ended (its deadline passed, its connection is gone) is dropped.
public protocol CallQueue: AnyObject {
    /// Takes the next call, if there is one and the task may run another.
    func next() -> ServerCall?

    /// Ends a unary call with its handler's answer. Anywhere; mostly on the event loop, and then the answer is encoded there in place, elsewhere it is
    /// encoded first.
    func ended(_ call: ServerCall, with response: borrowing PackableMessage)
    /// Ends a call with what its handler threw, or `INTERNAL` for an answer that cannot be encoded. Anywhere.
    func ended(_ call: ServerCall, throwing error: any Error)
    /// Ends a streaming call whose handler has written all of its responses. Anywhere.
    func ended(_ call: ServerCall)
}
