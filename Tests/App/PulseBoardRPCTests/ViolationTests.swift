import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import RPCClient
import RPCCore
import Testing

@Suite("Errors about many fields") struct ViolationTests {
    @Test("a request with a hundred wrong ids gets its reason, its text and the first violations, over both protocols and in both languages",
        arguments: [WireProtocol.ttrpc, .grpc], ["en", "ko"])
    func hundred(_ wireProtocol: WireProtocol, _ language: String) async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            var configuration = Channel.Configuration(socketPath: board.socket)
            configuration.wireProtocol = wireProtocol
            let channel = try Channel(configuration)
            var options = kim.options
            options.metadata.append(language, for: "accept-language")
            let request = PBBatchGetProfilesRequest(userIds: (0..<100).map { "no user \($0)" })
            let error = await #expect(throws: RPCError.self) {
                try await PBProfileServiceClient(channel: channel).batchGetProfiles(request, options: options)
            }
            await channel.close()
            let refusal = try #require(error)
            #expect(refusal.reason == "IDENTIFIER_INVALID", "\(refusal)")
            #expect(refusal.details.contains { $0.typeURL.hasSuffix("google.rpc.LocalizedMessage") }, "\(refusal)")
            let detail = try #require(refusal.details.first { $0.typeURL.hasSuffix("google.rpc.BadRequest") })
            let fields = try Google_Rpc_BadRequest(serializedBytes: detail.value).fieldViolations.map(\.field)
            #expect(fields.count >= 5 && fields == (0..<fields.count).map { "user_ids[\($0)]" }, "\(fields)")
        }
    }

    // MARK: Diaries

    private static let device = "00000000-0000-4000-8000-00000000000d"
    private static let entryID = "00000000-0000-4000-8000-000000000001"

    private static func entry(_ images: [PBDiaryImage] = []) -> PBDiaryEntry {
        PBDiaryEntry(id: entryID, entryTime: Google_Protobuf_Timestamp(seconds: 5, nanos: 0), emotion: "calm", text: "x", images: images)
    }

    private static func image(_ number: UInt8, type: String = "image/png", byteCount: Int64 = 3, hashByteCount: Int = 32) -> PBDiaryImage {
        PBDiaryImage(sha256: [UInt8](repeating: number, count: hashByteCount), contentType: type, sizeBytes: byteCount)
    }

    /// The reason of a call's refusal, and the field and reason of each violation.
    private func refused<Answer>(_ call: () async throws(RPCError) -> Answer) async throws -> [String] {
        do throws(RPCError) {
            _ = try await call()
            return ["no error"]
        } catch {
            #expect(error.code == .invalidArgument)
            let violations = try error.details.first { $0.typeURL.hasSuffix("google.rpc.BadRequest") }.map {
                try Google_Rpc_BadRequest(serializedBytes: $0.value).fieldViolations.map { "\($0.field) \($0.reason)" }
            }
            return [error.reason ?? "no reason"] + (violations ?? [])
        }
    }

    @Test("a wrong cursor of a diary is a violation of the field `cursor`", arguments: ["zz", String(repeating: "z", count: 5_000)])
    func cursor(_ cursor: String) async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            _ = try await board.diaries.registerDiaryDevice(PBRegisterDiaryDeviceRequest(deviceID: Self.device), options: kim.options)
            let pull = PBPullDiaryChangesRequest(deviceID: Self.device, cursor: cursor)
            #expect(
                try await refused { () throws(RPCError) in try await board.diaries.pullDiaryChanges(pull, options: kim.options) }
                    == ["PAGE_TOKEN_INVALID", "cursor PAGE_TOKEN_INVALID"])
            let watch = PBWatchDiaryRequest(deviceID: Self.device, cursor: cursor)
            #expect(
                try await refused { () throws(RPCError) in
                    for try await _ in board.diaries.watchDiary(watch, options: kim.options) {}
                } == ["PAGE_TOKEN_INVALID", "cursor PAGE_TOKEN_INVALID"])
        }
    }

    @Test("a violation in a mutation names the mutation, and a wrong number has a reason of its own")
    func mutations() async throws {
        let stamp = PBDiaryStamp(time: 5, deviceID: Self.device)
        let mutation = PBDiaryMutation(number: 1, entryID: Self.entryID, stamp: stamp, change: .create(Self.entry()))
        func changed(_ change: (inout PBDiaryMutation) -> Void) -> PBDiaryMutation {
            var mutation = mutation
            change(&mutation)
            return mutation
        }
        func patch(_ patch: PBDiaryPatch) -> PBDiaryMutation { changed { $0.change = .patch(patch) } }
        let mask = Google_Protobuf_FieldMask(paths: ["text"])
        let bad: [(PBDiaryMutation, String)] = [
            (changed { $0.number = 0 }, "number DIARY_NUMBER_INVALID"), (changed { $0.number = 3 }, "number DIARY_NUMBER_INVALID"),
            (changed { $0.number = .min }, "number DIARY_NUMBER_INVALID"), (mutation, "number DIARY_NUMBER_INVALID"),
            (changed { $0.entryID = "x" }, "entry_id IDENTIFIER_INVALID"), (changed { $0.stamp = nil }, "stamp FIELD_MISSING"),
            (changed { $0.stamp?.deviceID = "x" }, "stamp.device_id IDENTIFIER_INVALID"), (changed { $0.change = nil }, "change FIELD_MISSING"),
            (patch(PBDiaryPatch(updateMask: mask)), "entry FIELD_MISSING"), (patch(PBDiaryPatch(entry: Self.entry())), "update_mask FIELD_MISSING"),
            (patch(PBDiaryPatch(entry: Self.entry(), updateMask: Google_Protobuf_FieldMask(paths: ["nope"]))), "update_mask FIELD_UNKNOWN"),
            (
                patch(PBDiaryPatch(entry: Self.entry(), updateMask: mask, bases: [PBDiaryFieldStamp(field: "nope", stamp: stamp)])),
                "bases[0].field FIELD_UNKNOWN"
            ),
            (changed { $0.change = .delete(PBDiaryDelete(seen: [PBDiaryFieldStamp(field: "text")])) }, "seen[0].stamp FIELD_MISSING"),
            (changed { $0.change = .create(PBDiaryEntry(text: "x")) }, "entry_time FIELD_MISSING"),
            (changed { $0.change = .create(Self.entry([Self.image(1, hashByteCount: 31)])) }, "images[0].sha256 IDENTIFIER_INVALID"),
        ]
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            _ = try await board.diaries.registerDiaryDevice(PBRegisterDiaryDeviceRequest(deviceID: Self.device), options: kim.options)
            for (second, violation) in bad {
                let push = PBPushDiaryMutationsRequest(deviceID: Self.device, mutations: [mutation, second])
                let reason = String(violation.split(separator: " ")[1])
                #expect(
                    try await refused { () throws(RPCError) in try await board.diaries.pushDiaryMutations(push, options: kim.options) }
                        == [reason, "mutations[1].\(violation)"])
            }
            // Nothing of it was applied.
            #expect(try await board.diaries.listDiaryDevices(PBListDiaryDevicesRequest(), options: kim.options).devices.map(\.lastMutation) == [0])
            // Also the first one has a number from 1 on.
            let zero = PBPushDiaryMutationsRequest(deviceID: Self.device, mutations: [changed { $0.number = 0 }])
            #expect(
                try await refused { () throws(RPCError) in try await board.diaries.pushDiaryMutations(zero, options: kim.options) }
                    == ["DIARY_NUMBER_INVALID", "mutations[0].number DIARY_NUMBER_INVALID"])
        }
    }

    @Test("a picture of an entry that breaks a rule is named by its index, and by the field that is wrong")
    func pictures() async throws {
        let bad: [([PBDiaryImage], [String])] = [
            ([Self.image(1, hashByteCount: 31)], ["images[0].sha256 IDENTIFIER_INVALID"]),
            (
                [Self.image(1), PBDiaryImage()],
                ["images[1].sha256 IDENTIFIER_INVALID", "images[1].content_type FIELD_MISSING", "images[1].size_bytes FIELD_MISSING"]
            ),
            ([Self.image(1), Self.image(2), Self.image(1)], ["images[2].sha256 ITEM_DUPLICATED"]),
            ([Self.image(1, type: "image/gif")], ["images[0].content_type IMAGE_FORMAT_UNSUPPORTED"]),
            ([Self.image(1, type: String(repeating: "x", count: 1_000))], ["images[0].content_type IMAGE_FORMAT_UNSUPPORTED"]),
            ([Self.image(1, byteCount: -1)], ["images[0].size_bytes IMAGE_EMPTY"]),
            (
                [Self.image(1, byteCount: 5 << 20 | 1), Self.image(2, byteCount: .max)],
                ["images[0].size_bytes IMAGE_TOO_LARGE", "images[1].size_bytes IMAGE_TOO_LARGE"]
            ),
            ((1...5).map { Self.image($0) }, ["images TOO_MANY_ITEMS"]),
        ]
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            for (images, violations) in bad {
                let request = PBCreateDiaryEntryRequest(entry: Self.entry(images))
                let refusal = try await refused { () throws(RPCError) in try await board.diaries.createDiaryEntry(request, options: kim.options) }
                #expect(refusal.dropFirst() == violations[...])
                #expect(refusal.first.map { violations[0].hasSuffix(" \($0)") } == true)
            }
        }
    }

    @Test("FindMissingDiaryImages names the first invalid hash by its index")
    func hashes() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let request = PBFindMissingDiaryImagesRequest(sha256: [[UInt8](repeating: 1, count: 32), [1], [UInt8](repeating: 2, count: 32)])
            #expect(
                try await refused { () throws(RPCError) in try await board.diaries.findMissingDiaryImages(request, options: kim.options) }
                    == ["IDENTIFIER_INVALID", "sha256[1] IDENTIFIER_INVALID"])
        }
    }

    @Test("an entry that names a stored picture with another type or size is not told to upload it again")
    func otherPicture() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let stored = DiaryImage(
                hash: try #require(DiaryImageHash(bytes: [UInt8](repeating: 1, count: 32))), contentType: "image/png", byteCount: 3)
            let owner = try #require(UserID(text: kim.userID))
            try await board.store.stageDiaryImage(stored, of: owner, at: SystemWallClock().now()) { _ in [1, 2, 3] }
            for wrong in [Self.image(1, type: "image/jpeg"), Self.image(1, byteCount: 4)] {
                let request = PBCreateDiaryEntryRequest(entry: Self.entry([wrong]))
                #expect(
                    try await refused { () throws(RPCError) in try await board.diaries.createDiaryEntry(request, options: kim.options) }
                        == ["DIARY_IMAGE_DIFFERS", "images DIARY_IMAGE_DIFFERS"])
            }
            let request = PBCreateDiaryEntryRequest(entry: Self.entry([Self.image(1)]))
            #expect(try await board.diaries.createDiaryEntry(request, options: kim.options).images == [Self.image(1)])
        }
    }

    @Test("UpdateDiaryEntry names each wrong path of its mask, as UpdateProfile does")
    func paths() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let long = String(repeating: "p", count: 65)
            let request = PBUpdateDiaryEntryRequest(
                entry: Self.entry(), updateMask: Google_Protobuf_FieldMask(paths: ["nope", "text", "etag", "create_time.seconds", "*", long]))
            #expect(
                try await refused { () throws(RPCError) in try await board.diaries.updateDiaryEntry(request, options: kim.options) } == [
                    "FIELD_UNKNOWN", "nope FIELD_UNKNOWN", "etag FIELD_READ_ONLY", "create_time.seconds FIELD_READ_ONLY", "* FIELD_UNKNOWN",
                    "update_mask FIELD_UNKNOWN",
                ])
        }
    }

    @Test("a malformed request id is refused in a sign-in by peer credentials too", arguments: ["a b", "é", String(repeating: "x", count: 65)])
    func requestID(_ id: String) async throws {
        try await TestBoard.with { board in
            let request = PBSignInRequest(credential: .peer(PBPeerCredential(account: "kim")), requestID: id)
            let refusal = try await refused { () throws(RPCError) in try await board.auth.signIn(request) }
            #expect(refusal == ["REQUEST_ID_INVALID", "request_id REQUEST_ID_INVALID"])
        }
    }

    // MARK: Uploads

    @Test("an upload whose hash is no SHA-256 is refused before its bytes", arguments: [5, 33])
    func uploadHash(_ byteCount: Int) async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let upload = PBProfileImageServiceClient(channel: board.channel).uploadProfileImage(options: kim.options)
            let header = PBUploadProfileImageHeader(sizeBytes: 1, sha256: [UInt8](repeating: 1, count: byteCount))
            #expect(
                try await refused { () throws(RPCError) in
                    try? await upload.write(PBUploadProfileImageRequest(part: .header(header)))
                    return try await upload.finish()
                } == ["IDENTIFIER_INVALID", "sha256 IDENTIFIER_INVALID"])
        }
    }

    @Test("an upload that announces no bytes or too many is refused before its bytes, and names the field", arguments: [
        (0, "IMAGE_EMPTY"), (-1, "IMAGE_EMPTY"), (.min, "IMAGE_EMPTY"), (8 << 20 | 1, "IMAGE_TOO_LARGE"), (.max, "IMAGE_TOO_LARGE"),
    ] as [(Int64, String)])
    func uploadSize(_ byteCount: Int64, _ reason: String) async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let profile = PBProfileImageServiceClient(channel: board.channel).uploadProfileImage(options: kim.options)
            #expect(
                try await refused { () throws(RPCError) in
                    try? await profile.write(PBUploadProfileImageRequest(part: .header(PBUploadProfileImageHeader(sizeBytes: byteCount))))
                    return try await profile.finish()
                } == [reason, "size_bytes \(reason)"])
            let diary = board.diaries.uploadDiaryImage(options: kim.options)
            let header = PBUploadDiaryImageHeader(sizeBytes: byteCount, sha256: [UInt8](repeating: 1, count: 32))
            #expect(
                try await refused { () throws(RPCError) in
                    try? await diary.write(PBUploadDiaryImageRequest(part: .header(header)))
                    return try await diary.finish()
                } == [reason, "size_bytes \(reason)"])
        }
    }
}
