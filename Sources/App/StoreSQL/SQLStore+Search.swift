import PulseBoardDomain

extension SQLStore {
    /// Maximum jumps in the index for one search over a range with gaps, and rows of profiles that are listed already.
    package static let searchSteps = 1_000

    public func searchProfiles(
        _ search: NameSearch, viewer: UserID, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> SearchMatches {
        try await readLong(of: viewer) { connection throws(RepositoryError) in
            var reading = SearchReading(search: search, limit: limit, steps: Self.searchSteps)
            // Continue with the range in which the last page ended.
            let reached = cursor.map { cursor in search.ranges.firstIndex { $0.contains(cursor.term) } ?? search.ranges.count } ?? 0
            for (number, range) in search.ranges.enumerated().dropFirst(reached) where reading.result.continuation == nil {
                guard reading.result.matches.count < limit else { break }
                try reading.find(in: range, after: number == reached ? cursor : nil, connection)
            }
            return reading.result
        }
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

    /// - Returns: whether all of them existed.
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

/// The state of one search while it reads the index.
private struct SearchReading {
    let search: NameSearch
    let limit: Int
    /// How many jumps and rows to skip are left.
    var steps: Int
    var result = SearchMatches()

    /// Adds the matches in one range.
    mutating func find(
        in range: NameSearch.Terms, after cursor: SearchCursor?, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var place = cursor.map { Place.after($0) } ?? .from(range.start)
        while let next = try read(range, place, connection) {
            place = next
            guard case .from(let term) = next else { continue }
            steps -= 1
            guard steps > 0 else {
                result.continuation = SearchCursor(before: term)
                return
            }
        }
    }

    /// The place of the next rows.
    private enum Place {
        case from(String)
        case after(SearchCursor)
    }

    /// How many more rows than needed are read at once, for terms of profiles that are listed already.
    private static let spareRows = 16
    /// How many rows are read at once in a range with gaps. There the search soon jumps to another place.
    private static let scatteredRows = 8

    /// Reads rows from a place on.
    /// - Returns: where to continue; `nil` if enough is found or nothing is left.
    private mutating func read(
        _ range: NameSearch.Terms, _ place: Place, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Place? {
        guard result.matches.count < limit else { return nil }
        let rows = range.isScattered ? Self.scatteredRows : limit - result.matches.count + Self.spareRows
        var last: SearchCursor?
        var seen = 0
        var statement: SQLStatement
        switch place {
        case .from(let term):
            statement = try connection.statement(Self.searchSQL(isFirst: true, hasEnd: range.end != nil))
            try statement.bind(term)
        case .after(let cursor):
            statement = try connection.statement(Self.searchSQL(isFirst: false, hasEnd: range.end != nil))
            try statement.bind(cursor.term)
            try statement.bind(cursor.userID)
        }
        if let end = range.end { try statement.bind(end) }
        try statement.bind(Int64(rows))
        while result.matches.count < limit, try statement.step() {
            seen += 1
            guard let term = statement.text(0), let owner = statement.identifier(1, as: UserID.self) else {
                throw .corruptRow(table: "profile_term", key: statement.key(0))
            }
            guard range.contains(term) else { return range.resumption(after: term).map { .from($0) } }
            guard !statement.isNull(2) else { throw .emptyValue(table: "profile", key: owner.description) }
            guard let record = ProfileRecord(row: statement, first: 2), let profile = record.model() else {
                throw .corruptRow(table: "profile", key: statement.key(2))
            }
            let cursor = SearchCursor(term: term, userID: owner)
            last = cursor
            // A profile with several matching terms is listed once. Many users may have the same name in both of their names.
            if record.terms.all.prefix(while: { $0.text != term }).contains(where: { search.finds($0.text) }) {
                steps -= 1
                if steps > 0 { continue }
                result.continuation = cursor
                return nil
            }
            result.matches.append(SearchMatch(profile: profile, cursor: cursor))
        }
        return seen == rows ? last.map { .after($0) } : nil
    }

    /// Returns rows in the order of the key, including terms without a profile, so that those are reported.
    private static func searchSQL(isFirst: Bool, hasEnd: Bool) -> String {
        """
        SELECT t.term, t.user_id, \(ProfileRecord.columns)
        FROM profile_term t LEFT JOIN profile p ON p.user_id = t.user_id
        WHERE \(isFirst ? "t.term >= ?" : "(t.term, t.user_id) > (?, ?)")\(hasEnd ? " AND t.term < ?" : "") ORDER BY t.term, t.user_id LIMIT ?
        """
    }
}
