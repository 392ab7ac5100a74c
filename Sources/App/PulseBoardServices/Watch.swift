import PulseBoardDomain
import Synchronization

/// What services need to offer watches.
struct WatchDependencies: Sendable {
    let hub: ChangeHub
    let sessions: any SessionRepository
    let clock: any WallClock
    let timer: any Clock<Duration>
    let counts = WatchCounts()

    /// Checks that the caller's session has not ended. For use during a long call.
    /// - Throws: `notAuthenticated` when it has ended.
    func requireSession(of caller: Caller) async throws(RepositoryError) {
        let live = try await sessions.sessions(of: caller.userID, endingAfter: clock.now())
        guard live.contains(where: { $0.id == caller.sessionID }) else { throw .notAuthenticated }
    }

    /// Takes a place for a call that reads. If it had to wait, the session may have ended meanwhile, and then nothing is read.
    /// (Writes to entries of a diary are checked in their transaction.)
    /// - Throws: `notAuthenticated`, `cancelled`.
    func take(_ places: UserPlaces, for caller: Caller) async throws(RepositoryError) -> UserPlaces.Place {
        if let place = places.takeNow(caller.userID) { return place }
        let place = try await places.take(caller.userID)
        try await requireSession(of: caller)
        return place
    }
}

/// How many watches each user has.
///
/// On the remote socket, the server's limits count everybody as one. Without this limit, one user's watches could take all calls there.
final class WatchCounts: Sendable {
    /// Maximum watches of one user, on all connections and devices together.
    static let limit = 256

    private let counts = Mutex<[UserID: Int]>([:])

    /// - Throws: `watchLimit` when the user has ``limit`` watches.
    func add(_ user: UserID) throws(RepositoryError) {
        let isAdded = counts.withLock { counts in
            guard counts[user, default: 0] < Self.limit else { return false }
            counts[user, default: 0] += 1
            return true
        }
        if !isAdded { throw .watchLimit(maximum: Self.limit) }
    }

    func remove(_ user: UserID) {
        counts.withLock { counts in
            if let count = counts[user] { counts[user] = count > 1 ? count - 1 : nil }
        }
    }
}

/// One caller's watch of some topics. It lasts until the caller's session ends or the watch is released.
///
/// The end of the session (sign-out, revocation, withdrawal, expiry) wakes the watch. So its stream ends, and does not stay open for a signed-out
/// user (X21).
final class Watch: Sendable {
    private let caller: Caller
    private let topics: [WatchedTopic]
    private let dependencies: WatchDependencies
    private let signal: WatchSignal
    private let heartbeats: Task<Void, Never>

    /// The interval of heartbeats. Proxies often close a stream after a minute without a message.
    static let heartbeat = Timestamp.Interval.seconds(25)
    /// The longest time without a look at the store. The clock may have been set, and what the watch asked the store to keep is kept only for a
    /// limited time.
    static let longestNap = Timestamp.Interval.hours(1)

    /// Begins to watch. Changes from now on are noticed.
    /// - Throws: `shuttingDown`; `watchLimit` when the user has too many watches (``WatchCounts``).
    init(
        _ topics: [WatchedTopic], by caller: Caller, _ dependencies: WatchDependencies
    ) throws(RepositoryError) {
        // The first wait returns at once: the session may have ended since the caller was made.
        let signal = WatchSignal(raised: [.change, .session])
        let topics = topics + [.session(caller.sessionID), .sessions(of: caller.userID)]
        try dependencies.counts.add(caller.userID)
        do throws(RepositoryError) {
            try dependencies.hub.add(signal, to: topics)
        } catch {
            dependencies.counts.remove(caller.userID)
            throw error
        }
        self.caller = caller
        self.topics = topics
        self.dependencies = dependencies
        self.signal = signal
        let (clock, timer) = (dependencies.clock, dependencies.timer)
        heartbeats = Task {
            var sinceLook: Int64 = 0
            while !Task.isCancelled {
                let left = caller.expireTime.microseconds - clock.now().microseconds
                // An expired session is checked again and again, because the clock may be set back.
                if left <= 0 { signal.raise(.session) }
                let nap = left > 0 ? min(left, Self.heartbeat.microseconds) : Self.heartbeat.microseconds
                // The end of the watch cancels the wait. Then there is nothing more to do.
                try? await timer.sleep(for: .microseconds(nap))
                sinceLook += nap
                signal.raise(sinceLook < Self.longestNap.microseconds ? .heartbeat : [.heartbeat, .change])
                if sinceLook >= Self.longestNap.microseconds { sinceLook = 0 }
            }
        }
    }

    deinit {
        heartbeats.cancel()
        dependencies.hub.remove(signal, from: topics)
        dependencies.counts.remove(caller.userID)
    }

    /// Waits until something may have changed since the last wait. The first call returns at once.
    /// - Returns: what to look at; `nil` when the task is cancelled.
    /// - Throws: `shuttingDown`.
    func wait() async throws(RepositoryError) -> WatchSignal.Reasons? {
        try await signal.wait()
    }

    /// Makes the present or next wait return.
    func wake() { signal.raise(.change) }

    /// Whether the session may have ended since the last wait.
    var sessionIsInDoubt: Bool { signal.isRaised(.session) }

    /// Checks that the session lasts, if the reasons put it in doubt.
    /// - Throws: `notAuthenticated` when it has ended.
    func requireSession(_ reasons: WatchSignal.Reasons) async throws(RepositoryError) {
        guard reasons.contains(.session) else { return }
        try await dependencies.requireSession(of: caller)
    }

    /// The error with which the watch ends. The profile and the diary of a user who leaves may be gone before the end of the sessions is announced:
    /// then the watch ends as for an ended session.
    func end(for error: RepositoryError) async -> RepositoryError {
        switch error {
        case .profileRequired, .withdrawing, .diary(.deviceUnknown):
            do throws(RepositoryError) { try await requireSession(.session) } catch let ended { return ended }
            return error
        default: return error
        }
    }
}

/// The signal that one watcher waits for. Any task can raise it. Raising it twice has the effect of raising it once.
final class WatchSignal: Sendable {
    /// What to look at after waking.
    struct Reasons: OptionSet, Sendable {
        let rawValue: UInt8
        /// What is watched may have changed.
        static let change = Reasons(rawValue: 1)
        /// The session may have ended.
        static let session = Reasons(rawValue: 2)
        /// It is time for a heartbeat.
        static let heartbeat = Reasons(rawValue: 4)
    }

    private enum Outcome: Sendable {
        /// With a portion, the watcher leaves it as soon as it runs.
        case raised(Reasons, WokenPortion?)
        case finished
        case cancelled
    }

    private struct State {
        var raised: Reasons
        var isFinished = false
        var waiter: CheckedContinuation<Outcome, Never>?

        /// Takes the outcome that ends a wait at once, so that the next wait begins without it.
        mutating func outcome() -> Outcome? {
            if isFinished { return .finished }
            guard !raised.isEmpty else { return nil }
            defer { raised = [] }
            return .raised(raised, nil)
        }
    }

    private let state: Mutex<State>

    /// - Parameter raised: the reasons that the first wait returns at once.
    init(raised: Reasons = []) {
        state = Mutex(State(raised: raised))
    }

    /// - Parameter portion: counts the watcher, if it waits, until it runs.
    func raise(_ reasons: Reasons, _ portion: WokenPortion? = nil) { update(portion) { $0.raised.formUnion(reasons) } }

    /// Whether a reason was raised since the last wait.
    func isRaised(_ reason: Reasons) -> Bool { state.withLock { $0.raised.contains(reason) } }

    func finish() { update(nil) { $0.isFinished = true } }

    private func update(_ portion: WokenPortion?, _ change: (inout State) -> Void) {
        let woken: (CheckedContinuation<Outcome, Never>, Outcome)? = state.withLock { state in
            change(&state)
            guard let waiter = state.waiter, let outcome = state.outcome() else { return nil }
            state.waiter = nil
            return (waiter, outcome)
        }
        guard let (waiter, outcome) = woken else { return }
        if let portion, case .raised(let reasons, _) = outcome {
            portion.add()
            waiter.resume(returning: .raised(reasons, portion))
        } else {
            waiter.resume(returning: outcome)
        }
    }

    /// Waits for reasons raised since the last wait, and returns them. Only one task may wait at a time.
    /// - Returns: `nil` when the task is cancelled.
    /// - Throws: `shuttingDown` after `finish`, whatever else was raised.
    func wait() async throws(RepositoryError) -> Reasons? {
        switch await outcome() {
        case .raised(let reasons, let portion):
            portion?.leave()
            return reasons
        case .finished: throw .shuttingDown
        case .cancelled: return nil
        }
    }

    private func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    // The task was cancelled just before, when its cancellation handler found no waiter to wake.
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
