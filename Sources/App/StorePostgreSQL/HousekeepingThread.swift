import PulseBoardDomain
import StoreSQL
import Synchronization

/// Does the housekeeping once a minute, and probes for recovery while there is trouble.
///
/// Every server does it. Two at once wait for each other, and the second finds less to do.
final class HousekeepingThread: Sendable {
    /// How long the record of a transaction is kept, by the clock of the database. Nobody asks later than ``PostgreSQLStore/patience`` or
    /// ``AcknowledgedWrites/memory``.
    static let operationLifetime = Timestamp.Interval.hours(1)
    /// Reads the database's clock.
    static let databaseTime: @Sendable (borrowing SQLConnection) throws(RepositoryError) -> Timestamp = { connection throws(RepositoryError) in
        // `now()` is the beginning of the transaction, which may have waited for a lock since.
        let query = try connection.statement("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)")
        guard try query.step(), let microseconds = query.integer(0) else { throw .storeUnavailable(.inputOutput, detail: "no time of the database") }
        return Timestamp(microseconds: microseconds)
    }
    private static let operationsPerStep: Int64 = 5_000
    /// How long the database may say nothing during the housekeeping. Nobody waits for it, and it has the longest statements.
    private static let silence = Duration.seconds(20)

    private let housekeeping: Housekeeping
    private let transactions: Transactions
    private let size = Atomic<Int64>(0)
    private let databaseClock = Mutex(DatabaseClock())
    private let thread = Mutex<ConnectionThread?>(nil)
    private let isClosed = Atomic(false)
    private let isAskedFor = Atomic(false)

    init(
        _ housekeeping: Housekeeping, _ transactions: Transactions, reachability: Reachability
    ) {
        self.housekeeping = housekeeping
        self.transactions = transactions
        let thread = ConnectionThread("pulseboard housekeeping") { [self] thread in run(LaneConnection(reachability, for: .housekeeping), thread) }
        self.thread.withLock { $0 = thread }
        transactions.health.wakeProber { thread.wake() }
        housekeeping.onWork { [self] in
            isAskedFor.store(true, ordering: .releasing)
            thread.wake()
        }
    }

    /// Length of the database at the last round, in bytes.
    var databaseBytes: Int64 { size.load(ordering: .relaxed) }

    func close() {
        isClosed.store(true, ordering: .releasing)
        let thread = thread.withLock { $0.take() }
        thread?.wake()
        thread?.join()
        transactions.health.wakeProber {}
        housekeeping.onWork {}
    }

    private func run(_ connection: consuming LaneConnection, _ thread: ConnectionThread) {
        var connection = connection
        var owners = OrphanedOwners()
        var due = ContinuousClock.now
        while !isClosed.load(ordering: .acquiring) {
            if isAskedFor.exchange(false, ordering: .acquiringAndReleasing) || due <= .now {
                let hasMore = round(&connection, &owners)
                due = .now + (hasMore ? .milliseconds(20) : .microseconds(Housekeeping.pause.microseconds))
            }
            if let probe = transactions.health.probeDue, probe <= .now { self.probe(&connection) }
            let next = transactions.health.probeDue.map { min($0, due) } ?? due
            if !isClosed.load(ordering: .acquiring) { thread.sleep(until: next) }
        }
    }

    /// - Returns: whether there is more to do now.
    private func round(_ connection: inout LaneConnection, _ owners: inout OrphanedOwners) -> Bool {
        connection.silence = Self.silence
        defer { connection.silence = nil }
        var own = HousekeepingTransactions(transactions: transactions, connection: connection)
        let hasMore = housekeeping.round(&own)
        // The transaction has recorded a failure. The next round tries again.
        if !housekeeping.isPaused { try? owners.step(&own) }
        var hasMoreOperations = false
        do throws(RepositoryError) {
            hasMoreOperations = try own.perform { [self] connection throws(RepositoryError) in
                // If the database's clock is ahead, keys that are needed would count as old.
                guard try housekeeping.agreesWithDatabase(connection) else { return false }
                let now = try Self.databaseTime(connection)
                guard databaseClock.withLock({ $0.advancesEvenly(to: now, at: .now) }) else { return false }
                var deletion = try connection.statement(
                    """
                    DELETE FROM operation WHERE operation_id IN (
                        SELECT operation_id FROM operation WHERE create_time <= \(OperationKey.now) - ? ORDER BY create_time LIMIT ?)
                    """)
                try deletion.bind(Self.operationLifetime.microseconds)
                try deletion.bind(Self.operationsPerStep)
                try deletion.run()
                return connection.changes >= Self.operationsPerStep
            }
            size.store(
                try own.perform { connection throws(RepositoryError) in
                    let query = try connection.statement("SELECT pg_database_size(current_database())")
                    return try query.step() ? query.integer(0) ?? 0 : 0
                }, ordering: .relaxed)
        } catch {
            // The transaction has recorded the failure. The next round tries again.
        }
        connection = own.connection
        return hasMore || hasMoreOperations
    }

    /// Probes with a durable write.
    private func probe(_ connection: inout LaneConnection) {
        transactions.health.probeBegins()
        var own = HousekeepingTransactions(transactions: transactions, connection: connection)
        let isOver = (try? own.perform { connection throws(RepositoryError) in try connection.lock(.housekeeping) }) != nil
        connection = own.connection
        if isOver { transactions.health.recovered() } else { transactions.health.probeFailed() }
    }
}

/// Notices that the database's clock was set ahead. If the server runs on the same machine, the clocks of both are set together, and agree. A jump
/// before this process has begun is not noticed.
struct DatabaseClock {
    /// How far the clock may run ahead of the time that has passed.
    private static let tolerance = Timestamp.Interval.seconds(60)

    private var last: (time: Timestamp, instant: ContinuousClock.Instant)?
    /// Until when everything from before the jump looks older than it is.
    private var misleadsUntil: ContinuousClock.Instant?

    /// Whether the clock has advanced as much as time has passed since the last call, and no earlier jump still makes records look too old.
    mutating func advancesEvenly(to time: Timestamp, at instant: ContinuousClock.Instant) -> Bool {
        defer { last = (time, instant) }
        if let last {
            let expected = last.time.advanced(by: Timestamp.Interval(instant - last.instant)).advanced(by: Self.tolerance)
            if time > expected { misleadsUntil = instant + .microseconds(HousekeepingThread.operationLifetime.microseconds) }
        }
        return misleadsUntil.map { instant >= $0 } ?? true
    }
}

/// Makes transactions on the housekeeping thread.
private struct HousekeepingTransactions: OwnTransactions {
    let transactions: Transactions
    var connection: LaneConnection

    mutating func perform<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) throws(RepositoryError) -> Result {
        // A store that closes does not wait for the rest of a round.
        guard !transactions.closeSignal.isSet else { throw .storeClosed }
        let access = AwaitedBody(body)
        transactions.write([access], &connection)
        return try access.result.get()
    }
}

/// A body that keeps its own outcome.
private final class AwaitedBody<Value: Sendable>: QueuedAccess {
    private let body: QueuedBody<Value>.Body
    private let outcome = Mutex<Result<Value, RepositoryError>>(.failure(.storeClosed))

    init(_ body: @escaping QueuedBody<Value>.Body) { self.body = body }

    var result: Result<Value, RepositoryError> { outcome.withLock { $0 } }

    func perform(_ connection: borrowing SQLConnection) -> PerformedAccess {
        let performed = QueuedBody<Value>.outcome(of: body, connection)
        let failure: RepositoryError? = if case .failure(let error) = performed { error } else { nil }
        return PerformedAccess(failure: failure) { [self] failure in
            outcome.withLock { $0 = failure.map(Result.failure) ?? performed }
        }
    }

    func refuse(_ error: RepositoryError) { outcome.withLock { $0 = .failure(error) } }
}
