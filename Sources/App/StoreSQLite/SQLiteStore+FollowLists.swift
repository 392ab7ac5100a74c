import PulseBoardDomain

extension SQLiteStore {
    public func followers(
        of userID: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await readLong { connection throws(RepositoryError) in
            try Self.list(.followers, of: userID, after: cursor, limit: limit, connection)
        }
    }

    public func following(
        of userID: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await readLong { connection throws(RepositoryError) in
            try Self.list(.following, of: userID, after: cursor, limit: limit, connection)
        }
    }

    /// One direction of the edges: its table, whose list it is, and who is listed.
    private struct Direction {
        let table: String
        let firstPage: String
        let nextPage: String

        static let followers = Direction(table: "follower", owner: "followee", listed: "follower")
        static let following = Direction(table: "following", owner: "follower", listed: "followee")

        private init(table: String, owner: String, listed: String) {
            self.table = table
            func sql(_ start: String) -> String {
                // A LEFT JOIN, so that an edge to a missing profile is reported and not passed over (X17). No LIMIT: whoever reads stops,
                // behind those who followed at the same instant.
                """
                SELECT e.follow_time, e.\(listed), p.user_id, p.username, p.username_key, p.display_name
                FROM \(table) e LEFT JOIN profile p ON p.number = e.\(listed)
                WHERE e.\(owner) = ? \(start) ORDER BY e.follow_time DESC
                """
            }
            firstPage = sql("")
            nextPage = sql("AND e.follow_time <= ?")
        }
    }

    /// Newest first, and of those who followed at the same instant the greatest identifier first. The rows of one instant come in the
    /// order of their numbers, so they are all read, and put in order here.
    private static func list(
        _ direction: Direction, of userID: UserID, after cursor: FollowCursor?, limit: Int,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [FollowListEntry] {
        guard let owner = try number(of: userID, connection) else { throw .userNotFound }
        var statement = try connection.statement(cursor == nil ? direction.firstPage : direction.nextPage)
        try statement.bind(owner)
        if let cursor { try statement.bind(cursor.followTime) }
        var entries: [FollowListEntry] = []
        var areInOrder = true
        while try statement.step() {
            guard let time = statement.time(0), let number = statement.userNumber(1) else {
                throw .corruptRow(table: direction.table, key: "\(owner) \(statement.key(1))")
            }
            if entries.count >= limit, entries.last?.followTime != time { break }
            guard let entry = try entry(statement, time, number, connection) else { continue }
            if let cursor, entry.cursor >= cursor { continue }
            if let last = entries.last, entry.cursor > last.cursor { areInOrder = false }
            entries.append(entry)
        }
        if !areInOrder { entries.sort { $0.cursor > $1.cursor } }
        return Array(entries.prefix(limit))
    }

    /// `nil` for a user who has withdrawn, and whose follows are not all gone yet.
    private static func entry(
        _ row: borrowing SQLStatement, _ time: Timestamp, _ number: UserNumber, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowListEntry? {
        guard !row.isNull(2) else {
            if try Withdrawals.includes(number, connection) { return nil }
            throw .emptyValue(table: "profile", key: number.description)
        }
        guard let listed = row.identifier(2, as: UserID.self) else {
            throw .corruptRow(table: "profile", key: number.description)
        }
        guard
            let text = row.text(3), let key = row.text(4), let displayName = row.text(5),
            let username = Username(storedText: text, storedKey: key)
        else { throw .corruptRow(table: "profile", key: listed.description) }
        return FollowListEntry(
            userID: listed, username: username, displayName: DisplayName(stored: displayName), followTime: time)
    }
}
