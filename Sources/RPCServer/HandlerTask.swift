import RPCCore
import SocketTransport

/// A task that runs handlers on one event loop, one after another. Loop-bound.
///
/// Making a task costs as much as all the rest of a call whose handler does not wait (0.6 µs, measured), and resuming one a third of that. So a
/// task takes call after call as long as there are any, and is kept for the next burst then. A handler notices nothing of it: it runs alone in
/// its task, with the task-local values of its own call and none besides, and a task that was cancelled runs no other.
final class HandlerTask: @unchecked Sendable {
    // Sendable: everything is touched on the pool's loop only. The task prefers that loop as its executor, so that is where `run` is between two
    // handlers; it looks, because a handler may come back elsewhere, and ends then.
    private let pool: HandlerTaskPool
    private var task: Task<Void, Never>?
    /// The call whose handler is running or waits.
    /// (Unchecked, as below: references on one loop, each read or replaced at once.)
    @exclusivity(unchecked) private(set) var current: RunningCall?
    /// Set while the task waits for a call. Taken before it is resumed, so that it is resumed once.
    @exclusivity(unchecked) private var parked: UnsafeContinuation<Void, Never>?
    private var isCancelled = false

    /// Makes a task that runs the handlers of the pool's calls, up to where one first waits.
    init(_ pool: HandlerTaskPool) {
        self.pool = pool
        // Not `nonisolated(nonsending)`: with the change of executor at this closure's beginning the task leaves its immediate start, before it
        // can park and be resumed.
        task = Task.immediate(executorPreference: pool.loop) { await self.run() }
    }

    /// Runs the handlers of the pool's calls, up to where one first waits. Only while the task is parked.
    func resume() {
        guard let parked = parked.take() else { preconditionFailure("a handler was given to a busy task") }
        pool.loop.runAtOnce { parked.resume() }
    }

    /// Cancels the task, and so the handler that is running in it. A parked one runs on to its end.
    func cancel() {
        isCancelled = true
        task?.cancel()
    }

    /// Ends a parked task.
    func end() { parked.take()?.resume() }

    private nonisolated(nonsending) func run() async {
        while await runCalls(), pool.park(self) {
            await withUnsafeContinuation { parked = $0 }
        }
    }

    /// Runs handlers as long as there are any; false when the task is to run no other. A function of its own, so that a parked task holds nothing
    /// of the last call.
    @inline(never)
    private nonisolated(nonsending) func runCalls() async -> Bool {
        while let call = pool.next() {
            current = call
            call.handlerTask = self
            await call.runHandler()
            // A handler may come back elsewhere, and it may have cancelled the task itself.
            guard pool.loop.inLoop, !isCancelled, !Task.isCancelled else { return false }
            current = nil
        }
        return true
    }
}
