/// A signed-in device: known by its id, proved by its token (which is kept nowhere but with its owner).
public struct Session: Hashable, Sendable {
    public let id: SessionID
    public let userID: UserID
    /// The account that signed in.
    public let account: AccountID
    public let createTime: Timestamp
    /// When the session expires. From this instant on it counts as absent.
    public let expireTime: Timestamp

    public init(id: SessionID, userID: UserID, account: AccountID, createTime: Timestamp, expireTime: Timestamp) {
        self.id = id
        self.userID = userID
        self.account = account
        self.createTime = createTime
        self.expireTime = expireTime
    }
}

/// The SHA-256 of a session token: all that a store ever sees of it, 32 bytes.
public struct TokenHash: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Takes exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}
