import PulseBoardDomain
import Synchronization

/// Tracks whether the store works: it collects failures of writer and lanes, and decides when to probe for recovery.
///
/// Trouble begins with the first access that fails for a full disk, a damaged file or a similar cause. It ends only when a probe succeeds
/// (``StoreRecovery``). A single successful write does not end it: on a nearly full disk some writes succeed, and the status would change with every
/// call. The first probe comes after 1 s, and each pause is twice as long, up to 30 s. If trouble returns within a minute, the pauses keep growing.
package final class StoreHealth: Sendable {
    /// Receives the events of a store.
    package typealias Listener = @Sendable (StoreEvent) -> Void

    private struct State {
        var trouble: StoreTrouble?
        /// The last trouble, over or not. It may be a failure of a single access.
        var last: StoreTrouble?
        var listeners: [Listener] = []
        /// Wakes the thread that probes.
        var wakeProber: @Sendable () -> Void = {}
        var probeDue: ContinuousClock.Instant?
        var pause: Duration
        var end: ContinuousClock.Instant?
        /// Failures of single accesses, by their cause.
        var singles: [String: SingleFailures] = [:]
    }

    /// Failures of single accesses with one cause.
    private struct SingleFailures {
        /// The first and the last of them.
        var since: Timestamp
        var last: Timestamp
        var count = 0
        /// Those that were not reported yet.
        var untold = 0
        var nextTelling = Timestamp(microseconds: .min)
    }

    /// The most causes that are told apart. All others are told as one, so that the log has a limit.
    private static let maximumCauses = 16
    /// A cause that has not failed an access for this long is over.
    private static let endOfCause = Timestamp.Interval.seconds(600)

    /// The first and the longest pause between probes.
    package static let standardPauses = Duration.seconds(1)...Duration.seconds(30)
    /// If trouble comes back within this time, it counts as the same.
    private static let relapse = Duration.seconds(60)
    private static let pauseBetweenTellings = Timestamp.Interval.seconds(60)

    private let clock: any WallClock
    private let pauses: ClosedRange<Duration>
    private let state: Mutex<State>
    private let failing = Atomic(false)
    private let lastCommit = Atomic(Int64.min)
    private let commitCount = Atomic<Int64>(0)
    private let writeCount = Atomic<Int64>(0)

    private let figures = Mutex(CommitFigures())
    private let checkpointCount = Atomic<Int64>(0)
    private let completeCheckpointCount = Atomic<Int64>(0)

    /// Sizes and durations of transactions.
    package var commitFigures: CommitFigures { figures.withLock { $0 } }

    /// How many checkpoints there were, and how many copied the whole log into the database.
    package var checkpointCounts: (all: Int64, complete: Int64) {
        // In this order, so that there are never more complete ones than all.
        let complete = completeCheckpointCount.load(ordering: .acquiring)
        return (checkpointCount.load(ordering: .relaxed), complete)
    }

    /// Counts a checkpoint.
    package func checkpointed(completely isComplete: Bool) {
        checkpointCount.add(1, ordering: .relaxed)
        if isComplete { completeCheckpointCount.add(1, ordering: .releasing) }
    }

    /// How many transactions were made durable, and how many writes they had.
    package var committedCounts: (commits: Int64, writes: Int64) {
        (commitCount.load(ordering: .relaxed), writeCount.load(ordering: .relaxed))
    }

    package init(clock: any WallClock, pauses: ClosedRange<Duration> = standardPauses) {
        self.clock = clock
        self.pauses = pauses
        state = Mutex(State(pause: pauses.lowerBound))
    }

    /// Calls the listener with events from now on, in order, on the thread that notices them. If there is trouble now, it is
    /// called at once. It must return soon and must not call the store.
    package func observe(_ listener: @escaping Listener) {
        state.withLock { state in
            state.listeners.append(listener)
            if let trouble = state.trouble { listener(.failing(trouble)) }
        }
    }

    /// Sets what wakes the thread that probes.
    package func wakeProber(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.wakeProber = body } }

    /// The present trouble; `nil` without one.
    package var trouble: StoreTrouble? { failing.load(ordering: .relaxed) ? state.withLock { $0.trouble } : nil }

    /// The last trouble, over or not.
    package var lastTrouble: StoreTrouble? { state.withLock { $0.last } }

    /// When a write was last made durable; `nil` before the first.
    package var lastCommitTime: Timestamp? {
        let time = lastCommit.load(ordering: .relaxed)
        return time == .min ? nil : Timestamp(microseconds: time)
    }

    /// Counts a durable transaction.
    /// - Parameter duration: how long it took; `nil` if it was not measured.
    package func committed(writes: Int, in duration: Duration? = nil) {
        // A transaction of the housekeeping has no callers' writes, and is not counted as a batch.
        if writes > 0, let (seconds, attoseconds) = duration?.components {
            figures.withLock { $0.count(writes: writes, nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000) }
        }
        lastCommit.store(clock.now().microseconds, ordering: .relaxed)
        commitCount.add(1, ordering: .relaxed)
        writeCount.add(Int64(writes), ordering: .relaxed)
    }

    // MARK: Trouble

    /// Records failed accesses. Errors that are not failures of the store are ignored.
    package func note(_ error: RepositoryError, count: Int = 1) {
        guard case .storeUnavailable(let failure, let detail) = error else { return }
        let met = StoreTrouble(failure: failure, detail: detail, since: clock.now(), count: count)
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard failure != .other else {
                Self.noteSingle(met, &state)
                return nil
            }
            if var known = state.trouble, known.failure == failure || Self.rank(failure) <= Self.rank(known.failure) {
                known.count += count
                state.trouble = known
                state.last = known
                return nil
            }
            let isRelapse = state.end.map { $0.duration(to: .now) < Self.relapse } ?? false
            if state.trouble == nil { state.pause = isRelapse ? min(state.pause * 2, pauses.upperBound) : pauses.lowerBound }
            state.probeDue = .now + state.pause
            state.trouble = met
            state.last = met
            failing.store(true, ordering: .relaxed)
            for listener in state.listeners { listener(.failing(met)) }
            return state.wakeProber
        }
        wake?()
    }

    /// Records failed reads.
    package func noteRead(_ error: RepositoryError, count: Int = 1) {
        // A reading connection can never write.
        if case .storeUnavailable(.readOnly, let detail) = error {
            note(.storeUnavailable(detail: detail), count: count)
        } else {
            note(error, count: count)
        }
    }

    /// Of two troubles at once, the one with the higher rank is reported. Unlike a full disk or a silent server, an outdated, damaged or missing
    /// database does not end without an administrator. A missing one ranks above all: no write may go to it, not even a probe.
    private static func rank(_ failure: StoreFailure) -> Int {
        switch failure {
        case .gone: 3
        case .corrupt: 2
        case .outdated: 1
        default: 0
        }
    }

    private static func noteSingle(_ met: StoreTrouble, _ state: inout State) {
        let now = met.since
        if state.singles[met.detail] == nil, state.singles.count >= maximumCauses {
            state.singles = state.singles.filter { $0.value.untold > 0 || now < $0.value.last.advanced(by: endOfCause) }
        }
        // The key of all other causes is the empty text.
        let cause = state.singles[met.detail] != nil || state.singles.count < maximumCauses ? met.detail : ""
        var failures = state.singles[cause] ?? SingleFailures(since: now, last: now)
        defer { state.singles[cause] = failures }
        if failures.last.advanced(by: endOfCause) < now { (failures.since, failures.count) = (now, 0) }
        failures.last = now
        failures.count += met.count
        failures.untold += met.count
        let all = StoreTrouble(failure: met.failure, detail: met.detail, since: failures.since, count: failures.count)
        if state.trouble == nil { state.last = all }
        // A clock that was set back does not silence a cause for longer than a pause.
        let next = now.advanced(by: pauseBetweenTellings)
        guard failures.nextTelling <= now || failures.nextTelling > next else { return }
        var told = met
        told.count = failures.untold
        failures.untold = 0
        failures.nextTelling = next
        for listener in state.listeners { listener(.failed(told)) }
    }

    // MARK: Recovery

    /// When the next probe is due; `nil` without trouble.
    package var probeDue: ContinuousClock.Instant? { failing.load(ordering: .relaxed) ? state.withLock { $0.probeDue } : nil }

    /// Records that a probe is running. No other is due until it ends.
    package func probeBegins() { state.withLock { $0.probeDue = nil } }

    /// Records that a probe failed.
    package func probeFailed() {
        let wake = state.withLock { state in
            state.pause = min(state.pause * 2, pauses.upperBound)
            state.probeDue = .now + state.pause
            return state.wakeProber
        }
        wake()
    }

    /// Records that a probe succeeded.
    package func recovered() {
        state.withLock { state in
            guard let trouble = state.trouble else { return }
            state.trouble = nil
            state.probeDue = nil
            state.end = .now
            failing.store(false, ordering: .relaxed)
            for listener in state.listeners { listener(.recovered(trouble)) }
        }
    }
}
