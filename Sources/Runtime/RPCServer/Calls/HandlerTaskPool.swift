import ProtobufC
import RPCCore
import SocketTransport
import Synchronization

/// The calls of one event loop whose handlers are to run, and the tasks that run them. Loop-bound.
///
/// Each part of a burst is handled in two steps. First its requests are decoded and their calls are gathered. Then one task runs handler after
/// handler, and another task continues only when a handler waits. This is much cheaper than resuming a task for each call (docs/performance.md).
final class HandlerTaskPool {
    /// The most idle tasks that are kept. One takes about 1 KiB.
    private static let keptTaskLimit = 256
    /// The most calls that are gathered. It limits the decoded requests in memory if a part of a burst has many calls.
    static let gatheredCallLimit = 64

    let loop: EventLoop
    /// Tasks that wait for a call. (Unchecked in release builds: two accesses for a single call, and each check is expensive. No other code runs
    /// during an access.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var parked: [HandlerTask] = []
    /// The gathered calls are at the front; some of them have already been taken.
    /// (Unchecked in release builds: two accesses a call, and each check is expensive. No other code runs during an access.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var slots = [ServerCall?](repeating: nil, count: gatheredCallLimit)
    private var gatheredCount = 0
    /// The connection of the gathered calls. All of them belong to one.
    fileprivate private(set) var connection: ServerConnection?
    private var takenCount = 0
    private var isGathering = false
    private var isClosed = false

    init(_ loop: EventLoop) { self.loop = loop }

    /// Gathers the calls that are given to ``run(_:of:)`` until ``endGathering()``.
    func beginGathering() { isGathering = true }

    /// Runs the handlers of all gathered calls, each until it first waits.
    func endGathering() {
        isGathering = false
        runGathered()
    }

    /// Runs a call's handler until it first waits: now, or later with the gathered calls.
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

    /// Keeps a task for the next calls. False if it must end instead.
    func park(_ task: HandlerTask) -> Bool {
        loop.preconditionInLoop()
        guard !isClosed, parked.count < Self.keptTaskLimit else { return false }
        parked.append(task)
        return true
    }

    /// Ends all parked tasks. A running task ends after its handler.
    func close() {
        isClosed = true
        let tasks = parked
        parked = []
        for task in tasks { task.end() }
    }
}

/// A task that runs handlers on one event loop, one after another. Loop-bound.
///
/// Making a task costs as much as the rest of a call whose handler does not wait. So a
/// task takes call after call while there are any, and is then kept for the next burst. A handler does not notice this: no other handler runs in its
/// task at the same time, it sees only the task-local values of its own call, and a cancelled task runs no other handler.
final class HandlerTask: @unchecked Sendable {
    // Sendable: mutable state, except the atomic, is changed on the pool's loop only. The task's executor runs it on that loop, so
    // it is on the loop between two handlers. `next` checks this, because a handler may return on another thread; the task ends then. The end of a
    // handler may read `connection` on another thread, but nobody changes it while a handler runs.
    private let pool: HandlerTaskPool
    /// The pool's loop. (A copy, because access through the pool would count references twice a call.)
    private let loop: EventLoop
    /// Runs the task on the loop, in the turns of the connection whose calls it runs.
    private let executor: ConnectionExecutor
    private var task: Task<Void, Never>?
    /// The call whose handler runs, waits, or runs next.
    private var current: ServerCall?
    /// The connection of the calls that it runs; nil while it is parked.
    private var connection: ServerConnection?
    /// Set while the task waits for a call. Taken before it is resumed, so that it is resumed once.
    private var parked: UnsafeContinuation<ServerCall?, Never>?
    /// Set when the task is cancelled, also by one of its handlers. (`Task.isCancelled` would count references.)
    private let isCancelled = Atomic<Bool>(false)

    /// Makes a task that runs the handlers of the pool's calls, until one first waits.
    init(_ pool: HandlerTaskPool) {
        self.pool = pool
        loop = pool.loop
        executor = ConnectionExecutor(on: pool.loop)
        workForConnection()
        // Not `nonisolated(nonsending)`: the change of executor at the beginning of this closure ends the immediate start of the task, before it
        // can park and be resumed.
        task = Task.immediate(executorPreference: executor) {
            await withTaskCancellationHandler { await self.run() } onCancel: { self.isCancelled.store(true, ordering: .relaxed) }
        }
        noteWaiting()
    }

    /// Runs the handlers of the pool's calls, until one first waits. Only while the task is parked.
    func resume() {
        guard let parked = parked.take() else { preconditionFailure("a handler was given to a busy task") }
        current = pool.next()
        workForConnection()
        loop.runAtOnce { parked.resume(returning: current) }
        noteWaiting()
    }

    /// From now on, runs calls of the pool's connection, in its turns.
    private func workForConnection() {
        connection = pool.connection
        if let connection { executor.work(for: connection.executor) }
    }

    /// Tells the connection that the handler of the current call did not end at once.
    private func noteWaiting() {
        if let current { connection?.handlerWaits(current, in: self) }
    }

    /// Cancels the handler of this call, unless it has ended. Its task may run another call by now, perhaps of another user.
    func cancel(_ call: ServerCall) {
        if current === call { task?.cancel() }
    }

    /// Ends a parked task.
    func end() { parked.take()?.resume(returning: nil) }

    /// Runs handlers. Unary calls with the same message types have a loop of their own. There is no other async function between this one and the
    /// handlers, because each return to an async function checks for a change of executor.
    private nonisolated(nonsending) func run() async {
        var next = next()
        repeat {
            while let call = next.take() {
                let handlers = call.handlers
                next = await handlers(consume call, self)
            }
            next = await withUnsafeContinuation { waitForNext($0) }
        } while next != nil
    }
}

extension HandlerTask: CallQueue {
    func next() -> ServerCall? {
        guard loop.inLoop else { return nil }
        current = isCancelled.load(ordering: .relaxed) || pool.connection !== connection ? nil : pool.next()
        return current
    }

    func waitForNext(_ continuation: UnsafeContinuation<ServerCall?, Never>) {
        // A handler may return on another thread, and it may have cancelled the task itself.
        guard loop.inLoop, !isCancelled.load(ordering: .relaxed), pool.park(self) else { return continuation.resume(returning: nil) }
        current = nil
        connection = nil
        parked = continuation
    }

    /// Only a ``LargeRequestQueue`` decodes outside of the loop.
    func hold(growthByteCount: Int) {}

    // The task belongs to its handler until the handler ends.

    func ended(_ call: ServerCall, with response: borrowing PackableMessage) { connection?.handlerEnded(call, with: response) }
    func ended(_ call: ServerCall, throwing error: any Error) { connection?.handlerEnded(call, throwing: error) }
    func ended(_ call: ServerCall) { connection?.handlerEnded(call) }
}

/// The queue of a task that runs one call with a large request, outside of its loop.
final class LargeRequestQueue: CallQueue {
    private let connection: LoopBound<ServerConnection>
    private let executor: ConnectionExecutor
    private let account: UserAccount
    /// Counts the growth for the connection too.
    private let inboundBudget: InboundBudget
    /// What is counted for the decoded request beyond its wire bytes. The request lives until its handler has ended.
    private var growthByteCount = 0
    /// What the call has taken with its place.
    private let largeByteCount: Int

    init(
        _ connection: LoopBound<ServerConnection>, _ executor: ConnectionExecutor, _ account: UserAccount, _ inboundBudget: InboundBudget,
        largeByteCount: Int
    ) {
        self.largeByteCount = largeByteCount
        self.connection = connection
        self.executor = executor
        self.account = account
        self.inboundBudget = inboundBudget
    }

    func next() -> ServerCall? { nil }
    func waitForNext(_ continuation: UnsafeContinuation<ServerCall?, Never>) { continuation.resume(returning: nil) }

    func hold(growthByteCount: Int) throws {
        // A little is not counted, so that most requests do not touch the account.
        guard growthByteCount > ServerConnection.smallestDifference else { return }
        self.growthByteCount = growthByteCount
        inboundBudget.grow(growthByteCount)
        if let refusal = account.holdGrowth(growthByteCount, of: largeByteCount, toConnectionWith: inboundBudget.grownByteCount) { throw refusal }
    }

    private func release() {
        guard growthByteCount > 0 else { return }
        account.releaseGrowth(growthByteCount)
        inboundBudget.grow(-growthByteCount)
        growthByteCount = 0
    }

    func ended(_ call: ServerCall, with response: borrowing PackableMessage) {
        release()
        WaitingAnswer.encode(response, account).end(call) { onLoop($0) }
    }

    func ended(_ call: ServerCall, throwing error: any Error) {
        release()
        onLoop { $0.handlerEnded(call, throwing: error) }
    }

    func ended(_ call: ServerCall) {
        release()
        onLoop { $0.handlerEnded(call) }
    }

    private func onLoop(_ work: @escaping @Sendable (ServerConnection) -> Void) {
        executor.execute { [connection] in work(connection.value) }
    }
}
