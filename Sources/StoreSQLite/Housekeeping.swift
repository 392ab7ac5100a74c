import PulseBoardDomain
import Synchronization

/// Forgets what has expired (remembered writes after 24 hours, ended sessions, old events of follows) a little at a time,
/// inside transactions that are made anyway.
///
/// A step removes at most 200 rows of each kind; it is due once a minute, and at the next transaction while there is more.
/// Rows that have expired but are still there count as absent, so nothing depends on how soon they go.
final class Housekeeping: Sendable {
    private static let pause = Timestamp.Interval.seconds(60)
    static let rowsPerStep: Int64 = 200

    private struct State {
        var due = Timestamp(microseconds: .min)
        /// The owner whose events were looked at last; `nil` when a round begins.
        var sweptOwner: UserNumber?
        var failure: RepositoryError?
    }

    private let clock: any WallClock
    private let events: FollowEventLog
    private let state = Mutex(State())

    init(clock: any WallClock, events: FollowEventLog) {
        self.clock = clock
        self.events = events
    }

    /// Why the last step failed, or `nil`. A failed step fails no caller's write, so this is where it is told.
    var failure: RepositoryError? { state.withLock { $0.failure } }

    /// Takes a step when one is due. Called inside a transaction.
    func step(_ connection: borrowing SQLConnection) {
        let now = clock.now()
        guard let owner = state.withLock({ $0.due <= now ? .some($0.sweptOwner) : nil }) else { return }
        do throws(RepositoryError) {
            let (isDone, sweep) = try Self.inSavepoint(connection) { () throws(RepositoryError) in
                (try Self.removeExpired(connection, now), try events.sweep(after: owner, now: now, rows: Self.rowsPerStep, connection))
            }
            state.withLock { state in
                state.failure = nil
                state.sweptOwner = sweep.cursor
                state.due = isDone && !sweep.isFull ? now.advanced(by: Self.pause) : now
            }
        } catch {
            state.withLock { state in
                state.failure = error
                state.due = now.advanced(by: Self.pause)
            }
        }
    }

    /// A step that fails half-way leaves nothing of itself in the callers' transaction.
    private static func inSavepoint<Result>(
        _ connection: borrowing SQLConnection, _ body: () throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        try connection.run("SAVEPOINT housekeeping")
        do throws(RepositoryError) {
            let result = try body()
            try connection.run("RELEASE housekeeping")
            return result
        } catch {
            // Fails only where SQLite has rolled the whole transaction back, and with it the step.
            try? connection.run("ROLLBACK TO housekeeping")
            try? connection.run("RELEASE housekeeping")
            throw error
        }
    }

    /// Removes one step's worth; `false` when there may be more.
    private static func removeExpired(
        _ connection: borrowing SQLConnection, _ now: Timestamp
    ) throws(RepositoryError) -> Bool {
        var requests = try connection.statement(
            """
            DELETE FROM request WHERE (user_id, request_id) IN (
                SELECT user_id, request_id FROM request WHERE create_time <= ? ORDER BY create_time LIMIT ?)
            """)
        try requests.bind(RememberedRequests.horizon(at: now))
        try requests.bind(rowsPerStep)
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
            try sessions.bind(rowsPerStep)
            try sessions.run()
        }
        return removedRequests < rowsPerStep && connection.changes < rowsPerStep
    }
}
