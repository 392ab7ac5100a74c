import PulseBoardDomain

extension SQLiteStore {
    public func searchProfiles(
        foldedPrefix: String, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> [SearchMatch] {
        try await readLong { connection throws(RepositoryError) in
            let end = Self.end(ofPrefix: foldedPrefix)
            var statement = try connection.statement(cursor == nil ? Self.firstPageSQL : Self.nextPageSQL)
            try statement.bind(cursor?.term ?? foldedPrefix)
            if let cursor { try statement.bind(cursor.userID) }
            try statement.bind(orBeyondAllText: end)
            try statement.bind(foldedPrefix)
            try statement.bind(orBeyondAllText: end)
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

    /// The first text after all that start with a prefix, in the order of UTF-8 bytes, which is that of scalars: the prefix with its last
    /// scalar replaced by the next one. `nil` when nothing comes after them.
    static func end(ofPrefix prefix: String) -> String? {
        var scalars = prefix.unicodeScalars
        while let last = scalars.popLast() {
            // Between U+D7FF and U+E000 there are no scalars, after U+10FFFF neither.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            scalars.append(next)
            return String(scalars)
        }
        return nil
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

    /// - Returns: whether all of them were there.
    @discardableResult
    static func removeTerms(_ profile: Profile, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var wereThere = true
        for term in Set([profile.username.key, profile.displayName.key]) where !term.isEmpty {
            var statement = try connection.statement("DELETE FROM profile_term WHERE term = ? AND user_id = ?")
            try statement.bind(term)
            try statement.bind(profile.id)
            try statement.run()
            if connection.changes != 1 { wereThere = false }
        }
        return wereThere
    }
}

extension SQLStatement {
    /// Binds a text, or for `nil` what every text comes before: SQLite puts bytes after all texts.
    fileprivate mutating func bind(orBeyondAllText text: String?) throws(RepositoryError) {
        if let text { try bind(text) } else { try bind([UInt8]()) }
    }
}
