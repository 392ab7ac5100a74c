import PulseBoardDomain

extension SQLStore {
    public func searchProfiles(
        _ search: NameSearch, viewer: UserID, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> [SearchMatch] {
        try await readLong { connection throws(RepositoryError) in
            var matches: [SearchMatch] = []
            // The range in which the last page ended, and the ones after it.
            let reached = cursor.map { cursor in search.ranges.firstIndex { $0.contains(cursor.term) } ?? search.ranges.count } ?? 0
            for (number, range) in search.ranges.enumerated().dropFirst(reached) where matches.count < limit {
                try Self.find(search, in: range, after: number == reached ? cursor : nil, limit: limit, &matches, connection)
            }
            return matches
        }
    }

    /// Rows that are asked for at once besides those that are wanted: terms of profiles that are listed already.
    private static let spareRows = 16

    /// Adds what a search finds in one of its ranges, up to so many matches in all.
    private static func find(
        _ search: NameSearch, in range: NameSearch.Terms, after start: SearchCursor?, limit: Int, _ matches: inout [SearchMatch],
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var cursor = start
        while matches.count < limit {
            let rows = limit - matches.count + spareRows
            var seen = 0
            var statement = try connection.statement(searchSQL(isFirst: cursor == nil, hasEnd: range.end != nil))
            try statement.bind(cursor?.term ?? range.start)
            if let cursor { try statement.bind(cursor.userID) }
            if let end = range.end { try statement.bind(end) }
            try statement.bind(Int64(rows))
            while matches.count < limit, try statement.step() {
                seen += 1
                guard let term = statement.text(0), let owner = statement.identifier(1, as: UserID.self) else {
                    throw .corruptRow(table: "profile_term", key: statement.key(0))
                }
                guard !statement.isNull(2) else { throw .emptyValue(table: "profile", key: owner.description) }
                guard let record = ProfileRecord(row: statement, first: 2), let profile = record.model() else {
                    throw .corruptRow(table: "profile", key: statement.key(2))
                }
                let place = SearchCursor(term: term, userID: owner)
                cursor = place
                // A profile that more of its names find is listed once.
                guard !record.terms.all.prefix(while: { $0.text != term }).contains(where: { search.finds($0.text) }) else { continue }
                matches.append(SearchMatch(profile: profile, cursor: place))
            }
            guard seen == rows else { return }
        }
    }

    /// The rows come in the order of the key, one by one. A term without a profile is among them, so that it is reported.
    private static func searchSQL(isFirst: Bool, hasEnd: Bool) -> String {
        """
        SELECT t.term, t.user_id, \(ProfileRecord.columns)
        FROM profile_term t LEFT JOIN profile p ON p.user_id = t.user_id
        WHERE \(isFirst ? "t.term >= ?" : "(t.term, t.user_id) > (?, ?)")\(hasEnd ? " AND t.term < ?" : "") ORDER BY t.term, t.user_id LIMIT ?
        """
    }

    // MARK: Terms

    static func insertTerms(_ record: ProfileRecord, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        for term in record.terms.all {
            var statement = try connection.statement("INSERT INTO profile_term (term, user_id, kind) VALUES (?, ?, ?)")
            try statement.bind(term.text)
            try statement.bind(record.userID)
            try statement.bind(Int64(term.kind.rawValue))
            try statement.run()
        }
    }

    /// - Returns: whether all of them were there.
    @discardableResult
    static func removeTerms(_ record: ProfileRecord, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var wereThere = true
        for term in record.terms.all {
            var statement = try connection.statement("DELETE FROM profile_term WHERE term = ? AND user_id = ?")
            try statement.bind(term.text)
            try statement.bind(record.userID)
            try statement.run()
            if connection.changes != 1 { wereThere = false }
        }
        return wereThere
    }
}
