import PulseBoardDomain
import Synchronization

/// One connection to a SQL database, on the thread that holds it.
///
/// The repositories know nothing else of their database. They write statements that SQLite and PostgreSQL both take (docs/storage.md, "Kept
/// portable"): parameters are `?` or `?1`, and where the two differ the connection has the words.
public struct SQLConnection: ~Copyable {
    /// The connection of the database's own kind.
    package let session: any SQLSession

    package init(_ session: any SQLSession) { self.session = session }

    /// A statement that is made often. One query is in use at most once at a time.
    package func statement(_ query: Query) throws(RepositoryError) -> SQLStatement { SQLStatement(try session.cursor(query)) }

    /// A statement, found by its text. One text is in use at most once at a time.
    package func statement(_ sql: String) throws(RepositoryError) -> SQLStatement { SQLStatement(try session.cursor(sql)) }

    /// Runs a statement without arguments or rows.
    package func run(_ query: Query) throws(RepositoryError) {
        let statement = try statement(query)
        try statement.run()
    }

    /// Runs a statement without arguments or rows.
    package func run(_ sql: String) throws(RepositoryError) {
        let statement = try statement(sql)
        try statement.run()
    }

    /// Rows the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { session.changes }

    /// Whether a transaction is open. A database ends one by itself after some errors.
    package var isInTransaction: Bool { session.isInTransaction }

    /// The operator that finds a pattern in a text, Latin letters in either case.
    package var like: String { session.like }

    /// Keeps other writers from these users until the transaction ends. Every write begins with it and names all whose rows it reads to change them,
    /// or reads to decide: at once, because two writers that take them one by one could wait for each other.
    ///
    /// One writer at a time has all of SQLite's database, so there it does nothing.
    package func lock(_ owners: UserID...) throws(RepositoryError) { try session.lock(owners) }

    /// The same for many.
    package func lock(_ owners: [UserID]) throws(RepositoryError) { try session.lock(owners) }

    /// Forgets a user who has gone, and whose lock nobody needs any more. The write has the lock.
    package func forgetLock(of owner: UserID) throws(RepositoryError) { try session.forgetLock(of: owner) }

    /// Has every server forget what it has of a user in memory: this write changes the profile, or ends sessions. SQLite has one server, which knows.
    package func outdate(_ user: UserID) { session.outdate(user) }

    /// Whether others may write between two statements of a transaction, so that what was read before a lock is to be read again.
    package var hasOtherWriters: Bool { session.hasOtherWriters }

    /// Has the write done again from its start: what it read before a lock has changed meanwhile.
    package func startAgain() -> RepositoryError { session.startAgain() }
}

extension UserID {
    /// Nobody. A write that locks it keeps the housekeeping away, which removes rows of many users.
    package static let housekeeping = UserID(bits: UUIDBits(high: 0, low: 0))
}

/// What a database's connection does for ``SQLConnection``. It belongs to one thread.
package protocol SQLSession: AnyObject {
    /// What is prepared of a query, ready to be bound.
    func cursor(_ query: Query) throws(RepositoryError) -> any SQLCursor
    func cursor(_ sql: String) throws(RepositoryError) -> any SQLCursor
    var changes: Int { get }
    var isInTransaction: Bool { get }
    var like: String { get }
    func lock(_ owners: [UserID]) throws(RepositoryError)
    func forgetLock(of owner: UserID) throws(RepositoryError)
    func outdate(_ user: UserID)
    /// Gives no user a number up to this one any more.
    func keepUserNumbers(upTo last: Int64) throws(RepositoryError)
    var hasOtherWriters: Bool { get }
    func startAgain() -> RepositoryError
}

/// The text of a statement that is made often, with a number by which a connection finds what it has prepared of it.
///
/// To be kept in a `static let`: looking a text up by itself costs as much as stepping the statement.
package final class Query: Sendable {
    private static let made = Atomic(0)

    package let sql: String
    package let number: Int

    package init(_ sql: String) {
        self.sql = sql
        number = Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
    }
}
