import Foundation
import ProtobufC
import ProtobufSchema
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Synchronization
import Testing

/// Version 1 of the API, as frozen in `Proto/v1.binpb`: recorded requests get the recorded answers.
///
/// `Tests/Vectors/api/v1.txt` has the bytes of a conversation in both protocols. Answers are decoded with the frozen version before they are
/// compared, so newer fields do not count. `PULSEBOARD_RECORD=1` writes the file again. Do that only to add to the conversation.
@Suite("Version 1 of the API") struct FrozenAPITests {
    private static let file = URL(filePath: #filePath).appending(path: "../../../Vectors/api/v1.txt").standardized

    /// A field that no message has: what a later version may add to requests and answers.
    private static let laterField: [UInt8] = [0xF8, 0x7F, 0x01]

    @Test(
        "recorded requests are answered as they were, over both protocols, and also with a field of a later version", arguments: ["ttrpc", "grpc"],
        [[], laterField])
    func replay(_ wire: String, _ more: [UInt8]) async throws {
        if ProcessInfo.processInfo.environment["PULSEBOARD_RECORD"] == "1" {
            if wire == "ttrpc", more.isEmpty { try await Self.record() }
            return
        }
        let calls = try RecordedCall.read(Self.file)
        #expect(calls.count >= 100)
        let schema = try FrozenSchema()
        let (clock, random) = (ScriptedClock(), ScriptedBytes())
        try await TestBoard.with(clock: clock, random: random) { board in
            for (number, recorded) in calls.enumerated() {
                var call = recorded
                call.requests = call.requests.map { $0 + more }
                clock.set(second: Int64(number))
                random.set(call: number)
                guard let method = schema.method(call.method) else {
                    Issue.record("the frozen version has no \(call.method)")
                    continue
                }
                call.streamsRequests = method.streamsRequests
                let answer =
                    if wire == "ttrpc" {
                        try await board.exchange(call)
                    } else {
                        try await board.exchangeOverGRPC(call, streamsResponses: method.streamsResponses)
                    }
                #expect(answer.code == call.code, "\(call.method)")
                #expect(answer.reason == call.reason, "\(call.method)")
                #expect(
                    try schema.json(answer.message + more, as: method.response) == schema.json(call.answer, as: method.response),
                    "\(call.method)")
            }
        }
    }

    @Test("what a later version may send is read by a client of this one: unknown fields and values are kept, and known ones are right")
    func laterAnswers() throws {
        // An answer with a state, a field and a size that version 1 does not have.
        let later: [UInt8] = [0x08, 0x0F, 0x12, 0x02, 0x75, 0x31, 0x7A, 0x01, 0x21]
        let state = try PBAuthState(serializedBytes: later)
        #expect(state.state == .unrecognized(15))
        #expect(state.userID == "u1")
        #expect(try state.serializedBytes() == later)
        // A message of a stream with an unknown update.
        let update = try PBWatchProfileResponse(serializedBytes: [0x7A, 0x02, 0x0A, 0x00])
        #expect(update.update == nil)
        let schema = try FrozenSchema()
        #expect(try schema.json(later, as: "pulseboard.auth.v1.AuthState").contains("u1"))
    }

    @Test("every reason is a value of ErrorReason, and every value is a reason")
    func reasons() throws {
        let file = try SchemaFile(serializedBytes: PBErrorReasonFile.descriptor.serializedBytes)
        let values = Set(file.enums.flatMap(\.values).map(\.name))
        #expect(values == Set(Reason.allCases.map(\.rawValue)).union(["ERROR_REASON_UNSPECIFIED"]))
    }

    // MARK: Recording

    /// Makes every call of a client of version 1 once.
    private static func record() async throws {
        let (clock, random) = (ScriptedClock(), ScriptedBytes())
        var calls: [RecordedCall] = []
        try await TestBoard.with(clock: clock, random: random) { board in
            var tokens: [String: String] = [:]
            var users: [String: String] = [:]
            func call(_ method: String, _ requests: [any Message], streams: Bool = false, as account: String? = nil) async throws -> [UInt8] {
                clock.set(second: Int64(calls.count))
                random.set(call: calls.count)
                var recorded = RecordedCall(
                    method: method, token: account.flatMap { tokens[$0] } ?? "", requests: try requests.map { try $0.serializedBytes() },
                    streamsRequests: streams)
                let answer = try await board.exchange(recorded)
                recorded.code = answer.code
                recorded.reason = answer.reason
                recorded.answer = answer.message
                calls.append(recorded)
                return answer.message
            }
            func call(_ method: String, _ request: any Message, as account: String? = nil) async throws -> [UInt8] {
                try await call(method, [request], as: account)
            }
            func signIn(_ account: String, device: PBDevice? = nil) async throws {
                let request = PBSignInRequest(credential: .peer(PBPeerCredential(account: account)), device: device)
                let answer = try PBSignInResponse(serializedBytes: await call("pulseboard.auth.v1.AuthService/SignIn", request))
                tokens[account] = answer.token
                users[account] = answer.session?.userID
            }
            let (auth, profile, follow) = (
                "pulseboard.auth.v1.AuthService/", "pulseboard.profile.v1.ProfileService/", "pulseboard.follow.v1.FollowService/"
            )
            _ = try await call(auth + "GetAuthState", PBGetAuthStateRequest())
            _ = try await call(auth + "SignIn", PBSignInRequest())
            _ = try await call(profile + "GetMyProfile", PBGetMyProfileRequest())
            _ = try await call(profile + "GetLimits", PBGetLimitsRequest())
            try await signIn("kim", device: PBDevice(id: "d1", name: "민지의 노트북", platform: "linux"))
            try await signIn("lee")
            _ = try await call(auth + "GetAuthState", PBGetAuthStateRequest(), as: "kim")
            _ = try await call(profile + "GetMyProfile", PBGetMyProfileRequest(), as: "kim")
            _ = try await call(profile + "UpdateProfile", PBUpdateProfileRequest(profile: PBProfile(displayName: "x")), as: "kim")
            _ = try await call(follow + "GetFollowCounts", PBGetFollowCountsRequest(), as: "kim")
            _ = try await call(profile + "CheckUsername", PBCheckUsernameRequest(username: "k"), as: "kim")
            _ = try await call(profile + "CreateProfile", PBCreateProfileRequest(username: "a b"), as: "kim")
            _ = try await call(
                profile + "CreateProfile", PBCreateProfileRequest(username: "kim", displayName: "김민지", requestID: "r1"), as: "kim")
            _ = try await call(
                profile + "CreateProfile", PBCreateProfileRequest(username: "kim", displayName: "김민지", requestID: "r1"), as: "kim")
            _ = try await call(profile + "CreateProfile", PBCreateProfileRequest(username: "Kim"), as: "lee")
            _ = try await call(profile + "CreateProfile", PBCreateProfileRequest(username: "lee"), as: "lee")
            _ = try await call(auth + "GetAuthState", PBGetAuthStateRequest(), as: "kim")
            _ = try await call(profile + "GetProfile", PBGetProfileRequest(key: .username("LEE")), as: "kim")
            _ = try await call(profile + "GetProfile", PBGetProfileRequest(key: .userID("x")), as: "kim")
            _ = try await call(
                profile + "BatchGetProfiles", PBBatchGetProfilesRequest(userIds: users.keys.sorted().compactMap { users[$0] }), as: "kim")
            _ = try await call(profile + "SearchProfiles", PBSearchProfilesRequest(query: "김"), as: "lee")
            _ = try await call(profile + "SearchProfiles", PBSearchProfilesRequest(), as: "lee")
            _ = try await call(profile + "WatchProfile", PBWatchProfileRequest(), as: "kim")
            _ = try await call(auth + "WatchAuthState", PBWatchAuthStateRequest(), as: "kim")
            _ = try await call(follow + "WatchFollows", PBWatchFollowsRequest(), as: "kim")
            _ = try await call(follow + "WatchFollows", PBWatchFollowsRequest(resumeToken: "x"), as: "kim")
            let lee = users["lee"] ?? ""
            _ = try await call(follow + "Follow", PBFollowRequest(userID: lee, requestID: "f1"), as: "kim")
            _ = try await call(follow + "Follow", PBFollowRequest(userID: users["kim"] ?? ""), as: "kim")
            _ = try await call(follow + "GetRelationship", PBGetRelationshipRequest(userID: lee), as: "kim")
            _ = try await call(follow + "BatchGetRelationships", PBBatchGetRelationshipsRequest(userIds: [lee]), as: "kim")
            _ = try await call(follow + "ListFollowers", PBListFollowersRequest(userID: lee), as: "kim")
            _ = try await call(follow + "ListFollowing", PBListFollowingRequest(pageSize: -1), as: "kim")
            _ = try await call(follow + "ListFollowing", PBListFollowingRequest(), as: "kim")
            _ = try await call(follow + "GetFollowCounts", PBGetFollowCountsRequest(userID: lee), as: "kim")
            _ = try await call(follow + "Unfollow", PBUnfollowRequest(userID: lee), as: "kim")
            _ = try await call(follow + "RemoveFollower", PBRemoveFollowerRequest(userID: lee), as: "kim")
            _ = try await call(auth + "ListSessions", PBListSessionsRequest(), as: "kim")
            _ = try await call(auth + "RevokeSession", PBRevokeSessionRequest(sessionID: lee), as: "kim")
            _ = try await call(profile + "DeleteMyProfile", PBDeleteMyProfileRequest(requestID: "d1"), as: "lee")
            _ = try await call(auth + "SignOut", PBSignOutRequest(allSessions: true), as: "kim")
            _ = try await call(auth + "ListSessions", PBListSessionsRequest(), as: "kim")

            let account = "pulseboard.account.v1.AccountService/"
            try await signIn("park")
            let (wrong, unknown) = ("../x", UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0001).text)
            for imageID in [wrong, unknown] {
                _ = try await call(profile + "CreateProfile", PBCreateProfileRequest(username: "park", imageID: imageID), as: "park")
            }
            _ = try await call(profile + "CreateProfile", PBCreateProfileRequest(username: "park"), as: "park")
            for imageID in [wrong, unknown] {
                let update = PBUpdateProfileRequest(updateMask: Google_Protobuf_FieldMask(paths: ["image"]), imageID: imageID)
                _ = try await call(profile + "UpdateProfile", update, as: "park")
            }
            _ = try await call(profile + "ReserveUsername", PBReserveUsernameRequest(username: "parker"), as: "park")
            _ = try await call(account + "ListIdentities", PBListIdentitiesRequest(), as: "park")
            _ = try await call(account + "LinkIdentity", PBLinkIdentityRequest(), as: "park")
            _ = try await call(account + "UnlinkIdentity", PBUnlinkIdentityRequest(issuer: "account", subject: "park"), as: "park")
            _ = try await call(account + "UnlinkIdentity", PBUnlinkIdentityRequest(issuer: "account", subject: "x"), as: "park")
            _ = try await call(account + "ExportMyData", PBExportMyDataRequest(), as: "park")
            _ = try await call(account + "CancelWithdrawal", PBCancelWithdrawalRequest(), as: "park")
            _ = try await call(account + "RequestWithdrawal", PBRequestWithdrawalRequest(), as: "park")
            try await signIn("park")
            _ = try await call(auth + "GetAuthState", PBGetAuthStateRequest(), as: "park")
            _ = try await call(account + "ExportMyData", PBExportMyDataRequest(), as: "park")
            _ = try await call(account + "CancelWithdrawal", PBCancelWithdrawalRequest(), as: "park")
            _ = try await call(profile + "GetMyProfile", PBGetMyProfileRequest(), as: "park")

            let image = "pulseboard.profile.v1.ProfileImageService/"
            for size in [PBGetProfileImageRequest.Size.small, .unrecognized(9)] {
                _ = try await call(image + "GetProfileImage", PBGetProfileImageRequest(size: size), as: "park")
            }
            let park = users["park"] ?? ""
            _ = try await call(image + "GetProfileImage", PBGetProfileImageRequest(userID: "x"), as: "park")
            _ = try await call(image + "BatchGetProfileImages", PBBatchGetProfileImagesRequest(userIds: [park, lee]), as: "park")
            _ = try await call(image + "BatchGetProfileImages", PBBatchGetProfileImagesRequest(userIds: ["x"]), as: "park")
            _ = try await call(auth + "CreateSignInNonce", PBCreateSignInNonceRequest())
            _ = try await call(auth + "SignIn", PBSignInRequest(credential: .idToken(PBIdTokenCredential(token: "a.b.c"))))
            let diary = "pulseboard.diary.v1.DiaryService/"
            for (request, user) in diaryCalls { _ = try await call(diary + request.method, request.message, as: user) }

            try await uploads { try await call($0, $1, streams: true, as: $2) } others: { _ = try await call($0, [$1], as: "park") }
        }
        try RecordedCall.write(calls, Self.file)
    }

    /// Calls with a stream of requests: pictures of a profile and of a diary, and names while they are typed.
    private static func uploads(
        _ stream: (_ method: String, _ requests: [any Message], _ user: String?) async throws -> [UInt8],
        others: (_ method: String, _ request: any Message) async throws -> Void
    ) async throws {
        let picture = [UInt8](Data(base64Encoded: Self.picture) ?? Data()), hash = [UInt8](Data(base64Encoded: Self.hashOfPicture) ?? Data())
        let (profile, image) = ("pulseboard.profile.v1.ProfileService/", "pulseboard.profile.v1.ProfileImageService/")
        func part(_ header: PBUploadProfileImageHeader) -> PBUploadProfileImageRequest { PBUploadProfileImageRequest(part: .header(header)) }
        func part(_ bytes: [UInt8]) -> PBUploadProfileImageRequest { PBUploadProfileImageRequest(part: .chunk(bytes)) }
        let header = part(PBUploadProfileImageHeader(sizeBytes: Int64(picture.count), sha256: hash))
        let chunks = [part(Array(picture[..<100])), part(Array(picture[100...]))]
        let wrongHash = part(PBUploadProfileImageHeader(sizeBytes: 3, sha256: hash))
        for parts in [[part([1, 2, 3])], [part(PBUploadProfileImageHeader())], [header, header], [header, chunks[0]], [wrongHash, part([1, 2, 3])]] {
            _ = try await stream(image + "UploadProfileImage", parts, "park")
        }
        _ = try await stream(image + "UploadProfileImage", [header], nil)
        let noPicture = part(PBUploadProfileImageHeader(sizeBytes: 3))
        _ = try await stream(image + "UploadProfileImage", [noPicture, part([1, 2, 3])], "park")
        let staged = try PBStagedImage(serializedBytes: await stream(image + "UploadProfileImage", [header] + chunks, "park"))
        let mask = Google_Protobuf_FieldMask(paths: ["image"])
        try await others(profile + "UpdateProfile", PBUpdateProfileRequest(updateMask: mask, imageID: staged.imageID))
        try await others(profile + "UpdateProfile", PBUpdateProfileRequest(updateMask: mask, imageID: staged.imageID))
        try await others(profile + "GetMyProfile", PBGetMyProfileRequest())

        let diary = "pulseboard.diary.v1.DiaryService/"
        func diaryPart(_ header: PBUploadDiaryImageHeader) -> PBUploadDiaryImageRequest { PBUploadDiaryImageRequest(part: .header(header)) }
        func diaryPart(_ bytes: [UInt8]) -> PBUploadDiaryImageRequest { PBUploadDiaryImageRequest(part: .chunk(bytes)) }
        _ = try await stream(diary + "UploadDiaryImage", [diaryPart(PBUploadDiaryImageHeader(sizeBytes: 1))], "park")
        let parts = [diaryPart(PBUploadDiaryImageHeader(sizeBytes: Int64(picture.count), sha256: hash)), diaryPart(picture)]
        let stored = try PBDiaryImage(serializedBytes: await stream(diary + "UploadDiaryImage", parts, "park"))
        try await others(diary + "FindMissingDiaryImages", PBFindMissingDiaryImagesRequest(sha256: [hash]))
        let entry = PBDiaryEntry(
            id: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0003).text, entryTime: Google_Protobuf_Timestamp(seconds: 1_767_480_000, nanos: 0),
            images: [stored])
        try await others(diary + "CreateDiaryEntry", PBCreateDiaryEntryRequest(entry: entry))
        try await others(diary + "DownloadDiaryImage", PBDownloadDiaryImageRequest(sha256: hash))

        for name in ["p", "park"] { _ = try await stream(profile + "CheckUsernames", [PBCheckUsernamesRequest(username: name)], "park") }
    }

    /// A PNG of 8 × 8 pixels, and its SHA-256.
    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAaUlEQVR42iXIMQEAMQwDMYMoCIMoCIN4EBkPQEEETmD9EI2ShEVEiRYjdqSDDznUoQ9z2JGMTUyZNmN2"
        + "pIsvudSlL3PZkYJDQoUOE3akD3/koz76Yz52pMJFiiq6mGJHeviRRz36MY+dH3VwRYGqp/VRAAAAAElFTkSuQmCC"
    private static let hashOfPicture = "sSr+A9W6oLSqsAtmvZxrjGd6eYdXAeco0LS266dUSj0="

    /// The calls of somebody who keeps a diary, and of a stranger.
    private static let diaryCalls: [(request: (method: String, message: any Message), user: String?)] = {
        let device = UUIDBits(high: 0x4000, low: 0x8000_0000_0000_000D).text
        func id(_ number: UInt64) -> String { UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 + number).text }
        func entry(_ number: UInt64, _ text: String) -> PBDiaryEntry {
            PBDiaryEntry(id: id(number), entryTime: Google_Protobuf_Timestamp(seconds: 1_767_480_000, nanos: 0), emotion: "calm", text: text)
        }
        func mutation(_ number: Int64, _ time: Int64, _ change: PBDiaryMutation.OneOf_Change) -> PBDiaryMutation {
            PBDiaryMutation(number: number, entryID: id(2), stamp: PBDiaryStamp(time: time, deviceID: device), change: change)
        }
        let base = PBDiaryStamp(time: 5, deviceID: device)
        let seen = ["entry_time", "emotion", "text"].map { PBDiaryFieldStamp(field: $0, stamp: base) }
        let text = Google_Protobuf_FieldMask(paths: ["text"])
        let push = PBPushDiaryMutationsRequest(
            deviceID: device,
            mutations: [
                mutation(1, 5, .create(entry(2, "처음"))), mutation(2, 6, .delete(PBDiaryDelete(seen: seen))),
                mutation(3, 7, .patch(PBDiaryPatch(entry: PBDiaryEntry(text: "늦게"), updateMask: text, bases: [seen[2]]))),
                mutation(4, 8, .dismiss(PBDiaryDismiss(covers: []))),
            ])
        let hash = [UInt8](repeating: 7, count: 32)
        let calls: [(String, any Message)] = [
            ("CreateDiaryEntry", PBCreateDiaryEntryRequest(entry: entry(1, "비가 왔다"))),
            ("CreateDiaryEntry", PBCreateDiaryEntryRequest(entry: entry(1, "비가 왔다"))),
            ("CreateDiaryEntry", PBCreateDiaryEntryRequest()),
            ("GetDiaryEntry", PBGetDiaryEntryRequest(id: id(1))),
            ("ListDiaryEntries", PBListDiaryEntriesRequest(query: "비가")),
            ("ListDiaryEntries", PBListDiaryEntriesRequest(emotion: "glad")),
            ("UpdateDiaryEntry", PBUpdateDiaryEntryRequest(entry: PBDiaryEntry(id: id(1), text: "개었다"), updateMask: text)),
            ("UpdateDiaryEntry", PBUpdateDiaryEntryRequest(entry: PBDiaryEntry(id: id(1)), updateMask: Google_Protobuf_FieldMask(paths: ["etag"]))),
            ("UpdateDiaryEntry", PBUpdateDiaryEntryRequest(entry: PBDiaryEntry(id: id(1)), updateMask: text, etag: "x")),
            ("PushDiaryMutations", push),
            ("RegisterDiaryDevice", PBRegisterDiaryDeviceRequest(deviceID: device, name: "노트북")),
            ("PushDiaryMutations", push),
            ("PushDiaryMutations", push),
            ("PushDiaryMutations", PBPushDiaryMutationsRequest(deviceID: device, mutations: [mutation(9, 9, .create(entry(2, "x")))])),
            ("PullDiaryChanges", PBPullDiaryChangesRequest(deviceID: device)),
            ("PullDiaryChanges", PBPullDiaryChangesRequest(deviceID: device, cursor: "x")),
            ("WatchDiary", PBWatchDiaryRequest(deviceID: device)),
            ("ListDiaryDevices", PBListDiaryDevicesRequest()),
            ("FindMissingDiaryImages", PBFindMissingDiaryImagesRequest(sha256: [hash])),
            ("DownloadDiaryImage", PBDownloadDiaryImageRequest(sha256: hash)),
            ("DeleteDiaryEntry", PBDeleteDiaryEntryRequest(id: id(1))),
            ("GetDiaryEntry", PBGetDiaryEntryRequest(id: id(1))),
            ("DeleteDiaryDevice", PBDeleteDiaryDeviceRequest(deviceID: device)),
            ("PullDiaryChanges", PBPullDiaryChangesRequest(deviceID: device)),
        ]
        return calls.map { ($0, "park") } + [(("ListDiaryEntries", PBListDiaryEntriesRequest()), nil)]
    }()
}

/// A clock that a test sets to a second.
final class ScriptedClock: WallClock {
    private let second = Mutex<Int64>(0)

    func set(second: Int64) { self.second.withLock { $0 = second } }

    func now() -> Timestamp { Timestamp(microseconds: 1_767_484_800_000_000 + second.withLock { $0 } * 1_000_000) }
}

/// Predictable bytes. They depend on the present call, so that a later version that takes more bytes at its start does not change them.
final class ScriptedBytes: RandomSource {
    private let state = Mutex<(call: UInt64, draws: UInt64)>((0, 0))

    func set(call: Int) { state.withLock { $0 = (UInt64(call) + 1, 0) } }

    func bytes(_ count: Int) -> [UInt8] {
        let value: UInt64 = state.withLock { state in
            // Before the first call only keys are made, and all bytes are the same.
            guard state.call > 0 else { return 0 }
            state.draws += 1
            return state.call << 32 | state.draws
        }
        return (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * ($0 % 8))) }
    }
}

struct DamagedVector: Error { let line: String }

/// The frozen descriptors, and messages read by them.
private struct FrozenSchema {
    private let schema: Schema
    private let types: SchemaTypes

    init() throws {
        let image = URL(filePath: #filePath).appending(path: "../../../../Proto/v1.binpb").standardized
        var rest = try [UInt8](Data(contentsOf: image))[...]
        var schema = Schema()
        // A FileDescriptorSet is a list of files in field 1.
        while rest.popFirst() == 0x0A {
            var length = 0
            var shift = 0
            while let byte = rest.popFirst() {
                length |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            schema.add(try SchemaFile(serializedBytes: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        self.schema = schema
        types = try SchemaTypes(schema)
    }

    func method(_ path: String) -> SchemaMethod? {
        let parts = path.split(separator: "/")
        guard parts.count == 2, case .service(let service)? = schema[String(parts[0])] else { return nil }
        return service.methods.first { $0.name == parts[1] }
    }

    /// The message as a client of the frozen version reads it. A client does not look into a cursor, which names the store, or into an etag.
    func json(_ bytes: [UInt8], as type: String) throws -> String {
        guard let descriptor = types[type] else { throw DamagedVector(line: type) }
        let json = try DynamicMessage(serializedBytes: bytes, as: descriptor).jsonUTF8Bytes()
        return String(decoding: json, as: UTF8.self).replacing(/"(nextCursor|etag)":"[^"]+"/) { "\"\($0.output.1)\":\"…\"" }
    }
}
