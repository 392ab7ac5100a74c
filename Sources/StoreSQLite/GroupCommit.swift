import GRDB
import PulseBoardDomain
import Synchronization

/// Many writes, one transaction, one sync of the disk; each caller still gets their own result.
///
/// Writes queue while a transaction is being committed, and all that have gathered make up the next one, so batches are as
/// large as the load and a lone write waits for nobody. Every write runs in a savepoint of its own: one that fails is
/// undone alone. No caller hears of success before the COMMIT has returned, and a COMMIT that fails fails them all.
final class GroupCommit: Sendable {
    /// A write on the queue: performed on the writer's connection, then told how the transaction ended.
    private typealias QueuedWrite = @Sendable (borrowing SQLConnection) -> Finish
    /// Ends the wait of one caller: with their own result, or with the failure of the whole transaction.
    private typealias Finish = @Sendable (_ failure: RepositoryError?) -> Void

    private struct State {
        var queue: [QueuedWrite] = []
        var isDraining = false
        /// Writes in the transaction that is being made.
        var inTransaction = 0
        var isClosed = false
    }

    /// Most writes in one transaction: bounds how long the first of a batch waits for the last (about 5 ms of work).
    static let maximumBatch = 256

    private let pool: DatabasePool
    private let housekeeping: Housekeeping
    private let state = Mutex(State())

    init(pool: DatabasePool, housekeeping: Housekeeping) {
        self.pool = pool
        self.housekeeping = housekeeping
    }

    /// Performs a write and returns its result once it is durable.
    ///
    /// The write is not abandoned when the caller's task is cancelled: it is durable or it is not, and the caller is told.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (borrowing SQLConnection) throws(RepositoryError) -> Result
    ) async throws(RepositoryError) -> Result {
        let result: Swift.Result<Result, RepositoryError> = await withCheckedContinuation { continuation in
            let isQueued = enqueue { connection in
                let result = Self.inSavepoint(connection, body)
                return { failure in
                    continuation.resume(returning: failure.map(Swift.Result.failure) ?? result)
                }
            }
            if !isQueued { continuation.resume(returning: .failure(Self.closedError)) }
        }
        return try result.get()
    }

    /// Lets no further write in, and returns when those already in have been committed.
    func close() {
        state.withLock { $0.isClosed = true }
        // The writer's queue is serial: a drain that is under way ends before this does.
        pool.writeWithoutTransaction { drain(SQLConnection($0)) }
    }

    /// Writes that wait for the next transaction.
    var queuedWrites: Int { state.withLock { $0.queue.count } }

    /// Writes in the transaction that is being made.
    var writesInTransaction: Int { state.withLock { $0.inTransaction } }

    static let closedError = RepositoryError.storeUnavailable(detail: "the store is closed")

    private func enqueue(_ write: @escaping QueuedWrite) -> Bool {
        let (isQueued, startsDraining) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.queue.append(write)
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        if startsDraining {
            pool.asyncWriteWithoutTransaction { self.drain(SQLConnection($0)) }
        }
        return isQueued
    }

    /// Commits batch after batch until the queue is empty. Runs on the writer's queue.
    private func drain(_ connection: borrowing SQLConnection) {
        while let batch = nextBatch() {
            commit(batch, connection)
        }
    }

    private func nextBatch() -> [QueuedWrite]? {
        state.withLock { state in
            state.inTransaction = min(state.queue.count, Self.maximumBatch)
            switch state.queue.count {
            case 0:
                state.isDraining = false
                return nil
            case ...Self.maximumBatch:
                defer { state.queue.removeAll(keepingCapacity: true) }
                return state.queue
            default:
                defer { state.queue.removeFirst(Self.maximumBatch) }
                return Array(state.queue.prefix(Self.maximumBatch))
            }
        }
    }

    private func commit(_ batch: [QueuedWrite], _ connection: borrowing SQLConnection) {
        var finishes: [Finish] = []
        finishes.reserveCapacity(batch.count)
        var failure: RepositoryError?
        do throws(RepositoryError) {
            // IMMEDIATE takes the write lock at once: nobody else writes, so it never waits, and it cannot fail later.
            try connection.run("BEGIN IMMEDIATE")
            housekeeping.step(connection)
            for write in batch { finishes.append(write(connection)) }
            guard connection.isInTransaction else {
                throw .storeUnavailable(detail: "SQLite rolled the transaction back")
            }
            try connection.run("COMMIT")
        } catch {
            failure = error
            if connection.isInTransaction {
                do throws(RepositoryError) {
                    try connection.run("ROLLBACK")
                } catch let rollbackError {
                    failure = .storeUnavailable(detail: "\(error); and then \(rollbackError)")
                }
            }
            // Writes that were never reached have no result of their own; they still have a caller.
            for write in batch.dropFirst(finishes.count) { finishes.append(write(connection)) }
        }
        for finish in finishes { finish(failure) }
    }

    /// Performs one write so that its failure undoes it and nothing else.
    private static func inSavepoint<Result>(
        _ connection: borrowing SQLConnection,
        _ body: (borrowing SQLConnection) throws(RepositoryError) -> Result
    ) -> Swift.Result<Result, RepositoryError> {
        // Outside a transaction (it could not be begun, or SQLite gave it up) nothing may be written.
        guard connection.isInTransaction else {
            return .failure(.storeUnavailable(detail: "there is no transaction"))
        }
        do throws(RepositoryError) {
            try connection.run("SAVEPOINT one_write")
            let result = try body(connection)
            try connection.run("RELEASE one_write")
            return .success(result)
        } catch {
            guard connection.isInTransaction else { return .failure(error) }
            do throws(RepositoryError) {
                try connection.run("ROLLBACK TO one_write")
                try connection.run("RELEASE one_write")
                return .failure(error)
            } catch let rollbackError {
                return .failure(.storeUnavailable(detail: "\(error); and then \(rollbackError)"))
            }
        }
    }
}
