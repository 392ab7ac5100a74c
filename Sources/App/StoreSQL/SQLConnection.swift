import PulseBoardDomain
import Synchronization

/// One connection to a SQL database, on the thread that holds it.
///
/// The repositories know their database only through this type. Their statements work on SQLite and PostgreSQL (docs/storage.md, "Kept
/// portable"). Parameters are `?` or `?1`. Where the two databases differ, the connection supplies the words.
public struct SQLConnection: ~Copyable {
    /// The connection of the database's kind.
    package let session: any SQLSession

    package init(_ session: any SQLSession) { self.session = session }

    /// A prepared statement of a query. A query can have only one use at a time.
    package func statement(_ query: Query) throws(RepositoryError) -> SQLStatement { SQLStatement(try session.cursor(query)) }

    /// A prepared statement of a text. A text can have only one use at a time.
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

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { session.changes }

    /// Whether a transaction is open. After some errors the database ends it by itself.
    package var isInTransaction: Bool { session.isInTransaction }

    /// Locks these users for other writers until the transaction ends. Every write of a user's data begins with it. The write must name all users
    /// whose rows it changes, or on whose rows it decides. It must lock them all at once, because two writers that lock one by one could deadlock.
    ///
    /// On SQLite it does nothing, because one writer at a time has the whole database.
    package func lock(_ owners: UserID...) throws(RepositoryError) { try session.lock(owners) }

    /// Locks many users at once.
    package func lock(_ owners: [UserID]) throws(RepositoryError) { try session.lock(owners) }

    /// The same for the housekeeping: it waits only a moment for each user. Then the write is repeated or put off, because others wait meanwhile for
    /// the users who are locked already.
    package func lockOrYield(_ owners: [UserID]) throws(RepositoryError) { try session.lockOrYield(owners) }

    /// Removes the lock of a user who is gone. The write must hold the lock.
    package func forgetLock(of owner: UserID) throws(RepositoryError) { try session.forgetLock(of: owner) }

    /// Makes every server forget what it has in memory about a user, because this write changes the profile or ends sessions. On SQLite it does
    /// nothing: the only server knows.
    package func outdate(_ user: UserID) { session.outdate(user) }

    /// Whether others may write between two statements of a transaction. Then what was read before a lock must be read again.
    package var hasOtherWriters: Bool { session.hasOtherWriters }

    /// Whether each statement is a round trip. Then one statement looks for many rows. Elsewhere one statement for each key takes less time: SQLite
    /// makes a table of a list of keys, each time that the statement runs.
    package var isRemote: Bool { session.isRemote }

    /// The error to throw so that the write is repeated from its start, because what it read before a lock has changed.
    package func startAgain() -> RepositoryError { session.startAgain() }
}

extension UserID {
    /// Not a real user. A write that locks it excludes the housekeeping, which removes rows of many users.
    package static let housekeeping = UserID(bits: UUIDBits(high: 0, low: 0))
}

/// The connection of one kind of database, behind ``SQLConnection``. It belongs to one thread.
package protocol SQLSession: AnyObject {
    /// The prepared statement of a query, ready for binding.
    func cursor(_ query: Query) throws(RepositoryError) -> any SQLCursor
    func cursor(_ sql: String) throws(RepositoryError) -> any SQLCursor
    var changes: Int { get }
    var isInTransaction: Bool { get }
    func lock(_ owners: [UserID]) throws(RepositoryError)
    func lockOrYield(_ owners: [UserID]) throws(RepositoryError)
    func forgetLock(of owner: UserID) throws(RepositoryError)
    func outdate(_ user: UserID)
    /// Reserves the numbers of users up to this one, so that no new user gets one of them.
    func keepUserNumbers(upTo last: Int64) throws(RepositoryError)
    var hasOtherWriters: Bool { get }
    var isRemote: Bool { get }
    func startAgain() -> RepositoryError
}

extension SQLSession {
    /// Waits for nobody, if it has no other writers.
    package func lockOrYield(_ owners: [UserID]) throws(RepositoryError) { try lock(owners) }
}

extension SQLSession {
    package var isRemote: Bool { true }
}

/// The text of a frequent statement, with a number by which a connection finds the prepared statement.
///
/// Keep it in a `static let`: looking up a text is expensive in comparison.
package final class Query: Sendable {
    private static let made = Atomic(0)

    package let sql: String
    package let number: Int

    package init(_ sql: String) {
        self.sql = sql
        number = Self.made.wrappingAdd(1, ordering: .relaxed).oldValue
    }
}

extension Query {
    /// The marks of so many parameters in a list: `?, ?, ?`.
    static func marks(_ count: Int) -> String { repeatElement("?", count: count).joined(separator: ", ") }
}

extension Array {
    /// The array in parts of a fixed size, for a statement with so many parameters in a list. The last element fills the places that are left.
    func filledParts(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { start in
            let part = Array(self[start..<Swift.min(start + size, count)])
            return part + repeatElement(part[part.count - 1], count: size - part.count)
        }
    }
}
