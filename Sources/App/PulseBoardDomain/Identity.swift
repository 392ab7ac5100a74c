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
    /// - Parameter session: the session that asks; `nil` for a program that has no sessions.
    /// - Throws: `identityInUse`, `identityLimit`, `idTokenRefused` with `nonce` or `replayed`, `requestIDReused`; `notAuthenticated` when the
    ///   session has ended, or the user has no identity, such as after a purge.
    func linkIdentity(
        _ account: AccountID, to userID: UserID, in session: SessionID?, provedBy use: IDTokenUse, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Identity

    /// Takes an identity from a user, and ends the sessions that it opened.
    ///
    /// - Parameters:
    ///   - kept: the session that asks. It stays, whichever identity opened it.
    ///   - willEnd: as in ``SessionRepository/openSession(_:newUserID:limit:willEnd:)``.
    /// - Returns: the sessions that ended.
    /// - Throws: `identityNotFound`, `identityLast`, `requestIDReused`; `notAuthenticated` when the session that asks has ended.
    func unlinkIdentity(
        _ account: AccountID, from userID: UserID, keeping kept: SessionID, at time: Timestamp, idempotency: IdempotencyKey?,
        willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> [SessionID]
}

/// An identity as others know it: an issuer and a subject, written `issuer:subject`.
///
/// Sign-in proves the pair. Everything else is stored under the `UserID`. `unix:1000` is the account of Unix uid 1000, and `account:kim` is a
/// named account of this server. Other issuers are OpenID Connect providers.
///
/// Two identities are equal if their bytes are: the store compares bytes, and Swift's `==` of texts is true for other spellings of the same letters.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    /// Who proves the identity: `unix`, `account`, or the issuer of ID tokens.
    public let issuer: String
    /// The identity, as its issuer names it.
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// The account that belongs to a Unix uid, as the kernel proves it.
    public static func unix(uid: UInt32) -> AccountID {
        AccountID(issuer: "unix", subject: String(uid))
    }

    /// Longest name of a named account, in UTF-8 bytes.
    public static let maximumNameBytes = 64

    /// A named account. The name is 1…64 UTF-8 bytes of NFC text without control characters or white space.
    ///
    /// - Throws: `ValidationError` for the field `account`.
    public static func named(_ name: String) throws(ValidationError) -> AccountID {
        let invalid = ValidationError(field: "account", reason: .accountNameInvalid, limit: maximumNameBytes)
        guard name.mayCompose(within: maximumNameBytes) else { throw invalid }
        let normalized = name.normalizedNFC
        guard !normalized.isEmpty, normalized.utf8.count <= maximumNameBytes,
            normalized.unicodeScalars.allSatisfy({ !$0.isControl && !$0.properties.isWhitespace })
        else { throw invalid }
        return AccountID(issuer: "account", subject: normalized)
    }

    public var description: String { "\(issuer):\(subject)" }

    public static func == (one: AccountID, other: AccountID) -> Bool {
        one.issuer.hasSameBytes(as: other.issuer) && one.subject.hasSameBytes(as: other.subject)
    }

    public func hash(into hasher: inout Hasher) {
        for text in [issuer, subject] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
