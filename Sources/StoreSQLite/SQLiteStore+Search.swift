import PulseBoardDomain

extension SQLiteStore {
    public func searchProfiles(
        foldedPrefix: String, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> [SearchMatch] {
        try await readLong { connection throws(RepositoryError) in
            // U+10FFFF is no character: no name has it, and every name that starts with the prefix sorts before it.
            let end = foldedPrefix + "\u{10FFFF}"
            var statement = try connection.statement(cursor == nil ? Self.firstPageSQL : Self.nextPageSQL)
            try statement.bind(cursor?.term ?? foldedPrefix)
            if let cursor { try statement.bind(cursor.userID) }
            try statement.bind(end)
            try statement.bind(foldedPrefix)
            try statement.bind(end)
            try statement.bind(Int64(limit))
            var matches: [SearchMatch] = []
            while try statement.step() {
                guard let term = statement.text(0), let owner = statement.identifier(1, as: UserID.self) else {
                    throw .corruptRow(table: "profile_term", key: statement.key(0))
                }
                guard !statement.isNull(2) else { throw .emptyValue(table: "profile", key: owner.description) }
                let profile = try ProfileRecord.model(row: statement, first: 2)
                matches.append(SearchMatch(profile: profile, cursor: SearchCursor(term: term, userID: owner)))
            }
            return matches
        }
    }

    private static let firstPageSQL = searchSQL(start: "t.term >= ?")
    private static let nextPageSQL = searchSQL(start: "(t.term, t.user_id) > (?, ?)")

    /// A profile both of whose names match is listed under its username: the row of its display name is passed over. A
    /// term without a profile is not, so that it is reported.
    private static func searchSQL(start: String) -> String {
        """
        SELECT t.term, t.user_id, \(ProfileRecord.columns)
        FROM profile_term t LEFT JOIN profile p ON p.user_id = t.user_id
        WHERE \(start) AND t.term < ?
            AND (t.kind = 0 OR p.user_id IS NULL OR p.username_key < ? OR p.username_key >= ?)
        ORDER BY t.term, t.user_id LIMIT ?
        """
    }

    static func insertTerms(_ record: ProfileRecord, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        let displayKey = DisplayName(stored: record.displayName).key
        for (kind, term) in [record.usernameKey, displayKey].enumerated() {
            if kind == 1, term.isEmpty || term == record.usernameKey { continue }
            var statement = try connection.statement(
                "INSERT INTO profile_term (term, user_id, kind) VALUES (?, ?, ?)")
            try statement.bind(term)
            try statement.bind(record.userID)
            try statement.bind(Int64(kind))
            try statement.run()
        }
    }

    static func removeTerms(_ profile: Profile, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        for term in Set([profile.username.key, profile.displayName.key]) {
            var statement = try connection.statement("DELETE FROM profile_term WHERE term = ? AND user_id = ?")
            try statement.bind(term)
            try statement.bind(profile.id)
            try statement.run()
        }
    }
}
