import ProtobufSchema
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Testing

/// Every unary method in every state of a client.
@Suite("Methods and states") struct StateTests {
    /// The outcome of a call: the reason of its refusal, or an empty text.
    private typealias Outcome = String

    /// A method with its outcomes for a caller who is signed out, has no profile, has one, and has asked to leave.
    private struct Row: Sendable {
        let method: MethodName
        let outcomes: [Outcome]
        let call: @Sendable (TestBoard, CallOptions, _ other: String) async throws -> Void

        init(
            _ method: MethodName, _ signedOut: Outcome, _ needsProfile: Outcome, _ ready: Outcome = "",
            _ call: @escaping @Sendable (TestBoard, CallOptions, _ other: String) async throws -> Void
        ) {
            // A caller who has asked to leave has no profile, and gets the reason.
            let withdrawing = [StateTests.bare, "USER_NOT_FOUND"].contains(needsProfile) ? StateTests.leaving : needsProfile
            self.init(method, [signedOut, needsProfile, ready, withdrawing], call)
        }

        init(
            _ method: MethodName, _ outcomes: [Outcome],
            _ call: @escaping @Sendable (TestBoard, CallOptions, _ other: String) async throws -> Void
        ) {
            self.method = method
            self.outcomes = outcomes
            self.call = call
        }
    }

    private typealias MethodName = String
    private static let out = "NOT_AUTHENTICATED", bare = "PROFILE_REQUIRED", leaving = "WITHDRAWING"
    private static let absent = "DIARY_ENTRY_NOT_FOUND", unknown = "DIARY_DEVICE_UNKNOWN"
    private static let entryID = "00000000-0000-4000-8000-000000000001", deviceID = "00000000-0000-4000-8000-00000000000d"

    /// A new caller makes each call, so that calls do not affect each other.
    private static let rows: [Row] = [
        Row("SignIn", "FIELD_MISSING", "FIELD_MISSING", "FIELD_MISSING") { board, options, _ in
            _ = try await board.auth.signIn(PBSignInRequest(), options: options)
        },
        Row("CreateSignInNonce", "", "") { board, options, _ in
            _ = try await board.auth.createSignInNonce(PBCreateSignInNonceRequest(), options: options)
        },
        Row("GetAuthState", "", "") { board, options, _ in _ = try await board.auth.getAuthState(PBGetAuthStateRequest(), options: options) },
        Row("SignOut", out, "") { board, options, _ in _ = try await board.auth.signOut(PBSignOutRequest(), options: options) },
        Row("ListSessions", out, "") { board, options, _ in _ = try await board.auth.listSessions(PBListSessionsRequest(), options: options) },
        Row("RevokeSession", out, "IDENTIFIER_INVALID", "IDENTIFIER_INVALID") { board, options, _ in
            _ = try await board.auth.revokeSession(PBRevokeSessionRequest(), options: options)
        },
        Row("ListIdentities", out, "") { board, options, _ in
            _ = try await board.accounts.listIdentities(PBListIdentitiesRequest(), options: options)
        },
        Row("LinkIdentity", out, "FIELD_MISSING", "FIELD_MISSING") { board, options, _ in
            _ = try await board.accounts.linkIdentity(PBLinkIdentityRequest(), options: options)
        },
        Row("UnlinkIdentity", out, "IDENTITY_NOT_FOUND", "IDENTITY_NOT_FOUND") { board, options, _ in
            _ = try await board.accounts.unlinkIdentity(PBUnlinkIdentityRequest(issuer: "unix", subject: "0"), options: options)
        },
        Row("RequestWithdrawal", out, "") { board, options, _ in
            _ = try await board.accounts.requestWithdrawal(PBRequestWithdrawalRequest(), options: options)
        },
        Row("CancelWithdrawal", [out, "NOT_WITHDRAWING", "NOT_WITHDRAWING", ""]) { board, options, _ in
            _ = try await board.accounts.cancelWithdrawal(PBCancelWithdrawalRequest(), options: options)
        },
        Row("GetLimits", "", "") { board, options, _ in _ = try await board.profiles.getLimits(PBGetLimitsRequest(), options: options) },
        Row("GetMyProfile", out, "USER_NOT_FOUND") { board, options, _ in
            _ = try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: options)
        },
        Row("GetProfile", out, "") { board, options, other in
            _ = try await board.profiles.getProfile(PBGetProfileRequest(key: .userID(other)), options: options)
        },
        Row("BatchGetProfiles", out, "") { board, options, other in
            _ = try await board.profiles.batchGetProfiles(PBBatchGetProfilesRequest(userIds: [other]), options: options)
        },
        Row("CreateProfile", [out, "", "PROFILE_EXISTS", leaving]) { board, options, _ in
            _ = try await board.profiles.createProfile(PBCreateProfileRequest(username: "새이름"), options: options)
        },
        Row("UpdateProfile", out, bare) { board, options, _ in
            _ = try await board.profiles.updateProfile(PBUpdateProfileRequest(profile: PBProfile(displayName: "New")), options: options)
        },
        Row("CheckUsername", out, "") { board, options, _ in
            _ = try await board.profiles.checkUsername(PBCheckUsernameRequest(username: "free"), options: options)
        },
        Row("ReserveUsername", [out, "", "", leaving]) { board, options, _ in
            // Each caller has another name.
            let name = "n\(UInt32.random(in: 0..<90_000_000))"
            _ = try await board.profiles.reserveUsername(PBReserveUsernameRequest(username: name), options: options)
        },
        Row("SearchProfiles", out, "") { board, options, _ in
            _ = try await board.profiles.searchProfiles(PBSearchProfilesRequest(query: "o"), options: options)
        },
        Row("Follow", out, bare) { board, options, other in
            _ = try await board.follows.follow(PBFollowRequest(userID: other), options: options)
        },
        Row("Unfollow", [out, "", "", leaving]) { board, options, other in
            _ = try await board.follows.unfollow(PBUnfollowRequest(userID: other), options: options)
        },
        Row("RemoveFollower", [out, "", "", leaving]) { board, options, other in
            _ = try await board.follows.removeFollower(PBRemoveFollowerRequest(userID: other), options: options)
        },
        Row("GetRelationship", [out, "", "", leaving]) { board, options, other in
            _ = try await board.follows.getRelationship(PBGetRelationshipRequest(userID: other), options: options)
        },
        Row("BatchGetRelationships", [out, "", "", leaving]) { board, options, other in
            _ = try await board.follows.batchGetRelationships(PBBatchGetRelationshipsRequest(userIds: [other]), options: options)
        },
        Row("ListFollowers", out, bare) { board, options, _ in
            _ = try await board.follows.listFollowers(PBListFollowersRequest(), options: options)
        },
        Row("ListFollowing", out, bare) { board, options, _ in
            _ = try await board.follows.listFollowing(PBListFollowingRequest(), options: options)
        },
        Row("GetFollowCounts", out, bare) { board, options, _ in
            _ = try await board.follows.getFollowCounts(PBGetFollowCountsRequest(), options: options)
        },
        Row("DeleteMyProfile", out, bare) { board, options, _ in
            _ = try await board.profiles.deleteMyProfile(PBDeleteMyProfileRequest(), options: options)
        },
    ] + diaryRows

    /// The diary of a user who has asked to leave is kept, but cannot be read or written until they come back.
    private static let diaryRows: [Row] = [
        Row("CreateDiaryEntry", out, bare) { board, options, _ in
            let entry = PBDiaryEntry(id: entryID, entryTime: Google_Protobuf_Timestamp(seconds: 1, nanos: 0), text: "text")
            _ = try await board.diaries.createDiaryEntry(PBCreateDiaryEntryRequest(entry: entry), options: options)
        },
        Row("GetDiaryEntry", [out, absent, absent, leaving]) { board, options, _ in
            _ = try await board.diaries.getDiaryEntry(PBGetDiaryEntryRequest(id: entryID), options: options)
        },
        Row("ListDiaryEntries", [out, "", "", leaving]) { board, options, _ in
            _ = try await board.diaries.listDiaryEntries(PBListDiaryEntriesRequest(), options: options)
        },
        Row("UpdateDiaryEntry", [out, absent, absent, leaving]) { board, options, _ in
            let request = PBUpdateDiaryEntryRequest(
                entry: PBDiaryEntry(id: entryID, text: "new"), updateMask: Google_Protobuf_FieldMask(paths: ["text"]))
            _ = try await board.diaries.updateDiaryEntry(request, options: options)
        },
        Row("DeleteDiaryEntry", [out, "", "", leaving]) { board, options, _ in
            _ = try await board.diaries.deleteDiaryEntry(PBDeleteDiaryEntryRequest(id: entryID), options: options)
        },
        Row("RegisterDiaryDevice", out, bare) { board, options, _ in
            _ = try await board.diaries.registerDiaryDevice(PBRegisterDiaryDeviceRequest(deviceID: deviceID), options: options)
        },
        Row("ListDiaryDevices", [out, "", "", leaving]) { board, options, _ in
            _ = try await board.diaries.listDiaryDevices(PBListDiaryDevicesRequest(), options: options)
        },
        Row("DeleteDiaryDevice", [out, "", "", leaving]) { board, options, _ in
            _ = try await board.diaries.deleteDiaryDevice(PBDeleteDiaryDeviceRequest(deviceID: deviceID), options: options)
        },
        Row("PushDiaryMutations", [out, unknown, unknown, leaving]) { board, options, _ in
            _ = try await board.diaries.pushDiaryMutations(PBPushDiaryMutationsRequest(deviceID: deviceID), options: options)
        },
        Row("FindMissingDiaryImages", [out, "", "", leaving]) { board, options, _ in
            // Also of no pictures at all.
            _ = try await board.diaries.findMissingDiaryImages(PBFindMissingDiaryImagesRequest(), options: options)
            let request = PBFindMissingDiaryImagesRequest(sha256: [[UInt8](repeating: 1, count: 32)])
            _ = try await board.diaries.findMissingDiaryImages(request, options: options)
        },
        Row("PullDiaryChanges", [out, unknown, unknown, leaving]) { board, options, _ in
            _ = try await board.diaries.pullDiaryChanges(PBPullDiaryChangesRequest(deviceID: deviceID), options: options)
        },
    ]

    private func outcome(_ call: () async throws -> Void) async throws -> Outcome {
        do {
            try await call()
            return ""
        } catch let error as RPCError {
            return error.reason ?? "\(error)"
        }
    }

    @Test("C9: every method in every state works or gives the state's reason")
    func states() async throws {
        try await TestBoard.with { board in
            let other = try await board.enter("other").userID
            for (number, row) in Self.rows.enumerated() {
                let bare = try await board.signIn("bare\(number)")
                let ready = try await board.enter("u\(number)")
                let left = try await board.enter("w\(number)")
                _ = try await board.accounts.requestWithdrawal(PBRequestWithdrawalRequest(), options: left.options)
                let withdrawing = try await board.signIn("w\(number)")
                let outcomes = [
                    try await outcome { try await row.call(board, CallOptions(), other) },
                    try await outcome { try await row.call(board, bare.options, other) },
                    try await outcome { try await row.call(board, ready.options, other) },
                    try await outcome { try await row.call(board, withdrawing.options, other) },
                ]
                #expect(outcomes == row.outcomes, "\(row.method)")
            }
        }
    }

    @Test("C9: the table has every unary method that is served here")
    func isComplete() throws {
        let files = [PBAuthService.file, PBAccountService.file, PBProfileService.file, PBFollowService.file, PBDiaryService.file]
        let unary = try files.flatMap { file in
            let services = try SchemaFile(serializedBytes: file.serializedBytes).services
            return services.flatMap { $0.methods.filter { !$0.streamsRequests && !$0.streamsResponses }.map(\.name) }
        }
        #expect(Set(unary) == Set(Self.rows.map(\.method)))
    }
}
