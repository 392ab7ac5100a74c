import Synchronization

/// A value that one thread changes and tests await without polling.
final class Observed<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// Each waiter is called with the changed value, or `nil` if its test was cancelled, and returns whether it is
        /// done.
        var waiters: [Int: @Sendable (Value?) -> Bool] = [:]
        var nextWaiter = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The present value.
    var current: Value { state.withLock { $0.value } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        state.withLock { state in
            body(&state.value)
            for (number, isDone) in state.waiters where isDone(state.value) { state.waiters[number] = nil }
        }
    }

    /// Waits until `extract` returns a result for the value. Returns `nil` if the test is cancelled before that.
    func first<Found: Sendable>(_ extract: @escaping @Sendable (Value) -> Found?) async -> Found? {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone: @Sendable (Value?) -> Bool = { value in
                    guard let value else {
                        continuation.resume(returning: nil)
                        return true
                    }
                    guard let found = extract(value) else { return false }
                    continuation.resume(returning: found)
                    return true
                }
                state.withLock { state in
                    if !isDone(Task.isCancelled ? nil : state.value) { state.waiters[number] = isDone }
                }
            }
        } onCancel: {
            state.withLock { state in _ = state.waiters.removeValue(forKey: number)?(nil) }
        }
    }
}
