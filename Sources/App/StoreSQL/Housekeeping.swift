import PulseBoardDomain
import Synchronization

/// Removes expired rows: remembered writes after 24 hours, ended sessions, used ID tokens and nonces, held and reserved names, old follow events,
/// deleted diary entries after 90 days, and pictures of diaries that no entry has had for a day. It also removes the follows and diaries of withdrawn
/// users, and seals diaries with the newest key. It works in steps, inside the transactions of writes, and in its own transactions while nobody
/// writes.
///
/// A step is due once a minute, with the next transaction while there is more to remove, and at once when a diary was discarded: its rows count for
/// no limit any more. A step removes at most 200 rows of each kind, or twice as many as the transaction has writes, so that rows are removed faster
/// than they are added. Expired rows count as absent, so it does not matter when they are removed. While the clock is not trusted, nothing is removed
/// (``ClockWatch``).
package final class Housekeeping: Sendable {
    /// How long after a step the next one is due.
    package static let pause = Timestamp.Interval.seconds(60)
    /// Maximum rows of each kind in one step, unless twice the transaction's writes is more.
    package static let rowsPerStep: Int64 = 200
    /// Maximum rows of a kind in one of the housekeeping's own transactions.
    private static let rowsPerRound: Int64 = 1_000

    private struct State {
        var due = Timestamp(microseconds: .min)
        /// The owner whose events were swept last, ``UserNumber/beforeFirst`` after a round of all owners; `nil` before this process has swept any.
        var sweptOwner: UserNumber?
        var failure: RepositoryError?
        /// Why the follows of a removed user could not be removed the last time.
        var followFailure: RepositoryError?
        /// Whether a diary may have been discarded since the last step.
        var mayHaveDiscarded = false
        /// Whether there are expired rows left for the next step.
        var hasExpired = false
        /// Whether the last step removed follows and there may be more.
        var hasFollows = false
        /// What the present transaction has removed of the follows of removed users; `nil` if nothing yet.
        var followStep: Tombstones.Step?
        /// Called when follows have ended.
        var listeners: [@Sendable ([UserID]) -> Void] = []
        /// Called when a round should begin soon.
        var wake: @Sendable () -> Void = {}
    }

    let tombstones: Tombstones
    private let vault: DiaryVault
    private let clock: any WallClock
    private let watch: ClockWatch
    private let events: FollowEventLog
    private let state: Mutex<State>
    private let paused: Atomic<Bool>
    /// Whether other servers write to the database.
    let hasOthers: Bool
    /// Whether there may be follows to remove. It begins as `true`, because an earlier process may have left some.
    private let expectsWithdrawals = Atomic(true)

    package init(
        watch: ClockWatch, events: FollowEventLog, usernames: Usernames, vault: DiaryVault, hasOthers: Bool = false, isPaused: Bool = false
    ) {
        paused = Atomic(isPaused)
        state = Mutex(State())
        self.hasOthers = hasOthers
        self.vault = vault
        self.watch = watch
        clock = watch.clock
        self.events = events
        tombstones = Tombstones(events: events, usernames: usernames)
    }

    /// Why the last step failed; `nil` if it did not. No caller's write fails with it, so the error is kept here.
    package var failure: RepositoryError? { state.withLock { $0.followFailure ?? $0.failure } }

    /// Why the clock is not trusted, so that nothing expires at present; `nil` while it is trusted.
    package var clockDoubt: ClockDoubt? { watch.doubt }

    // MARK: Withdrawals

    /// Whether the follows of a user who is gone may still be stored.
    var mayHaveWithdrawals: Bool { hasOthers || expectsWithdrawals.load(ordering: .relaxed) }

    /// Called in a transaction that withdraws somebody.
    func expectWithdrawals() {
        expectsWithdrawals.store(true, ordering: .relaxed)
        state.withLock { $0.mayHaveDiscarded = true }
    }

    /// Calls `tell` after each transaction that removed follows of a removed user, with the users who have events of them.
    package func onFollowsEnded(_ tell: @escaping @Sendable ([UserID]) -> Void) { state.withLock { $0.listeners.append(tell) } }

    /// Stops removals, because a migration to another store needs unchanged rows.
    func pause() { paused.store(true, ordering: .releasing) }

    /// Whether nothing may be removed.
    package var isPaused: Bool { paused.load(ordering: .acquiring) }

    // MARK: On the writer's thread

    /// Whether there is work that should not wait for the next write.
    package var wantsTransaction: Bool { !isPaused && (state.withLock { $0.hasExpired || $0.hasFollows } || !events.surplus.isEmpty) }

    /// Performs the steps that are due. Call it inside a transaction.
    /// - Parameter writes: how many writes the transaction has.
    package func step(_ connection: borrowing SQLConnection, writes: Int) {
        guard !isPaused else { return }
        removeFollows(connection)
        removeExpired(connection, rows: max(Self.rowsPerStep, 2 * Int64(writes)))
        removeSurplus(connection)
    }

    /// Called when the transaction is durable and its callers have their results.
    package func didCommit() {
        let (step, listeners) = state.withLock { state in
            defer { state.followStep = nil }
            state.hasFollows = state.followStep?.hasMore ?? false
            return (state.followStep, state.listeners)
        }
        guard let step else { return }
        if !step.hasMore { expectsWithdrawals.store(false, ordering: .relaxed) }
        for tell in listeners { tell(step.told) }
    }

    /// Called when the transaction, and its steps with it, has failed. The steps are not repeated at once, because they may fail each time.
    package func didFail() {
        state.withLock { state in
            state.followStep = nil
            state.hasFollows = false
            state.hasExpired = false
        }
        watch.forgetMarks()
        events.surplus.forget()
        expectsWithdrawals.store(true, ordering: .relaxed)
    }

    /// Removes follow events of owners who have too many.
    private func removeSurplus(_ connection: borrowing SQLConnection) {
        // After some errors SQLite rolls the whole transaction back. Outside of it nothing may be written.
        guard !events.surplus.isEmpty, connection.isInTransaction else { return }
        do throws(RepositoryError) {
            try Self.inSavepoint(connection) { () throws(RepositoryError) in try events.removeSurplus(connection) }
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    private func removeFollows(_ connection: borrowing SQLConnection) {
        guard mayHaveWithdrawals else { return }
        do throws(RepositoryError) {
            let step = try Self.inSavepoint(connection) { () throws(RepositoryError) in try tombstones.step(connection) }
            state.withLock { state in
                state.followFailure = nil
                state.followStep = step
            }
        } catch {
            // The next write, or the next turn, tries again.
            state.withLock { $0.followFailure = error }
        }
    }

    private func removeExpired(_ connection: borrowing SQLConnection, rows: Int64) {
        let now = clock.now()
        let (isDue, mayHaveDiscarded) = state.withLock { state in
            defer { state.mayHaveDiscarded = false }
            // It is more than a pause away only if the clock was set back.
            return (state.due <= now || state.due > now.advanced(by: Self.pause), state.mayHaveDiscarded)
        }
        if !isDue {
            guard mayHaveDiscarded, (try? DiaryRecord.hasDiscarded(connection)) == true else { return }
        }
        var parts = SeparateParts()
        var isTrusted = false
        var swept: (cursor: UserNumber?, isFull: Bool)?
        parts.perform(connection) { () throws(RepositoryError) in
            isTrusted = try watch.believes(now, connection)
            return false
        }
        if isTrusted {
            for part in Part.allCases {
                parts.perform(connection) { () throws(RepositoryError) in try part.remove(connection, now, rows: rows) }
            }
            parts.perform(connection) { () throws(RepositoryError) in try vault.sealMore(connection, rows: rows) }
            parts.perform(connection) { () throws(RepositoryError) in
                let sweep = try sweepEvents(now, rows: rows, connection)
                swept = sweep
                return sweep.isFull
            }
        }
        let (isFull, failure, sweep) = (parts.isFull, parts.failure, swept)
        state.withLock { state in
            state.failure = failure
            if let sweep { state.sweptOwner = sweep.cursor ?? .beforeFirst }
            state.hasExpired = isFull
            state.due = isFull ? now : now.advanced(by: Self.pause)
        }
    }

    private func sweepEvents(
        _ now: Timestamp, rows: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (cursor: UserNumber?, isFull: Bool) {
        let swept = state.withLock { $0.sweptOwner }
        let owner = if let swept { swept } else { try events.start(connection) }
        return try events.sweep(after: owner, now: now, rows: rows, connection)
    }

    /// The parts of one step, each in its own savepoint. So a damaged row undoes only its own part, and keeps no row of another part.
    private struct SeparateParts {
        /// Whether a part may have more to remove.
        private(set) var isFull = false
        /// The first failure.
        private(set) var failure: RepositoryError?

        /// - Parameter part: returns whether there may be more.
        mutating func perform(_ connection: borrowing SQLConnection, _ part: () throws(RepositoryError) -> Bool) {
            // After some errors SQLite rolls the whole transaction back. Outside of it nothing may be written.
            guard connection.isInTransaction else { return }
            do throws(RepositoryError) {
                if try Housekeeping.inSavepoint(connection, part) { isFull = true }
            } catch {
                failure = failure ?? error
            }
        }
    }

    /// Whether the clock agrees with the database's now.
    package func agreesWithDatabase(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        try watch.agreesWithDatabase(connection)
    }

    /// Judges a caller's time, for a decision about something that ends.
    func judged(_ time: Timestamp) -> JudgedTime { watch.judged(time) }

    /// The same for what cannot be undone (``ClockWatch/judged(_:_:)``).
    func judged(_ time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) -> JudgedTime {
        try watch.judged(time, connection)
    }

    /// Performs a step in a savepoint, so that a failed step leaves nothing in the callers' transaction.
    private static func inSavepoint<Result>(
        _ connection: borrowing SQLConnection, _ body: () throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        try connection.run("SAVEPOINT housekeeping")
        do throws(RepositoryError) {
            let result = try body()
            try connection.run("RELEASE housekeeping")
            return result
        } catch {
            // This fails only if SQLite has rolled back the whole transaction, with the step.
            try? connection.run("ROLLBACK TO housekeeping")
            try? connection.run("RELEASE housekeeping")
            throw error
        }
    }
}

extension Housekeeping {
    /// The kinds of expiring rows, and rows whose end must be corrected. Follow events are not one of them: their sweep has a position.
    private enum Part: CaseIterable {
        case requestsAndSessions
        case names
        case idTokens
        case diaries
        case futureRows

        /// Removes the rows of one step.
        /// - Returns: whether there may be more.
        func remove(_ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64) throws(RepositoryError) -> Bool {
            switch self {
            case .requestsAndSessions: try Housekeeping.removeRequestsAndSessions(connection, now, rows: rows)
            case .names: try Usernames.removeExpired(at: now, rows: rows, connection)
            case .idTokens: try SQLStore.forgetUsedTokens(at: now, rows: rows, connection)
            case .diaries: try DiaryRecord.removeForgotten(connection, now, rows: rows)
            case .futureRows: try Housekeeping.correctFutureRows(connection, now, rows: rows)
            }
        }
    }

    /// Removes the rows of one step.
    /// - Returns: whether there may be more.
    private static func removeRequestsAndSessions(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Bool {
        var requests = try connection.statement(
            """
            DELETE FROM request WHERE (user_id, request_id) IN (
                SELECT user_id, request_id FROM request WHERE create_time <= ?1 ORDER BY create_time LIMIT ?2)
            AND create_time <= ?1
            """)
        // The second condition is for another server that uses the same id again meanwhile.
        try requests.bind(RememberedRequests.horizon(at: now))
        try requests.bind(rows)
        try requests.run()
        let removedRequests = connection.changes

        // The tokens go first, because the sessions name them. A session whose token is still there stays: if another server removes sessions
        // meanwhile, the second statement finds others than the first.
        for sql in [
            """
            DELETE FROM session_token WHERE token_hash IN (
                SELECT token_hash FROM session WHERE expire_time <= ? ORDER BY expire_time, user_id, session_id LIMIT ?)
            """,
            """
            DELETE FROM session WHERE (user_id, session_id) IN (
                SELECT user_id, session_id FROM session AS s WHERE expire_time <= ?
                AND NOT EXISTS (SELECT 1 FROM session_token AS t WHERE t.token_hash = s.token_hash)
                ORDER BY expire_time, user_id, session_id LIMIT ?)
            """,
        ] {
            var sessions = try connection.statement(sql)
            try sessions.bind(now)
            try sessions.bind(rows)
            try sessions.run()
        }
        let removedSessions = connection.changes
        return removedRequests >= rows || removedSessions >= rows
    }
}

/// Makes the housekeeping's own transactions where other servers write at the same time.
package protocol OwnTransactions {
    /// Performs a body in a transaction, and repeats it after a conflict with others.
    mutating func perform<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) throws(RepositoryError) -> Result
}

extension Housekeeping {
    /// Performs all steps once, each in its own transaction, so that locks on users are held only briefly. Each waits for the housekeeping of other
    /// servers.
    /// - Returns: whether there is more to do now.
    package func round(_ transactions: inout some OwnTransactions) -> Bool {
        guard !isPaused else { return false }
        let hasMoreFollows = removeFollows(&transactions)
        let hasMoreRows = removeExpired(&transactions)
        return hasMoreFollows || hasMoreRows
    }

    private func removeFollows(_ transactions: inout some OwnTransactions) -> Bool {
        do throws(RepositoryError) {
            return didRemoveFollows(try transactions.perform(followStep))
        } catch {
            // One that has given way to others has not failed.
            if error != .cancelled { state.withLock { $0.followFailure = error } }
            return false
        }
    }

    /// A step on the follows of removed users; `nil` if there are none.
    private var followStep: QueuedBody<Tombstones.Step?>.Body {
        { [self] connection throws(RepositoryError) in
            try connection.lock(.housekeeping)
            guard !isPaused else { return nil }
            guard try tombstones.next(connection) != nil else {
                if let damage = try tombstones.damage(connection) { throw damage }
                return nil
            }
            var step = try tombstones.step(connection)
            // The next round removes the diary's rows.
            if try DiaryRecord.hasDiscarded(connection) { step.hasMore = true }
            return step
        }
    }

    /// - Returns: whether there is more to do.
    private func didRemoveFollows(_ step: Tombstones.Step?) -> Bool {
        let listeners = state.withLock { state in
            state.followFailure = nil
            return state.listeners
        }
        guard let step else { return false }
        for tell in listeners { tell(step.told) }
        return step.hasMore
    }

    /// Performs the first step after a withdrawal at once, on a database with several servers. A user with few follows then has none left. The next
    /// round removes the rest.
    func removeFirstFollows(
        _ write: (@escaping QueuedBody<Tombstones.Step?>.Body) async throws(RepositoryError) -> Tombstones.Step?
    ) async {
        guard hasOthers else { return }
        do throws(RepositoryError) {
            if didRemoveFollows(try await write(followStep)) { wakeThread() }
        } catch {
            // The next round tries again.
            wakeThread()
        }
    }

    /// Calls `wake` when a round should begin soon.
    package func onWork(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    private func wakeThread() { state.withLock { $0.wake }() }

    private func removeExpired(_ transactions: inout some OwnTransactions) -> Bool {
        var round = SeparateSteps()
        for part in Part.allCases {
            let isFull = take(&round, &transactions) { connection, now throws(RepositoryError) in
                try part.remove(connection, now, rows: Self.rowsPerRound)
            }
            round.isFull = round.isFull || isFull ?? false
        }
        let vault = vault
        let hasMoreToSeal = take(&round, &transactions) { connection, _ throws(RepositoryError) in
            try vault.sealMore(connection, rows: Self.rowsPerStep)
        }
        let sweep = take(&round, &transactions) { [self] connection, now throws(RepositoryError) -> (cursor: UserNumber?, isFull: Bool) in
            try sweepEvents(now, rows: Self.rowsPerRound, connection)
        }
        if let sweep { state.withLock { $0.sweptOwner = sweep.cursor ?? .beforeFirst } }
        if let failure = round.failure {
            state.withLock { $0.failure = failure }
        } else if round.isOver {
            return false
        } else {
            state.withLock { $0.failure = nil }
        }
        return round.isFull || hasMoreToSeal ?? false || sweep?.isFull ?? false
    }

    /// What the steps of a round have done so far.
    private struct SeparateSteps {
        /// Whether there may be more to remove.
        var isFull = false
        /// The first failure.
        var failure: RepositoryError?
        /// Whether further steps would do nothing or fail too.
        var isOver = false
    }

    /// Takes a step of a round. A damaged row ends only its own step, and keeps no row of another. After any other failure the round is over.
    /// - Returns: the step's result; `nil` if it has none.
    private func take<Result: Sendable>(
        _ round: inout SeparateSteps, _ transactions: inout some OwnTransactions,
        _ body: @escaping @Sendable (borrowing SQLConnection, Timestamp) throws(RepositoryError) -> Result
    ) -> Result? {
        guard !round.isOver else { return nil }
        do throws(RepositoryError) {
            let result = try step(&transactions, body)
            if result == nil { round.isOver = true }
            return result
        } catch {
            // One that has given way to others has not failed.
            guard error != .cancelled else { return nil }
            round.failure = round.failure ?? error
            round.isOver = !error.isOfSomeRows
            return nil
        }
    }

    /// Performs a step in its own transaction, which locks the housekeeping and reads the clock afterwards. The wait for the lock may be long, as may
    /// be the step before. By a time from before it, what was written since would be of the future, and would be corrected
    /// (``correctFutureRows(_:_:rows:)``).
    /// - Returns: the step's result; `nil` if nothing may be removed now.
    private func step<Result: Sendable>(
        _ transactions: inout some OwnTransactions,
        _ body: @escaping @Sendable (borrowing SQLConnection, Timestamp) throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result? {
        try transactions.perform { [self] connection throws(RepositoryError) in
            // The transaction may be made again after it was rolled back with its marks.
            watch.forgetMarks()
            try connection.lock(.housekeeping)
            guard !isPaused else { return nil }
            let now = clock.now()
            guard try watch.believes(now, connection) else { return nil }
            return try body(connection, now)
        }
    }
}

extension RepositoryError {
    /// Whether the error is of damaged rows, so that a step on other rows may succeed.
    fileprivate var isOfSomeRows: Bool {
        switch self {
        case .corruptRow, .emptyValue, .storeUnavailable(.corrupt, _): true
        default: false
        }
    }
}
