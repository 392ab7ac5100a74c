import PulseBoardDomain

/// A session as it is stored; `Session` is what it means (B11). The token's hash stays in the store.
struct SessionRecord: Hashable, Sendable {
    var userID: UserID
    var sessionID: SessionID
    var issuer: String
    var subject: String
    var createTime: Timestamp
    var expireTime: Timestamp

    /// The columns `init(row:)` reads, of a table named or aliased `s`.
    static let columns = "s.user_id, s.session_id, s.issuer, s.subject, s.create_time, s.expire_time"

    /// `nil` when a column cannot be what it should.
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
    }

    func model() -> Session {
        Session(
            id: sessionID, userID: userID, account: AccountID(issuer: issuer, subject: subject), createTime: createTime,
            expireTime: expireTime)
    }

    /// The stored row as a session. - Throws: `corruptRow`, naming the row, when it cannot be read.
    static func model(row: borrowing SQLStatement, first: CInt = 0) throws(RepositoryError) -> Session {
        guard let record = SessionRecord(row: row, first: first) else {
            throw .corruptRow(table: "session", key: "\(row.key(first)) \(row.key(first + 1))")
        }
        return record.model()
    }
}
