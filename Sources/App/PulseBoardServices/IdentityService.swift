import PulseBoardDomain

/// Which identities sign a user in. Each method wants a session that was opened a short time ago: whoever finds a phone unlocked cannot take the
/// account along.
public struct IdentityService: Sendable {
    /// How old a session may be.
    static let maximumSessionAge = Timestamp.Interval.seconds(600)

    private let identities: any IdentityRepository
    private let proofs: IDTokenProofs
    private let cache: SessionCache
    private let watches: WatchDependencies
    private let configuration: ServicesConfiguration

    init(
        identities: any IdentityRepository, proofs: IDTokenProofs, cache: SessionCache, watches: WatchDependencies,
        configuration: ServicesConfiguration
    ) {
        self.identities = identities
        self.proofs = proofs
        self.cache = cache
        self.watches = watches
        self.configuration = configuration
    }

    /// The caller's identities, oldest first; at most ``PulseBoardDomain/Identity/maximumCount``, so the list has no pages.
    /// - Throws: `signInTooOld`.
    public func list(_ caller: Caller) async throws(RepositoryError) -> [Identity] {
        try checkAge(of: caller)
        return try await identities.identities(of: caller.userID)
    }

    /// Makes the identity that a token proves sign the caller in too. One that does so already stays as it is.
    /// - Throws: `signInTooOld`, `rateLimited`, `idTokenRefused`, `identityInUse`, `identityLimit`, `requestIDReused`, `invalid` (field `request_id`).
    public func link(
        idToken: String, nonce: String, requestID: String = "", from source: SignInSource, _ caller: Caller
    ) async throws(RepositoryError) -> Identity {
        try checkAge(of: caller)
        let requestID = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        let proof = try await proofs.prove(idToken, nonce: nonce, requestID: requestID, from: source)
        var fingerprint = RequestFingerprint(method: "LinkIdentity")
        fingerprint.add(proof.account.issuer)
        fingerprint.add(proof.account.subject)
        return try await identities.linkIdentity(
            proof.account, to: caller.userID, provedBy: proof.use, at: configuration.clock.now(), idempotency: fingerprint.key(requestID))
    }

    /// Takes an identity from the caller and ends the sessions that it has opened, but for the caller's own.
    /// - Throws: `signInTooOld`, `identityNotFound`, `identityLast`, `requestIDReused`.
    public func unlink(_ account: AccountID, requestID: String = "", _ caller: Caller) async throws(RepositoryError) {
        try checkAge(of: caller)
        let requestID = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        var fingerprint = RequestFingerprint(method: "UnlinkIdentity")
        fingerprint.add(account.issuer)
        fingerprint.add(account.subject)
        let displaced = DisplacedSessions(cache)
        defer { displaced.end() }
        let ended = try await identities.unlinkIdentity(
            account, from: caller.userID, keeping: caller.sessionID, at: configuration.clock.now(), idempotency: fingerprint.key(requestID)
        ) { displaced.begin($0) }
        watches.hub.announce(ended.map { .session($0) })
    }

    /// The name of an issuer, such as `google`; `unix` and `account` are their own, and so is an issuer that is not configured any more.
    public func name(ofIssuer issuer: String) -> String { proofs.verifier?.name(ofIssuer: issuer) ?? issuer }

    /// How the keys of the configured issuers are.
    public var issuers: [IssuerStatus] { proofs.verifier?.issuers() ?? [] }

    private func checkAge(of caller: Caller) throws(RepositoryError) {
        guard configuration.clock.now() < caller.signInTime.advanced(by: Self.maximumSessionAge) else { throw .signInTooOld }
    }
}
