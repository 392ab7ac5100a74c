/// One of the ways in which a user signs in.
public struct Identity: Hashable, Sendable {
    /// The maximum number of identities of a user.
    public static let maximumCount = 10

    public let account: AccountID
    /// When it first signed in, or was linked.
    public let createTime: Timestamp

    public init(account: AccountID, createTime: Timestamp) {
        self.account = account
        self.createTime = createTime
    }
}

/// Stores which identities belong to a user. An identity belongs to one user, and a user has at least one. Signing in with a new identity
/// creates its user (``SessionRepository``); linking adds it to an existing user.
public protocol IdentityRepository: Sendable {
    /// A user's identities, oldest first. At most ``Identity/maximumCount``.
    func identities(of userID: UserID) async throws(RepositoryError) -> [Identity]

    /// Links an identity to a user and records the use of the token that proves it, in one transaction. An identity that the user has already
    /// stays as it is.
    /// - Throws: `identityInUse`, `identityLimit`, `idTokenRefused` with `nonce` or `replayed`, `requestIDReused`.
    func linkIdentity(
        _ account: AccountID, to userID: UserID, provedBy use: IDTokenUse, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Identity

    /// Takes an identity from a user, and ends the sessions that it opened.
    ///
    /// - Parameters:
    ///   - kept: the session that stays, whichever identity opened it.
    ///   - willEnd: as in ``SessionRepository/openSession(_:newUserID:limit:willEnd:)``.
    /// - Returns: the sessions that ended.
    /// - Throws: `identityNotFound`, `identityLast`, `requestIDReused`.
    func unlinkIdentity(
        _ account: AccountID, from userID: UserID, keeping kept: SessionID, at time: Timestamp, idempotency: IdempotencyKey?,
        willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> [SessionID]
}
