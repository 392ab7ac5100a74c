import DiarySealing
import Foundation
import PulseBoardDomain
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// Diaries that are sealed with keys from a file.
@Suite("Sealed diaries") struct SealedDiaryTests {
    private let directory: TemporaryDirectory
    private let clock = SetClock(1_000_000)
    private let device = DiaryDeviceID(bits: UUIDBits(high: 1, low: 2))
    private static let canary = "kanarienvogel"
    private static let one = String(repeating: "1", count: 64), two = String(repeating: "2", count: 64)

    init() throws { directory = try TemporaryDirectory() }

    /// Opens the store with keys, of which the first seals new data. Without any, there is no file of keys.
    private func open(_ keys: String...) throws -> SQLiteStore {
        let clock = clock
        let path = directory.path + "/keys"
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(keys.joined(separator: "\n").utf8), attributes: [.posixPermissions: 0o600])
        return try SQLiteStore(
            directory: directory.path + "/data", diaryKeys: keys.isEmpty ? .none : try DiaryKeys(path: path), clock: clock,
            uptime: { .microseconds(clock.now().microseconds) })
    }

    private func entry(_ number: UInt64) -> DiaryEntryID { DiaryEntryID(bits: UUIDBits(high: 0xEE, low: number)) }

    private func image() throws -> DiaryImage {
        DiaryImage(hash: try #require(DiaryImageHash(bytes: [UInt8](repeating: 5, count: 32))), contentType: "image/png", byteCount: 300_000)
    }

    /// Writes an entry with a picture, a conflict and a result. All contain the word.
    private func write(_ store: SQLiteStore) async throws -> DiaryEntry {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "laptop", of: userOne, at: clock.now())
        let image = try image()
        try await store.stageDiaryImage(image, of: userOne, at: clock.now()) { range in
            range.map { Array(Self.canary.utf8)[$0 % Self.canary.utf8.count] }
        }
        let content = try DiaryContent(entryTime: clock.now(), emotion: Self.canary, text: "My \(Self.canary).", images: [image])
        let made = try await store.createDiaryEntry(entry(1), content, of: userOne, at: clock.now())
        let patch = DiaryPatch(values: [.text: .text("lost \(Self.canary)")], bases: [.text: DiaryStamp(time: 1, device: device)])
        let mutation = DiaryMutation(entryID: entry(1), stamp: DiaryStamp(time: 2, device: device), kind: .patch(patch))
        _ = try await store.pushDiary(push(mutation), of: userOne, at: clock.now())
        return made
    }

    private func push(_ mutation: DiaryMutation) -> DiaryPush {
        let item = DiaryPush.Item(numbered: NumberedDiaryMutation(number: 1, mutation: mutation), fingerprint: [UInt8](repeating: 9, count: 32))
        return DiaryPush(device: device, items: [item], confirmed: 0)
    }

    /// Checks that everything can be read, with whichever key it is sealed.
    private func expectAll(_ store: SQLiteStore, _ made: DiaryEntry) async throws {
        #expect(try await store.diaryEntry(entry(1), of: userOne).content == made.content)
        let rows = try await store.diaryChanges(of: userOne, for: device, after: nil, limit: 9).rows
        #expect(rows.first?.row.conflicts.map(\.value) == [.text("lost \(Self.canary)")])
        #expect(try await store.diaryImagePart(1, of: image().hash, of: userOne).count == 300_000 - DiaryLimits.imagePartBytes)
        for filter in [DiaryFilter(text: "KANARIEN"), DiaryFilter(emotion: Self.canary), DiaryFilter(emotion: Self.canary, text: "my")] {
            #expect(try await store.diaryEntries(of: userOne, filter, after: nil, limit: 5).entries.map(\.id) == [entry(1)])
        }
        for filter in [DiaryFilter(text: "amsel"), DiaryFilter(emotion: "calm"), DiaryFilter(text: "_anarien")] {
            #expect(try await store.diaryEntries(of: userOne, filter, after: nil, limit: 5) == DiaryEntryPage(entries: [], next: nil))
        }
    }

    /// Runs the housekeeping that is due.
    private func tidy(_ store: SQLiteStore) async throws {
        clock.advance(Housekeeping.pause)
        for _ in 0..<12 { try await store.tamper("SELECT 1") }
        #expect(store.housekeepingFailure == nil)
    }

    /// Whether any file of the store contains the word.
    private func isReadable() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: directory.path + "/data").contains { name in
            guard let bytes = FileManager.default.contents(atPath: directory.path + "/data/" + name) else { return false }
            return bytes.range(of: Data(Self.canary.utf8)) != nil
        }
    }

    @Test("no byte of a text, an emotion, a lost edit or a picture is in the store's files; with the key all of it is read and found")
    func sealed() async throws {
        let store = try open(Self.one)
        let made = try await write(store)
        try await expectAll(store, made)
        try store.close()
        #expect(try !isReadable())
        let again = try open(Self.one)
        try await expectAll(again, made)
        // A repeated push gets its result by a fingerprint that is sealed too.
        let patch = DiaryPatch(values: [.text: .text("x")], bases: [.text: .none])
        let mutation = DiaryMutation(entryID: entry(1), stamp: DiaryStamp(time: 2, device: device), kind: .patch(patch))
        #expect(try await again.pushDiary(push(mutation), of: userOne, at: clock.now()).results.map(\.outcome) == [.conflict])
        try again.close()
    }

    @Test(
        "a diary that was not sealed is sealed step by step, then with the next key, and at last not any more; each time the former key is not needed afterwards"
    )
    func rotation() async throws {
        var store = try open()
        let made = try await write(store)
        try store.close()
        #expect(try isReadable())
        for keys in [[Self.one], [Self.two, Self.one], ["none", Self.two]] {
            store = try keys.count == 1 ? open(keys[0]) : open(keys[0], keys[1])
            try await expectAll(store, made)
            try await tidy(store)
            #expect(try await store.diaryKeysInUse().count == 1)
            try await expectAll(store, made)
            try store.close()
            #expect(try isReadable() == (keys[0] == "none"))
        }
        store = try open()
        #expect(store.missingDiaryKeys.isEmpty)
        try await expectAll(store, made)
        try store.close()
    }

    @Test("without the key, or with another one, every call about diaries says so; nothing is written or lost, and with the key everything is there")
    func lostKey() async throws {
        var store = try open(Self.one)
        let made = try await write(store)
        try store.close()
        for keys in [[], [Self.two]] {
            store = try keys.isEmpty ? open() : open(Self.two)
            #expect(store.missingDiaryKeys.count == 1)
            let locked = RepositoryError.diary(.locked)
            await #expect(throws: locked) { try await store.diaryEntry(entry(1), of: userOne) }
            await #expect(throws: locked) { try await store.diaryEntries(of: userOne, .all, after: nil, limit: 5) }
            await #expect(throws: locked) { try await store.createDiaryEntry(entry(2), made.content, of: userOne, at: clock.now()) }
            await #expect(throws: locked) { try await store.diaryChanges(of: userOne, for: device, after: nil, limit: 5) }
            await #expect(throws: locked) { try await store.diaryImage(image().hash, of: userOne) }
            // Other calls still work.
            #expect(try await store.profile(of: userOne, viewer: userOne).id == userOne)
            try await tidy(store)
            try store.close()
        }
        store = try open(Self.one)
        #expect(store.missingDiaryKeys.isEmpty)
        try await expectAll(store, made)
        try store.close()
    }

    @Test("X17: a sealed row that was changed, or put in another's place, is damaged and named; its neighbour is read")
    func moved() async throws {
        let store = try open(Self.one)
        let made = try await write(store)
        let other = try DiaryContent(entryTime: clock.now(), emotion: "", text: "other")
        _ = try await store.createDiaryEntry(entry(2), other, of: userOne, at: clock.now())
        try await store.tamper(
            "UPDATE diary_entry SET sealed = (SELECT sealed FROM diary_entry WHERE length(sealed) > 100) WHERE length(sealed) < 100")
        await #expect(throws: RepositoryError.corruptRow(table: "diary_entry", key: entry(2).description)) {
            try await store.diaryEntry(entry(2), of: userOne)
        }
        #expect(try await store.diaryEntry(entry(1), of: userOne).content == made.content)
        try store.close()
    }

    @Test("X17: a row that names a key that never was stays as it is, and all others are sealed with the next key")
    func strangeKey() async throws {
        var store = try open(Self.one)
        let made = try await write(store)
        let other = try DiaryContent(entryTime: clock.now(), emotion: "", text: "other")
        _ = try await store.createDiaryEntry(entry(2), other, of: userOne, at: clock.now())
        try await store.tamper(
            "UPDATE diary_entry SET sealed = CAST(substr(sealed, 1, 1) || x'0000000000' || substr(sealed, 7) AS BLOB) WHERE length(sealed) < 100")
        try store.close()
        store = try open(Self.two, Self.one)
        try await tidy(store)
        #expect(try await store.diaryKeysInUse().count == 1)
        try store.close()
        store = try open(Self.two)
        #expect(try await store.diaryEntry(entry(1), of: userOne).content == made.content)
        try store.close()
    }

    @Test("a search looks at so many sealed entries for a page, and goes on with the next one: each is found once")
    func longSearch() async throws {
        let store = try open(Self.one)
        try await store.addUser(userOne, "one")
        let text = String(repeating: "가", count: 10_000)
        // 300 of 30,004 bytes: 70 make a page of 2 MiB.
        for number in 1...300 as ClosedRange<UInt64> {
            let content = try DiaryContent(entryTime: Timestamp(microseconds: Int64(number)), emotion: number % 100 == 0 ? "rare" : "", text: text)
            _ = try await store.createDiaryEntry(entry(number), content, of: userOne, at: clock.now())
        }
        var found: [DiaryEntryID] = []
        var cursor: DiaryCursor?
        var pages = 0
        repeat {
            let page = try await store.diaryEntries(of: userOne, DiaryFilter(emotion: "rare"), after: cursor, limit: 50)
            found += page.entries.map(\.id)
            cursor = page.next
            pages += 1
        } while cursor != nil
        #expect(found == [300, 200, 100].map(entry))
        #expect(pages == 5)
        try store.close()
    }
}
