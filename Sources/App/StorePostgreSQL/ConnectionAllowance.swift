import PulseBoardDomain
import StoreSQL

/// How many connections a server may have.
enum ConnectionAllowance {
    /// What a server needs at least: one each for writes, reads, lists, housekeeping, and changes by other servers.
    static let least = 5

    private static let limits = """
        SELECT r.rolconnlimit, d.datconnlimit, CAST(current_setting('max_connections') AS BIGINT), CASE WHEN r.rolsuper THEN 1 ELSE 0 END
        FROM pg_roles r, pg_database d WHERE r.rolname = session_user AND d.datname = current_database()
        """

    /// The lowest limit of the role, the database and PostgreSQL. Others may use some of these connections.
    /// - Throws: `tooFewConnections`.
    static func read(_ connection: borrowing SQLConnection) throws -> Int {
        let statement = try connection.statement(limits)
        // Other databases may have no such limits.
        guard try statement.step() else { return .max }
        let limits = [0, 1, 2].compactMap { statement.integer($0).map(Int.init) }.filter { $0 >= 0 }
        // The first two do not hold for superusers.
        let allowed = statement.integer(3) == 1 ? limits.last : limits.min()
        guard let allowed else { return .max }
        guard allowed >= least else { throw PostgreSQLOpeningError.tooFewConnections(allowed) }
        return allowed
    }
}

extension PostgreSQLStore.Connections {
    /// Reduces the numbers, so that they are at most `allowed` together with the two other connections of each server. At least one of each kind
    /// remains.
    func within(_ allowed: Int) -> Self {
        var fewer = self
        let room = max(allowed, ConnectionAllowance.least) - 2
        fewer.readingLong = min(readingLong, max(1, room / 6))
        fewer.reading = min(reading, max(1, room / 3))
        fewer.writing = min(writing, room - fewer.reading - fewer.readingLong)
        return fewer
    }
}
