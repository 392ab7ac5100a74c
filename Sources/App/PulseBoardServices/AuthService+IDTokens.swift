import PulseBoardDomain

extension AuthService {
    /// An account for a person to recognise: `unix:1000`, `account:gateway`, or the name of its issuer, such as `google`.
    public func text(of account: AccountID) -> String { proofs.verifier?.name(ofIssuer: account.issuer) ?? account.description }

    /// A nonce for one sign-in or linking. It needs no session, and is stored only when it is used.
    /// - Throws: `rateLimited`.
    public func makeSignInNonce(from source: SignInSource) throws(RepositoryError) -> SignInNonce { try proofs.nonce(for: source) }

    /// Opens a session for the account that an ID token proves.
    ///
    /// - Parameters:
    ///   - idToken: in JWS compact form, at most 16 KiB.
    ///   - nonce: what the client gave the identity provider; empty where the issuer's tokens need none.
    ///   - requestID: names the attempt. The same token under the same id ends the session that it opened first, and opens another (C4): a client
    ///     whose answer was lost tries again.
    ///   - device: what the client says of itself; `nil` when it says nothing.
    /// - Throws: `rateLimited`, `idTokenRefused`, `invalid` (field `request_id`).
    public func signIn(
        idToken: String, nonce: String, requestID: String = "", device: Device? = nil, from source: SignInSource
    ) async throws(RepositoryError) -> SignedIn {
        let requestID = try validated { () throws(ValidationError) in try RequestID.parse(requestID) }
        let proof = try await proofs.prove(idToken, nonce: nonce, requestID: requestID, from: source)
        return try await openSession(for: proof.account, on: device, provedBy: proof.use)
    }
}
