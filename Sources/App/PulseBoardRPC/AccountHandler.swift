import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// `pulseboard.account.v1.AccountService` over ``IdentityService``. No rule lives here.
struct AccountHandler: PBAccountServiceHandler {
    let identities: IdentityService

    func listIdentities(_ request: PBListIdentitiesRequest, context: CallContext) async throws -> PBListIdentitiesResponse {
        let caller = try context.caller
        return PBListIdentitiesResponse(identities: try await identities.list(caller).map(message))
    }

    func linkIdentity(_ request: PBLinkIdentityRequest, context: CallContext) async throws -> PBIdentity {
        let caller = try context.caller
        guard let credential = request.idToken else {
            throw RepositoryError.invalid(ValidationError(field: "id_token", reason: .fieldMissing))
        }
        return message(
            try await identities.link(
                idToken: credential.token, nonce: credential.nonce, requestID: request.requestID, from: context.signInSource,
                caller))
    }

    func unlinkIdentity(_ request: PBUnlinkIdentityRequest, context: CallContext) async throws -> PBUnlinkIdentityResponse {
        let caller = try context.caller
        // Longer than any that is stored: it is not there.
        guard request.issuer.utf8.count <= Self.maximumTextBytes, request.subject.utf8.count <= Self.maximumTextBytes else {
            throw RepositoryError.identityNotFound
        }
        try await identities.unlink(
            AccountID(issuer: request.issuer, subject: request.subject), requestID: request.requestID, caller)
        return PBUnlinkIdentityResponse()
    }

    /// The longest issuer and the longest subject, bytes.
    private static let maximumTextBytes = 255

    private func message(_ identity: Identity) -> PBIdentity {
        PBIdentity(
            issuer: identity.account.issuer, subject: identity.account.subject,
            issuerName: identities.name(ofIssuer: identity.account.issuer), createTime: Google_Protobuf_Timestamp(identity.createTime))
    }
}

extension CallContext {
    /// For whom a sign-in is counted: one connection of a gateway, or a uid.
    var signInSource: SignInSource {
        switch origin {
        case .inProcess: .inProcess
        case .local(let peer): .uid(peer.uid)
        // Nobody can tell these apart, so they are one.
        case .unmapped: .uid(.max)
        case .remote(let connection): .connection(connection)
        }
    }
}
