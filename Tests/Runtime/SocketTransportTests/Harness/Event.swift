import Synchronization

/// An event on any thread that a test can await.
final class Event: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// How often it has occurred.
    var count: Int { state.withLock { $0.count } }

    func fire() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when it has occurred.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if state.count == 0 { state.waiting.append(continuation) }
                return state.count > 0
            }
            if hasHappened { continuation.resume() }
        }
    }
}
