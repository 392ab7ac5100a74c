import GRDB
import GRDBSQLite
import PulseBoardDomain

/// One SQLite connection for the length of one access, on the queue GRDB guards it with.
///
/// GRDB opens, migrates, pools and guards connections; rows are bound and stepped here through SQLite's own calls, because
/// a follow is seven short statements and GRDB's argument and row values cost more than they do.
struct SQLConnection: ~Copyable {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// A statement, prepared once per connection and text. One text is in use at most once at a time.
    func statement(_ sql: String) throws(RepositoryError) -> SQLStatement {
        do {
            return SQLStatement(handle: try database.cachedStatement(sql: sql).sqliteStatement)
        } catch {
            throw .storeUnavailable(detail: "\(error)")
        }
    }

    /// Runs a statement without arguments or rows.
    func run(_ sql: String) throws(RepositoryError) {
        let statement = try statement(sql)
        try statement.run()
    }

    /// Rows the last INSERT, UPDATE or DELETE changed.
    var changes: Int {
        guard let connection = database.sqliteConnection else { return 0 }
        return Int(sqlite3_changes(connection))
    }

    /// Whether a transaction is open; SQLite ends it by itself after some errors, such as a full disk.
    var isInTransaction: Bool {
        guard let connection = database.sqliteConnection else { return false }
        return sqlite3_get_autocommit(connection) == 0
    }
}
