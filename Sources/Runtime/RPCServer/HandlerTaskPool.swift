import RPCCore
import SocketTransport

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
