import PulseBoardDomain

/// Verifies ID tokens for sign-in and linking. It makes all checks but the one for repeated use, which the store makes in the same transaction.
struct IDTokenProofs: Sendable {
    /// `nil` if no issuer is configured.
    let verifier: (any IDTokenVerifier)?
    let nonces: SignInNonceSealer
    let configuration: ServicesConfiguration
    private let callers = SignInPace<CallSource>()
    private let accounts = SignInPace<AccountID>()
    private let issuers = SignInPace<String>()

    /// Maximum sign-ins and links per second of one account: a twentieth of its issuer's, at least 1 and at most 10.
    /// - Parameter issuerRate: the issuer's, per second.
    static func accountRate(ofIssuerRate issuerRate: Int) -> Int { max(1, min(10, issuerRate / 20)) }

    init(verifier: (any IDTokenVerifier)?, nonces: SignInNonceSealer, configuration: ServicesConfiguration) {
        self.verifier = verifier
        self.nonces = nonces
        self.configuration = configuration
    }

    /// A proved account, and the use of the token that proves it.
    struct Proof {
        let account: AccountID
        let use: IDTokenUse
    }

    /// - Throws: `rateLimited`, `idTokenRefused` with every case but `replayed`.
    func nonce(for source: CallSource) throws(RepositoryError) -> SignInNonce {
        let now = configuration.clock.now()
        try count(source, at: now)
        return nonces.make(at: now, using: configuration.random)
    }

    /// - Throws: `rateLimited`, `idTokenRefused` with every case but `replayed`.
    func prove(_ token: String, nonce: String, requestID: RequestID?, from source: CallSource) async throws(RepositoryError) -> Proof {
        let now = configuration.clock.now()
        // The caller is counted before any work. Account and issuer are counted only for good tokens: otherwise strangers could use up their
        // limits with bad ones. The account is counted before the issuer: otherwise one person could use up the issuer's limit with one
        // token, which is refused each time only by the store.
        try count(source, at: now)
        guard let verifier else { throw .idTokenRefused(.issuerUnknown) }
        let verified: VerifiedIDToken
        do throws(IDTokenRefusal) { verified = try await verifier.verify(token, nonce: nonce, at: now) } catch { throw .idTokenRefused(error) }
        var nonceUse: IDTokenUse.NonceUse?
        if verified.needsServerNonce {
            nonceUse = nonces.use(of: nonce, at: now)
            guard nonceUse != nil else { throw .idTokenRefused(.nonce) }
        }
        let issuer = verified.account.issuer
        let rate = verifier.signInsPerSecond(ofIssuer: issuer)
        try accounts.count(verified.account, perSecond: Self.accountRate(ofIssuerRate: rate), at: now)
        try issuers.count(issuer, perSecond: rate, at: now)
        return Proof(
            account: verified.account,
            use: IDTokenUse(hash: verified.hash, expireTime: verified.expireTime, requestID: requestID, nonce: nonceUse))
    }

    private func count(_ source: CallSource, at now: Timestamp) throws(RepositoryError) {
        guard source != .inProcess else { return }
        try callers.count(source, perSecond: verifier?.signInsPerSecondPerCaller ?? configuration.signInsPerSecondPerCaller, at: now)
    }
}
