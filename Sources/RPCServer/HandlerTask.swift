import RPCCore
import SocketTransport

/// A task that runs handlers on one event loop, one after another. Loop-bound.
///
/// Making a task costs as much as all the rest of a call whose handler does not wait (0.6 µs, measured), so a task that has run one handler
/// waits for the next. A handler notices nothing of it: it runs alone in its task, with the task-local values of its own call and none
/// besides, and a task that was cancelled runs no other.
final class HandlerTask: @unchecked Sendable {
    // Sendable: everything is touched on the pool's loop only. The task prefers that loop as its executor, so that is where `run` is between two
    // handlers; it looks, because a handler may come back elsewhere, and ends then.
    private let pool: HandlerTaskPool
    private var task: Task<Void, Never>?
    /// (Unchecked, as below: references on one loop, each read or replaced at once.)
    @exclusivity(unchecked) private var next: RunningCall?
    /// Set while the task waits for a handler. Taken before it is resumed, so that it is resumed once.
    @exclusivity(unchecked) private var parked: UnsafeContinuation<Void, Never>?
    private var isCancelled = false

    /// Makes a task and runs a call's handler in it, up to where that first waits.
    init(_ pool: HandlerTaskPool, first call: RunningCall) {
        self.pool = pool
        next = call
        call.handlerTask = self
        // Not `nonisolated(nonsending)`: with the change of executor at this closure's beginning the task leaves its immediate start, before it
        // can park and be resumed.
        task = Task.immediate(executorPreference: pool.loop) { await self.run() }
    }

    /// Runs another call's handler, up to where it first waits. Only while the task is parked.
    func run(_ call: RunningCall) {
        next = call
        call.handlerTask = self
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
        while await runNext() {
            // A handler may have cancelled the task itself.
            guard pool.loop.inLoop, !isCancelled, !Task.isCancelled, pool.park(self) else { return }
            await withUnsafeContinuation { parked = $0 }
        }
    }

    /// Runs the handler that is next, if one is. A function of its own, so that a parked task holds nothing of the last call.
    @inline(never)
    private nonisolated(nonsending) func runNext() async -> Bool {
        guard let call = next else { return false }
        next = nil
        await call.runHandler()
        return true
    }
}

/// The tasks of one event loop that wait for a handler to run. Loop-bound.
final class HandlerTaskPool {
    /// Tasks that are kept, at most: a burst's worth. One takes about 1 KiB.
    private static let limit = 64

    let loop: EventLoop
    private var parked: [HandlerTask] = []
    private var isClosed = false

    init(_ loop: EventLoop) { self.loop = loop }

    /// Runs a call's handler, up to where it first waits.
    func run(_ call: RunningCall) {
        if let task = parked.popLast() { task.run(call) } else { _ = HandlerTask(self, first: call) }
    }

    /// Keeps a task for the next handler; false when it is to end instead.
    func park(_ task: HandlerTask) -> Bool {
        loop.preconditionInLoop()
        guard !isClosed, parked.count < Self.limit else { return false }
        parked.append(task)
        return true
    }

    /// Ends all parked tasks; what still runs ends after its handler.
    func close() {
        isClosed = true
        let tasks = parked
        parked = []
        for task in tasks { task.end() }
    }
}
