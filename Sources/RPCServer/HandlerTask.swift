import RPCCore
import SocketTransport
import Synchronization

/// A task that runs handlers on one event loop, one after another. Loop-bound.
///
/// Making a task costs as much as all the rest of a call whose handler does not wait (0.6 µs, measured), and resuming one a third of that. So a
/// task takes call after call as long as there are any, and is kept for the next burst then. A handler notices nothing of it: it runs alone in
/// its task, with the task-local values of its own call and none besides, and a task that was cancelled runs no other.
final class HandlerTask: @unchecked Sendable {
    // Sendable: everything that changes, but for the atomic, is touched on the pool's loop only. The task prefers that loop as its executor, so
    // that is where `run` is between two handlers; it looks, because a handler may come back elsewhere, and ends then.
    private let pool: HandlerTaskPool
    /// The pool's. (By way of the pool it would be counted, twice a call.)
    private let loop: EventLoop
    private var task: Task<Void, Never>?
    /// The call whose handler is running or waits.
    /// (Unchecked, as below: references on one loop, each read or replaced at once.)
    @exclusivity(unchecked) private var current: ServerCall?
    /// Set while the task waits for a call. Taken before it is resumed, so that it is resumed once.
    @exclusivity(unchecked) private var parked: UnsafeContinuation<Void, Never>?
    /// Set by whoever cancels the task, a handler of its own among them. (`Task.isCancelled` takes and gives back a reference.)
    private let isCancelled = Atomic<Bool>(false)

    /// Makes a task that runs the handlers of the pool's calls, up to where one first waits.
    init(_ pool: HandlerTaskPool) {
        self.pool = pool
        loop = pool.loop
        // Not `nonisolated(nonsending)`: with the change of executor at this closure's beginning the task leaves its immediate start, before it
        // can park and be resumed.
        task = Task.immediate(executorPreference: loop) {
            await withTaskCancellationHandler { await self.run() } onCancel: { self.isCancelled.store(true, ordering: .relaxed) }
        }
        noteWaiting()
    }

    /// Runs the handlers of the pool's calls, up to where one first waits. Only while the task is parked.
    func resume() {
        guard let parked = parked.take() else { preconditionFailure("a handler was given to a busy task") }
        loop.runAtOnce { parked.resume() }
        noteWaiting()
    }

    /// Has the connection know of the call whose handler did not end at once.
    private func noteWaiting() {
        guard let current else { return }
        guard let connection = current.host as? ServerConnection else { preconditionFailure("a call of another host's") }
        connection.handlerWaits(current, in: self)
    }

    /// Cancels the task, and so the handler that is running in it. A parked one runs on to its end.
    func cancel() { task?.cancel() }

    /// Ends a parked task.
    func end() { parked.take()?.resume() }

    /// Runs handlers as long as there are any, and waits for more. One function, and no other between it and the handlers: each that is
    /// come back to asks whether its executor has changed.
    private nonisolated(nonsending) func run() async {
        while true {
            while let call = pool.next() {
                current = call
                await call.handlers(call, self)
                guard mayRunAnother else { return }
                current = nil
            }
            guard pool.park(self) else { return }
            await withUnsafeContinuation { parked = $0 }
        }
    }

    /// A handler may come back elsewhere, and it may have cancelled the task itself.
    private var mayRunAnother: Bool { loop.inLoop && !isCancelled.load(ordering: .relaxed) }
}

extension HandlerTask: HandlerQueue {
    func next(after call: ServerCall) -> ServerCall? {
        guard mayRunAnother, let next = pool.next(like: call) else { return nil }
        current = next
        return next
    }
}
