/// The only boundary between stored profiles and the domain (B1, B10).
///
/// Reads say who looks, the `viewer`: what is there for one user need not be there for another. Today every store shows everybody the same.
///
/// A user's name is theirs, kept for them after they gave it up, or reserved by them: ``UsernamePolicy`` says how long. To others such a name and
/// all that look like it are taken (C12).
///
/// Every write may carry an idempotency key: a retry is then answered with the first result. A write returns only after
/// the store has made it durable. Every method throws `storeUnavailable` when the store fails, and `corruptRow` or
/// `emptyValue` rather than leaving out what it cannot read (X17, B12).
public protocol UserRepository: Sendable {
    /// Reads a profile. - Throws: `userNotFound`; `withdrawing` instead for the viewer's own who has asked to leave.
    func profile(of id: UserID, viewer: UserID) async throws(RepositoryError) -> Profile

    /// Reads the profile whose username has this key. - Throws: `userNotFound`.
    func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile

    /// Reads many profiles; users without one are absent from the result.
    func profiles(of ids: [UserID], viewer: UserID) async throws(RepositoryError) -> [UserID: Profile]

    /// Says whether a user could take a name now; it promises nothing.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`.
    func checkUsername(_ name: Username, for id: UserID, at time: Timestamp) async throws(RepositoryError)

    /// Keeps a name for a user for ``UsernamePolicy/leaseLifetime``. A user has one such name: the one before becomes free.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`.
    func reserveUsername(_ name: Username, for id: UserID, at time: Timestamp) async throws(RepositoryError) -> UsernameLease

    /// Creates a profile; of two racing for one username, or for two that look alike, exactly one wins (X11, C11), and none is ever
    /// overwritten (X4).
    /// - Throws: `profileExists`, `usernameDuplicated`, `usernameConfusable`, `imageNotStaged`, `requestIDReused`.
    func createProfile(
        _ draft: ProfileDraft, for id: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile

    /// Changes some fields of a profile; never creates one (X5).
    /// - Parameter etag: when given, the change is made only if it is the profile's etag (X6).
    /// - Throws: `profileRequired` when there is none, `etagMismatch`, `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`, `imageNotStaged`,
    ///   `requestIDReused`.
    func updateProfile(
        of id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, at time: Timestamp,
        idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile

    /// Removes at once a user's profile, username, sessions, remembered requests and follows in both directions (B6, X7). The account stays: its owner
    /// deletes it.
    ///
    /// Once this is durable, the user is gone for every reader, also from lists and counts. A store may take time to remove the rows of many follows
    /// and to tell the other sides. Damaged rows do not stop it.
    /// - Throws: `profileRequired` when there is no profile, `requestIDReused`.
    func withdraw(_ id: UserID, at time: Timestamp, idempotency: IdempotencyKey?) async throws(RepositoryError)

    /// Profiles whose names a search finds, each once: in the order of the search's ranges, and in a range in that of the matching name (by
    /// UTF-8 bytes). A search whose terms lie scattered may find fewer at a time, and say where to go on, so that none takes long.
    func searchProfiles(
        _ search: NameSearch, viewer: UserID, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> SearchMatches
}

/// What a search has found.
public struct SearchMatches: Hashable, Sendable {
    public var matches: [SearchMatch]
    /// Where to go on, when the search ended before it had found enough or was over.
    public var continuation: SearchCursor?

    public init(_ matches: [SearchMatch] = [], continuation: SearchCursor? = nil) {
        self.matches = matches
        self.continuation = continuation
    }
}

/// A profile found by name, and the position from which the search continues after it.
public struct SearchMatch: Hashable, Sendable {
    public let profile: Profile
    public let cursor: SearchCursor

    public init(profile: Profile, cursor: SearchCursor) {
        self.profile = profile
        self.cursor = cursor
    }
}

/// A place among search results.
public struct SearchCursor: Hashable, Sendable {
    /// The term that matched.
    public let term: String
    public let userID: UserID

    public init(term: String, userID: UserID) {
        self.term = term
        self.userID = userID
    }

    /// The place before everybody whom a term finds.
    public init(before term: String) { self.init(term: term, userID: UserID(bits: UUIDBits(high: 0, low: 0))) }
}

/// Stored follow edges: at most one per pair, no self-edges, both ends with a profile (X18, X19). Reads say who looks, as those of
/// ``UserRepository`` do.
public protocol FollowRepository: Sendable {
    /// Makes `follower` follow `target`; when they already do, nothing changes, the first time included.
    /// - Throws: `userNotFound` when the target has no profile, `profileRequired` when the follower has none (B15, X19), `selfFollow`,
    ///   `requestIDReused`.
    func follow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship

    /// Ends it; when there is nothing to end, nothing changes.
    /// - Throws: `userNotFound` when the target has no profile, `requestIDReused`.
    func unfollow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship

    /// Makes `follower` no longer follow `owner`, on the owner's wish.
    /// - Returns: the owner's relationship to the former follower.
    /// - Throws: `userNotFound` when the follower has no profile, `requestIDReused`.
    func removeFollower(
        _ follower: UserID, of owner: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship

    /// How `viewer` stands to each of `targets`; users without a profile are absent from the result.
    func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship]

    /// Who follows `userID`, newest first. - Throws: `userNotFound`; for the viewer's own list `profileRequired` or `withdrawing`.
    func followers(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry]

    /// Whom `userID` follows, newest first. - Throws: as ``followers(of:viewer:after:limit:)``.
    func following(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry]

    /// - Throws: as ``followers(of:viewer:after:limit:)``.
    func counts(of userID: UserID, viewer: UserID) async throws(RepositoryError) -> FollowCounts
}

/// What has lately happened to each user's follows, so that a client that was away can catch up.
///
/// Events are kept only for users for whom somebody asks, since nobody else has a position to read from. Every write that
/// makes or ends an edge then appends one event for either side in the same transaction; a write that changes nothing, and the
/// retry of one that is remembered, appends none. Withdrawal tells the other sides and removes the withdrawn user's own
/// events.
public protocol FollowEventRepository: Sendable {
    /// Keeps a user's events from now on for `FollowEventRetention.lease`, and longer when asked again by then.
    /// - Returns: the place after the user's newest event.
    /// - Throws: `profileRequired` when the user has no profile.
    func keepFollowEvents(of owner: UserID, at now: Timestamp) async throws(RepositoryError) -> FollowEventPosition

    /// Calls `tell` when follows have ended without a call: a withdrawn user's follows are removed in steps.
    func onFollowsEnded(_ tell: @escaping @Sendable () -> Void)

    /// All kept events of a user after a position, oldest first; from the oldest one for `nil`. What was forgotten is left out: this is for a copy of
    /// what there is, and for nobody who follows it.
    func keptFollowEvents(
        of owner: UserID, after position: FollowEventPosition?, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent]

    /// A user's events after a position, oldest first.
    ///
    /// - Parameter now: decides what has become too old.
    /// - Throws: `profileRequired` when the user has no profile, and `eventsForgotten` rather than leaving a gap: when an event after the position has been
    ///   forgotten or was not kept, and for a position this store cannot have given.
    func followEvents(
        of owner: UserID, after position: FollowEventPosition, at now: Timestamp, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent]
}

/// Stored accounts and sessions.
public protocol SessionRepository: Sendable {
    /// Opens a session for an account, making the account when it signs in for the first time.
    ///
    /// If an ID token proves the account, its use is noted in the same transaction: of two that race with one token one opens a session (C3). The
    /// same token again under the same request id ends the session that it opened first, and opens another (C4).
    ///
    /// - Parameters:
    ///   - opening: the session to be.
    ///   - newUserID: the user the account becomes when it is new.
    ///   - limit: most sessions a user keeps; the oldest beyond it end.
    ///   - willEnd: called with those sessions before their end is durable, on a thread of the store's and perhaps more than once, or in vain.
    ///     Must not wait.
    /// - Throws: `idTokenRefused` with `nonce` or `replayed`.
    func openSession(
        _ opening: SessionOpening, newUserID: UserID, limit: Int, willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> OpenedSession

    /// The session whose token has this hash, expired or not, or `nil`.
    func session(tokenHash: TokenHash) async throws(RepositoryError) -> Session?

    /// A user's sessions that end after `time`, newest first.
    func sessions(of userID: UserID, endingAfter time: Timestamp) async throws(RepositoryError) -> [Session]

    /// Ends one session of a user; `false` when they have no such session.
    func closeSession(_ id: SessionID, of userID: UserID) async throws(RepositoryError) -> Bool

    /// Ends all sessions of a user.
    func closeSessions(of userID: UserID) async throws(RepositoryError)
}

extension SessionRepository {
    /// Opens a session, for callers that need not know which other sessions it ends.
    public func openSession(
        _ opening: SessionOpening, newUserID: UserID, limit: Int
    ) async throws(RepositoryError) -> OpenedSession {
        try await openSession(opening, newUserID: newUserID, limit: limit) { _ in }
    }
}

/// A session that is to be opened.
public struct SessionOpening: Hashable, Sendable {
    public let id: SessionID
    public let account: AccountID
    /// The device that signs in; `nil` when it did not say.
    public let device: Device?
    public let tokenHash: TokenHash
    public let createTime: Timestamp
    public let expireTime: Timestamp
    /// The use of the ID token that proves the account; `nil` when something else does.
    public let idToken: IDTokenUse?

    public init(
        id: SessionID, account: AccountID, device: Device? = nil, tokenHash: TokenHash, createTime: Timestamp, expireTime: Timestamp,
        idToken: IDTokenUse? = nil
    ) {
        self.id = id
        self.account = account
        self.device = device
        self.tokenHash = tokenHash
        self.createTime = createTime
        self.expireTime = expireTime
        self.idToken = idToken
    }
}

/// A session that was opened.
public struct OpenedSession: Hashable, Sendable {
    public let session: Session
    /// Whether the user has a profile.
    public let hasProfile: Bool
    /// Until when the user may come back; `nil` unless they have asked to leave.
    public let purgeTime: Timestamp?
    /// Older sessions that ended to make room for it, or because it takes their place.
    public let ended: [SessionID]

    public init(session: Session, hasProfile: Bool, purgeTime: Timestamp? = nil, ended: [SessionID]) {
        self.session = session
        self.hasProfile = hasProfile
        self.purgeTime = purgeTime
        self.ended = ended
    }
}

/// Users who have asked to leave. Until their data is purged they are hidden, and may come back.
public protocol WithdrawalRepository: Sendable {
    /// Hides a user from everybody, and ends their sessions. Their follows stay, and so do the counts of others. Asked again, the first time counts.
    ///
    /// A user without a profile may ask too.
    /// - Returns: until when the user may come back.
    /// - Throws: `corruptRow` for a profile that cannot be read: it could not be restored.
    func requestWithdrawal(of id: UserID, at time: Timestamp, purging purgeTime: Timestamp) async throws(RepositoryError) -> Timestamp

    /// Brings a user back as they were: profile, username, picture, and every follow with its time (C23). - Throws: `notWithdrawing`.
    func cancelWithdrawal(of id: UserID) async throws(RepositoryError)

    /// Users whose time is over, those first who asked first. Empty while the store does not believe its clock.
    func dueWithdrawals(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [UserID]

    /// Removes everything of a user whose time is over, and the account too (B6). Once this is durable nothing but others' events of follows names
    /// the user, for as long as those are kept (C24). A store may take time to remove the rows of many follows.
    /// - Throws: `notWithdrawing` when the user has come back.
    func purge(_ id: UserID, at time: Timestamp) async throws(RepositoryError)
}

/// Secrets of the deployment that outlive a restart and are shared by everyone who opens the store.
public protocol SecretRepository: Sendable {
    /// The secret of this name. If there is none yet, `candidate` becomes it.
    func secret(named name: String, orStore candidate: [UInt8]) async throws(RepositoryError) -> [UInt8]
}

/// Everything the services need of a store.
public protocol PulseBoardStore:
    UserRepository, WithdrawalRepository, FollowRepository, FollowEventRepository, SessionRepository, IdentityRepository, SecretRepository,
    ImageRepository, DiaryStore
{}
