import PulseBoardDomain

extension SQLiteStore {
    // MARK: Reading

    private static let profileByID = Query("SELECT \(ProfileRecord.columns) FROM profile p WHERE p.user_id = ?")
    private static let ownerByUsername = Query("SELECT user_id FROM username WHERE username_key = ?")
    // A LEFT JOIN, so that a name of a missing profile is reported and not passed over (X17).
    private static let profileByUsername = Query(
        """
        SELECT u.user_id, \(ProfileRecord.columns)
        FROM username u LEFT JOIN profile p ON p.user_id = u.user_id WHERE u.username_key = ?
        """)

    public func profile(of id: UserID, viewer: UserID) async throws(RepositoryError) -> Profile {
        try await read { connection throws(RepositoryError) in
            guard let profile = try Self.profile(of: id, connection) else {
                throw try Self.missing(id, to: viewer, own: .userNotFound, connection)
            }
            return profile
        }
    }

    public func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile {
        try await read { connection throws(RepositoryError) in
            var statement = try connection.statement(Self.profileByUsername)
            try statement.bind(usernameKey)
            guard try statement.step() else { throw .userNotFound }
            guard let owner = statement.identifier(0, as: UserID.self) else {
                throw .corruptRow(table: "username", key: usernameKey)
            }
            guard !statement.isNull(1) else {
                // The name of a user who has asked to leave is theirs, and leads nowhere.
                if try PendingWithdrawal.of(owner, connection) != nil { throw .userNotFound }
                throw .emptyValue(table: "profile", key: owner.description)
            }
            return try ProfileRecord.model(row: statement, first: 1)
        }
    }

    public func profiles(of ids: [UserID], viewer: UserID) async throws(RepositoryError) -> [UserID: Profile] {
        try await readLong { connection throws(RepositoryError) in
            var found: [UserID: Profile] = [:]
            for id in ids where found[id] == nil {
                found[id] = try Self.profile(of: id, connection)
            }
            return found
        }
    }

    public func owner(ofUsernameKey key: String) async throws(RepositoryError) -> UserID? {
        try await read { connection throws(RepositoryError) in
            try Self.owner(ofUsernameKey: key, connection)
        }
    }

    static func profile(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Profile? {
        var statement = try connection.statement(profileByID)
        try statement.bind(id)
        guard try statement.step() else { return nil }
        return try ProfileRecord.model(row: statement)
    }

    private static func owner(
        ofUsernameKey key: String, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> UserID? {
        var statement = try connection.statement(ownerByUsername)
        try statement.bind(key)
        guard try statement.step() else { return nil }
        guard let owner = statement.identifier(0, as: UserID.self) else {
            throw .corruptRow(table: "username", key: key)
        }
        return owner
    }

    // MARK: Writing

    public func createProfile(
        _ draft: ProfileDraft, for id: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: id, at: time, connection) {
                connection throws(RepositoryError) in
                let record = ProfileRecord(draft, userID: id, version: 1, createTime: time, updateTime: time)
                try Self.insert(record, connection)
                return record
            }
        }
        return try Self.model(remembered: record)
    }

    public func updateProfile(
        of id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, at time: Timestamp,
        idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: id, at: time, connection) {
                connection throws(RepositoryError) in
                try Self.update(id, change, ifMatches: etag, at: time, connection)
            }
        }
        return try Self.model(remembered: record)
    }

    public func withdraw(
        _ id: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) {
        let housekeeping = housekeeping
        var isWithdrawn = false
        while !isWithdrawn {
            isWithdrawn = try await write { connection throws(RepositoryError) in
                if let idempotency, try RememberedRequests.first(idempotency, of: id, at: time, connection) as NothingRecord? != nil {
                    return true
                }
                guard try Self.number(of: id, connection) != nil else { throw try Self.missingProfile(of: id, connection) }
                // Not by the tombstone, which has nothing to tell them from those that come after it. Whoever has so many is withdrawn by a
                // later one of these writes.
                if try RememberedRequests.forget(of: id, limit: Self.requestsForgottenAtOnce, connection) { return false }
                try housekeeping.withdrawals.begin(id, at: time, connection)
                housekeeping.expectWithdrawals()
                if let idempotency { try RememberedRequests.remember(NothingRecord(), idempotency, of: id, at: time, connection) }
                return true
            }
        }
    }

    /// Most remembered requests that one write of a withdrawal removes.
    static let requestsForgottenAtOnce: Int64 = 1_000

    private static func model(remembered record: ProfileRecord) throws(RepositoryError) -> Profile {
        guard let profile = record.model() else {
            throw .corruptRow(table: "request", key: record.userID.description)
        }
        return profile
    }

    private static func insert(
        _ record: ProfileRecord, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        // Whatever can be refused is, before anything is changed.
        guard try number(of: record.userID, connection) == nil else { throw .profileExists }
        if let pending = try PendingWithdrawal.of(record.userID, connection) { throw .withdrawing(purgeTime: pending.purgeTime) }
        try takeUsername(record, connection)
        try replaceImage(nil, by: record.image, of: record.userID, at: record.createTime, connection)
        try record.insert(connection)
        try insertTerms(record, connection)
        var count = try connection.statement(
            "INSERT INTO follow_count (number, followers, following) SELECT number, 0, 0 FROM profile WHERE user_id = ?")
        try count.bind(record.userID)
        try count.run()
    }

    private static func takeUsername(
        _ record: ProfileRecord, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var statement = try connection.statement(
            "INSERT INTO username (username_key, user_id) VALUES (?, ?) ON CONFLICT (username_key) DO NOTHING")
        try statement.bind(record.usernameKey)
        try statement.bind(record.userID)
        try statement.run()
        guard connection.changes == 1 else { throw .usernameDuplicated }
    }

    private static func giveUpUsername(
        _ profile: Profile, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var statement = try connection.statement("DELETE FROM username WHERE username_key = ? AND user_id = ?")
        try statement.bind(profile.username.key)
        try statement.bind(profile.id)
        try statement.run()
        guard connection.changes == 1 else { throw .emptyValue(table: "username", key: profile.username.key) }
    }

    private static func update(
        _ id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, at time: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> ProfileRecord {
        guard let (record, profile) = try recordAndProfile(of: id, connection) else { throw try missingProfile(of: id, connection) }
        if let etag, etag != profile.etag { throw .etagMismatch }
        let new = ProfileRecord(
            change.applied(to: profile), userID: id, version: record.version + 1, createTime: record.createTime,
            updateTime: time)
        if new.usernameKey != record.usernameKey {
            try takeUsername(new, connection)
            try giveUpUsername(profile, connection)
        }
        if new.usernameKey != record.usernameKey || new.texts[.displayName] != record.texts[.displayName] {
            try removeTerms(record, connection)
            try insertTerms(new, connection)
        }
        try replaceImage(record.image, by: new.image, of: id, at: time, connection)
        try new.update(connection)
        return new
    }

    static func recordAndProfile(
        of id: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (ProfileRecord, Profile)? {
        var statement = try connection.statement(profileByID)
        try statement.bind(id)
        guard try statement.step() else { return nil }
        guard let record = ProfileRecord(row: statement), let profile = record.model() else {
            throw .corruptRow(table: "profile", key: id.description)
        }
        return (record, profile)
    }

    /// Removes the rows by which a user's names are found. Those of a profile that cannot be read, or that do not agree with it, are looked for
    /// one by one.
    static func removeNames(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        func delete(_ sql: String, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int {
            var statement = try connection.statement(sql)
            try statement.bind(id)
            try statement.run()
            return connection.changes
        }
        let found = try delete(
            "DELETE FROM username WHERE user_id = ?1 AND username_key = (SELECT username_key FROM profile WHERE user_id = ?1)", connection)
        if found != 1 { _ = try delete("DELETE FROM username WHERE user_id = ?", connection) }
        try removeTerms(of: id, connection)
    }

    /// Removes the rows by which a search finds a user.
    static func removeTerms(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        if let record = try readable(id, connection), try removeTerms(record, connection) { return }
        var statement = try connection.statement("DELETE FROM profile_term WHERE user_id = ?")
        try statement.bind(id)
        try statement.run()
    }

    /// The profile's record, unless its row cannot be understood.
    private static func readable(_ id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> ProfileRecord? {
        do throws(RepositoryError) {
            return try recordAndProfile(of: id, connection)?.0
        } catch .corruptRow {
            return nil
        } catch {
            throw error
        }
    }
}

extension SQLiteStore {
    public func searchProfiles(
        foldedPrefix: String, viewer: UserID, after cursor: SearchCursor?, limit: Int
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
        let terms = record.terms
        for (kind, term) in [terms.username, terms.displayName].enumerated() {
            if kind == 1, term.isEmpty || term == terms.username { continue }
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
    private static func removeTerms(_ record: ProfileRecord, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var wereThere = true
        let terms = record.terms
        for term in Set([terms.username, terms.displayName]) where !term.isEmpty {
            var statement = try connection.statement("DELETE FROM profile_term WHERE term = ? AND user_id = ?")
            try statement.bind(term)
            try statement.bind(record.userID)
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
