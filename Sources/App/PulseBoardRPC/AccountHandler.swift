import Crypto
import DiaryMessages
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Serves `pulseboard.account.v1.AccountService` with ``IdentityService``, ``WithdrawalService`` and ``ExportService``. It contains
/// no rules.
struct AccountHandler: PBAccountServiceHandler {
    let auth: AuthService
    let identities: IdentityService
    let withdrawals: WithdrawalService
    let exports: ExportService

    func listIdentities(_ request: PBListIdentitiesRequest, context: CallContext) async throws -> PBListIdentitiesResponse {
        let caller = try context.caller
        return PBListIdentitiesResponse(identities: try await identities.list(caller).map(message))
    }

    func linkIdentity(_ request: PBLinkIdentityRequest, context: CallContext) async throws -> PBIdentity {
        let caller = try context.caller
        guard let credential = request.idToken else {
            throw RepositoryError.invalid("id_token", .fieldMissing)
        }
        let identity = try await identities.link(
            idToken: credential.token, nonce: credential.nonce, requestID: request.requestID, from: context.source, caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return message(identity)
    }

    func unlinkIdentity(_ request: PBUnlinkIdentityRequest, context: CallContext) async throws -> PBUnlinkIdentityResponse {
        let caller = try context.caller
        // No stored identity is this long.
        guard request.issuer.utf8.count <= Self.maximumTextBytes, request.subject.utf8.count <= Self.maximumTextBytes else {
            throw RepositoryError.identityNotFound
        }
        try await identities.unlink(
            AccountID(issuer: request.issuer, subject: request.subject), requestID: request.requestID, caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBUnlinkIdentityResponse()
    }

    func requestWithdrawal(_ request: PBRequestWithdrawalRequest, context: CallContext) async throws -> PBRequestWithdrawalResponse {
        let caller = try context.caller
        let purgeTime = try await withdrawals.request(caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBRequestWithdrawalResponse(purgeTime: Google_Protobuf_Timestamp(purgeTime))
    }

    func cancelWithdrawal(_ request: PBCancelWithdrawalRequest, context: CallContext) async throws -> PBCancelWithdrawalResponse {
        let caller = try context.caller
        try await withdrawals.cancel(caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBCancelWithdrawalResponse()
    }

    func exportMyData(
        _ request: PBExportMyDataRequest, responses: MessageWriter<PBExportMyDataResponse>, context: CallContext
    ) async throws {
        let caller = try context.caller
        var hash = SHA256()
        var count: Int64 = 0
        try await exports.export(caller) { record in
            let response = PBExportMyDataResponse(record: message(record))
            hash = await Self.hash(hash, with: try response.serializedBytes())
            count += 1
            try await responses.write(response)
        }
        try await responses.write(
            PBExportMyDataResponse(record: .end(PBExportEnd(recordCount: count, sha256: Array(hash.finalize())))))
    }

    /// A large picture is hashed on another thread, so that the event loop does not wait.
    private static func hash(_ hash: SHA256, with bytes: [UInt8]) async -> SHA256 {
        if bytes.count > 16 << 10 {
            return await withTaskExecutorPreference(globalConcurrentExecutor) { await hashElsewhere(hash, with: bytes) }
        }
        var hash = hash
        hash.update(data: bytes)
        return hash
    }

    @concurrent
    private static func hashElsewhere(_ hash: SHA256, with bytes: [UInt8]) async -> SHA256 {
        var hash = hash
        hash.update(data: bytes)
        return hash
    }

    private func message(_ record: ExportedRecord) -> PBExportMyDataResponse.OneOf_Record {
        switch record {
        case .identity(let identity): .identity(message(identity))
        case .session(let session, let isCurrent): .session(PBSession(session, account: auth.text(of: session.account), current: isCurrent))
        case .profile(let profile): .profile(PBProfile(profile))
        case .username(let name): .username(PBExportedUsername(name))
        case .image(let size, let bytes):
            .image(PBExportedImage(size: PBGetProfileImageRequest.Size(size), contentType: "image/webp", data: bytes))
        case .follow(.following, let entry): .following(PBFollowUser(entry))
        case .follow(.followers, let entry): .follower(PBFollowUser(entry))
        case .event(let event): .event(PBFollowEvent(event))
        case .diaryEntry(let entry): .diaryEntry(PBDiaryEntry(entry))
        case .diaryConflicts(let change): .diaryConflicts(PBDiaryRow(change))
        case .diaryDevice(let device): .diaryDevice(PBDiaryDevice(device))
        case .diaryImage(let image, let offset, let bytes):
            .diaryImage(PBExportedDiaryImage(image: PBDiaryImage(image), offset: Int64(offset), data: bytes))
        }
    }

    /// Longest issuer and longest subject, in bytes.
    private static let maximumTextBytes = 255

    private func message(_ identity: Identity) -> PBIdentity {
        PBIdentity(
            issuer: identity.account.issuer, subject: identity.account.subject,
            issuerName: identities.name(ofIssuer: identity.account.issuer), createTime: Google_Protobuf_Timestamp(identity.createTime))
    }
}

extension PBExportedUsername {
    fileprivate init(_ name: ClaimedUsername) {
        let kind: Kind =
            switch name.kind {
            case .owned: .owned
            case .held: .held
            case .leased: .reserved
            }
        self.init(
            username: name.key, kind: kind, takeTime: Google_Protobuf_Timestamp(name.takeTime),
            expireTime: name.expireTime.map { Google_Protobuf_Timestamp($0) })
    }
}
