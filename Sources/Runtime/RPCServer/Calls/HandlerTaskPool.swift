import RPCCore
import SocketTransport
import Synchronization

/// The calls of one event loop whose handlers are to run, and the tasks that run them. Loop-bound.
///
/// What is read at once is worked on in two steps: requests are decoded and their calls gathered, then one task runs handler after handler, and
/// another goes on only where a handler waits. Per call this is 2,700 instructions less than resuming a task for each.
final class HandlerTaskPool {
    /// Tasks that are kept, at most. One takes about 1 KiB.
    private static let keptTaskLimit = 256
    /// Calls that are gathered, at most: bounds the decoded requests in memory, where a part of a burst has more calls than most.
    private static let gatheredCallLimit = 64

    let loop: EventLoop
    /// Tasks that wait for a call.
    private var parked: [HandlerTask] = []
    /// The first of these hold the calls that were gathered, of which some have been taken.
    /// (Unchecked in release builds: two accesses a call, 100 instructions each to check. Nothing is called meanwhile.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var slots = [ServerCall?](repeating: nil, count: gatheredCallLimit)
    private var gatheredCount = 0
    private var takenCount = 0
    private var isGathering = false
    private var isClosed = false

    init(_ loop: EventLoop) { self.loop = loop }

    /// Gathers the calls that are given to ``run(_:)`` until ``endGathering()``.
    func beginGathering() { isGathering = true }

    /// Runs the handlers of all calls that were gathered, each up to where it first waits.
    func endGathering() {
        isGathering = false
        runGathered()
    }

    /// Runs a call's handler, up to where it first waits: now, or with the others that are gathered.
    func run(_ call: consuming ServerCall) {
        slots[gatheredCount] = consume call
        gatheredCount += 1
        if !isGathering || gatheredCount == Self.gatheredCallLimit { runGathered() }
    }

    /// Runs the handlers of the calls that were gathered so far.
    func runGathered() {
        while takenCount < gatheredCount {
            if let kept = parked.popLast() { kept.resume() } else { _ = HandlerTask(self) }
        }
    }

    /// The next call whose handler is to run.
    func next() -> ServerCall? {
        guard takenCount < gatheredCount else { return nil }
        let call = slots[takenCount].take()
        takenCount += 1
        if takenCount == gatheredCount {
            gatheredCount = 0
            takenCount = 0
        }
        return call
    }

    /// Keeps a task for the next calls; false when it is to end instead.
    func park(_ task: HandlerTask) -> Bool {
        loop.preconditionInLoop()
        guard !isClosed, parked.count < Self.keptTaskLimit else { return false }
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

/// The queue of a task that runs one call and then ends.
final class NoMoreCalls: HandlerQueue {
    func next() -> ServerCall? { nil }
    func waitForCall(_ continuation: UnsafeContinuation<ServerCall?, Never>) { continuation.resume(returning: nil) }
}

/// A task that runs handlers on one event loop, one after another. Loop-bound.
///
/// Making a task costs as much as all the rest of a call whose handler does not wait (0.6 µs, measured), and resuming one a third of that. So a
/// task takes call after call as long as there are any, and is kept for the next burst then. A handler notices nothing of it: it runs alone in
/// its task, with the task-local values of its own call and none besides, and a task that was cancelled runs no other.
final class HandlerTask: @unchecked Sendable {
    // Sendable: everything that changes, but for the atomic, is touched on the pool's loop only. The task prefers that loop as its executor, so
    // that is where it is between two handlers; `next` looks, because a handler may come back elsewhere, and the task ends then.
    private let pool: HandlerTaskPool
    /// The pool's. (By way of the pool it would be counted, twice a call.)
    private let loop: EventLoop
    private var task: Task<Void, Never>?
    /// The call whose handler is running or waits, or is to run next.
    private var current: ServerCall?
    /// Set while the task waits for a call. Taken before it is resumed, so that it is resumed once.
    private var parked: UnsafeContinuation<ServerCall?, Never>?
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
        current = pool.next()
        loop.runAtOnce { parked.resume(returning: current) }
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
    func end() { parked.take()?.resume(returning: nil) }

    /// Runs handlers; those of unary calls of one kind in a loop of their own, which waits for more. No other function stands between it and the
    /// handlers: each that is come back to asks whether its executor has changed.
    private nonisolated(nonsending) func run() async {
        var next = next()
        while let call = next.take() {
            let handlers = call.handlers
            next = await handlers(consume call, self)
        }
    }

    /// A handler may come back elsewhere, and it may have cancelled the task itself.
    private var mayRunAnother: Bool { loop.inLoop && !isCancelled.load(ordering: .relaxed) }
}

extension HandlerTask: HandlerQueue {
    func next() -> ServerCall? {
        guard mayRunAnother else { return nil }
        current = pool.next()
        return current
    }

    func waitForCall(_ continuation: UnsafeContinuation<ServerCall?, Never>) {
        let next = next()
        guard next == nil, mayRunAnother, pool.park(self) else { return continuation.resume(returning: next) }
        parked = continuation
    }
}
