import PulseBoardDomain
import Synchronization

/// Removes what has expired: remembered writes after 24 hours, ended sessions, used ID tokens and nonces, names that were held or reserved, old events
/// of follows, deleted entries of diaries after 90 days, their pictures that no entry has had for a day. It also removes the follows and the diaries of withdrawn users, and seals diaries with the newest key. It works in steps, inside
/// transactions of writes, and in its own transactions while nobody writes.
///
/// Expired rows are due once a minute, and with the next transaction while there are more. A step removes at most 200 rows of each kind, or twice as
/// many as the transaction has writes, so rows go faster than they come. Expired rows that are still there count as absent, so nothing depends on
/// when they go. Nothing expires by a clock that has jumped (``ClockJudge``).
package final class Housekeeping: Sendable {
    /// How long after a step the next one is due.
    package static let pause = Timestamp.Interval.seconds(60)
    package static let rowsPerStep: Int64 = 200
    /// Most rows of a kind in a transaction of the housekeeping's own.
    private static let rowsPerRound: Int64 = 1_000
    /// How long an instant at which the clock was believed stands in the store before a newer one takes its place.
    private static let markAge = Timestamp.Interval.hours(1)
    private static let markName = "clock-believed"

    private struct State {
        var due = Timestamp(microseconds: .min)
        /// The owner whose events were swept last; `nil` at the beginning of a round.
        var sweptOwner: UserNumber?
        var failure: RepositoryError?
        /// Why the follows of a withdrawn user could not be removed.
        var followFailure: RepositoryError?
        var judge: ClockJudge?
        /// What the store has as the last instant at which the clock was believed.
        var mark: Timestamp?
        /// Whether expired rows are left that a next step would remove.
        var hasExpired = false
        /// Whether the last step removed follows, and there may be more.
        var hasFollows = false
        /// Whether the transaction that is being made leaves follows to be removed; `nil` while it has taken no such step.
        var leavesFollows: Bool?
        /// Who wants to know that follows have ended.
        var listeners: [@Sendable () -> Void] = []
        /// Has a round begin soon.
        var wake: @Sendable () -> Void = {}
    }

    let withdrawals: Withdrawals
    private let vault: DiaryVault
    private let clock: any WallClock
    private let uptime: @Sendable () -> Duration
    private let events: FollowEventLog
    private let state = Mutex(State())
    private let isPaused = Atomic(false)
    /// Whether other servers write to the database.
    private let hasOthers: Bool
    /// Whether somebody's follows may have to be removed; the first step finds out what an earlier process left.
    private let expectsWithdrawals = Atomic(true)

    package init(
        clock: any WallClock, uptime: @escaping @Sendable () -> Duration, events: FollowEventLog, usernames: Usernames, vault: DiaryVault,
        hasOthers: Bool = false
    ) {
        self.hasOthers = hasOthers
        self.vault = vault
        self.clock = clock
        self.uptime = uptime
        self.events = events
        withdrawals = Withdrawals(events: events, usernames: usernames)
    }

    /// Why the last step failed, or `nil`. A failed step fails no caller's write, so its error is kept here.
    package var failure: RepositoryError? { state.withLock { $0.followFailure ?? $0.failure } }

    /// Why nothing expires at present: the clock has jumped. `nil` while it is believed.
    package var clockJump: ClockJump? { state.withLock { $0.judge?.jump } }

    // MARK: Withdrawals

    /// Whether there may be a withdrawn user whose follows are still stored.
    var mayHaveWithdrawals: Bool { hasOthers || expectsWithdrawals.load(ordering: .relaxed) }

    /// The transaction that is being made withdraws somebody.
    func expectWithdrawals() { expectsWithdrawals.store(true, ordering: .relaxed) }

    /// Calls `tell` after each transaction that has removed follows of a withdrawn user.
    package func onFollowsEnded(_ tell: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(tell) } }

    /// Ends the removals. A copy of the database needs its rows to stay as they are.
    func pause() { isPaused.store(true, ordering: .releasing) }

    private var isStopped: Bool { isPaused.load(ordering: .acquiring) }

    // MARK: On the writer's thread

    /// Whether there is more to do now than waits for the next write.
    package var wantsTransaction: Bool { state.withLock { $0.hasExpired || $0.hasFollows } }

    /// Takes the steps that are due. Called inside a transaction. - Parameter writes: how many writes it has.
    package func step(_ connection: borrowing SQLConnection, writes: Int) {
        guard !isStopped else { return }
        removeFollows(connection)
        removeExpired(connection, rows: max(Self.rowsPerStep, 2 * Int64(writes)))
    }

    /// The transaction is durable, and its callers have their results.
    package func didCommit() {
        let (leavesFollows, listeners) = state.withLock { state in
            defer { state.leavesFollows = nil }
            state.hasFollows = state.leavesFollows ?? false
            return (state.leavesFollows, state.listeners)
        }
        guard let leavesFollows else { return }
        if !leavesFollows { expectsWithdrawals.store(false, ordering: .relaxed) }
        for tell in listeners { tell() }
    }

    /// The transaction has failed, and its steps with it. They are not repeated at once, because they may fail each time.
    package func didFail() {
        state.withLock { state in
            state.leavesFollows = nil
            state.hasFollows = false
            state.hasExpired = false
            state.mark = nil
        }
        expectWithdrawals()
    }

    private func removeFollows(_ connection: borrowing SQLConnection) {
        guard mayHaveWithdrawals else { return }
        do throws(RepositoryError) {
            let hasMore = try Self.inSavepoint(connection) { () throws(RepositoryError) in try withdrawals.step(connection) }
            state.withLock { state in
                state.followFailure = nil
                state.leavesFollows = hasMore
            }
        } catch {
            // It is tried again with the next write, or at the next turn.
            state.withLock { $0.followFailure = error }
        }
    }

    private func removeExpired(_ connection: borrowing SQLConnection, rows: Int64) {
        let now = clock.now()
        let (isDue, owner) = state.withLock { state in
            // Later than a pause from now it is only because the clock was set back.
            (state.due <= now || state.due > now.advanced(by: Self.pause), state.sweptOwner)
        }
        guard isDue else { return }
        do throws(RepositoryError) {
            let sweep = try Self.inSavepoint(connection) { () throws(RepositoryError) -> (cursor: UserNumber?, isFull: Bool)? in
                guard try believesClock(now, connection) else { return nil }
                var isFull = false
                for part in Part.allCases { isFull = try part.remove(connection, now, rows: rows) || isFull }
                isFull = try vault.sealMore(connection, rows: rows) || isFull
                let sweep = try events.sweep(after: owner, now: now, rows: rows, connection)
                return (sweep.cursor, sweep.isFull || isFull)
            }
            state.withLock { state in
                state.failure = nil
                if let sweep { state.sweptOwner = sweep.cursor }
                state.hasExpired = sweep?.isFull ?? false
                state.due = state.hasExpired ? now : now.advanced(by: Self.pause)
            }
        } catch {
            state.withLock { state in
                state.failure = error
                state.hasExpired = false
                state.due = now.advanced(by: Self.pause)
            }
        }
    }

    /// Whether rows may be removed that have expired by the clock. Keeps the instant for the next process.
    private func believesClock(_ now: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        let uptime = uptime()
        let known = state.withLock { ($0.judge, $0.mark) }
        let mark = if let mark = known.1 { mark } else { try Self.mark(connection) }
        var judge = known.0 ?? ClockJudge(last: mark ?? now, uptime: uptime)
        let isBelieved = judge.believes(now, uptime: uptime)
        var newMark = mark
        if isBelieved, mark.map({ now >= $0.advanced(by: Self.markAge) || now < $0 }) ?? true {
            var statement = try connection.statement(
                "INSERT INTO marked_time (name, instant) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET instant = excluded.instant")
            try statement.bind(Self.markName)
            try statement.bind(now)
            try statement.run()
            newMark = now
        }
        state.withLock { state in
            state.judge = judge
            state.mark = newMark
        }
        return isBelieved
    }

    private static func mark(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Timestamp? {
        var statement = try connection.statement("SELECT instant FROM marked_time WHERE name = ?")
        try statement.bind(markName)
        return try statement.step() ? statement.time(0) : nil
    }

    /// A step that fails half-way leaves nothing in the callers' transaction.
    private static func inSavepoint<Result>(
        _ connection: borrowing SQLConnection, _ body: () throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        try connection.run("SAVEPOINT housekeeping")
        do throws(RepositoryError) {
            let result = try body()
            try connection.run("RELEASE housekeeping")
            return result
        } catch {
            // This fails only if SQLite has rolled the whole transaction back, and the step with it.
            try? connection.run("ROLLBACK TO housekeeping")
            try? connection.run("RELEASE housekeeping")
            throw error
        }
    }
}

extension Housekeeping {
    /// What expires, but for events of follows, whose sweep remembers how far it has come.
    private enum Part: CaseIterable {
        case requestsAndSessions
        case names
        case idTokens
        case diaries

        /// Removes one step's worth; `true` when there may be more.
        func remove(_ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64) throws(RepositoryError) -> Bool {
            switch self {
            case .requestsAndSessions: try Housekeeping.removeRequestsAndSessions(connection, now, rows: rows)
            case .names: try Usernames.removeExpired(at: now, rows: rows, connection)
            case .idTokens: try SQLStore.forgetUsedTokens(at: now, rows: rows, connection)
            case .diaries: try DiaryRecord.removeForgotten(connection, now, rows: rows)
            }
        }
    }

    /// Removes one step's worth; `true` when there may be more.
    private static func removeRequestsAndSessions(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Bool {
        var requests = try connection.statement(
            """
            DELETE FROM request WHERE (user_id, request_id) IN (
                SELECT user_id, request_id FROM request WHERE create_time <= ? ORDER BY create_time LIMIT ?)
            """)
        try requests.bind(RememberedRequests.horizon(at: now))
        try requests.bind(rows)
        try requests.run()
        let removedRequests = connection.changes

        // The tokens first, while the sessions still say which they are.
        for table in ["session_token", "session"] {
            let key = table == "session" ? "(user_id, session_id)" : "token_hash"
            let columns = table == "session" ? "user_id, session_id" : "token_hash"
            var sessions = try connection.statement(
                """
                DELETE FROM \(table) WHERE \(key) IN (
                    SELECT \(columns) FROM session WHERE expire_time <= ?
                    ORDER BY expire_time, user_id, session_id LIMIT ?)
                """)
            try sessions.bind(now)
            try sessions.bind(rows)
            try sessions.run()
        }
        let removedSessions = connection.changes
        return removedRequests >= rows || removedSessions >= rows
    }
}

/// Transactions that the housekeeping makes by itself, where others write at the same time.
package protocol OwnTransactions {
    /// Performs a body in a transaction, again if others were in its way.
    mutating func perform<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) throws(RepositoryError) -> Result
}

extension Housekeeping {
    /// Takes all steps once, each in a transaction of its own, so that none keeps others long from users that a former one has locked. Other servers'
    /// housekeeping waits for each.
    /// - Returns: whether there is more to do now.
    package func round(_ transactions: inout some OwnTransactions) -> Bool {
        guard !isStopped else { return false }
        let hasMoreFollows = removeFollows(&transactions)
        let hasMoreRows = removeExpired(&transactions)
        return hasMoreFollows || hasMoreRows
    }

    private func removeFollows(_ transactions: inout some OwnTransactions) -> Bool {
        do throws(RepositoryError) {
            return didRemoveFollows(try transactions.perform(followStep))
        } catch {
            state.withLock { $0.followFailure = error }
            return false
        }
    }

    /// What a step has to do with the follows of withdrawn users.
    private struct FollowStep: Sendable {
        let hasRemoved: Bool
        let hasMore: Bool
    }

    private var followStep: QueuedBody<FollowStep>.Body {
        { [self] connection throws(RepositoryError) in
            try connection.lock(.housekeeping)
            guard !isStopped, try withdrawals.next(connection) != nil else { return FollowStep(hasRemoved: false, hasMore: false) }
            return FollowStep(hasRemoved: true, hasMore: try withdrawals.step(connection))
        }
    }

    /// - Returns: whether there is more to do.
    private func didRemoveFollows(_ step: FollowStep) -> Bool {
        let listeners = state.withLock { state in
            state.followFailure = nil
            return step.hasRemoved ? state.listeners : []
        }
        for tell in listeners { tell() }
        return step.hasMore
    }

    /// Takes the first step after a withdrawal at once, where it is in nobody else's transaction. Who had few follows has none then. The rest is for the
    /// next round, which begins soon.
    func removeFirstFollows(
        _ write: (@escaping QueuedBody<Bool>.Body) async throws(RepositoryError) -> Bool
    ) async {
        guard hasOthers else { return }
        let step = followStep
        do throws(RepositoryError) {
            let hasMore = try await write { connection throws(RepositoryError) in try step(connection).hasMore }
            if didRemoveFollows(FollowStep(hasRemoved: true, hasMore: hasMore)) { wakeKeeper() }
        } catch {
            // It is tried again in the next round.
            wakeKeeper()
        }
    }

    /// Calls `wake` when a round should begin soon.
    package func onWork(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    private func wakeKeeper() { state.withLock { $0.wake }() }

    private func removeExpired(_ transactions: inout some OwnTransactions) -> Bool {
        let now = clock.now()
        do throws(RepositoryError) {
            let isBelieved = try transactions.perform { [self] connection throws(RepositoryError) in
                try connection.lock(.housekeeping)
                guard !isStopped else { return false }
                return try believesClock(now, connection)
            }
            guard isBelieved else { return false }
            var hasMore = false
            for part in Part.allCases {
                let isFull = try transactions.perform { [self] connection throws(RepositoryError) in
                    try connection.lock(.housekeeping)
                    guard !isStopped else { return false }
                    return try part.remove(connection, now, rows: Self.rowsPerRound)
                }
                hasMore = hasMore || isFull
            }
            let hasMoreToSeal = try transactions.perform { [self] connection throws(RepositoryError) in
                try connection.lock(.housekeeping)
                guard !isStopped else { return false }
                return try vault.sealMore(connection, rows: Self.rowsPerStep)
            }
            hasMore = hasMore || hasMoreToSeal
            let (owner, events) = (state.withLock { $0.sweptOwner }, events)
            let sweep = try transactions.perform { [self] connection throws(RepositoryError) -> (cursor: UserNumber?, isFull: Bool) in
                try connection.lock(.housekeeping)
                guard !isStopped else { return (owner, false) }
                return try events.sweep(after: owner, now: now, rows: Self.rowsPerRound, connection)
            }
            state.withLock { state in
                state.failure = nil
                state.sweptOwner = sweep.cursor
            }
            return hasMore || sweep.isFull
        } catch {
            state.withLock { $0.failure = error }
            return false
        }
    }
}
