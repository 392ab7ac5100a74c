import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

/// Many writes, one transaction, one sync of the disk. Each caller gets its own result.
///
/// Writes queue while a transaction commits, and the next transaction takes all that have gathered. So batches grow with the load, and a lone write
/// waits for nobody. No caller hears of success before the COMMIT has returned. A COMMIT that fails fails all its writes.
///
/// A write that fails is undone alone. Nearly every write fails before it has changed anything, so there is nothing to undo. If one has changed
/// something, the whole batch is rolled back and done again with a savepoint around each write. With savepoints from the start, SQLite would copy
/// every page that a write changes, for a rollback that hardly ever happens.
final class GroupCommit: Sendable {
    private struct State {
        var queue: [any QueuedAccess] = []
        var thread: ConnectionThread?
        var isAsleep = false
        /// Whether a transaction is to be made though nobody waits for one.
        var isNudged = false
        /// Writes in the transaction that is being made.
        var inTransaction = 0
        var isClosed = false
    }

    /// Most writes in one transaction: bounds how long the first of a batch waits for the last (about 5 ms of work).
    static let maximumBatch = 256

    private let housekeeping: Housekeeping
    private let files: StoreFiles
    private let health: StoreHealth
    private let recovery: StoreRecovery
    private let log: WriteAheadLog
    private let state = Mutex(State())

    /// Starts the thread that writes.
    /// - Parameters:
    ///   - database: the one connection that writes. The thread holds it until `close`.
    ///   - files: the files to which the names must lead before a write is acknowledged.
    ///   - log: the database's log.
    ///   - bound: the bound of the log's length.
    init(
        _ database: DatabaseQueue, housekeeping: Housekeeping, files: StoreFiles, health: StoreHealth, recovery: StoreRecovery,
        log: WriteAheadLog, bound: WALBound
    ) {
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
    /// A write goes on when the caller's task is cancelled. It becomes durable or not, and the caller is told. It may be performed twice, the first
    /// time without effect, so it must only read and write the database.
    func write<Result: Sendable>(
        _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        try await withUnsafeContinuation { continuation in
            let write = QueuedBody(body: body, continuation: continuation)
            if !enqueue(write) { write.refuse(.storeClosed) }
        }.get()
    }

    /// Lets no further write in, and returns when those already in have been committed and the connection is free.
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

    /// Looks the files' names up while nobody writes, so that a missing database is noticed then too.
    func checkFiles() {
        let standing = files.standing()
        guard !standing.isInPlace else { return }
        health.note(Self.gone(standing), count: 0)
    }

    /// Makes a transaction for what is due without a write, if none is made anyway.
    func nudge() {
        let thread = state.withLock { state -> ConnectionThread? in
            guard !state.isClosed else { return nil }
            state.isNudged = true
            defer { state.isAsleep = false }
            return state.isAsleep ? state.thread : nil
        }
        thread?.wake()
    }

    /// Writes that wait for the next transaction.
    var queuedWrites: Int { state.withLock { $0.queue.count } }

    /// Writes in the transaction that is being made.
    var writesInTransaction: Int { state.withLock { $0.inTransaction } }

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

    /// Commits batch after batch, and sleeps when there is none.
    private func run(_ connection: consuming SQLConnection, _ thread: ConnectionThread, _ bound: consuming WALBound) {
        // Whether the log has been brought to safety since the files were gone.
        var isLogSafe = false
        while true {
            let (batch, isNudged) = nextBatch()
            let isClosed = state.withLock { $0.isClosed && $0.queue.isEmpty }
            if !batch.isEmpty || isNudged || !isClosed && housekeeping.wantsTransaction {
                let length = commit(batch, connection)
                log.archive?.copyIfDue()
                log.keepShort(connection)
                do throws(RepositoryError) { try bound.keep(length, connection) } catch { health.note(error) }
            } else if isClosed {
                return
            } else {
                thread.sleep(until: [health.probeDue, log.archive?.due].compactMap(\.self).min())
                log.archive?.copyIfDue()
            }
            guard let trouble = health.trouble else {
                isLogSafe = false
                continue
            }
            if trouble.failure == .gone, !isLogSafe {
                bound.empty(connection)
                isLogSafe = true
            }
            recovery.probeIfDue(connection)
        }
    }

    /// The writes that have gathered. If there are none, the next writer wakes the thread.
    private func nextBatch() -> (batch: [any QueuedAccess], isNudged: Bool) {
        state.withLock { state in
            state.inTransaction = min(state.queue.count, Self.maximumBatch)
            state.isAsleep = state.queue.isEmpty
            defer { state.isNudged = false }
            return (state.queue.takeBatch(Self.maximumBatch), state.isNudged)
        }
    }

    /// - Returns: the length of the log afterwards, bytes; 0 when nothing was committed.
    private func commit(_ batch: [any QueuedAccess], _ connection: borrowing SQLConnection) -> Int64 {
        var length: Int64 = 0
        var met = StoreFailures()
        var answers: [Answer] = []
        answers.reserveCapacity(batch.count)
        var failure: RepositoryError?
        let begin = ContinuousClock.now
        do throws(RepositoryError) {
            // Nothing more is written into a file that nobody will find.
            if health.trouble?.failure == .gone { _ = try inPlace() }
            try connection.run(.beginImmediate)
            if !Self.perform(batch, connection, &answers, &met) {
                try connection.run(.rollback)
                answers.removeAll(keepingCapacity: true)
                met = StoreFailures()
                try connection.run(.beginImmediate)
                try Self.performApart(batch, connection, &answers, &met)
            }
            // After the writes: a batch that is performed again must not undo it.
            if connection.isInTransaction { housekeeping.step(connection, writes: batch.count) }
            guard connection.isInTransaction else {
                // Every caller is told the error for which SQLite did this.
                throw met.first ?? .storeUnavailable(detail: "SQLite rolled the transaction back")
            }
            try connection.run(.commit)
            length = try inPlace().walBytes
            health.committed(writes: batch.count, in: begin.duration(to: .now))
            if let first = met.first { health.note(first, count: met.count) }
        } catch {
            failure = error
            health.note(error, count: batch.count)
            housekeeping.didFail()
            if connection.isInTransaction { connection.abandonTransaction() }
            // Writes that were never reached have no outcome of their own; they still have a caller.
            for write in batch.dropFirst(answers.count) { write.refuse(error) }
        }
        for answer in answers { answer(failure) }
        if failure == nil { housekeeping.didCommit() }
        return length
    }

    /// Looks whether the files' names lead to them. - Throws: `storeUnavailable` with `gone` when one does not.
    private func inPlace() throws(RepositoryError) -> StoreFiles.Standing {
        let standing = files.standing()
        guard standing.isInPlace else { throw Self.gone(standing) }
        return standing
    }

    private static func gone(_ standing: StoreFiles.Standing) -> RepositoryError {
        .storeUnavailable(.gone, detail: standing.description)
    }

    /// What the store itself failed of a batch, in writes that were performed.
    private struct StoreFailures {
        var first: RepositoryError?
        var count = 0

        mutating func note(_ performed: PerformedAccess) {
            guard case .storeUnavailable = performed.failure else { return }
            first = first ?? performed.failure
            count += 1
        }
    }

    /// Performs writes one after the other, up to the first that ends the transaction.
    /// - Returns: `false` if one failed and left a part of itself behind.
    private static func perform(
        _ batch: [any QueuedAccess], _ connection: borrowing SQLConnection, _ answers: inout [Answer], _ met: inout StoreFailures
    ) -> Bool {
        for write in batch {
            let changes = connection.totalChanges
            let performed = write.perform(connection)
            answers.append(performed.answer)
            met.note(performed)
            // Outside a transaction nothing may be written.
            guard connection.isInTransaction else { return true }
            if performed.failure != nil, connection.totalChanges != changes { return false }
        }
        return true
    }

    /// Performs each write so that its failure undoes it and nothing else, up to one that ends the transaction.
    /// - Throws: what keeps a write from being undone; the transaction cannot be committed then.
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
