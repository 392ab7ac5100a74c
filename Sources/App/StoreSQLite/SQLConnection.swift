#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB
import GRDBSQLite
import PulseBoardDomain
import Synchronization

/// One SQLite connection on the thread that holds it, with what has been prepared on it.
///
/// GRDB opens, migrates and guards connections; rows are bound and stepped here through SQLite's own calls, because a follow
/// is eight short statements and GRDB's argument and row values cost more than they do.
struct SQLConnection: ~Copyable {
    private let database: Database
    private let prepared = PreparedStatements()

    init(_ database: Database) {
        self.database = database
    }

    /// A statement that is made often. One query is in use at most once at a time.
    func statement(_ query: Query) throws(RepositoryError) -> SQLStatement {
        do {
            return SQLStatement(handle: try prepared.statement(query, database).sqliteStatement)
        } catch {
            throw RepositoryError(thrown: error)
        }
    }

    /// A statement, found by its text. One text is in use at most once at a time.
    func statement(_ sql: String) throws(RepositoryError) -> SQLStatement {
        do {
            return SQLStatement(handle: try database.cachedStatement(sql: sql).sqliteStatement)
        } catch {
            throw RepositoryError(thrown: error)
        }
    }

    /// Runs a statement without arguments or rows.
    func run(_ query: Query) throws(RepositoryError) {
        let statement = try statement(query)
        try statement.run()
    }

    /// Runs a statement without arguments or rows.
    func run(_ sql: String) throws(RepositoryError) {
        let statement = try statement(sql)
        try statement.run()
    }

    /// Rolls a transaction back that cannot be committed. SQLite refuses that only where it has done so by itself.
    func abandonTransaction() { try? run(.rollback) }

    /// What a checkpoint came to.
    struct CheckpointOutcome {
        /// Whether all of the log is in the database.
        let isComplete: Bool
        let failure: RepositoryError?
    }

    /// Copies the write-ahead log into the database, as far as its readers allow, without waiting for them.
    /// - Parameter isEmptying: whether the log is cut to no length too, which takes that nobody reads from it.
    func checkpoint(emptying isEmptying: Bool = false) -> CheckpointOutcome {
        guard let connection = database.sqliteConnection else { return CheckpointOutcome(isComplete: false, failure: .storeClosed) }
        var length: CInt = 0
        var copied: CInt = 0
        // The lanes are not waited for here: whoever wants that pauses them.
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, CInt(ConnectionSettings.busyTimeoutSeconds * 1_000)) }
        let mode = isEmptying ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection, nil, mode, &length, &copied)
        let isRefused = code == SQLITE_BUSY || code == SQLITE_LOCKED
        return CheckpointOutcome(
            isComplete: code == SQLITE_OK && length == copied, failure: code == SQLITE_OK || isRefused ? nil : failure())
    }

    /// Has SQLite leave the log where it is when the connection is closed. By its name it would delete another database's.
    func keepLogAtEnd() {
        var isKept: CInt = 1
        sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    private func failure() -> RepositoryError {
        let cause = errno
        guard let connection = database.sqliteConnection else { return .storeClosed }
        let code = sqlite3_extended_errcode(connection)
        return .sqlite(
            code, systemError: SystemCause(code, known: sqlite3_system_errno(connection), present: cause).number,
            message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown")
    }

    /// Rows the last INSERT, UPDATE or DELETE changed.
    var changes: Int {
        guard let connection = database.sqliteConnection else { return 0 }
        return Int(sqlite3_changes(connection))
    }

    /// Rows changed since the connection was opened.
    var totalChanges: Int {
        guard let connection = database.sqliteConnection else { return 0 }
        return Int(sqlite3_total_changes(connection))
    }

    /// Whether a transaction is open; SQLite ends it by itself after some errors, such as a full disk.
    var isInTransaction: Bool {
        guard let connection = database.sqliteConnection else { return false }
        return sqlite3_get_autocommit(connection) == 0
    }
}

/// The text of a statement that is made often, with a number by which a connection finds what it has prepared of it.
///
/// To be kept in a `static let`: looking a text up by itself costs as much as stepping the statement.
final class Query: Sendable {
    private static let made = Atomic(0)

    let sql: String
    let number: Int

    init(_ sql: String) {
        self.sql = sql
        number = Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    // MARK: Transactions

    /// IMMEDIATE takes the write lock at once: nobody else writes, so it never waits, and the transaction cannot fail for it later.
    static let beginImmediate = Query("BEGIN IMMEDIATE")
    static let begin = Query("BEGIN")
    static let commit = Query("COMMIT")
    static let rollback = Query("ROLLBACK")
    static let savepoint = Query("SAVEPOINT one_write")
    static let rollbackToSavepoint = Query("ROLLBACK TO one_write")
    static let releaseSavepoint = Query("RELEASE one_write")
}

/// One connection's prepared statements, by the numbers of their queries. Belongs to the connection's thread.
private final class PreparedStatements {
    private var statements: [Statement?] = []

    /// The statement of a query, prepared at its first use.
    func statement(_ query: Query, _ database: Database) throws -> Statement {
        if query.number < statements.count, let statement = statements[query.number] { return statement }
        while statements.count <= query.number { statements.append(nil) }
        let statement = try database.makeStatement(sql: query.sql)
        statements[query.number] = statement
        return statement
    }
}
