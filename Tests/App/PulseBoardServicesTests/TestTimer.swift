import Synchronization

/// A timer whose time only a test advances.
final class TestTimer: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var waiters: [(deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let woken: [CheckedContinuation<Void, Never>] = state.withLock { state in
                    if state.cancelled.contains(id) {
                        continuation.resume(throwing: CancellationError())
                        return []
                    }
                    if deadline <= state.now {
                        continuation.resume()
                        return []
                    }
                    state.sleepers[id] = (deadline, continuation)
                    defer { state.waiters.removeAll { $0.deadline == deadline } }
                    return state.waiters.filter { $0.deadline == deadline }.map(\.continuation)
                }
                for continuation in woken { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the time, and wakes the sleepers whose time has come.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Returns when `count` sleepers are to wake after this duration from now.
    func sleepers(_ count: Int, for duration: Duration) async {
        while state.withLock({ state in
            let deadline = state.now.advanced(by: duration)
            return state.sleepers.values.count { $0.deadline == deadline } < count
        }) { await Task.yield() }
    }

    /// Returns when a sleeper is to wake after this duration from now.
    func somebodySleeps(for duration: Duration) async {
        await withCheckedContinuation { continuation in
            let sleeps = state.withLock { state in
                let deadline = state.now.advanced(by: duration)
                if state.sleepers.values.contains(where: { $0.deadline == deadline }) { return true }
                state.waiters.append((deadline, continuation))
                return false
            }
            if sleeps { continuation.resume() }
        }
    }
}
