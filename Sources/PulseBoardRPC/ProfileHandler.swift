import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// `pulseboard.profile.v1.ProfileService` over ``ProfileService``. No rule lives here.
struct ProfileHandler: PBProfileServiceHandler {
    let gate: CallGate
    let profiles: ProfileService

    func getMyProfile(_ request: PBGetMyProfileRequest, context: CallContext) async throws -> PBProfile {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            PBProfile(try await profiles.fetchCurrentUser(caller))
        }
    }

    func getProfile(_ request: PBGetProfileRequest, context: CallContext) async throws -> PBProfile {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            switch request.key {
            case .userID(let text)?:
                return PBProfile(try await profiles.profile(of: try identifier(text, field: "user_id"), caller))
            case .username(let text)?:
                return PBProfile(try await profiles.profile(username: text, caller))
            case nil:
                throw .invalid(ValidationError(field: "key", reason: .fieldMissing))
            }
        }
    }

    func batchGetProfiles(_ request: PBBatchGetProfilesRequest, context: CallContext) async throws -> PBBatchGetProfilesResponse {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            let batch = try await profiles.profiles(of: try identifiers(request.userIds, field: "user_ids"), caller)
            return PBBatchGetProfilesResponse(
                profiles: batch.profiles.map { PBProfile($0) }, missingUserIds: batch.missing.map(\.description))
        }
    }

    func createProfile(_ request: PBCreateProfileRequest, context: CallContext) async throws -> PBProfile {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            PBProfile(try await profiles.createProfile(
                username: request.username, displayName: request.displayName, statusMessage: request.statusMessage,
                requestID: request.requestID, caller))
        }
    }

    func updateProfile(_ request: PBUpdateProfileRequest, context: CallContext) async throws -> PBProfile {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            let profile = request.profile ?? PBProfile()
            let update = ProfileUpdate(
                userID: profile.userID.isEmpty ? nil : try identifier(profile.userID, field: "profile.user_id"),
                paths: request.updateMask?.paths ?? [], username: profile.username, displayName: profile.displayName,
                statusMessage: profile.statusMessage, etag: profile.etag, requestID: request.requestID)
            return PBProfile(try await profiles.updateProfile(update, caller))
        }
    }

    func deleteMyProfile(_ request: PBDeleteMyProfileRequest, context: CallContext) async throws -> PBDeleteMyProfileResponse {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            try await profiles.withdraw(requestID: request.requestID, caller)
        }
        return PBDeleteMyProfileResponse()
    }

    func checkUsername(_ request: PBCheckUsernameRequest, context: CallContext) async throws -> PBCheckUsernameResponse {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            PBCheckUsernameResponse(
                try await profiles.checkUsername(request.username, caller), in: context.language)
        }
    }

    func checkUsernames(
        _ requests: MessageStream<PBCheckUsernamesRequest>, responses: MessageWriter<PBCheckUsernameResponse>,
        context: CallContext
    ) async throws {
        let caller = try await gate.caller(context)
        let checks = profiles.checkUsernames(requests.map(\.username), caller)
        let language = context.language
        try await gate.streaming(checks, to: responses, context) { PBCheckUsernameResponse($0, in: language) }
    }

    func watchProfile(
        _ request: PBWatchProfileRequest, responses: MessageWriter<PBProfile>, context: CallContext
    ) async throws {
        let (id, caller) = try await gate.asCaller(context) { caller throws(RepositoryError) in
            let id: UserID =
                if request.userID.isEmpty { caller.userID } else { try identifier(request.userID, field: "user_id") }
            return (id, caller)
        }
        try await gate.streaming(profiles.watchProfile(of: id, caller), to: responses, context) { PBProfile($0) }
    }

    func searchProfiles(_ request: PBSearchProfilesRequest, context: CallContext) async throws -> PBSearchProfilesResponse {
        try await gate.asCaller(context) { caller throws(RepositoryError) in
            let page = try await profiles.search(
                prefix: request.prefix, try pageRequest(request.pageSize, request.pageToken), caller)
            return PBSearchProfilesResponse(
                profiles: page.items.map { PBProfile($0) }, nextPageToken: page.nextToken?.text ?? "")
        }
    }
}

/// Reads the paging fields of a list request.
func pageRequest(_ size: Int32, _ token: String) throws(RepositoryError) -> PageRequest {
    do throws(ValidationError) { return try PageRequest(size: Int(size), token: token) } catch { throw .invalid(error) }
}
