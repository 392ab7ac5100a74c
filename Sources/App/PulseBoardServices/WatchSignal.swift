import PulseBoardDomain
import Synchronization

/// What one watcher waits for: a flag that many may raise and one waits on. Raising it twice is raising it once.
final class WatchSignal: Sendable {
    /// What to look at after waking.
    struct Reasons: OptionSet, Sendable {
        let rawValue: UInt8
        /// What is watched may have changed.
        static let change = Reasons(rawValue: 1)
        /// The session may have ended.
        static let session = Reasons(rawValue: 2)
    }

    private enum Outcome: Sendable {
        case raised(Reasons)
        case finished
        case cancelled
    }

    private struct State {
        var raised: Reasons
        var isFinished = false
        var waiter: CheckedContinuation<Outcome, Never>?

        /// What ends a wait at once, taken so that the next one waits for news.
        mutating func outcome() -> Outcome? {
            if isFinished { return .finished }
            guard !raised.isEmpty else { return nil }
            defer { raised = [] }
            return .raised(raised)
        }
    }

    private let state: Mutex<State>

    /// - Parameter raised: what the first wait returns at once.
    init(raised: Reasons = []) {
        state = Mutex(State(raised: raised))
    }

    func raise(_ reasons: Reasons) { update { $0.raised.formUnion(reasons) } }

    func finish() { update { $0.isFinished = true } }

    private func update(_ change: (inout State) -> Void) {
        let woken: (CheckedContinuation<Outcome, Never>, Outcome)? = state.withLock { state in
            change(&state)
            guard let waiter = state.waiter, let outcome = state.outcome() else { return nil }
            state.waiter = nil
            return (waiter, outcome)
        }
        if let (waiter, outcome) = woken { waiter.resume(returning: outcome) }
    }

    /// Waits until something has been raised since the last wait, and says what. One task waits at a time.
    /// - Returns: `nil` when the task is cancelled.
    /// - Throws: `shuttingDown` after `finish`, whatever else was raised.
    func wait() async throws(RepositoryError) -> Reasons? {
        switch await outcome() {
        case .raised(let reasons): return reasons
        case .finished: throw .shuttingDown
        case .cancelled: return nil
        }
    }

    private func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    // Cancelled just before: the handler has found nobody to wake.
                    if Task.isCancelled { return .cancelled }
                    if let outcome = state.outcome() { return outcome }
                    precondition(state.waiter == nil, "one task waits at a time")
                    state.waiter = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: .cancelled)
        }
    }
}
