#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL

/// One SQLite connection on its thread, with its prepared statements. GRDB opens, migrates and guards connections.
final class SQLiteSession: SQLSession {
    fileprivate let database: Database
    /// The prepared statements by the numbers of their queries.
    private var byNumber: [SQLiteCursor?] = []
    private var byText: [String: SQLiteCursor] = [:]

    /// The database's log; `nil` for a connection that does not checkpoint.
    fileprivate let log: WriteAheadLog?

    init(_ database: Database, log: WriteAheadLog? = nil) {
        self.database = database
        self.log = log
    }

    /// The prepared statement of a query. It is prepared at its first use.
    func cursor(_ query: Query) throws(RepositoryError) -> any SQLCursor {
        if query.number < byNumber.count, let cursor = byNumber[query.number] { return cursor }
        while byNumber.count <= query.number { byNumber.append(nil) }
        let cursor = try prepare(query.sql)
        byNumber[query.number] = cursor
        return cursor
    }

    func cursor(_ sql: String) throws(RepositoryError) -> any SQLCursor {
        if let cursor = byText[sql] { return cursor }
        let cursor = try prepare(sql)
        byText[sql] = cursor
        return cursor
    }

    private func prepare(_ sql: String) throws(RepositoryError) -> SQLiteCursor {
        do { return SQLiteCursor(try database.makeStatement(sql: sql)) } catch { throw RepositoryError(thrown: error) }
    }

    var changes: Int {
        guard let connection = database.sqliteConnection else { return 0 }
        return Int(sqlite3_changes(connection))
    }

    /// Whether a transaction is open. After some errors, such as a full disk, SQLite ends it by itself.
    var isInTransaction: Bool {
        guard let connection = database.sqliteConnection else { return false }
        return sqlite3_get_autocommit(connection) == 0
    }

    // MARK: Other writers: there are none.

    func lock(_ owners: [UserID]) {}
    func forgetLock(of owner: UserID) {}
    func outdate(_ user: UserID) {}

    func keepUserNumbers(upTo last: Int64) throws(RepositoryError) {
        // SQLite's table for AUTOINCREMENT. It has a row only after the first insertion.
        for sql in ["DELETE FROM sqlite_sequence WHERE name = 'profile'", "INSERT INTO sqlite_sequence (name, seq) VALUES ('profile', \(last))"] {
            let cursor = try prepare(sql)
            try cursor.run()
        }
    }
    var hasOtherWriters: Bool { false }
    var isRemote: Bool { false }
    func startAgain() -> RepositoryError { .storeUnavailable(detail: "a write of SQLite's has no other writers to yield to") }
}

extension Query {
    // MARK: Transactions

    /// IMMEDIATE takes the write lock at once. Nobody else writes, so it never waits, and the transaction cannot fail later for
    /// lack of the lock.
    static let beginImmediate = Query("BEGIN IMMEDIATE")
    static let begin = Query("BEGIN")
    static let commit = Query("COMMIT")
    static let rollback = Query("ROLLBACK")
    static let savepoint = Query("SAVEPOINT one_write")
    static let rollbackToSavepoint = Query("ROLLBACK TO one_write")
    static let releaseSavepoint = Query("RELEASE one_write")
}

/// Operations that only SQLite has.
extension SQLConnection {
    init(_ database: Database) { self.init(SQLiteSession(database)) }

    /// The connection that writes and checkpoints. From now on it reports its commits to the log.
    init(_ database: Database, writing log: WriteAheadLog) {
        self.init(SQLiteSession(database, log: log))
        if let handle { log.watch(handle) }
    }

    /// SQLite's handle; `nil` when the database is closed.
    private var handle: SQLiteConnection? { (session as? SQLiteSession)?.database.sqliteConnection }

    /// Rolls back a transaction that cannot be committed. It fails only if SQLite has rolled back already.
    func abandonTransaction() { try? run(.rollback) }

    /// The result of a checkpoint.
    struct CheckpointOutcome {
        /// Whether the whole log is in the database.
        let isComplete: Bool
        let failure: RepositoryError?
    }

    /// Makes a transaction durable, and tells the log before and after.
    func commit() throws(RepositoryError) {
        let log = (session as? SQLiteSession)?.log
        log?.willCommit()
        defer { log?.didCommit() }
        try run(.commit)
    }

    /// Copies the write-ahead log into the database, as far as its readers allow, without waiting for them.
    /// - Parameter isEmptying: whether to cut the log to length 0 too. That needs that nobody reads from it.
    func checkpoint(emptying isEmptying: Bool = false) -> CheckpointOutcome {
        guard let connection = handle else { return CheckpointOutcome(isComplete: false, failure: .storeClosed) }
        let log = (session as? SQLiteSession)?.log
        log?.waitBeforeCheckpoint()
        var length: CInt = 0
        var copied: CInt = 0
        // The checkpoint does not wait for readers. A caller that needs that pauses the lanes first.
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, CInt(ConnectionSettings.busyTimeoutSeconds * 1_000)) }
        let mode = isEmptying ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, &length, &copied)
        let isRefused = code == SQLITE_BUSY || code == SQLITE_LOCKED
        log?.didCheckpoint(completely: code == SQLITE_OK ? length == copied : nil)
        return CheckpointOutcome(
            isComplete: code == SQLITE_OK && length == copied, failure: code == SQLITE_OK || isRefused ? nil : failure())
    }

    /// Makes SQLite keep the log when the connection is closed. Otherwise it would delete the file by name, which may be
    /// another database's log.
    func keepLogAtEnd() {
        var isKept: CInt = 1
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    private func failure() -> RepositoryError {
        let cause = errno
        guard let connection = handle else { return .storeClosed }
        let code = sqlite3_extended_errcode(connection)
        return .sqlite(
            code, systemError: SystemCause(code, known: sqlite3_system_errno(connection), present: cause).number,
            message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown")
    }

    /// How many rows were changed since the connection was opened.
    var totalChanges: Int { handle.map { Int(sqlite3_total_changes($0)) } ?? 0 }
}
