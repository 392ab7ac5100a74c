import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Serves `pulseboard.auth.v1.AuthService` with ``AuthService``. It contains no rules.
struct AuthHandler: PBAuthServiceHandler {
    let auth: AuthService

    func signIn(_ request: PBSignInRequest, context: CallContext) async throws -> PBSignInResponse {
        let signedIn: SignedIn
        // Only a sign-in with an ID token uses it, but a wrong one is refused in both.
        _ = try validated { () throws(ValidationError) in try RequestID.parse(request.requestID) }
        switch request.credential {
        case .peer(let credential)?:
            // The uid from the kernel is the credential. A call from this process, through a gateway, or from an unmapped uid has
            // none.
            guard let peer = context.peer else { throw RPCError(.permissionDenied, .identityNotProven, in: context.language) }
            signedIn = try await auth.signIn(peerUID: peer.uid, account: credential.account, device: device(request.device))
        case .idToken(let credential)?:
            signedIn = try await auth.signIn(
                idToken: credential.token, nonce: credential.nonce, requestID: request.requestID, device: device(request.device),
                from: context.source)
        case nil: throw RepositoryError.invalid("credential", .fieldMissing)
        }
        context.answer(with: auth.consistencyToken(after: signedIn.session.userID))
        return PBSignInResponse(session: message(signedIn.session, current: true), token: signedIn.token, state: PBAuthState(signedIn.state))
    }

    func createSignInNonce(_ request: PBCreateSignInNonceRequest, context: CallContext) async throws -> PBSignInNonce {
        let nonce = try auth.makeSignInNonce(from: context.source)
        return PBSignInNonce(nonce: nonce.text, expireTime: Google_Protobuf_Timestamp(nonce.expireTime))
    }

    private func message(_ session: Session, current: Bool) -> PBSession {
        PBSession(session, account: auth.text(of: session.account), current: current)
    }

    func signOut(_ request: PBSignOutRequest, context: CallContext) async throws -> PBSignOutResponse {
        let caller = try context.caller
        try await auth.signOut(caller, allSessions: request.allSessions)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBSignOutResponse()
    }

    func getAuthState(_ request: PBGetAuthStateRequest, context: CallContext) async throws -> PBAuthState {
        PBAuthState(try await auth.authState(context.bearerToken, context.requiredConsistency, from: context.source))
    }

    func watchAuthState(
        _ request: PBWatchAuthStateRequest, responses: MessageWriter<PBWatchAuthStateResponse>, context: CallContext
    ) async throws {
        let states = try auth.watchAuthState(context.bearerToken, context.requiredConsistency, from: context.source)
        try await responses.write(each: states) { PBWatchAuthStateResponse($0) }
    }

    func listSessions(_ request: PBListSessionsRequest, context: CallContext) async throws -> PBListSessionsResponse {
        let caller = try context.caller
        let page = try await auth.listSessions(pageRequest(request.pageSize, request.pageToken), caller)
        return PBListSessionsResponse(
            sessions: page.items.map { message($0, current: $0.id == caller.sessionID) }, nextPageToken: page.nextToken?.text ?? "")
    }

    func revokeSession(_ request: PBRevokeSessionRequest, context: CallContext) async throws -> PBRevokeSessionResponse {
        let caller = try context.caller
        try await auth.revokeSession(identifier(request.sessionID, field: "session_id"), caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBRevokeSessionResponse()
    }
}
