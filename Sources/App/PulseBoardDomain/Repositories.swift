/// Stores profiles. It is the only boundary between stored profiles and the domain (B1, B10).
///
/// Reads name the user who reads, the `viewer`, so that a store can show a profile to some users only. Today every store shows the same to everybody.
///
/// A user's names are the present one, former ones that are held, and reserved ones: ``UsernamePolicy`` says for how long. For others these names
/// and their look-alikes are taken (C12).
///
/// Every write may carry an idempotency key: a retry then gets the first result. A write returns only after it is
/// durable. Every method throws `storeUnavailable` when the store fails, and `corruptRow` or `emptyValue` for a row
/// that it cannot read (X17, B12); it never leaves a row out.
public protocol ProfileRepository: Sendable {
    /// Reads a profile.
    /// - Throws: `userNotFound`; `withdrawing` for the viewer's own profile if they have asked to leave.
    func profile(of id: UserID, viewer: UserID) async throws(RepositoryError) -> Profile

    /// Reads the profile whose username has this key.
    /// - Throws: `userNotFound`.
    func profile(usernameKey: String, viewer: UserID) async throws(RepositoryError) -> Profile

    /// Reads many profiles; users without one are absent from the result.
    func profiles(of ids: [UserID], viewer: UserID) async throws(RepositoryError) -> [UserID: Profile]

    /// Checks whether a user could take a name now. It does not reserve the name.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`.
    func checkUsername(_ name: Username, for id: UserID, at time: Timestamp) async throws(RepositoryError)

    /// Reserves a name for a user for ``UsernamePolicy/leaseLifetime``. A user has one reserved name: the one before becomes free.
    /// - Parameter session: the session that asks. If it has ended by now, such as by a purge of the user, nothing is written. `nil` for a program
    ///   that has no sessions.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`, `notAuthenticated`.
    func reserveUsername(
        _ name: Username, for id: UserID, in session: SessionID?, at time: Timestamp
    ) async throws(RepositoryError) -> UsernameLease

    /// Reads a user's names: the present one first, then former ones that are held, then the reserved one. There are at most
    /// ``UsernamePolicy/heldNamesPerUser`` held ones.
    func usernames(of id: UserID) async throws(RepositoryError) -> [ClaimedUsername]

    /// Creates a profile. If two users race for one username, or for two that look alike, exactly one wins (X11, C11). An existing
    /// profile is never overwritten (X4).
    /// - Parameter session: as in ``reserveUsername(_:for:in:at:)``.
    /// - Throws: `profileExists`, `usernameDuplicated`, `usernameConfusable`, `imageNotStaged`, `requestIDReused`, `notAuthenticated`.
    func createProfile(
        _ draft: ProfileDraft, for id: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile

    /// Changes some fields of a profile; never creates one (X5).
    /// - Parameters:
    ///   - etag: when given, the change is made only if it is the profile's etag (X6).
    ///   - session: as in ``reserveUsername(_:for:in:at:)``. A repeated request gets its first result in any session.
    /// - Throws: `profileRequired` when there is none, `etagMismatch`, `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`,
    ///   `imageNotStaged`, `requestIDReused`, `notAuthenticated`.
    func updateProfile(
        of id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, in session: SessionID?, at time: Timestamp,
        idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile

    /// Removes at once a user's profile, username, sessions, remembered requests and follows in both directions (B6, X7). The account stays: its
    /// owner deletes it.
    ///
    /// Once this is durable, the user is gone for every reader, and from lists and counts. A store may take time to remove the rows of many follows
    /// and to write the other sides' events. Damaged rows do not stop it.
    /// - Parameter session: as in ``reserveUsername(_:for:in:at:)``. A repeated request gets its first result in any session.
    /// - Throws: `profileRequired` when there is no profile, `requestIDReused`, `notAuthenticated`.
    func deleteProfile(of id: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?) async throws(RepositoryError)

    /// Finds profiles by name. Each comes once, in the order of the search's ranges, and within a range in the order of the matching name's
    /// UTF-8 bytes. A search over a range with gaps may return fewer and say where to continue, so that no call takes long.
    func searchProfiles(
        _ search: NameSearch, viewer: UserID, after cursor: SearchCursor?, limit: Int
    ) async throws(RepositoryError) -> SearchMatches
}

extension ProfileRepository {
    /// Reserves a name for a user, for a program that has no sessions.
    public func reserveUsername(_ name: Username, for id: UserID, at time: Timestamp) async throws(RepositoryError) -> UsernameLease {
        try await reserveUsername(name, for: id, in: nil, at: time)
    }

    /// Creates a profile, for a program that has no sessions.
    public func createProfile(
        _ draft: ProfileDraft, for id: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        try await createProfile(draft, for: id, in: nil, at: time, idempotency: idempotency)
    }

    /// Changes a profile, for a program that has no sessions.
    public func updateProfile(
        of id: UserID, _ change: ProfileChange, ifMatches etag: Etag?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Profile {
        try await updateProfile(of: id, change, ifMatches: etag, in: nil, at: time, idempotency: idempotency)
    }

    /// Removes a profile, for a program that has no sessions.
    public func deleteProfile(of id: UserID, at time: Timestamp, idempotency: IdempotencyKey?) async throws(RepositoryError) {
        try await deleteProfile(of: id, in: nil, at: time, idempotency: idempotency)
    }
}

/// The results of a search.
public struct SearchMatches: Hashable, Sendable {
    public var matches: [SearchMatch]
    /// Where to continue, if the search stopped early with more to look at.
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

    /// The place before all profiles that a term finds.
    public init(before term: String) { self.init(term: term, userID: UserID(bits: UUIDBits(high: 0, low: 0))) }
}

/// Stores follows: at most one per pair, none of oneself, and both sides have a profile (X18, X19). Reads name the viewer, as
/// those of ``ProfileRepository`` do. A write in a session that has ended meanwhile is refused. A repeated request gets its first result in any
/// session.
public protocol FollowRepository: Sendable {
    /// Makes `follower` follow `target`. If they do already, nothing changes, not even the follow's time.
    /// - Throws: `userNotFound` when the target has no profile, `profileRequired` when the follower has none (B15, X19), `selfFollow`,
    ///   `requestIDReused`, `notAuthenticated`.
    func follow(
        _ target: UserID, by follower: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship

    /// Ends a follow. If there is none, nothing changes.
    /// - Throws: `userNotFound` when the target has no profile, `withdrawing` when the one who ends it has asked to leave, `requestIDReused`,
    ///   `notAuthenticated`.
    func unfollow(
        _ target: UserID, by follower: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship

    /// Removes `follower` from the owner's followers, at the owner's request.
    /// - Returns: the owner's relationship to the former follower.
    /// - Throws: `userNotFound` when the follower has no profile, `withdrawing` when the one who ends it has asked to leave, `requestIDReused`,
    ///   `notAuthenticated`.
    func removeFollower(
        _ follower: UserID, of owner: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship

    /// Reads the viewer's relationship to each of `targets`. Users without a profile are absent from the result.
    /// - Throws: `withdrawing` when the viewer has asked to leave.
    func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship]

    /// Who follows `userID`, newest first.
    /// - Throws: `userNotFound`; for the viewer's own list `profileRequired` or `withdrawing`.
    func followers(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry
    ) async throws(RepositoryError) -> FollowEntries

    /// Whom `userID` follows, newest first.
    /// - Throws: as ``followers(of:viewer:after:limit:last:)``.
    func following(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry
    ) async throws(RepositoryError) -> FollowEntries

    /// - Throws: as ``followers(of:viewer:after:limit:last:)``.
    func counts(of userID: UserID, viewer: UserID) async throws(RepositoryError) -> FollowCounts
}

extension FollowRepository {
    /// Makes a user follow another, for a program that has no sessions.
    public func follow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        try await follow(target, by: follower, in: nil, at: time, idempotency: idempotency)
    }

    /// Ends a follow, for a program that has no sessions.
    public func unfollow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        try await unfollow(target, by: follower, in: nil, at: time, idempotency: idempotency)
    }

    /// Removes a follower, for a program that has no sessions.
    public func removeFollower(
        _ follower: UserID, of owner: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        try await removeFollower(follower, of: owner, in: nil, at: time, idempotency: idempotency)
    }
}

/// What the last entry of a full page is for.
public enum LastEntry: Sendable {
    /// It is an entry of the page.
    case listed
    /// It only proves that the list goes on. If several have its time, it may be any of them, so that the store reads fewer rows.
    case proof
}

/// Some entries of a list of follows.
public struct FollowEntries: Hashable, Sendable {
    public var entries: [FollowListEntry]
    /// Where to continue, if the store has stopped early because it met many users who are leaving. There may be no entries then.
    public var continuation: FollowCursor?

    public init(_ entries: [FollowListEntry] = [], continuation: FollowCursor? = nil) {
        self.entries = entries
        self.continuation = continuation
    }
}

extension FollowRepository {
    /// Who follows `userID`, newest first. It reads until there are `limit` entries or the list ends.
    /// - Throws: as ``followers(of:viewer:after:limit:last:)``.
    public func followers(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await entries(after: cursor, limit: limit) { cursor, limit async throws(RepositoryError) in
            try await followers(of: userID, viewer: viewer, after: cursor, limit: limit, last: .listed)
        }
    }

    /// Whom `userID` follows, newest first. It reads until there are `limit` entries or the list ends.
    /// - Throws: as ``followers(of:viewer:after:limit:last:)``.
    public func following(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await entries(after: cursor, limit: limit) { cursor, limit async throws(RepositoryError) in
            try await following(of: userID, viewer: viewer, after: cursor, limit: limit, last: .listed)
        }
    }

    private func entries(
        after cursor: FollowCursor?, limit: Int,
        _ read: (FollowCursor?, Int) async throws(RepositoryError) -> FollowEntries
    ) async throws(RepositoryError) -> [FollowListEntry] {
        var part = try await read(cursor, limit)
        var entries = part.entries
        while entries.count < limit, let cursor = part.continuation {
            part = try await read(cursor, limit - entries.count)
            entries += part.entries
        }
        return entries
    }
}

/// Stores recent changes of each user's follows, so that a client that was away can catch up.
///
/// Events are kept only for users whose events somebody has asked for. Every write that makes or ends a follow appends one
/// event for each such side in the same transaction. A write that changes nothing, and a retry, append none. A withdrawal
/// appends events for the other sides and removes the user's own.
public protocol FollowEventRepository: Sendable {
    /// Keeps a user's events from now on for `FollowEventRetention.lease`. Another call within that time extends it.
    /// - Returns: the place after the user's newest event.
    /// - Throws: `profileRequired` when the user has no profile.
    func keepFollowEvents(of owner: UserID, at now: Timestamp) async throws(RepositoryError) -> FollowEventPosition

    /// Calls `tell` when the store has ended follows by itself: it removes the follows of a removed user in steps. Each call names the users who have
    /// new events.
    func onFollowsEnded(_ tell: @escaping @Sendable ([UserID]) -> Void)

    /// Reads all kept events of a user after a position, oldest first; `nil` begins with the oldest. Forgotten events are left out without an error,
    /// so it suits an export but not a watch.
    func keptFollowEvents(
        of owner: UserID, after position: FollowEventPosition?, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent]

    /// Reads a user's events after a position, oldest first.
    ///
    /// - Parameter now: decides which events are too old.
    /// - Throws: `profileRequired` when the user has no profile; `eventsForgotten` when an event after the position was forgotten or not kept, or
    ///   when this store cannot have given the position.
    func followEvents(
        of owner: UserID, after position: FollowEventPosition, at now: Timestamp, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent]
}

/// Stores accounts and sessions.
public protocol SessionRepository: Sendable {
    /// Opens a session for an account. The first sign-in creates the account.
    ///
    /// If an ID token proves the account, its use is recorded in the same transaction: of two sign-ins that race with one token, one succeeds
    /// (C3). The same token with the same request id ends the session that it opened first and opens another (C4). It is refused if that session
    /// has ended or expired by the new session's `createTime`.
    ///
    /// - Parameters:
    ///   - opening: the session to open.
    ///   - newUserID: the user of a new account.
    ///   - limit: the maximum number of a user's sessions. The oldest ones beyond it end.
    ///   - willEnd: called with the ending sessions before their end is durable, on a thread of the store. It may be called more than once,
    ///     and also when the write then fails. Must not wait.
    /// - Throws: `idTokenRefused` with `nonce` or `replayed`.
    func openSession(
        _ opening: SessionOpening, newUserID: UserID, limit: Int, willEnd: @escaping @Sendable ([SessionID]) -> Void
    ) async throws(RepositoryError) -> OpenedSession

    /// Reads the session whose token has this hash, expired or not; `nil` if there is none.
    /// - Parameter source: where the call with the token comes from. A client can send as many unknown tokens as it likes, so the reads of
    ///   one source must not keep those of others waiting.
    func session(tokenHash: TokenHash, for source: CallSource) async throws(RepositoryError) -> Session?

    /// Reads a user's sessions that end after `time`, newest first.
    func sessions(of userID: UserID, endingAfter time: Timestamp) async throws(RepositoryError) -> [Session]

    /// Ends one session of a user. Returns `false` when they have no such session, or it had expired at `time`.
    func closeSession(_ id: SessionID, of userID: UserID, at time: Timestamp) async throws(RepositoryError) -> Bool

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
    /// Until when the user may come back; `nil` if they have not asked to leave.
    public let purgeTime: Timestamp?
    /// Older sessions that it replaced, or that ended to make room for it.
    public let ended: [SessionID]

    public init(session: Session, hasProfile: Bool, purgeTime: Timestamp? = nil, ended: [SessionID]) {
        self.session = session
        self.hasProfile = hasProfile
        self.purgeTime = purgeTime
        self.ended = ended
    }
}

/// Stores which users have asked to leave. They are hidden, and may come back until their data is purged.
public protocol WithdrawalRepository: Sendable {
    /// Hides a user from everybody and ends their sessions. Their follows stay stored, and the counts of others do not change. If called again, the
    /// first call's times stay.
    ///
    /// A user without a profile may ask too.
    /// - Parameter session: the session that asks. If it has ended by now, and the user is not leaving already, nothing is written. `nil` for a
    ///   program that has no sessions.
    /// - Returns: until when the user may come back, at least.
    /// - Throws: `notAuthenticated`; `corruptRow` for a profile that cannot be read: it could not be restored.
    func requestWithdrawal(
        of id: UserID, in session: SessionID?, at time: Timestamp, purging purgeTime: Timestamp
    ) async throws(RepositoryError) -> Timestamp

    /// Restores a user: profile, username, picture, and every follow with its time (C23). It works until the purge, which may come later than
    /// `purgeTime`.
    /// - Parameter session: as in ``ProfileRepository/reserveUsername(_:for:in:at:)``.
    /// - Throws: `notWithdrawing`, `notAuthenticated`.
    func cancelWithdrawal(of id: UserID, in session: SessionID?) async throws(RepositoryError)

    /// Returns users whose time is over, in the order in which they asked. Empty while the store does not trust its clock.
    func dueWithdrawals(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [UserID]

    /// Removes all data of a user whose time is over, with the account (B6). Once this is durable, only others' follow events name the user, until
    /// those expire (C24). A store may take time to remove the rows of many follows.
    /// - Throws: `notWithdrawing` when the user has come back; `cancelled` when the task is cancelled between two steps of the removal. Another call
    ///   does the rest.
    func purge(_ id: UserID, at time: Timestamp) async throws(RepositoryError)
}

extension WithdrawalRepository {
    /// Hides a user who leaves, for a program that has no sessions.
    public func requestWithdrawal(of id: UserID, at time: Timestamp, purging purgeTime: Timestamp) async throws(RepositoryError) -> Timestamp {
        try await requestWithdrawal(of: id, in: nil, at: time, purging: purgeTime)
    }

    /// Restores a user who leaves, for a program that has no sessions.
    public func cancelWithdrawal(of id: UserID) async throws(RepositoryError) { try await cancelWithdrawal(of: id, in: nil) }
}

/// Stores secrets of the deployment. They survive restarts, and everyone who opens the store shares them.
public protocol SecretRepository: Sendable {
    /// Reads the secret of this name. If there is none, it stores and returns `candidate`.
    func secret(named name: String, orStore candidate: [UInt8]) async throws(RepositoryError) -> [UInt8]
}

/// Everything the services need of a store.
public protocol PulseBoardStore:
    ProfileRepository, WithdrawalRepository, FollowRepository, FollowEventRepository, SessionRepository, IdentityRepository, SecretRepository,
    ImageRepository, DiaryStore
{}
