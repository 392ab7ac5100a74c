import RPCCore
import SocketTransport
import Synchronization

/// Lets a task's cancellation, which comes on any thread and at any time, reach its call on the loop.
final class CallHandle: Sendable {
    private struct State {
        var isCancelled = false
        var cancelCall: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Joins the handle to its call; true when the task has been cancelled already, and the call should not start.
    func register<Response>(_ call: LoopBound<OutboundCall<Response>>) -> Bool {
        let cancel: @Sendable () -> Void = {
            call.loop.execute { call.value.end(.taskCancelled) }
        }
        return state.withLock { state in
            state.cancelCall = cancel
            return state.isCancelled
        }
    }

    func cancel() {
        let cancelCall = state.withLock { state in
            state.isCancelled = true
            return state.cancelCall
        }
        cancelCall?()
    }
}
