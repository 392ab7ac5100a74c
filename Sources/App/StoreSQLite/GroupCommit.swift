import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

/// Commits many writes in one transaction, with one sync of the disk. Each caller gets its own result.
///
/// Writes queue while a transaction commits, and the next transaction takes all of them. So batches grow with the load, and a single write waits
/// for nobody. No caller gets a success before the COMMIT has returned. If the COMMIT fails, all its writes fail.
///
/// A write that fails is undone alone. Nearly every write fails before it has changed anything, so there is nothing to undo. If one has changed
/// something, the whole batch is rolled back and repeated with a savepoint around each write. Savepoints are not used from the start, because
/// SQLite would copy every page that a write changes for a rollback that is very rare.
final class GroupCommit: Sendable {
    private struct State {
        var queue: [any QueuedAccess] = []
        var thread: ConnectionThread?
        var isAsleep = false
        /// When the present transaction began; `nil` between two.
        var transactionBegin: ContinuousClock.Instant?
        /// Whether to make a transaction even without a queued write.
        var isNudged = false
        var isClosed = false
    }

    /// Maximum writes in one transaction. It limits how long the first of a batch waits for the last.
    static let maximumBatch = 256

    private let housekeeping: Housekeeping
    private let files: StoreFiles
    private let health: StoreHealth
    private let recovery: StoreRecovery
    private let log: WriteAheadLog
    /// A checkpoint may take so many times longer than a transaction.
    private static let longestCheckpoint = 6
    /// A transaction that takes longer is a trouble of the disk. It is over when the transaction has ended and a probe succeeds.
    private let longestTransaction: Duration
    private let state = Mutex(State())

    /// Starts the thread that writes.
    /// - Parameters:
    ///   - database: the only connection that writes. The thread holds it until `close`.
    ///   - files: the files of the store. Their names must still refer to them before a write is acknowledged.
    ///   - log: the database's log.
    ///   - bound: limits the log's length.
    init(
        _ database: DatabaseQueue, housekeeping: Housekeeping, files: StoreFiles, health: StoreHealth, recovery: StoreRecovery,
        log: WriteAheadLog, bound: WALBound, longestTransaction: Duration
    ) {
        self.longestTransaction = longestTransaction
        self.housekeeping = housekeeping
        self.files = files
        self.health = health
        self.recovery = recovery
        self.log = log
        let thread = ConnectionThread("pulseboard writer") { [self] thread in
            database.inDatabase { run(SQLConnection($0, writing: log), thread, bound) }
        }
        state.withLock { $0.thread = thread }
        health.wakeProber { thread.wake() }
    }

    /// Performs a write and returns its result once it is durable.
    ///
    /// A write goes on even if the caller's task is cancelled, and the caller gets its result. The body may run twice, and only the last run has an
    /// effect. So it must only read and write the database.
    func write<Result: Sendable>(
        _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        try await withUnsafeContinuation { continuation in
            let write = QueuedBody(body: body, continuation: continuation)
            if !enqueue(write) { write.refuse(.storeClosed) }
        }.get()
    }

    /// Accepts no further write, and returns when the accepted ones are committed and the connection is free.
    func close() {
        let thread = state.withLock { state in
            state.isClosed = true
            defer { state.thread = nil }
            return state.thread
        }
        thread?.wake()
        thread?.join()
        health.wakeProber {}
    }

    /// Checks whether the present transaction or checkpoint hangs, and the files' names, so that a missing database is noticed even if nobody writes.
    func check() {
        let hung: (what: String, time: Duration)? =
            if isOlder(state.withLock { $0.transactionBegin }, than: longestTransaction) {
                ("a transaction", longestTransaction)
            } else if isOlder(log.checkpointBegin, than: longestTransaction * Self.longestCheckpoint) {
                // It copies up to 64 MiB, which may take long on a slow disk.
                ("a checkpoint", longestTransaction * Self.longestCheckpoint)
            } else {
                nil
            }
        if let hung {
            let seconds = hung.time.components.seconds
            health.note(.storeUnavailable(.inputOutput, detail: "the disk has not finished \(hung.what) in \(seconds) s"), count: 0)
        }
        let standing = files.standing()
        guard !standing.isInPlace else { return }
        health.note(Self.gone(standing), count: 0)
    }

    /// Makes a transaction for due housekeeping, if no write makes one anyway.
    func nudge() {
        let thread = state.withLock { state -> ConnectionThread? in
            guard !state.isClosed else { return nil }
            state.isNudged = true
            defer { state.isAsleep = false }
            return state.isAsleep ? state.thread : nil
        }
        thread?.wake()
    }

    /// The number of writes that wait for the next transaction.
    var queuedWrites: Int { state.withLock { $0.queue.count } }

    private func enqueue(_ write: any QueuedAccess) -> Bool {
        let (isQueued, sleeper) = state.withLock { state -> (Bool, ConnectionThread?) in
            guard !state.isClosed else { return (false, nil) }
            state.queue.append(write)
            defer { state.isAsleep = false }
            return (true, state.isAsleep ? state.thread : nil)
        }
        sleeper?.wake()
        return isQueued
    }

    // MARK: On the writer's thread

    /// Commits batches, and sleeps while there is none.
    private func run(_ connection: consuming SQLConnection, _ thread: ConnectionThread, _ bound: consuming WALBound) {
        // Whether the log was copied into the database since the files were gone.
        var isLogSafe = false, wasTried = false
        while true {
            let (batch, isNudged) = nextBatch()
            let isClosed = state.withLock { $0.isClosed && $0.queue.isEmpty }
            if !batch.isEmpty || isNudged || (!isClosed && housekeeping.wantsTransaction) {
                state.withLock { $0.transactionBegin = .now }
                let length = commit(batch, connection)
                state.withLock { $0.transactionBegin = nil }
                log.keepShort(connection)
                do throws(RepositoryError) { try bound.keep(length, connection) } catch { health.note(error) }
            } else if isClosed {
                return
            } else {
                thread.sleep(until: health.probeDue)
            }
            guard let trouble = health.trouble else {
                (isLogSafe, wasTried) = (false, false)
                continue
            }
            // Until a reader lets the whole log be copied, it is tried again with each probe.
            if trouble.failure == .gone, !isLogSafe, !wasTried || health.probeDue.map({ $0 <= .now }) ?? false {
                isLogSafe = bound.empty(connection)
                wasTried = true
            }
            recovery.probeIfDue(connection)
        }
    }

    /// The queued writes. If there are none, the next writer wakes the thread.
    private func nextBatch() -> (batch: [any QueuedAccess], isNudged: Bool) {
        state.withLock { state in
            state.isAsleep = state.queue.isEmpty
            defer { state.isNudged = false }
            return (state.queue.takeBatch(Self.maximumBatch), state.isNudged)
        }
    }

    /// - Returns: the length of the log afterwards in bytes; 0 if nothing was committed.
    private func commit(_ batch: [any QueuedAccess], _ connection: borrowing SQLConnection) -> Int64 {
        var length: Int64 = 0
        var met = StoreFailures()
        var answers: [Answer] = []
        answers.reserveCapacity(batch.count)
        var failure: RepositoryError?
        let begin = ContinuousClock.now
        do throws(RepositoryError) {
            // Nothing more may be written into a file that nobody can find.
            if health.trouble?.failure == .gone { _ = try inPlace() }
            try connection.run(.beginImmediate)
            if !Self.perform(batch, connection, &answers, &met) {
                try connection.run(.rollback)
                answers.removeAll(keepingCapacity: true)
                met = StoreFailures()
                try connection.run(.beginImmediate)
                try Self.performApart(batch, connection, &answers, &met)
            }
            // The step comes after the writes, so that repeating the batch does not undo it.
            if connection.isInTransaction { housekeeping.step(connection, writes: batch.count) }
            guard connection.isInTransaction else {
                // Every caller gets the error because of which SQLite rolled back.
                throw met.first ?? .storeUnavailable(detail: "SQLite rolled the transaction back")
            }
            let recordCount = log.recordCount
            try connection.commit()
            length = try inPlace().walBytes
            // A transaction without a change writes nothing to the disk.
            if log.recordCount > recordCount { health.committed(writes: batch.count, in: begin.duration(to: .now)) }
            if let first = met.first { health.note(first, count: met.count) }
        } catch {
            failure = error
            health.note(error, count: batch.count)
            housekeeping.didFail()
            if connection.isInTransaction { connection.abandonTransaction() }
            // Writes that were not reached have no outcome, but their callers wait.
            for write in batch.dropFirst(answers.count) { write.refuse(error) }
        }
        for answer in answers { answer(failure) }
        if failure == nil { housekeeping.didCommit() }
        return length
    }

    /// Checks whether the files' names still refer to them.
    /// - Throws: `storeUnavailable` with `gone` if one does not.
    private func inPlace() throws(RepositoryError) -> StoreFiles.Standing {
        let standing = files.standing()
        guard standing.isInPlace else { throw Self.gone(standing) }
        return standing
    }

    private func isOlder(_ begin: ContinuousClock.Instant?, than limit: Duration) -> Bool { begin.map { $0.duration(to: .now) > limit } ?? false }

    private static func gone(_ standing: StoreFiles.Standing) -> RepositoryError {
        .storeUnavailable(.gone, detail: standing.description)
    }

    /// The failures of the store itself among the performed writes of a batch.
    private struct StoreFailures {
        var first: RepositoryError?
        var count = 0

        mutating func note(_ performed: PerformedAccess) {
            guard case .storeUnavailable = performed.failure else { return }
            first = first ?? performed.failure
            count += 1
        }
    }

    /// Performs writes one after another, up to the first that ends the transaction.
    /// - Returns: `false` if one failed after changing something.
    private static func perform(
        _ batch: [any QueuedAccess], _ connection: borrowing SQLConnection, _ answers: inout [Answer], _ met: inout StoreFailures
    ) -> Bool {
        for write in batch {
            let changes = connection.totalChanges
            let performed = write.perform(connection)
            answers.append(performed.answer)
            met.note(performed)
            // Outside of a transaction nothing may be written.
            guard connection.isInTransaction else { return true }
            if performed.failure != nil, connection.totalChanges != changes { return false }
        }
        return true
    }

    /// Performs each write in a savepoint, so that a failure undoes only that write. Stops at one that ends the transaction.
    /// - Throws: why a write could not be undone. Then the transaction cannot be committed.
    private static func performApart(
        _ batch: [any QueuedAccess], _ connection: borrowing SQLConnection, _ answers: inout [Answer], _ met: inout StoreFailures
    ) throws(RepositoryError) {
        for write in batch {
            try connection.run(.savepoint)
            let performed = write.perform(connection)
            answers.append(performed.answer)
            met.note(performed)
            guard connection.isInTransaction else { return }
            if performed.failure != nil { try connection.run(.rollbackToSavepoint) }
            try connection.run(.releaseSavepoint)
        }
    }
}
