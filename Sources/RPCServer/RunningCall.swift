import RPCCore
import SocketTransport

/// A call whose handler is running in a task. Loop-bound; it ends exactly once, whoever comes first: handler, deadline or disconnect.
final class RunningCall {
    let id: CallID
    private(set) var hasEnded = false
    private var task: Task<Void, Never>?
    private var timer: LoopTimer?

    init(id: CallID) { self.id = id }

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

    /// Tells the handler to stop. It is heard at the handler's next suspension or check.
    func cancelHandler() {
        task?.cancel()
        task = nil
    }
}
