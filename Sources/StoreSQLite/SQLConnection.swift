import GRDB
import GRDBSQLite
import PulseBoardDomain

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
            throw .storeUnavailable(detail: "\(error)")
        }
    }

    /// A statement, found by its text. One text is in use at most once at a time.
    func statement(_ sql: String) throws(RepositoryError) -> SQLStatement {
        do {
            return SQLStatement(handle: try database.cachedStatement(sql: sql).sqliteStatement)
        } catch {
            throw .storeUnavailable(detail: "\(error)")
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
