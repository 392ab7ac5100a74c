import PulseBoardDomain

extension SQLStore {
    // MARK: Writing

    public func openSession(
        _ opening: SessionOpening, newUserID: UserID, limit: Int, willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> OpenedSession {
        let housekeeping = housekeeping
        return try await write(signingInTo: opening.account) { connection throws(RepositoryError) in
            let former = try opening.idToken.flatMap { use throws(RepositoryError) in
                try Self.note(use, openedBy: opening.id, connection)
            }
            // A repeated sign-in makes no new user.
            if former != nil, try Self.owner(of: opening.account, connection) == nil { throw .idTokenRefused(.replayed) }
            let likely = housekeeping.judged(opening.createTime).likely
            let user = try Self.lockedUser(of: opening.account, orNew: newUserID, at: likely, connection)
            var ended: [SessionID] = []
            if let former, let use = opening.idToken {
                // Another retry of this sign-in may have come first, and have ended that session itself.
                if connection.hasOtherWriters, try Self.session(openedBy: use, connection) != former { throw connection.startAgain() }
                try Self.closeFormer(former, of: user, at: opening.createTime, connection)
                try Self.note(use, opensInstead: opening.id, connection)
                ended.append(former)
            }
            try Self.insert(opening, of: user, connection)
            ended += try Self.closeOldest(of: user, keeping: limit, opening.id, connection)
            willEnd(ended)
            return OpenedSession(
                session: Session(
                    id: opening.id, userID: user, account: opening.account, device: opening.device, createTime: opening.createTime,
                    expireTime: opening.expireTime),
                hasProfile: try Self.number(of: user, connection) != nil,
                purgeTime: try PendingWithdrawal.of(user, connection)?.purgeTime, ended: ended)
        }
    }

    public func closeSession(_ id: SessionID, of userID: UserID, at time: Timestamp) async throws(RepositoryError) -> Bool {
        let housekeeping = housekeeping
        return try await write(of: userID) { connection throws(RepositoryError) in
            try connection.lock(userID)
            return try Self.closeSession(id, of: userID, at: housekeeping.judged(time).end, connection)
        }
    }

    public func closeSessions(of userID: UserID) async throws(RepositoryError) {
        try await write(of: userID) { connection throws(RepositoryError) in
            try connection.lock(userID)
            try Self.closeSessions(of: userID, connection)
        }
    }

    /// Locks and returns the user of an account.
    private static func lockedUser(
        of account: AccountID, orNew newUserID: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> UserID {
        let user = try user(of: account, orNew: newUserID, at: time, connection)
        try connection.lock(user)
        // A purge or an unlink may have come first.
        if connection.hasOtherWriters, try owner(of: account, connection)?.user != user { throw connection.startAgain() }
        return user
    }

    /// The user of an account. A new account gets `newUserID`.
    private static func user(
        of account: AccountID, orNew newUserID: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> UserID {
        var insertion = try connection.statement(
            """
            INSERT INTO account (issuer, subject, user_id, create_time) VALUES (?, ?, ?, ?)
            ON CONFLICT (issuer, subject) DO NOTHING
            """)
        try insertion.bind(account.issuer)
        try insertion.bind(account.subject)
        try insertion.bind(newUserID)
        try insertion.bind(time)
        try insertion.run()
        if connection.changes == 1 { return newUserID }
        var query = try connection.statement("SELECT user_id FROM account WHERE issuer = ? AND subject = ?")
        try query.bind(account.issuer)
        try query.bind(account.subject)
        guard try query.step() else {
            // The account may have been unlinked or purged in between.
            throw connection.hasOtherWriters ? connection.startAgain() : .emptyValue(table: "account", key: account.description)
        }
        guard let user = query.identifier(0, as: UserID.self) else {
            throw .corruptRow(table: "account", key: account.description)
        }
        return user
    }

    private static func insert(
        _ opening: SessionOpening, of user: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var session = try connection.statement(
            """
            INSERT INTO session (user_id, session_id, issuer, subject, token_hash, create_time, expire_time,
                device_id, device_name, device_platform)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try session.bind(user)
        try session.bind(opening.id)
        try session.bind(opening.account.issuer)
        try session.bind(opening.account.subject)
        try session.bind(opening.tokenHash.bytes)
        try session.bind(opening.createTime)
        try session.bind(opening.expireTime)
        for text in [opening.device?.id, opening.device?.name, opening.device?.platform] { try session.bind(orNull: text) }
        try session.run()
        var token = try connection.statement(
            "INSERT INTO session_token (token_hash, user_id, session_id) VALUES (?, ?, ?)")
        try token.bind(opening.tokenHash.bytes)
        try token.bind(user)
        try token.bind(opening.id)
        try token.run()
    }

    /// Ends the session that a repeated sign-in opened before.
    ///
    /// A client repeats a sign-in because it lost the answer. Without the answer it has no token, so it cannot have ended the session. If the session
    /// has ended, somebody else repeats the sign-in, or somebody has ended the session on purpose.
    /// - Throws: `idTokenRefused(.replayed)` if the user has no such session, or it has expired.
    private static func closeFormer(
        _ former: SessionID, of user: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        guard try closeSession(former, of: user, at: time, connection) else { throw .idTokenRefused(.replayed) }
    }

    /// Ends the oldest sessions beyond `limit`. The new one stays, even if the clock was ahead when others were opened.
    private static func closeOldest(
        of user: UserID, keeping limit: Int, _ new: SessionID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [SessionID] {
        var surplus: [SessionID] = []
        do {
            var statement = try connection.statement(
                """
                SELECT session_id FROM session WHERE user_id = ? AND session_id <> ?
                ORDER BY create_time DESC, session_id DESC LIMIT 1000 OFFSET ?
                """)
            try statement.bind(user)
            try statement.bind(new)
            try statement.bind(Int64(max(limit - 1, 0)))
            while try statement.step() {
                guard let id = statement.identifier(0, as: SessionID.self) else {
                    throw RepositoryError.corruptRow(table: "session", key: "\(user) \(statement.key(0))")
                }
                surplus.append(id)
            }
        }
        for id in surplus { _ = try closeSession(id, of: user, connection) }
        return surplus
    }

    /// Ends one session of a user.
    /// - Returns: `false` if they have no such session, or it had expired at `time`.
    private static func closeSession(
        _ id: SessionID, of user: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Bool {
        var query = try connection.statement("SELECT 1 FROM session WHERE user_id = ? AND session_id = ? AND expire_time > ?")
        try query.bind(user)
        try query.bind(id)
        try query.bind(time)
        let isOpen = try query.step()
        return try closeSession(id, of: user, connection) && isOpen
    }

    static func closeSession(
        _ id: SessionID, of user: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Bool {
        connection.outdate(user)
        // The token goes first, because the session names it.
        for sql in [
            """
            DELETE FROM session_token WHERE token_hash IN (
                SELECT token_hash FROM session WHERE user_id = ? AND session_id = ?)
            """,
            "DELETE FROM session WHERE user_id = ? AND session_id = ?",
        ] {
            var statement = try connection.statement(sql)
            try statement.bind(user)
            try statement.bind(id)
            try statement.run()
        }
        return connection.changes == 1
    }

    /// Checks that a session has not ended. A write that has waited in the queue may come after a purge of its user. What it makes then would
    /// belong to nobody.
    /// - Parameter session: `nil` for a program that has no sessions.
    /// - Throws: `notAuthenticated`.
    static func require(_ session: SessionID?, of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        guard let session else { return }
        var statement = try connection.statement("SELECT 1 FROM session WHERE user_id = ? AND session_id = ?")
        try statement.bind(user)
        try statement.bind(session)
        guard try statement.step() else { throw .notAuthenticated }
    }

    static func closeSessions(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        connection.outdate(user)
        for sql in [
            "DELETE FROM session_token WHERE token_hash IN (SELECT token_hash FROM session WHERE user_id = ?)",
            "DELETE FROM session WHERE user_id = ?",
        ] {
            var statement = try connection.statement(sql)
            try statement.bind(user)
            try statement.run()
        }
    }

    // MARK: Reading

    private static let sessionByToken = Query(
        """
        SELECT t.user_id, t.session_id, \(SessionRecord.columns)
        FROM session_token t
        LEFT JOIN session s ON s.user_id = t.user_id AND s.session_id = t.session_id
        WHERE t.token_hash = ?
        """)

    public func session(tokenHash: TokenHash, for source: CallSource) async throws(RepositoryError) -> Session? {
        try await readToken(for: source) { connection throws(RepositoryError) in
            var statement = try connection.statement(Self.sessionByToken)
            try statement.bind(tokenHash.bytes)
            guard try statement.step() else { return nil }
            guard !statement.isNull(2) else {
                throw .emptyValue(table: "session", key: "\(statement.key(0)) \(statement.key(1))")
            }
            return try SessionRecord.model(row: statement, first: 2)
        }
    }

    public func sessions(of userID: UserID, endingAfter time: Timestamp) async throws(RepositoryError) -> [Session] {
        try await readLong(of: userID) { connection throws(RepositoryError) in
            var statement = try connection.statement(
                """
                SELECT \(SessionRecord.columns) FROM session s WHERE s.user_id = ? AND s.expire_time > ?
                ORDER BY s.create_time DESC, s.session_id DESC
                """)
            try statement.bind(userID)
            try statement.bind(time)
            var sessions: [Session] = []
            while try statement.step() {
                sessions.append(try SessionRecord.model(row: statement))
            }
            return sessions
        }
    }
}

/// A stored session. `Session` is its form in the domain (B11). The token's hash stays in the store.
private struct SessionRecord: Hashable, Sendable {
    var userID: UserID
    var sessionID: SessionID
    var issuer: String
    var subject: String
    var createTime: Timestamp
    var expireTime: Timestamp
    var device: Device?

    /// The columns that `init(row:)` reads, of a table named or aliased `s`.
    static let columns = "s.user_id, s.session_id, s.issuer, s.subject, s.create_time, s.expire_time, s.device_id, s.device_name, s.device_platform"

    /// `nil` if a column is invalid.
    init?(row: borrowing SQLStatement, first: CInt = 0) {
        guard
            let userID = row.identifier(first, as: UserID.self),
            let sessionID = row.identifier(first + 1, as: SessionID.self), let issuer = row.text(first + 2),
            let subject = row.text(first + 3), let createTime = row.time(first + 4), let expireTime = row.time(first + 5)
        else { return nil }
        self.userID = userID
        self.sessionID = sessionID
        self.issuer = issuer
        self.subject = subject
        self.createTime = createTime
        self.expireTime = expireTime
        guard !row.isNull(first + 6) else { return }
        guard let id = row.text(first + 6), let name = row.text(first + 7), let platform = row.text(first + 8) else { return nil }
        device = Device(storedID: id, name: name, platform: platform)
    }

    func model() -> Session {
        Session(
            id: sessionID, userID: userID, account: AccountID(issuer: issuer, subject: subject), device: device, createTime: createTime,
            expireTime: expireTime)
    }

    /// The stored row as a session.
    /// - Throws: `corruptRow`, naming the row, when it cannot be read.
    static func model(row: borrowing SQLStatement, first: CInt = 0) throws(RepositoryError) -> Session {
        guard let record = SessionRecord(row: row, first: first) else {
            throw .corruptRow(table: "session", key: "\(row.key(first)) \(row.key(first + 1))")
        }
        return record.model()
    }
}
