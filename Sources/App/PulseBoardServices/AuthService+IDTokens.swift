import PulseBoardDomain

extension AuthService {
    /// The account as people read it: `unix:1000`, `account:gateway`, or the name of its issuer, such as `google`.
    public func text(of account: AccountID) -> String { proofs.verifier?.name(ofIssuer: account.issuer) ?? account.description }

    /// Makes a nonce for one sign-in or link. It needs no session. The nonce is stored only when it is used.
    /// - Throws: `rateLimited`.
    public func makeSignInNonce(from source: SignInSource) throws(RepositoryError) -> SignInNonce { try proofs.nonce(for: source) }

    /// Opens a session for the account that an ID token proves.
    ///
    /// - Parameters:
    ///   - idToken: in JWS compact form, at most 16 KiB.
    ///   - nonce: the nonce that the client gave to the identity provider. Empty if the issuer's tokens need none.
    ///   - requestID: names the attempt, so that a client whose answer was lost can retry. The same token with the same id ends the session that
    ///     it opened first and opens another (C4).
    ///   - device: the client's device, as it describes it; `nil` if it does not.
    /// - Throws: `rateLimited`, `idTokenRefused`, `invalid` (field `request_id`).
    public func signIn(
        idToken: String, nonce: String, requestID: String = "", device: Device? = nil, from source: SignInSource
    ) async throws(RepositoryError) -> SignedIn {
        let requestID = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        let proof = try await proofs.prove(idToken, nonce: nonce, requestID: requestID, from: source)
        return try await openSession(for: proof.account, on: device, provedBy: proof.use)
    }
}
