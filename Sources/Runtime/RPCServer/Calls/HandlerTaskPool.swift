import ProtobufC
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
    /// Tasks that wait for a call. (Unchecked in release builds: two accesses for a call that comes alone, 150 instructions each to check. Nothing is
    /// called meanwhile.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var parked: [HandlerTask] = []
    /// The first of these hold the calls that were gathered, of which some have been taken.
    /// (Unchecked in release builds: two accesses a call, 100 instructions each to check. Nothing is called meanwhile.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var slots = [ServerCall?](repeating: nil, count: gatheredCallLimit)
    private var gatheredCount = 0
    /// The connection of what was gathered: all of it is of one.
    fileprivate private(set) var connection: ServerConnection?
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
    @inline(__always)
    func run(_ call: consuming ServerCall, of connection: ServerConnection) {
        if self.connection !== connection {
            runGathered()
            self.connection = connection
        }
        slots[gatheredCount] = consume call
        gatheredCount += 1
        if !isGathering || gatheredCount == Self.gatheredCallLimit { runGathered() }
    }

    /// Runs the handlers of the calls that were gathered so far.
    func runGathered() {
        while takenCount < gatheredCount {
            if let kept = parked.popLast() { kept.resume() } else { _ = HandlerTask(self) }
        }
        connection = nil
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

/// A task that runs handlers on one event loop, one after another. Loop-bound.
///
/// Making a task costs as much as all the rest of a call whose handler does not wait (0.6 µs, measured), and resuming one a third of that. So a
/// task takes call after call as long as there are any, and is kept for the next burst then. A handler notices nothing of it: it runs alone in
/// its task, with the task-local values of its own call and none besides, and a task that was cancelled runs no other.
final class HandlerTask: @unchecked Sendable {
    // Sendable: everything that changes, but for the atomic, is changed on the pool's loop only. The task prefers that loop as its executor, so
    // that is where it is between two handlers; `next` looks, because a handler may come back elsewhere, and the task ends then. `connection` is read
    // there too, by the end of a handler: nobody changes it while one runs.
    private let pool: HandlerTaskPool
    /// The pool's. (By way of the pool it would be counted, twice a call.)
    private let loop: EventLoop
    private var task: Task<Void, Never>?
    /// The call whose handler is running or waits, or is to run next.
    private var current: ServerCall?
    /// The connection of the calls that it runs; nil while it is parked.
    private var connection: ServerConnection?
    /// Set while the task waits for a call. Taken before it is resumed, so that it is resumed once.
    private var parked: UnsafeContinuation<ServerCall?, Never>?
    /// Set by whoever cancels the task, a handler of its own among them. (`Task.isCancelled` takes and gives back a reference.)
    private let isCancelled = Atomic<Bool>(false)

    /// Makes a task that runs the handlers of the pool's calls, up to where one first waits.
    init(_ pool: HandlerTaskPool) {
        self.pool = pool
        loop = pool.loop
        connection = pool.connection
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
        connection = pool.connection
        loop.runAtOnce { parked.resume(returning: current) }
        noteWaiting()
    }

    /// Has the connection know of the call whose handler did not end at once.
    private func noteWaiting() {
        if let current { connection?.handlerWaits(current, in: self) }
    }

    /// Cancels the task, and so the handler that is running in it. A parked one runs on to its end.
    func cancel() { task?.cancel() }

    /// Ends a parked task.
    func end() { parked.take()?.resume(returning: nil) }

    /// Runs handlers; those of unary calls of one kind in a loop of their own. No other function stands between it and the handlers: each that is
    /// come back to asks whether its executor has changed.
    private nonisolated(nonsending) func run() async {
        var next = next()
        repeat {
            while let call = next.take() {
                let handlers = call.handlers
                next = await handlers(consume call, self)
            }
            next = await withUnsafeContinuation { waitForCall($0) }
        } while next != nil
    }

    /// Resumes with the next call as soon as there is one, and with nil when the task is to end.
    private func waitForCall(_ continuation: UnsafeContinuation<ServerCall?, Never>) {
        // A handler may come back elsewhere, and it may have cancelled the task itself.
        guard loop.inLoop, !isCancelled.load(ordering: .relaxed), pool.park(self) else { return continuation.resume(returning: nil) }
        connection = nil
        parked = continuation
    }
}

extension HandlerTask: CallQueue {
    func next() -> ServerCall? {
        guard loop.inLoop else { return nil }
        current = isCancelled.load(ordering: .relaxed) || pool.connection !== connection ? nil : pool.next()
        return current
    }

    // Before a handler ends, nobody else takes its task.

    func ended(_ call: ServerCall, with response: borrowing PackableMessage) { connection?.handlerEnded(call, with: response) }
    func ended(_ call: ServerCall, throwing error: any Error) { connection?.handlerEnded(call, throwing: error) }
    func ended(_ call: ServerCall) { connection?.handlerEnded(call) }
}

/// The queue of a task that runs one call, with a large request, away from its loop.
final class LargeRequest: CallQueue {
    private let connection: LoopBound<ServerConnection>

    init(_ connection: LoopBound<ServerConnection>) { self.connection = connection }

    func next() -> ServerCall? { nil }

    func ended(_ call: ServerCall, with response: borrowing PackableMessage) {
        let bytes = response.bytes()
        onLoop { connection in PackableMessage.withPacked(bytes) { connection.handlerEnded(call, with: $0) } }
    }

    func ended(_ call: ServerCall, throwing error: any Error) { onLoop { $0.handlerEnded(call, throwing: error) } }
    func ended(_ call: ServerCall) { onLoop { $0.handlerEnded(call) } }

    private func onLoop(_ work: @escaping @Sendable (ServerConnection) -> Void) {
        connection.loop.execute { [connection] in work(connection.value) }
    }
}
