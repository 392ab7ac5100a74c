import GRDB
import Synchronization

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
final class PreparedStatements {
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
