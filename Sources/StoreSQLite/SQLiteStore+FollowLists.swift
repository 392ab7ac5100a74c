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
                // A LEFT JOIN, so that an edge to a missing profile is reported and not passed over (X17).
                """
                SELECT e.\(listed), e.follow_time, p.user_id, p.username, p.username_key, p.display_name
                FROM \(table) e LEFT JOIN profile p ON p.user_id = e.\(listed)
                WHERE e.\(owner) = ? \(start)
                ORDER BY e.follow_time DESC, e.\(listed) DESC LIMIT ?
                """
            }
            firstPage = sql("")
            nextPage = sql("AND (e.follow_time, e.\(listed)) < (?, ?)")
        }
    }

    private static func list(
        _ direction: Direction, of userID: UserID, after cursor: FollowCursor?, limit: Int,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [FollowListEntry] {
        guard try counts(of: userID, connection) != nil else { throw .userNotFound }
        var statement = try connection.statement(cursor == nil ? direction.firstPage : direction.nextPage)
        try statement.bind(userID)
        if let cursor {
            try statement.bind(cursor.followTime)
            try statement.bind(cursor.userID)
        }
        try statement.bind(Int64(limit))
        var entries: [FollowListEntry] = []
        while try statement.step() {
            guard let listed = statement.identifier(0, as: UserID.self), let time = statement.time(1) else {
                throw .corruptRow(table: direction.table, key: "\(userID) \(statement.key(0))")
            }
            guard !statement.isNull(2) else { throw .emptyValue(table: "profile", key: listed.description) }
            guard
                let text = statement.text(3), let key = statement.text(4), let displayName = statement.text(5),
                let username = Username(storedText: text, storedKey: key)
            else { throw .corruptRow(table: "profile", key: listed.description) }
            entries.append(
                FollowListEntry(
                    userID: listed, username: username, displayName: DisplayName(stored: displayName),
                    followTime: time))
        }
        return entries
    }
}
