import PulseBoardDomain

extension SQLStore {
    // MARK: Writing

    public func linkIdentity(
        _ account: AccountID, to userID: UserID, in session: SessionID?, provedBy use: IDTokenUse, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Identity {
        let housekeeping = housekeeping, requests = requests
        return try await write(of: userID) { connection throws(RepositoryError) in
            try connection.lock(userID)
            let judged = housekeeping.judged(time)
            let record = try requests.once(idempotency, of: userID, at: judged, connection) {
                connection throws(RepositoryError) -> IdentityRecord in
                // Not one that the user has ended while the token was verified: an identity is a way back for good.
                try Self.require(session, of: userID, connection)
                try Self.checkUnused(use, connection)
                if let (owner, createTime) = try Self.owner(of: account, connection) {
                    guard owner == userID else { throw .identityInUse }
                    try Self.noteLink(use, connection)
                    return IdentityRecord(Identity(account: account, createTime: createTime))
                }
                let count = try Self.identities(of: userID, connection).count
                // The user was purged while this waited in the queue. The identity would belong to nobody.
                guard count > 0 else { throw .notAuthenticated }
                guard count < Identity.maximumCount else { throw .identityLimit }
                try Self.noteLink(use, connection)
                try Self.insert(account, of: userID, at: judged.likely, connection)
                return IdentityRecord(Identity(account: account, createTime: judged.likely))
            }
            return record.identity
        }
    }

    public func unlinkIdentity(
        _ account: AccountID, from userID: UserID, keeping kept: SessionID, at time: Timestamp, idempotency: IdempotencyKey?,
        willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> [SessionID] {
        let housekeeping = housekeeping, requests = requests
        return try await write(of: userID) { connection throws(RepositoryError) in
            try connection.lock(userID)
            var ended: [SessionID] = []
            _ = try requests.once(idempotency, of: userID, at: housekeeping.judged(time), connection) {
                connection throws(RepositoryError) -> NothingRecord in
                try Self.require(kept, of: userID, connection)
                let identities = try Self.identities(of: userID, connection)
                guard identities.contains(where: { $0.account == account }) else { throw .identityNotFound }
                guard identities.count > 1 else { throw .identityLast }
                var deletion = try connection.statement("DELETE FROM account WHERE issuer = ? AND subject = ? AND user_id = ?")
                try deletion.bind(account.issuer)
                try deletion.bind(account.subject)
                try deletion.bind(userID)
                try deletion.run()
                ended = try Self.sessions(of: userID, openedBy: account, connection).filter { $0 != kept }
                willEnd(ended)
                for id in ended { _ = try Self.closeSession(id, of: userID, connection) }
                return NothingRecord()
            }
            return ended
        }
    }

    private static func insert(
        _ account: AccountID, of user: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var insertion = try connection.statement("INSERT INTO account (issuer, subject, user_id, create_time) VALUES (?, ?, ?, ?)")
        try insertion.bind(account.issuer)
        try insertion.bind(account.subject)
        try insertion.bind(user)
        try insertion.bind(time)
        try insertion.run()
    }

    // MARK: Uses of ID tokens

    /// Records the use of a token, unless it was used before (C3). A use that is refused, or used before, changes nothing.
    ///
    /// - Parameter session: the session that it opens; `nil` if it links an identity.
    /// - Returns: the session that the token opened before, under the same request id (C4). It may have ended. The record still names it:
    ///   ``note(_:opensInstead:_:)``.
    /// - Throws: `idTokenRefused` with `nonce` or `replayed`.
    static func note(
        _ use: IDTokenUse, openedBy session: SessionID?, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> SessionID? {
        try checkNonce(of: use, connection)
        var token = try connection.statement(
            """
            INSERT INTO used_id_token (token_hash, request_id, session_id, expire_time) VALUES (?, ?, ?, ?)
            ON CONFLICT (token_hash) DO NOTHING
            """)
        try token.bind(use.hash)
        try token.bind(use.requestID?.text ?? "")
        try token.bind(session?.bits.bytes ?? [])
        try token.bind(use.expireTime)
        try token.run()
        if connection.changes == 1 {
            try noteNonce(of: use, connection)
            return nil
        }
        // A token that linked an identity has no session, and cannot open one.
        guard session != nil, let former = try Self.session(openedBy: use, connection) else { throw .idTokenRefused(.replayed) }
        return former
    }

    /// The session that a token opened last, under the same request id; `nil` if there was none, and for a use without a request id.
    static func session(openedBy use: IDTokenUse, _ connection: borrowing SQLConnection) throws(RepositoryError) -> SessionID? {
        var query = try connection.statement("SELECT session_id FROM used_id_token WHERE token_hash = ? AND request_id = ? AND request_id <> ''")
        try query.bind(use.hash)
        try query.bind(use.requestID?.text ?? "")
        return try query.step() ? query.identifier(0, as: SessionID.self) : nil
    }

    /// Records that a repeated use of a token opens another session than before.
    static func note(_ use: IDTokenUse, opensInstead session: SessionID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var change = try connection.statement("UPDATE used_id_token SET session_id = ? WHERE token_hash = ?")
        try change.bind(session)
        try change.bind(use.hash)
        try change.run()
    }

    /// Records the use of a token that links an identity.
    private static func noteLink(_ use: IDTokenUse, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        guard try note(use, openedBy: nil, connection) == nil else { throw .idTokenRefused(.replayed) }
    }

    /// Checks that a token was not used, and changes nothing.
    private static func checkUnused(_ use: IDTokenUse, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        try checkNonce(of: use, connection)
        var query = try connection.statement("SELECT 1 FROM used_id_token WHERE token_hash = ?")
        try query.bind(use.hash)
        guard try !query.step() else { throw .idTokenRefused(.replayed) }
    }

    /// Checks that no other token has used the nonce. The same token may use it again, because that is a retry.
    private static func checkNonce(of use: IDTokenUse, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        guard let nonce = use.nonce else { return }
        var query = try connection.statement("SELECT token_hash FROM used_nonce WHERE nonce_hash = ?")
        try query.bind(nonce.hash)
        guard try query.step() else { return }
        guard query.blob(0) == use.hash else { throw .idTokenRefused(.nonce) }
    }

    /// Records the use of a nonce.
    private static func noteNonce(of use: IDTokenUse, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        guard let nonce = use.nonce else { return }
        var insertion = try connection.statement(
            """
            INSERT INTO used_nonce (nonce_hash, token_hash, expire_time) VALUES (?, ?, ?) ON CONFLICT (nonce_hash) DO NOTHING
            """)
        try insertion.bind(nonce.hash)
        try insertion.bind(use.hash)
        try insertion.bind(nonce.expireTime)
        try insertion.run()
        // Another server may have noted it for another token since it was checked.
        if connection.changes == 0 { try checkNonce(of: use, connection) }
    }

    /// Removes rows that expired at least a day ago, at most `rows` of each kind. The clock may be that much ahead without being noticed
    /// (``ClockJudge``). If a row were removed too early, its token could sign in again once the clock is right.
    /// - Returns: whether there may be more.
    static func forgetUsedTokens(
        at now: Timestamp, rows: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Bool {
        var isFull = false
        for (table, key) in [("used_id_token", "token_hash"), ("used_nonce", "nonce_hash")] {
            var deletion = try connection.statement(
                """
                DELETE FROM \(table) WHERE \(key) IN (
                    SELECT \(key) FROM \(table) WHERE expire_time <= ? ORDER BY expire_time LIMIT ?)
                """)
            try deletion.bind(now.advanced(by: Timestamp.Interval(microseconds: -ClockJudge.tolerance.microseconds)))
            try deletion.bind(rows)
            try deletion.run()
            isFull = isFull || connection.changes >= rows
        }
        return isFull
    }

    // MARK: Reading

    public func identities(of userID: UserID) async throws(RepositoryError) -> [Identity] {
        try await read(of: userID) { connection throws(RepositoryError) in try Self.identities(of: userID, connection) }
    }

    private static func identities(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> [Identity] {
        var statement = try connection.statement(
            "SELECT issuer, subject, create_time FROM account WHERE user_id = ? ORDER BY create_time, issuer, subject")
        try statement.bind(user)
        var identities: [Identity] = []
        while try statement.step() {
            guard let issuer = statement.text(0), let subject = statement.text(1), let time = statement.time(2) else {
                throw RepositoryError.corruptRow(table: "account", key: user.description)
            }
            identities.append(Identity(account: AccountID(issuer: issuer, subject: subject), createTime: time))
        }
        return identities
    }

    static func owner(
        of account: AccountID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (user: UserID, createTime: Timestamp)? {
        var query = try connection.statement("SELECT user_id, create_time FROM account WHERE issuer = ? AND subject = ?")
        try query.bind(account.issuer)
        try query.bind(account.subject)
        guard try query.step() else { return nil }
        guard let user = query.identifier(0, as: UserID.self), let time = query.time(1) else {
            throw .corruptRow(table: "account", key: account.description)
        }
        return (user, time)
    }

    private static func sessions(
        of user: UserID, openedBy account: AccountID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [SessionID] {
        var statement = try connection.statement("SELECT session_id FROM session WHERE user_id = ? AND issuer = ? AND subject = ?")
        try statement.bind(user)
        try statement.bind(account.issuer)
        try statement.bind(account.subject)
        var sessions: [SessionID] = []
        while try statement.step() {
            guard let id = statement.identifier(0, as: SessionID.self) else {
                throw RepositoryError.corruptRow(table: "session", key: "\(user) \(statement.key(0))")
            }
            sessions.append(id)
        }
        return sessions
    }
}

/// The remembered result of linking an identity.
private struct IdentityRecord: RememberedResult {
    let identity: Identity

    init(_ identity: Identity) { self.identity = identity }

    func encode(into writer: inout RecordFieldsWriter) {
        writer.put(identity.account.issuer, as: 1)
        writer.put(identity.account.subject, as: 2)
        writer.put(identity.createTime.microseconds, as: 3)
    }

    init?(_ fields: RecordFields) {
        guard let issuer = fields.text(1), let subject = fields.text(2), let time = fields.integer(3) else { return nil }
        identity = Identity(account: AccountID(issuer: issuer, subject: subject), createTime: Timestamp(microseconds: time))
    }

    /// This result never had the form from before fields.
    init?(from reader: inout RecordBytesReader) { return nil }
}
