import PulseBoardDomain
import Testing

@testable import PulseBoardServices
@testable import StoreSQL

/// What an export says it has of each table, it has.
@Suite("Every table in an export") struct ExportedTableTests {
    /// The rows of the user `?1` that an export has, for each exported table.
    private static let rows = [
        "account": "user_id = ?1", "session": "user_id = ?1 AND expire_time > ?2", "profile": "user_id = ?1", "username": "user_id = ?1",
        "image": "owner = ?1 AND state = 2", "following": "follower = \(number)", "follower": "followee = \(number)",
        "follow_event": "owner = \(number)",
        "diary_entry": "diary = \(diary)", "diary_image": "diary = \(diary)", "diary_image_part": "diary = \(diary)",
        "diary_conflict": "diary = \(diary)",
        "diary_device": "diary = \(diary)",
    ]
    private static let number = "(SELECT number FROM profile WHERE user_id = ?1)"
    private static let diary = "(SELECT diary FROM diary WHERE owner = ?1)"

    @Test("C21, C22: an export has a record for every row of every table that it says it has")
    func everyRow() async throws {
        let bench = try await Bench(images: Services.ImageParts(store: MemoryImages(), decoder: EchoDecoder()))
        let one = try await userWithEverything(bench)
        var counts: [UserData.Record: Int] = [:]
        try await bench.services.exports.export(one) { counts[Self.kind(of: $0), default: 0] += 1 }
        #expect(Set(counts.keys) == Set(UserData.Record.allCases), "the user has something of every kind")
        for table in UserData.tables {
            guard case .records(let kind) = table.export else { continue }
            let condition = try #require(Self.rows[table.name], "no rows of \(table.name) are counted")
            let rows = try await Self.count(table.name, condition, of: one.userID, at: bench.clock.now(), bench)
            #expect(rows > 0, "the user has nothing in \(table.name)")
            // A picture is exported in each size.
            #expect(counts[kind] == (kind == .image ? rows * ImageSize.allCases.count : rows), "\(table.name)")
        }
    }

    @Test("C21: an export has the conflicts of a diary whose devices are all deleted")
    func conflictsWithoutDevices() async throws {
        let bench = try await Bench(images: Services.ImageParts(store: MemoryImages(), decoder: EchoDecoder()))
        let one = try await userWithEverything(bench)
        for device in try await bench.services.diaries.devices(one) { try await bench.services.diaries.deleteDevice(device.id, one) }
        var kinds: [UserData.Record] = []
        try await bench.services.exports.export(one) { kinds.append(Self.kind(of: $0)) }
        #expect(kinds.count { $0 == .diaryConflicts } == 1)
        #expect(!kinds.contains(.diaryDevice))
    }

    private static func count(_ table: String, _ condition: String, of user: UserID, at now: Timestamp, _ bench: Bench) async throws -> Int {
        try await bench.store.read { connection throws(RepositoryError) in
            var statement = try connection.statement("SELECT count(*) FROM \(table) WHERE \(condition)")
            try statement.bind(user)
            if condition.contains("?2") { try statement.bind(now) }
            return try statement.step() ? Int(statement.integer(0) ?? 0) : 0
        }
    }

    private static func kind(of record: ExportedRecord) -> UserData.Record {
        switch record {
        case .identity: .identity
        case .session: .session
        case .profile: .profile
        case .username: .username
        case .image: .image
        case .follow(.following, _): .following
        case .follow(.followers, _): .follower
        case .event: .event
        case .diaryEntry: .diaryEntry
        case .diaryConflicts: .diaryConflicts
        case .diaryDevice: .diaryDevice
        case .diaryImage: .diaryImage
        }
    }

    /// A user with rows in every exported table: a present, a held and a reserved name, a picture, follows both ways, and a diary with a picture and
    /// a conflict.
    private func userWithEverything(_ bench: Bench) async throws -> Caller {
        let services = bench.services
        let renaming = try await bench.member(1, "first")
        bench.clock.advance(.days(2))
        _ = try await services.profiles.updateProfile(ProfileUpdate(username: "second"), renaming)
        bench.clock.advance(.days(31))
        let one = try await bench.caller(1), two = try await bench.member(2, "two")
        _ = try await services.profiles.reserveUsername("third", one)
        let images = try #require(services.images)
        let staged = try await images.upload(
            byteCount: 1, sha256: [],
            chunks: AsyncStream<[UInt8]> { continuation in
                continuation.yield([1])
                continuation.finish()
            }, one)
        _ = try await services.profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: staged.id.description), one)
        _ = try await bench.store.keepFollowEvents(of: one.userID, at: bench.clock.now())
        _ = try await services.follows.follow(two.userID, one)
        _ = try await services.follows.follow(one.userID, two)
        try await writeDiary(one, bench)
        return one
    }

    private func writeDiary(_ owner: Caller, _ bench: Bench) async throws {
        let picture = DiaryImage(hash: try #require(DiaryImageHash(bytes: [UInt8](repeating: 7, count: 32))), contentType: "image/png", byteCount: 3)
        try await bench.store.stageDiaryImage(picture, of: owner.userID, at: bench.clock.now()) { _ in [1, 2, 3] }
        let devices = [1, 2].map { DiaryDeviceID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64($0))) }
        for device in devices { _ = try await bench.services.diaries.registerDevice(device, name: "", owner) }
        let entry = DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0099))
        let made = DiaryStamp(time: 5, device: devices[0])
        func push(_ number: Int64, on device: DiaryDeviceID, _ time: Int64, _ kind: DiaryMutation.Kind) async throws {
            let mutation = DiaryMutation(entryID: entry, stamp: DiaryStamp(time: time, device: device), kind: kind)
            let answer = try await bench.services.diaries.push(
                [NumberedDiaryMutation(number: number, mutation: mutation)], confirmed: 0, from: device, owner)
            #expect(answer.results.map(\.outcome) == [time == 6 ? .conflict : .applied])
        }
        let content = DiaryContent(stored: Timestamp(microseconds: 5), emotion: "calm", text: "made", images: [picture])
        try await push(1, on: devices[0], 5, .create(content))
        // Both devices change the text that was made. The later one wins, and the other text is kept as a conflict.
        try await push(1, on: devices[1], 7, .patch(DiaryPatch(values: [.text: .text("late")], bases: [.text: made])))
        try await push(2, on: devices[0], 6, .patch(DiaryPatch(values: [.text: .text("early")], bases: [.text: made])))
    }
}
