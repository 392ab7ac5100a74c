import PulseBoardDomain

/// Manages the identities of a user. `list`, `link` and `unlink` require a session that was opened less than 10 minutes ago, so that somebody who
/// finds an unlocked phone cannot take over the account. Otherwise they throw `signInTooOld`.
///
///     let nonce = try services.auth.makeSignInNonce(from: .inProcess)
///     let idToken = try await signInAtProvider(nonce.text)
///     _ = try await services.identities.link(idToken: idToken, nonce: nonce.text, from: .inProcess, caller)
///     print(try await services.identities.list(caller))
public struct IdentityService: Sendable {
    /// Maximum age of the session.
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

    /// Links the identity that a token proves to the caller. An identity that the caller has already stays as it is.
    /// - Throws: `signInTooOld`, `rateLimited`, `idTokenRefused`, `identityInUse`, `identityLimit`, `requestIDReused`, `invalid` (field
    ///   `request_id`).
    public func link(
        idToken: String, nonce: String, requestID: String = "", from source: CallSource, _ caller: Caller
    ) async throws(RepositoryError) -> Identity {
        try checkAge(of: caller)
        let requestID = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        let proof = try await proofs.prove(idToken, nonce: nonce, requestID: requestID, from: source)
        var fingerprint = RequestFingerprint(method: "LinkIdentity")
        fingerprint.add(proof.account.issuer)
        fingerprint.add(proof.account.subject)
        // Another token is another request: the identity may have been unlinked since the first one.
        fingerprint.add(proof.use.hash)
        return try await identities.linkIdentity(
            proof.account, to: caller.userID, in: caller.sessionID, provedBy: proof.use, at: configuration.clock.now(),
            idempotency: fingerprint.key(requestID))
    }

    /// Removes an identity from the caller and ends the sessions that it opened, except the session of this call.
    /// - Throws: `signInTooOld`, `identityNotFound`, `identityLast`, `requestIDReused`, `rateLimited`, `invalid` (field `request_id`).
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

    /// The name of an issuer, such as `google`. `unix`, `account` and issuers that are no longer configured are returned unchanged.
    public func name(ofIssuer issuer: String) -> String { proofs.verifier?.name(ofIssuer: issuer) ?? issuer }

    /// The state of the configured issuers' keys.
    public var issuers: [IssuerStatus] { proofs.verifier?.issuers() ?? [] }

    private func checkAge(of caller: Caller) throws(RepositoryError) {
        let now = configuration.clock.now()
        // A session from a clock that was ahead may be of any age. The clocks of two servers differ a little.
        guard now < caller.signInTime.advanced(by: Self.maximumSessionAge), caller.signInTime <= now.advanced(by: .seconds(60)) else {
            throw .signInTooOld
        }
    }
}
