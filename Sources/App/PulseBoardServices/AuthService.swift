import PulseBoardDomain
import Synchronization

/// Signs users in and out, and authenticates calls. Nothing else does (B2).
///
///     let token = try await services.auth.signIn(peerUID: 1000).token
///     let caller = try await services.auth.authenticate(token)        // before every call
///     try await services.auth.signOut(caller)
public struct AuthService: Sendable {
    private let sessions: any SessionRepository
    private let cache: SessionCache
    private let profiles: ProfileCache
    private let pageTokens: PageTokenSealer
    private let watches: WatchDependencies
    /// Verifies ID tokens.
    let proofs: IDTokenProofs
    private let trustedUIDs: TrustedUIDs
    private let freshness: Freshness
    private let configuration: ServicesConfiguration

    /// The clock of the services.
    package var clock: any WallClock { configuration.clock }

    init(
        sessions: any SessionRepository, cache: SessionCache, profiles: ProfileCache, pageTokens: PageTokenSealer,
        watches: WatchDependencies, proofs: IDTokenProofs, freshness: Freshness, configuration: ServicesConfiguration
    ) {
        self.freshness = freshness
        self.proofs = proofs
        self.sessions = sessions
        self.cache = cache
        self.profiles = profiles
        self.pageTokens = pageTokens
        self.watches = watches
        self.configuration = configuration
        trustedUIDs = TrustedUIDs(configuration.trustedUIDs)
    }

    /// Sets which Unix uids may sign in to named accounts from now on. Open sessions stay open.
    public func setTrustedUIDs(_ uids: Set<UInt32>) { trustedUIDs.replace(by: uids) }

    /// Opens a session for a peer whose Unix uid the kernel reported.
    ///
    /// - Parameters:
    ///   - peerUID: the uid of the process at the other end (`SO_PEERCRED`), never a value from the request.
    ///   - account: empty for the account of that uid, or a named account (1…64 bytes, no white space). Only trusted
    ///     uids may use named accounts.
    ///   - device: the client's device, as it describes it; `nil` if it does not.
    /// - Throws: `accountNotPermitted`, `invalid` (field `account`).
    public func signIn(peerUID: UInt32, account: String = "", device: Device? = nil) async throws(RepositoryError) -> SignedIn {
        let identity: AccountID
        if account.isEmpty {
            identity = .unix(uid: peerUID)
        } else {
            guard trustedUIDs.contains(peerUID) else { throw .accountNotPermitted }
            identity = try validated { () throws(ValidationError) in try AccountID.named(account) }
        }
        return try await openSession(for: identity, on: device)
    }

    /// - Parameter use: the use of the ID token that proves the account; `nil` if something else does.
    func openSession(
        for account: AccountID, on device: Device?, provedBy use: IDTokenUse? = nil
    ) async throws(RepositoryError) -> SignedIn {
        let token = SessionToken.random(using: configuration.random)
        guard let hash = SessionToken.hash(of: token) else {
            preconditionFailure("a token that was just made has the form of a token")
        }
        let now = configuration.clock.now()
        let opening = SessionOpening(
            id: .random(using: configuration.random), account: account, device: device, tokenHash: hash, createTime: now,
            expireTime: now.advanced(by: configuration.sessionLifetime), idToken: use)
        let displaced = DisplacedSessions(cache)
        defer { displaced.end() }
        let opened = try await sessions.openSession(
            opening, newUserID: .random(using: configuration.random), limit: configuration.sessionsPerUser
        ) { displaced.begin($0) }
        watches.hub.announce(opened.ended.map { .session($0) })
        let user = opened.session.userID
        let state: AuthState =
            if let purgeTime = opened.purgeTime {
                .withdrawing(user, purgeTime: purgeTime)
            } else {
                opened.hasProfile ? .ready(user) : .needsProfile(user)
            }
        return SignedIn(session: opened.session, token: token, state: state)
    }

    /// Authenticates a token whose session is in memory. It is cheaper than ``authenticate(_:_:from:)``, because it is synchronous.
    /// - Parameters:
    ///   - token: the token's text in UTF-8.
    ///   - consistency: how new the answers to the call have to be.
    /// - Returns: `nil` if the caller must call ``authenticate(_:_:from:)`` instead.
    /// - Throws: `notAuthenticated` when the session has ended.
    public func knownCaller(_ token: Span<UInt8>, _ consistency: Consistency = .bounded) throws(RepositoryError) -> Caller? {
        guard let key = SessionToken.Key(token), let caller = remembered(key, consistency) else { return nil }
        return try live(caller).asking(consistency)
    }

    /// Authenticates a token. Does not suspend when the session is in memory.
    ///
    /// - Parameters:
    ///   - token: the token from `authorization: Bearer …`, or `nil` if the call has none.
    ///   - consistency: how new the answers to the call have to be.
    ///   - source: where the call comes from. If the store has to be asked, sources take turns.
    /// - Throws: `notAuthenticated` for no token, an unknown one, and one whose session has ended (X21).
    public func authenticate(
        _ token: String?, _ consistency: Consistency = .bounded, from source: CallSource = .inProcess
    ) async throws(RepositoryError) -> Caller {
        guard let token, let key = SessionToken.Key(token.utf8Span.span) else { throw .notAuthenticated }
        if let caller = remembered(key, consistency) { return try live(caller).asking(consistency) }
        guard let hash = SessionToken.hash(of: token) else { throw .notAuthenticated }
        let ticket = cache.ticket()
        guard let session = try await sessions.session(tokenHash: hash, for: source) else { throw .notAuthenticated }
        let caller = try live(Caller(session: session))
        cache.fill(caller, token: key, ticket: ticket)
        return caller.asking(consistency)
    }

    /// The caller in memory. A session from the future was opened while the clock was wrong. The store shortens it, so what is in memory does not
    /// count.
    private func remembered(_ key: SessionToken.Key, _ consistency: Consistency) -> Caller? {
        guard let caller = cache.caller(key, consistency), caller.signInTime <= configuration.clock.now().advanced(by: .days(1)) else { return nil }
        return caller
    }

    private func live(_ caller: Caller) throws(RepositoryError) -> Caller {
        guard configuration.clock.now() < caller.expireTime else { throw .notAuthenticated }
        return caller
    }

    /// Makes a token for all writes of a user's profile and sessions that this server has acknowledged. With the token, another server gives no
    /// answer from before those writes. `nil` if no other server shares the store.
    public func consistencyToken(after user: UserID) -> ConsistencyToken? { freshness.token(after: user) }

    /// The state of the sign-in, by which a client decides what to show (B15, B16). A missing or ended session is `signedOut`, not an error.
    /// - Throws: `corruptRow`, `emptyValue`, `storeUnavailable` when the store cannot say whether there is a profile.
    public func authState(
        _ token: String?, _ consistency: Consistency = .bounded, from source: CallSource = .inProcess
    ) async throws(RepositoryError) -> AuthState {
        let caller: Caller
        do {
            caller = try await authenticate(token, consistency, from: source)
        } catch .notAuthenticated {
            return .signedOut
        }
        do {
            return .ready(try await profiles.profile(of: caller.userID, viewer: caller.userID, consistency).id)
        } catch .userNotFound {
            return .needsProfile(caller.userID)
        } catch .withdrawing(let purgeTime) {
            return .withdrawing(caller.userID, purgeTime: purgeTime)
        }
    }

    /// Watches the state of the sign-in: its present value, then every change, until the session ends. Between them comes `heartbeat`
    /// every 25 s, unless a change comes at that moment. The last state is `signedOut` (B16).
    ///
    /// For a token without a session, the sequence is `signedOut` and ends. A slow reader gets only the newest state. If the state cannot be
    /// read, the sequence reports that once and tries again every 25 s. It also ends when the reading task is cancelled. It throws
    /// `watchLimit` if the user has too many watches, and `shuttingDown` when the services shut down.
    public func watchAuthState(
        _ token: String?, _ consistency: Consistency = .bounded, from source: CallSource = .inProcess
    ) -> some AsyncSequence<AuthStateUpdate, RepositoryError> & Sendable {
        AuthStates(token: token, consistency: consistency, source: source, auth: self, dependencies: watches)
    }

    /// Ends the caller's session, or all sessions of the caller's user. Stored profiles and follows stay (B6).
    public func signOut(_ caller: Caller, allSessions: Bool = false) async throws(RepositoryError) {
        // The profile leaves memory even if the store fails midway: memory must not know more than the store.
        defer { profiles.forget(caller.userID) }
        guard allSessions else {
            _ = try await end(caller.sessionID, of: caller)
            return
        }
        cache.beginEndingSessions(of: caller.userID)
        defer {
            cache.didEndSessions(of: caller.userID)
            watches.hub.announce(.sessions(of: caller.userID))
        }
        try await sessions.closeSessions(of: caller.userID)
    }

    /// The caller's live sessions, newest first; there are at most `sessionsPerUser` of them.
    /// - Throws: `invalidPageToken`.
    public func listSessions(_ page: PageRequest, _ caller: Caller) async throws(RepositoryError) -> Page<Session> {
        let list = PageTokenSealer.List.sessions(of: caller.userID)
        let cursor: SessionCursor? = if let token = page.token { try pageTokens.openSessionCursor(token, in: list) } else { nil }
        let live = try await sessions.sessions(of: caller.userID, endingAfter: configuration.clock.now())
        let rest = live.filter { session in cursor.map { SessionCursor(session) < $0 } ?? true }
        let items = Array(rest.prefix(page.size))
        let next = rest.count > page.size ? items.last.map { pageTokens.seal(SessionCursor($0), in: list) } : nil
        return Page(items: items, nextToken: next)
    }

    /// Ends one of the caller's sessions.
    /// - Throws: `sessionNotFound`, also for an expired one and for another user's.
    public func revokeSession(_ id: SessionID, _ caller: Caller) async throws(RepositoryError) {
        guard try await end(id, of: caller) else { throw .sessionNotFound }
    }

    /// Ends one session. It leaves memory before the write that ends it is queued.
    private func end(_ id: SessionID, of caller: Caller) async throws(RepositoryError) -> Bool {
        cache.beginEnding([id])
        defer {
            cache.didEnd([id])
            watches.hub.announce(.session(id))
        }
        return try await sessions.closeSession(id, of: caller.userID, at: configuration.clock.now())
    }
}

/// A place in the list of a user's sessions. The list runs from the newest to the oldest, and by descending id within one instant.
struct SessionCursor: Hashable, Sendable, Comparable {
    let createTime: Timestamp
    let id: SessionID

    init(createTime: Timestamp, id: SessionID) {
        self.createTime = createTime
        self.id = id
    }

    init(_ session: Session) { self.init(createTime: session.createTime, id: session.id) }

    /// The lesser of two cursors is later in the list.
    static func < (one: SessionCursor, other: SessionCursor) -> Bool { (one.createTime, one.id) < (other.createTime, other.id) }
}

/// One element of a watch of the state.
public enum AuthStateUpdate: Hashable, Sendable {
    /// The state, at first and after every change.
    case state(AuthState)
    /// The state cannot be read now, for this reason. The watch tries again.
    case unchecked(RepositoryError)
    /// Comes every 25 s, unless there is a change to report at that moment.
    case heartbeat
}

/// The answer to a sign-in.
public struct SignedIn: Hashable, Sendable {
    /// The session that was opened.
    public let session: Session
    /// The session's secret. It is never shown again.
    public let token: String
    /// Whether the user has a profile, or is leaving.
    public let state: AuthState
}

/// Proof that a call comes from a signed-in user; only `AuthService` makes one.
///
/// Every service method requires it, so the compiler ensures that authentication comes before the cache and the store
/// (B4, X1, X21). It is valid for one call: call `authenticate` or `knownCaller` for every call.
public struct Caller: Hashable, Sendable {
    /// The user who calls.
    public let userID: UserID
    /// The session whose token came with the call.
    public let sessionID: SessionID
    /// When the session was opened.
    let signInTime: Timestamp
    /// When the session expires. A watch ends with it.
    let expireTime: Timestamp
    /// How new the answers to this call have to be.
    let consistency: Consistency

    init(session: Session) {
        userID = session.userID
        sessionID = session.id
        signInTime = session.createTime
        expireTime = session.expireTime
        consistency = .bounded
    }

    private init(_ caller: Caller, _ consistency: Consistency) {
        userID = caller.userID
        sessionID = caller.sessionID
        signInTime = caller.signInTime
        expireTime = caller.expireTime
        self.consistency = consistency
    }

    /// The same caller with another consistency.
    func asking(_ consistency: Consistency) -> Caller { consistency == self.consistency ? self : Caller(self, consistency) }
}

/// The states of one session: the present one, then every change, until the session ends. The last state is `signedOut`.
///
/// For a token without a session, the sequence is `signedOut` and ends: a new sign-in has a new token.
private struct AuthStates: AsyncSequence, Sendable {
    let token: String?
    let consistency: Consistency
    let source: CallSource
    let auth: AuthService
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(states: self) }

    struct Iterator: AsyncIteratorProtocol {
        let states: AuthStates
        private var watch: Watch?
        private var last: AuthState?
        /// Why the state could not be read the last time; `nil` if it could.
        private var failure: RepositoryError?

        init(states: AuthStates) { self.states = states }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(RepositoryError) -> AuthStateUpdate? {
            guard last != .signedOut else { return nil }
            guard let watch = try await begin() else { return remember(.signedOut) }
            while let reasons = try await watch.wait() {
                do throws(RepositoryError) {
                    let state = try await state(watch)
                    if state != last || failure != nil { return remember(state) }
                } catch {
                    guard error.isOfStore else { throw error }
                    if failure != error {
                        failure = error
                        return .unchecked(error)
                    }
                }
                if reasons.contains(.heartbeat) { return .heartbeat }
            }
            return nil
        }

        /// The present state. During a withdrawal the profile is gone while memory still has the session. So if there is no profile, the store is
        /// asked for the session.
        private func state(_ watch: Watch) async throws(RepositoryError) -> AuthState {
            let state = try await states.auth.authState(states.token, states.consistency, from: states.source)
            guard case .needsProfile = state else { return state }
            do {
                try await watch.requireSession(.session)
            } catch .notAuthenticated {
                return .signedOut
            }
            return state
        }

        /// The watch of the token's session; `nil` if there is none.
        private mutating func begin() async throws(RepositoryError) -> Watch? {
            if let watch { return watch }
            do {
                let caller = try await states.auth.authenticate(states.token, states.consistency, from: states.source)
                watch = try Watch([.profile(of: caller.userID)], by: caller, states.dependencies)
            } catch .notAuthenticated {
                return nil
            }
            return watch
        }

        private mutating func remember(_ state: AuthState) -> AuthStateUpdate {
            last = state
            failure = nil
            return .state(state)
        }
    }
}

/// The uids that may sign in to named accounts, which an operator may change.
private final class TrustedUIDs: Sendable {
    private let uids: Mutex<Set<UInt32>>
    init(_ uids: Set<UInt32>) { self.uids = Mutex(uids) }
    func contains(_ uid: UInt32) -> Bool { uids.withLock { $0.contains(uid) } }
    func replace(by uids: Set<UInt32>) { self.uids.withLock { $0 = uids } }
}

extension AuthService {
    /// The account as people read it: `unix:1000`, `account:gateway`, or the name of its issuer, such as `google`.
    public func text(of account: AccountID) -> String { proofs.verifier?.name(ofIssuer: account.issuer) ?? account.description }

    /// Makes a nonce for one sign-in or link. It needs no session. The nonce is stored only when it is used.
    /// - Throws: `rateLimited`.
    public func makeSignInNonce(from source: CallSource) throws(RepositoryError) -> SignInNonce { try proofs.nonce(for: source) }

    /// Opens a session for the account that an ID token proves.
    ///
    /// - Parameters:
    ///   - idToken: in JWS compact form, at most 16 KiB.
    ///   - nonce: the nonce that the client gave to the identity provider. Empty if the issuer's tokens need none.
    ///   - requestID: names the attempt, so that a client whose answer was lost can retry. The same token with the same id ends the session that
    ///     it opened first and opens another (C4). If that session has ended, the token is refused as replayed.
    ///   - device: the client's device, as it describes it; `nil` if it does not.
    /// - Throws: `rateLimited`, `idTokenRefused`, `invalid` (field `request_id`).
    public func signIn(
        idToken: String, nonce: String, requestID: String = "", device: Device? = nil, from source: CallSource
    ) async throws(RepositoryError) -> SignedIn {
        let requestID = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        let proof = try await proofs.prove(idToken, nonce: nonce, requestID: requestID, from: source)
        return try await openSession(for: proof.account, on: device, provedBy: proof.use)
    }
}
