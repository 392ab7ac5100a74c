import RPCCore
import SocketTransport

/// A call whose handler is running in a task. Loop-bound; it ends exactly once, whoever comes first: handler, deadline, peer or disconnect.
final class RunningCall {
    let id: CallID
    let context: CallContext
    /// The stream's server end; nil for a unary call.
    private(set) var stream: (any ServerStreamEnd)?
    private(set) var hasEnded = false
    private var task: Task<Void, Never>?
    private var timer: LoopTimer?

    init(id: CallID, context: CallContext, stream: (any ServerStreamEnd)? = nil) {
        self.id = id
        self.context = context
        self.stream = stream
    }

    /// Notes the task of a handler that did not end at once, and the timer of its deadline.
    func suspended(_ task: Task<Void, Never>, _ timer: LoopTimer?) {
        self.task = task
        self.timer = timer
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
        task?.cancel()
        task = nil
    }
}
