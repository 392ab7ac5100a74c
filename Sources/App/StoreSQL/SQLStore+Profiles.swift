import PulseBoardDomain

extension SQLStore {
    // MARK: Reading

    private static let profileByID = Query("SELECT \(ProfileRecord.columns) FROM profile p WHERE p.user_id = ?")
    /// The profiles in one statement where each statement is a round trip.
    private static let profilesOfStatement = 20
    private static let profilesAmong = Query(
        "SELECT \(ProfileRecord.columns) FROM profile p WHERE p.user_id IN (\(Query.marks(profilesOfStatement)))")
    // Only an owned name has a profile. A LEFT JOIN, so that a name without its profile is reported and not skipped (X17).
    private static let profileByUsername = Query(
        """
        SELECT u.user_id, \(ProfileRecord.columns)
        FROM username u LEFT JOIN profile p ON p.user_id = u.user_id WHERE u.username_key = ? AND u.kind = 0
        """)

    public func profile(of id: UserID, viewer: UserID) async throws(RepositoryError) -> Profile {
        try await read(of: viewer) { connection throws(RepositoryError) in
            guard let profile = try Self.profile(of: id, connection) else {
                throw try Self.missing(id, to: viewer, own: .userNotFound, connection)
            }
            return profile
        }
    }

    public func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile {
        try await read(of: viewer) { connection throws(RepositoryError) in
            var statement = try connection.statement(Self.profileByUsername)
            try statement.bind(usernameKey)
            guard try statement.step() else { throw .userNotFound }
            guard let owner = statement.identifier(0, as: UserID.self) else {
                throw .corruptRow(table: "username", key: usernameKey)
            }
            guard !statement.isNull(1) else {
                // The name of a user who has asked to leave stays theirs, but nobody finds it.
                if try PendingWithdrawal.of(owner, connection) != nil { throw .userNotFound }
                throw .emptyValue(table: "profile", key: owner.description)
            }
            return try ProfileRecord.model(row: statement, first: 1)
        }
    }

    public func profiles(of ids: [UserID], viewer: UserID) async throws(RepositoryError) -> [UserID: Profile] {
        try await readLong(of: viewer) { connection throws(RepositoryError) in
            var found: [UserID: Profile] = [:]
            guard connection.isRemote else {
                for id in ids { found[id] = try Self.profile(of: id, connection) }
                return found
            }
            for part in ids.filledParts(of: Self.profilesOfStatement) {
                var statement = try connection.statement(Self.profilesAmong)
                for id in part { try statement.bind(id) }
                while try statement.step() {
                    let profile = try ProfileRecord.model(row: statement)
                    found[profile.id] = profile
                }
            }
            return found
        }
    }

    public func checkUsername(_ name: Username, for id: UserID, at time: Timestamp) async throws(RepositoryError) {
        let policy = usernames.policy, judged = housekeeping.judged(time)
        try await read(of: id) { connection throws(RepositoryError) in
            try Usernames.check(name, for: id, at: judged, policy, connection)
        }
    }

    public func usernames(of id: UserID) async throws(RepositoryError) -> [ClaimedUsername] {
        try await read(of: id) { connection throws(RepositoryError) in try Usernames.all(of: id, connection) }
    }

    static func profile(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Profile? {
        var statement = try connection.statement(profileByID)
        try statement.bind(id)
        guard try statement.step() else { return nil }
        return try ProfileRecord.model(row: statement)
    }

    // MARK: Writing

    public func reserveUsername(
        _ name: Username, for id: UserID, in session: SessionID?, at time: Timestamp
    ) async throws(RepositoryError) -> UsernameLease {
        let usernames = usernames, housekeeping = housekeeping
        return try await write(of: id) { connection throws(RepositoryError) in
            try connection.lock(id)
            try Self.require(session, of: id, connection)
            return try usernames.reserve(name, for: id, at: housekeeping.judged(time), connection)
        }
    }

    public func createProfile(
        _ draft: ProfileDraft, for id: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        let usernames = usernames, housekeeping = housekeeping, requests = requests
        let record = try await write(of: id) { connection throws(RepositoryError) in
            try connection.lock(id)
            let judged = housekeeping.judged(time)
            return try requests.once(idempotency, of: id, at: judged, connection) {
                connection throws(RepositoryError) in
                try Self.require(session, of: id, connection)
                let record = ProfileRecord(draft, userID: id, version: 1, createTime: judged.likely, updateTime: judged.likely)
                try Self.insert(record, named: draft.username, at: judged, usernames, connection)
                return record
            }
        }
        return try Self.model(remembered: record)
    }

    public func updateProfile(
        of id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, in session: SessionID?, at time: Timestamp,
        idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        let usernames = usernames, housekeeping = housekeeping, requests = requests
        let record = try await write(of: id) { connection throws(RepositoryError) in
            try connection.lock(id)
            let judged = housekeeping.judged(time)
            return try requests.once(idempotency, of: id, at: judged, connection) {
                connection throws(RepositoryError) in
                try Self.require(session, of: id, connection)
                return try Self.update(id, change, ifMatches: etag, at: judged, usernames, connection)
            }
        }
        return try Self.model(remembered: record)
    }

    public func deleteProfile(
        of id: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) {
        let housekeeping = housekeeping, requests = requests
        // Servers share the lock of the housekeeping. Who has no profile, and did not delete it with this request, does not wait for it.
        if housekeeping.hasOthers {
            try await read(of: id) { connection throws(RepositoryError) in
                guard try Self.number(of: id, connection) == nil else { return }
                if let idempotency, try requests.first(idempotency, of: id, at: housekeeping.judged(time), connection) as NothingRecord? != nil {
                    return
                }
                try Self.require(session, of: id, connection)
                throw try Self.missingProfile(of: id, connection)
            }
        }
        var isDeleted = false
        while !isDeleted {
            isDeleted = try await write(of: id, on: .housekeeping) { connection throws(RepositoryError) in
                try connection.lock(.housekeeping, id)
                let judged = housekeeping.judged(time)
                if let idempotency, try requests.first(idempotency, of: id, at: judged, connection) as NothingRecord? != nil {
                    // As in `once`.
                    connection.outdate(id)
                    return true
                }
                // Its owner may have ended the session while this write waited.
                try Self.require(session, of: id, connection)
                guard try Self.number(of: id, connection) != nil else { throw try Self.missingProfile(of: id, connection) }
                // Remembered requests cannot be removed after the profile: newer ones would look the same. The profile of a user with many is
                // deleted by a later write.
                if try requests.forget(of: id, limit: Self.requestsForgottenAtOnce, connection) { return false }
                try housekeeping.tombstones.begin(id, at: judged, connection)
                housekeeping.expectWithdrawals()
                if let idempotency { try requests.remember(NothingRecord(), idempotency, of: id, at: judged, connection) }
                return true
            }
        }
        await removeFirstFollows()
    }

    /// Removes the first follows of who has just left. The housekeeping does it later if its places are taken.
    func removeFirstFollows() async {
        await housekeeping.removeFirstFollows { body async throws(RepositoryError) in
            try await self.write(on: .housekeeping, isPatient: false, body)
        }
    }

    /// Maximum remembered requests that one write removes before a profile is deleted or a user purged.
    static let requestsForgottenAtOnce: Int64 = 1_000

    private static func model(remembered record: ProfileRecord) throws(RepositoryError) -> Profile {
        guard let profile = record.model() else {
            throw .corruptRow(table: "request", key: record.userID.description)
        }
        return profile
    }

    private static func insert(
        _ record: ProfileRecord, named name: Username, at judged: JudgedTime, _ usernames: Usernames, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        // All checks come before the first change.
        guard try number(of: record.userID, connection) == nil else { throw .profileExists }
        try PendingWithdrawal.requireNone(of: record.userID, connection)
        try requireStaged(record.image, insteadOf: nil, of: record.userID, at: judged.end, connection)
        try usernames.take(name, for: record.userID, at: judged, connection)
        try replaceImage(nil, by: record.image, of: record.userID, at: judged.end, connection)
        try record.insert(connection)
        try insertTerms(record, connection)
        // Another server may still have a profile in memory that the user has deleted.
        connection.outdate(record.userID)
        var count = try connection.statement(
            "INSERT INTO follow_count (number, followers, following) SELECT number, 0, 0 FROM profile WHERE user_id = ?")
        try count.bind(record.userID)
        try count.run()
    }

    private static func update(
        _ id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, at judged: JudgedTime, _ usernames: Usernames,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> ProfileRecord {
        guard let (record, profile) = try recordAndProfile(of: id, connection) else { throw try missingProfile(of: id, connection) }
        if let etag, etag != profile.etag { throw .etagMismatch }
        let draft = change.applied(to: profile)
        guard record.version < .max else { throw .corruptRow(table: "profile", key: id.description) }
        let new = ProfileRecord(
            draft, userID: id, version: record.version + 1, createTime: record.createTime,
            updateTime: judged.likely)
        try requireStaged(new.image, insteadOf: record.image, of: id, at: judged.end, connection)
        if new.usernameKey != record.usernameKey {
            try usernames.change(of: profile, to: draft.username, at: judged, connection)
        }
        if new.usernameKey != record.usernameKey || new.texts[.displayName] != record.texts[.displayName] {
            try removeTerms(record, connection)
            try insertTerms(new, connection)
        }
        try replaceImage(record.image, by: new.image, of: id, at: judged.end, connection)
        try new.update(connection)
        connection.outdate(id)
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

    /// The row of a user who may be about to leave, with what of it can be read.
    /// - Throws: `corruptRow` if a number or a time in it is none.
    static func repairedRecord(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> ProfileRecord? {
        var statement = try connection.statement(profileByID)
        try statement.bind(id)
        guard try statement.step() else { return nil }
        guard let record = ProfileRecord(row: statement, repairing: true) else { throw .corruptRow(table: "profile", key: id.description) }
        return record
    }

    /// Removes a user's search terms. A user without a profile has none. If the profile cannot be read, or the terms do not agree with it, the terms
    /// of all users are searched.
    static func removeTerms(of id: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        do throws(RepositoryError) {
            guard let (record, _) = try recordAndProfile(of: id, connection) else { return }
            if try removeTerms(record, connection) { return }
        } catch .corruptRow {
            // The search below finds them.
        } catch {
            throw error
        }
        var statement = try connection.statement("DELETE FROM profile_term WHERE user_id = ?")
        try statement.bind(id)
        try statement.run()
    }
}
