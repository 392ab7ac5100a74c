import PulseBoardDomain

/// Signs users in and out and says who a call comes from (B2: nobody else does).
public struct AuthService: Sendable {
    private let sessions: any SessionRepository
    private let cache: SessionCache
    private let profiles: ProfileCache
    private let watches: WatchDependencies
    private let configuration: ServicesConfiguration

    init(
        sessions: any SessionRepository, cache: SessionCache, profiles: ProfileCache, watches: WatchDependencies,
        configuration: ServicesConfiguration
    ) {
        self.sessions = sessions
        self.cache = cache
        self.profiles = profiles
        self.watches = watches
        self.configuration = configuration
    }

    /// Opens a session for a peer whose Unix uid the kernel has proved.
    ///
    /// - Parameters:
    ///   - peerUID: the uid of the process at the other end (`SO_PEERCRED`), never a value from the request.
    ///   - account: empty for the account of that uid; otherwise a named account (1…64 bytes, no white space), granted
    ///     only to a trusted uid.
    /// - Throws: `accountNotPermitted`, `invalid` (field `account`).
    public func signIn(peerUID: UInt32, account: String = "") async throws(RepositoryError) -> SignedIn {
        let identity: AccountID
        if account.isEmpty {
            identity = .unix(uid: peerUID)
        } else {
            guard configuration.trustedUIDs.contains(peerUID) else { throw .accountNotPermitted }
            identity = try validated { () throws(ValidationError) in try AccountID.named(account) }
        }
        return try await openSession(for: identity)
    }

    private func openSession(for account: AccountID) async throws(RepositoryError) -> SignedIn {
        let token = SessionToken.random(using: configuration.random)
        guard let hash = SessionToken.hash(of: token) else {
            preconditionFailure("a token that was just made has the form of a token")
        }
        let now = configuration.clock.now()
        let opening = SessionOpening(
            id: .random(using: configuration.random), account: account, tokenHash: hash, createTime: now,
            expireTime: now.advanced(by: configuration.sessionLifetime))
        let displaced = DisplacedSessions(cache)
        defer { displaced.end() }
        let opened = try await sessions.openSession(
            opening, newUserID: .random(using: configuration.random), limit: configuration.sessionsPerUser
        ) { displaced.begin($0) }
        watches.hub.announce(opened.ended.map { .session($0) })
        let user = opened.session.userID
        return SignedIn(
            session: opened.session, token: token, state: opened.hasProfile ? .ready(user) : .needsProfile(user))
    }

    /// Who a token belongs to, if its session is in memory: ``authenticate(_:)`` for whom it is near at hand, without the way into
    /// another asynchronous function.
    /// - Parameter token: its text in UTF-8, lent from wherever it lies.
    /// - Returns: `nil` when ``authenticate(_:)`` has to be asked.
    /// - Throws: `notAuthenticated` when the session has ended.
    public func knownCaller(_ token: Span<UInt8>) throws(RepositoryError) -> Caller? {
        guard let key = SessionToken.Key(token), let caller = cache.caller(key) else { return nil }
        return try live(caller)
    }

    /// Says who a token belongs to; does not suspend when the session is in memory.
    ///
    /// - Parameter token: what the call brought as `authorization: Bearer …`, or `nil`.
    /// - Throws: `notAuthenticated` for no token, an unknown one, and one whose session has ended (X21).
    public func authenticate(_ token: String?) async throws(RepositoryError) -> Caller {
        guard let token, let key = SessionToken.Key(token.utf8Span.span) else { throw .notAuthenticated }
        if let caller = cache.caller(key) { return try live(caller) }
        guard let hash = SessionToken.hash(of: token) else { throw .notAuthenticated }
        let ticket = cache.ticket()
        guard let session = try await sessions.session(tokenHash: hash) else { throw .notAuthenticated }
        let caller = try live(Caller(session: session))
        cache.fill(caller, token: key, ticket: ticket)
        return caller
    }

    private func live(_ caller: Caller) throws(RepositoryError) -> Caller {
        guard configuration.clock.now() < caller.expireTime else { throw .notAuthenticated }
        return caller
    }

    /// What the client should show (B15, B16). A missing or ended session is `signedOut`, not an error.
    public func authState(_ token: String?) async throws(RepositoryError) -> AuthState {
        let caller: Caller
        do {
            caller = try await authenticate(token)
        } catch .notAuthenticated {
            return .signedOut
        }
        do {
            return .ready(try await profiles.profile(of: caller.userID).id)
        } catch .userNotFound {
            return .needsProfile(caller.userID)
        }
    }

    /// The state now and after every change, up to the end of the session: `signedOut` is the last one (B16).
    ///
    /// A token that proves no session gives `signedOut` and the end, since no session can come to it later. A reader that is
    /// slow gets the newest state. The sequence also ends when the reading task is cancelled, and throws `shuttingDown` with
    /// the services.
    public func watchAuthState(_ token: String?) -> some AsyncSequence<AuthState, RepositoryError> & Sendable {
        AuthStates(token: token, auth: self, dependencies: watches)
    }

    /// Ends the caller's session, or all sessions of the caller's user. Stored profiles and follows stay (B6).
    public func signOut(_ caller: Caller, allSessions: Bool = false) async throws(RepositoryError) {
        // Forgotten whatever comes of it: when the store fails midway, memory must not know better than the store.
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

    /// The caller's live sessions, newest first; at most `sessionsPerUser` of them, so the list has no pages.
    public func listSessions(_ caller: Caller) async throws(RepositoryError) -> [Session] {
        try await sessions.sessions(of: caller.userID, endingAfter: configuration.clock.now())
    }

    /// Ends one of the caller's sessions; another user's are not found. - Throws: `sessionNotFound`.
    public func revokeSession(_ id: SessionID, _ caller: Caller) async throws(RepositoryError) {
        guard try await end(id, of: caller) else { throw .sessionNotFound }
    }

    /// Ends one session, which is not known in memory from before its end is queued.
    private func end(_ id: SessionID, of caller: Caller) async throws(RepositoryError) -> Bool {
        cache.beginEnding([id])
        defer {
            cache.didEnd([id])
            watches.hub.announce(.session(id))
        }
        return try await sessions.closeSession(id, of: caller.userID)
    }
}

/// The answer to a sign-in.
public struct SignedIn: Hashable, Sendable {
    public let session: Session
    /// The session's secret, shown here and never again.
    public let token: String
    public let state: AuthState
}

/// Proof that a call comes from a signed-in user; only `AuthService` makes one.
///
/// Every service method asks for it, so the compiler sees to it that authentication comes before the cache and the store
/// (B4, X1, X21). It proves the moment at which `authenticate` or `knownCaller` gave it: ask for every call.
public struct Caller: Hashable, Sendable {
    public let userID: UserID
    public let sessionID: SessionID
    /// When the session expires. A watch ends with it.
    let expireTime: Timestamp

    init(session: Session) {
        userID = session.userID
        sessionID = session.id
        expireTime = session.expireTime
    }
}

/// The state of one session, now and after every change, up to its end: `signedOut` is the last state.
///
/// A token that proves no session gives `signedOut` and the end: no session can come to it later, a new sign-in has a new
/// token.
private struct AuthStates: AsyncSequence, Sendable {
    let token: String?
    let auth: AuthService
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(states: self) }

    struct Iterator: AsyncIteratorProtocol {
        let states: AuthStates
        private var watch: Watch?
        private var last: AuthState?

        init(states: AuthStates) { self.states = states }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(RepositoryError) -> AuthState? {
            guard last != .signedOut else { return nil }
            guard let watch = try await begin() else { return remember(.signedOut) }
            while try await watch.wait() != nil {
                let state = try await state(watch)
                if state != last { return remember(state) }
            }
            return nil
        }

        /// The present state. In the middle of a withdrawal the profile has gone while memory still knows the session, so the
        /// store is asked for it before somebody is told to make a profile.
        private func state(_ watch: Watch) async throws(RepositoryError) -> AuthState {
            let state = try await states.auth.authState(states.token)
            guard case .needsProfile = state else { return state }
            do {
                try await watch.requireSession(.session)
            } catch .notAuthenticated {
                return .signedOut
            }
            return state
        }

        /// The watch of the token's session; `nil` when there is none.
        private mutating func begin() async throws(RepositoryError) -> Watch? {
            if let watch { return watch }
            do {
                let caller = try await states.auth.authenticate(states.token)
                watch = try Watch([.profile(of: caller.userID)], by: caller, states.dependencies)
            } catch .notAuthenticated {
                return nil
            }
            return watch
        }

        private mutating func remember(_ state: AuthState) -> AuthState {
            last = state
            return state
        }
    }
}
