import Synchronization

/// A gate at which tasks wait until it is opened, once. Waiting ignores cancellation, like blocking work.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// Opens `started`, waits until the current task is cancelled, opens `heard`, and throws.
func waitForCancellation(started: Gate? = nil, heard: Gate? = nil) async throws {
    let cancelled = Gate()
    await withTaskCancellationHandler {
        started?.open()
        await cancelled.wait()
    } onCancel: {
        cancelled.open()
    }
    heard?.open()
    try Task.checkCancellation()
}

/// A counter that any thread can increment, and that tasks can await.
final class Counter: Sendable {
    private struct State {
        var value = 0
        var waiting: [(target: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var value: Int { state.withLock { $0.value } }

    func increment() {
        let reached = state.withLock { state in
            state.value += 1
            let value = state.value
            let reached = state.waiting.filter { $0.target <= value }
            state.waiting.removeAll { $0.target <= value }
            return reached
        }
        for each in reached { each.continuation.resume() }
    }

    /// Waits until the count has reached `target`.
    func reaches(_ target: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.value < target { state.waiting.append((target, continuation)) }
                return state.value >= target
            }
            if isThere { continuation.resume() }
        }
    }
}
