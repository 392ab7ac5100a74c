import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore

/// Serves `pulseboard.profile.v1.ProfileService` with ``ProfileService``. It contains no rules.
struct ProfileHandler: PBProfileServiceHandler {
    let profiles: ProfileService
    /// Makes the consistency tokens of writes.
    let auth: AuthService
    /// Whether the server takes pictures.
    let takesImages: Bool

    func getMyProfile(_ request: PBGetMyProfileRequest, context: CallContext) async throws -> PBProfile {
        let caller = try context.caller
        return PBProfile(try await profiles.fetchCurrentUser(caller))
    }

    func getProfile(_ request: PBGetProfileRequest, context: CallContext) async throws -> PBProfile {
        let caller = try context.caller
        switch request.key {
        case .userID(let text)?:
            return PBProfile(try await profiles.profile(of: identifier(text, field: "user_id"), caller))
        case .username(let text)?:
            return PBProfile(try await profiles.profile(username: text, caller))
        case nil:
            throw RepositoryError.invalid("key", .fieldMissing)
        }
    }

    func batchGetProfiles(_ request: PBBatchGetProfilesRequest, context: CallContext) async throws -> PBBatchGetProfilesResponse {
        let caller = try context.caller
        let batch = try await profiles.profiles(of: identifiers(request.userIds, field: "user_ids"), caller)
        return PBBatchGetProfilesResponse(
            profiles: batch.profiles.map { PBProfile($0) }, missingUserIds: batch.missing.map(\.description))
    }

    func createProfile(_ request: PBCreateProfileRequest, context: CallContext) async throws -> PBProfile {
        let caller = try context.caller
        let profile = try await profiles.createProfile(
            username: request.username, texts: ProfileTexts(request), imageID: request.imageID, requestID: request.requestID, caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBProfile(profile)
    }

    func updateProfile(_ request: PBUpdateProfileRequest, context: CallContext) async throws -> PBProfile {
        let caller = try context.caller
        let profile = request.profile ?? PBProfile()
        let update = ProfileUpdate(
            userID: profile.userID.isEmpty ? nil : try identifier(profile.userID, field: "profile.user_id"),
            paths: request.updateMask?.paths ?? [], username: profile.username, texts: ProfileTexts(profile),
            imageID: request.imageID, etag: profile.etag, requestID: request.requestID)
        let changed = try await profiles.updateProfile(update, caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBProfile(changed)
    }

    func deleteMyProfile(_ request: PBDeleteMyProfileRequest, context: CallContext) async throws -> PBDeleteMyProfileResponse {
        let caller = try context.caller
        try await profiles.deleteProfile(requestID: request.requestID, caller)
        context.answer(with: auth.consistencyToken(after: caller.userID))
        return PBDeleteMyProfileResponse()
    }

    func checkUsername(_ request: PBCheckUsernameRequest, context: CallContext) async throws -> PBCheckUsernameResponse {
        let caller = try context.caller
        return PBCheckUsernameResponse(
            try await profiles.checkUsername(request.username, caller), in: context.language)
    }

    func checkUsernames(
        _ requests: MessageStream<PBCheckUsernamesRequest>, responses: MessageWriter<PBCheckUsernamesResponse>,
        context: CallContext
    ) async throws {
        let caller = try context.caller
        let language = context.language
        let texts = profiles.typedTexts()
        try await withThrowingTaskGroup { group in
            // A child task runs on the handler's event loop, where the messages arrive. Each message would wake another thread.
            group.addTask { await texts.read(requests.map(\.username)) }
            try await responses.write(each: profiles.checks(of: texts, caller)) { PBCheckUsernamesResponse($0, in: language) }
            group.cancelAll()
        }
    }

    func reserveUsername(_ request: PBReserveUsernameRequest, context: CallContext) async throws -> PBReserveUsernameResponse {
        let caller = try context.caller
        return PBReserveUsernameResponse(try await profiles.reserveUsername(request.username, caller))
    }

    func watchProfile(
        _ request: PBWatchProfileRequest, responses: MessageWriter<PBWatchProfileResponse>, context: CallContext
    ) async throws {
        let caller = try context.caller
        let id = try user(request.userID, caller)
        var updates = profiles.watchProfile(of: id, caller).makeAsyncIterator()
        while let update = try await updates.next(isolation: nil) {
            if case .profile(let profile) = update, let known = known(profile, caller) {
                try await responses.write(known)
            } else {
                try await responses.write(PBWatchProfileResponse(update))
            }
        }
    }

    func searchProfiles(_ request: PBSearchProfilesRequest, context: CallContext) async throws -> PBSearchProfilesResponse {
        let caller = try context.caller
        let page = try await profiles.search(
            request.query, pageRequest(request.pageSize, request.pageToken), caller)
        return PBSearchProfilesResponse(
            users: page.items.map { PBUserSummary($0.summary) }, nextPageToken: page.nextToken?.text ?? "")
    }

    func getLimits(_ request: PBGetLimitsRequest, context: CallContext) async throws -> PBGetLimitsResponse {
        let rules = profiles.usernameRules
        var limits = PBGetLimitsResponse(
            username: PBTextLimits(
                minimumCharacters: Int32(clamping: rules.length.lowerBound), maximumCharacters: Int32(clamping: rules.length.upperBound),
                maximumBytes: Int32(clamping: rules.maximumBytes)),
            query: PBTextLimits(
                minimumCharacters: 1, maximumCharacters: Int32(ProfileService.maximumQueryCharacters),
                maximumBytes: Int32(ProfileService.maximumQueryBytes)),
            maximumPageSize: Int32(PageRequest.maximumSize), defaultPageSize: Int32(PageRequest.defaultSize),
            maximumBatchSize: Int32(BatchRequest.maximumSize), image: takesImages ? PBUploadLimits.ofServer : nil)
        for field in ProfileTextField.allCases { limits[field] = PBTextLimits(field) }
        return limits
    }
}

/// Cached profiles are sent as the bytes of an earlier answer.
extension ProfileHandler {
    /// Answers from memory for the caller's own profile, and for a profile by user id or username. Call it after `register(on:)`.
    func answerFromMemory(on router: inout Router) {
        router.answerFromMemory(PBProfileService.Methods.getMyProfile) { _, context in
            let caller = try context.caller
            return encoded(profiles.cachedProfile(of: caller.userID, caller))
        }
        router.answerFromMemory(PBProfileService.Methods.getProfile) { request, context in
            let caller = try context.caller
            return switch request.key {
            case .userID(let text)?: encoded(profiles.cachedProfile(of: try identifier(text, field: "user_id"), caller))
            case .username(let text)?: encoded(profiles.cachedProfile(username: text))
            case nil: nil
            }
        }
    }

    /// The answer of a watch, encoded once for all who watch the profile; `nil` if it is not in memory any more.
    private func known(_ profile: Profile, _ caller: Caller) -> PackedMessage<PBWatchProfileResponse>? {
        guard let cached = profiles.cachedProfile(of: profile.id, caller), cached.profile.etag == profile.etag else { return nil }
        // If a profile cannot be encoded, writing it reports that.
        let bytes = try? cached.encodedUpdate { (profile) throws(EncodingError) in
            try PBWatchProfileResponse(.profile(profile)).serializedBytes()
        }
        return bytes.map { PackedMessage(bytes: $0) }
    }

    private func encoded(_ cached: CachedProfile?) -> PackedMessage<PBProfile>? {
        // If a profile cannot be encoded, the handler reports it.
        let bytes = try? cached?.encoded { (profile) throws(EncodingError) in try PBProfile(profile).serializedBytes() }
        return bytes.map { PackedMessage(bytes: $0) }
    }
}
