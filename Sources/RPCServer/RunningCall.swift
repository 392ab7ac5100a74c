import ProtobufC
import RPCCore
import SocketTransport

/// A call whose handler is running. Loop-bound; it ends exactly once, whoever comes first: handler, deadline, peer or disconnect.
final class RunningCall: @unchecked Sendable {
    // Sendable: everything that changes is touched on the connection's loop only. The handler's task carries it through code that may run
    // elsewhere; what that code can reach are constants, and the ends below, which go to the loop first.
    let id: CallID
    let context: CallContext
    /// What its handler is, its message types erased.
    enum Handler {
        case unary(UnaryOperation)
        case stream(ServerStreamEnd)
    }

    /// The stream's server end as long as the call lasts; nil for a unary call.
    private(set) var stream: ServerStreamEnd?
    private(set) var hasEnded = false
    /// Whether its connection knows it by its id.
    var isNoted = false
    /// The task of the handler; nil once that has come to its end.
    var handlerTask: HandlerTask?
    private let connection: ServerConnection
    private let handler: Handler
    private var timer: LoopTimer?

    init(id: CallID, context: CallContext, on connection: ServerConnection, _ handler: Handler) {
        self.id = id
        self.context = context
        self.connection = connection
        self.handler = handler
        if case .stream(let end) = handler { stream = end }
    }

    var isStream: Bool { stream != nil }

    /// Runs the handler, in the task that was given to it.
    nonisolated(nonsending) func runHandler() async {
        // A call that ended while it was gathered, on a mistake of its client's, is not begun.
        guard !hasEnded else { return fail(CancellationError()) }
        // A task-local value costs an allocation, so only calls that have a deadline carry one.
        if context.deadline == .never {
            await runInTime()
        } else {
            await Deadline.$current.withValue(context.deadline) { await runInTime() }
        }
    }

    private nonisolated(nonsending) func runInTime() async {
        switch handler {
        case .unary(let operation): await operation(self, context)
        case .stream(let end):
            do {
                try await end.run(context)
                succeedStream()
            } catch {
                fail(error)
            }
        }
    }

    /// Notes that the handler did not end at once.
    func waits() { connection.handlerWaits(self) }

    /// Sees to the deadline of a call whose handler did not end at once.
    func setTimer() {
        guard context.deadline != .never else { return }
        timer = connection.loop.schedule(at: context.deadline.nanoseconds) { [self] in connection.deadlinePassed(self) }
    }

    /// Marks the call as ended; false when it had ended already, and the caller's end is to be dropped.
    func end(on loop: EventLoop) -> Bool {
        guard !hasEnded else { return false }
        hasEnded = true
        if let timer { loop.cancel(timer) }
        timer = nil
        return true
    }

    /// Ends what tasks of a handler that has ended may still hold of its stream: nobody else would wake them.
    func endStream() {
        stream?.end(RPCError(.failedPrecondition, "the handler of this call has ended"))
        stream = nil
    }

    /// Tells the handler to stop. It is heard at the handler's next suspension or check, and by whatever it reads or writes next.
    func cancelHandler(_ reason: RPCError) {
        stream?.end(reason)
        stream = nil
        handlerTask?.cancel()
        handlerTask = nil
    }
}

// MARK: The handler's end

/// A handler is called on the loop and nearly always ends there. It need not: Swift lets a function that ends in another executor's call, an
/// actor's or the main actor's, return from there (and 6.3 does so in more cases than it should: swiftlang/swift#88259, #88993).
extension RunningCall: UnaryCallEnd {
    func succeed(with response: borrowing PackableMessage) {
        guard connection.loop.inLoop else {
            let bytes = response.bytes()
            return connection.loop.execute { PackableMessage.withPacked(bytes) { self.succeed(with: $0) } }
        }
        guard connection.handlerEnded(self) else { return }
        connection.complete(id, with: response, context)
        connection.callEnded(self)
    }

    func fail(_ error: any Error) {
        guard connection.loop.inLoop else { return connection.loop.execute { self.fail(error) } }
        guard connection.handlerEnded(self) else { return }
        if !(error is RPCError), !(error is CancellationError) {
            context.logger.error("a handler failed", metadata: ["error.type": "\(type(of: error))"])
        }
        connection.fail(id, RPCError(handlerFailure: error), context)
        connection.callEnded(self)
    }

    /// The same for a handler that has written all of its responses.
    func succeedStream() {
        guard connection.loop.inLoop else { return connection.loop.execute { self.succeedStream() } }
        guard connection.handlerEnded(self) else { return }
        connection.finish(self)
        connection.callEnded(self)
    }
}
