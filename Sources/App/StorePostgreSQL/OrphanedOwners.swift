import PulseBoardDomain
import StoreSQL

/// Removes the rows of `owner` whose users are gone (C24).
///
/// A write locks each user whom it names, and makes the row of one who has none. A repeated write gets its first result, so it may name a user who
/// was purged meanwhile. That row would keep the id of the user.
///
/// Whoever makes a profile, an identity or a pending withdrawal of a user who has a row holds the lock of that row. So a row is removed only if its
/// user has none of them while this transaction holds the lock. A first sign-in makes its user before the row, in the same transaction. So both
/// become visible together.
struct OrphanedOwners {
    /// Rows that one step looks at. All rows have their turn: those of a million users within nine hours.
    private static let rowsPerStep: Int64 = 2_000

    /// The last row that the former step looked at; `nil` before the first step.
    private var last: UserID?

    /// Looks at the next rows.
    mutating func step(_ transactions: inout some OwnTransactions) throws(RepositoryError) {
        let start = if let last { last } else { try transactions.perform { connection throws(RepositoryError) in try Self.start(connection) } }
        let end = try transactions.perform { connection throws(RepositoryError) in try Self.remove(after: start, connection) }
        last = end ?? .housekeeping
    }

    /// Where a process begins: behind a random row, so that frequent restarts do not always leave out the same ones. It begins with the first row if
    /// one step looks at all of them.
    private static func start(_ connection: borrowing SQLConnection) throws(RepositoryError) -> UserID {
        var statement = try connection.statement("SELECT 1 FROM owner ORDER BY user_id LIMIT 1 OFFSET ?")
        try statement.bind(rowsPerStep)
        return try statement.step() ? UserID.random(using: SystemRandomSource()) : .housekeeping
    }

    /// - Returns: the last row that was looked at; `nil` if no row comes after it.
    private static func remove(after start: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> UserID? {
        guard let session = connection.session as? PostgreSQLSession else { return nil }
        let owners = try owners(after: start, session)
        let found = try withoutUser(owners.ids, session)
        if !found.isEmpty {
            try connection.lockOrYield(found)
            for owner in try withoutUser(found, session) { try connection.forgetLock(of: owner) }
        }
        return owners.areAll ? nil : owners.ids.last
    }

    private static let page = Query("SELECT user_id FROM owner WHERE user_id > ? ORDER BY user_id LIMIT ?")

    /// The next rows. That of the housekeeping is never among them, because its id is the lowest.
    private static func owners(after start: UserID, _ session: PostgreSQLSession) throws(RepositoryError) -> (ids: [UserID], areAll: Bool) {
        let cursor = session.statement(page)
        defer { cursor.reset() }
        cursor.bind(start.bits)
        cursor.bind(rowsPerStep)
        let (ids, rowCount) = try users(cursor)
        return (ids, rowCount < rowsPerStep)
    }

    /// What proves that an id has a user.
    private static let proofs = ["account", "profile", "pending_withdrawal"].map { Query("SELECT user_id FROM \($0) WHERE user_id = ANY (?)") }

    /// Those ids that have no user, in their order.
    private static func withoutUser(_ ids: [UserID], _ session: PostgreSQLSession) throws(RepositoryError) -> [UserID] {
        var left = ids
        for proof in proofs where !left.isEmpty {
            let cursor = session.statement(proof)
            defer { cursor.reset() }
            cursor.bind(left)
            let known = Set(try users(cursor).ids)
            left.removeAll { known.contains($0) }
        }
        return left
    }

    private static func users(_ cursor: PostgreSQLCursor) throws(RepositoryError) -> (ids: [UserID], rowCount: Int64) {
        var found: (ids: [UserID], rowCount: Int64) = ([], 0)
        while try cursor.step() {
            found.rowCount += 1
            // A damaged row is the lock of no id, and must not keep the others.
            if let id = cursor.bits(0).map(UserID.init(bits:)) { found.ids.append(id) }
        }
        return found
    }
}
