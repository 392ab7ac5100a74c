import PulseBoardDomain
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Stored diaries") struct DiaryStoreTests {
    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000)
    let store: SQLiteStore
    let device = DiaryDeviceID(bits: UUIDBits(high: 1, low: 2))

    init() throws {
        directory = try TemporaryDirectory()
        // The uptime follows the clock, so the store trusts it when months pass.
        let clock = clock
        store = try SQLiteStore(directory: directory.path, clock: clock, uptime: { .microseconds(clock.now().microseconds) })
    }

    private func entry(_ number: UInt64) -> DiaryEntryID { DiaryEntryID(bits: UUIDBits(high: 0xEE, low: number)) }

    private func write(_ number: UInt64, _ text: String = "text") async throws {
        let content = try DiaryContent(entryTime: Timestamp(microseconds: Int64(number)), emotion: "calm", text: text)
        _ = try await store.createDiaryEntry(entry(number), content, of: userOne, at: clock.now())
    }

    private func changes(after position: DiaryPosition? = nil) async throws -> DiaryChangePage {
        try await store.diaryChanges(of: userOne, for: device, after: position, limit: 1)
    }

    private func count(_ table: String) async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in try integer("SELECT count(*) FROM \(table)", connection) }
    }

    @Test("promise 13: a deleted entry is forgotten after 90 days; a device that has not heard of it begins again, also within a checkpoint")
    func tombstones() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "", of: userOne, at: clock.now())
        for number in 1...3 as ClosedRange<UInt64> { try await write(number) }
        let middle = try await changes().next
        let whole = try await store.diaryChanges(of: userOne, for: device, after: nil, limit: 10).next
        try await store.deleteDiaryEntry(entry(1), of: userOne, at: clock.now())
        let heard = try await store.diaryChanges(of: userOne, for: device, after: whole, limit: 10).next
        clock.advance(DiaryLimits.tombstoneLifetime)
        try await store.tamper("SELECT 1")
        #expect(try await count("diary_entry") == 2)
        #expect(try await store.diaryChanges(of: userOne, for: device, after: heard, limit: 10).rows.isEmpty)
        for late in [middle, whole] {
            await #expect(throws: RepositoryError.diary(.resyncRequired)) { try await changes(after: late) }
        }
        // A reader that begins now succeeds, although its pages begin before the forgotten change.
        var position: DiaryPosition?
        var ids: [DiaryEntryID] = []
        for _ in 0..<2 {
            let page = try await changes(after: position)
            ids += page.rows.map(\.id)
            position = page.next
        }
        #expect(ids == [entry(2), entry(3)])
        // The forgotten row does not count any more.
        #expect(try await store.read { connection throws(RepositoryError) in try integer("SELECT row_count FROM diary", connection) } == 2)
        #expect(store.housekeepingFailure == nil)
    }

    @Test("a deleted entry with conflicts stays until they are settled, and then as long as any deleted entry")
    func keptConflicts() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "", of: userOne, at: clock.now())
        try await write(1)
        try await store.deleteDiaryEntry(entry(1), of: userOne, at: clock.now())
        let stamp = DiaryStamp(time: 5, device: device)
        let patch = DiaryPatch(values: [.text: .text("unseen")], bases: [.text: DiaryStamp(time: 4, device: device)])
        let mutation = DiaryMutation(entryID: entry(1), stamp: stamp, kind: .patch(patch))
        let item = DiaryPush.Item(numbered: NumberedDiaryMutation(number: 1, mutation: mutation), fingerprint: [1])
        _ = try await store.pushDiary(DiaryPush(device: device, items: [item], confirmed: 0), of: userOne, at: clock.now())
        clock.advance(.days(91))
        try await store.tamper("SELECT 1")
        let seen = try await changes()
        #expect(seen.rows.map(\.row.conflicts.count) == [1])
        let covers = DiaryMutation(
            entryID: entry(1), stamp: DiaryStamp(time: clock.now().microseconds, device: device),
            kind: .dismiss([DiaryFieldStamp(.text, stamp)]))
        let dismissal = DiaryPush.Item(numbered: NumberedDiaryMutation(number: 2, mutation: covers), fingerprint: [2])
        _ = try await store.pushDiary(DiaryPush(device: device, items: [dismissal], confirmed: 1), of: userOne, at: clock.now())
        try await tidy()
        // A device that has not read the dismissal reads it, and does not begin again.
        #expect(try await changes(after: seen.next).rows.map(\.row.conflicts.count) == [0])
        clock.advance(.days(91))
        try await tidy()
        #expect(try await count("diary_entry") == 0)
    }

    @Test("X7: the removal of a withdrawn user's diary begins at once, and goes on until nothing is left", .timeLimit(.minutes(5)))
    func withdrawal() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "", of: userOne, at: clock.now())
        for number in 1...450 as ClosedRange<UInt64> { try await write(number) }
        try await stage(try image(1, count: DiaryLimits.maximumImageBytes))
        // The clock stands still, so the step that comes once a minute does not come.
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        try await until { try await count("discarded_diary") == 0 }
        for table in ["diary", "diary_entry", "diary_device", "diary_result", "diary_conflict", "diary_image", "diary_image_part"] {
            #expect(try await count(table) == 0)
        }
        #expect(store.housekeepingFailure == nil)
    }

    @Test("X17, promise 19: a row that cannot be read fails the call and names the entry, and no word of it")
    func damagedRow() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "", of: userOne, at: clock.now())
        try await write(1, "secret words")
        try await store.tamper("UPDATE diary_entry SET stamps = x'00'")
        let expected = RepositoryError.corruptRow(table: "diary_entry", key: entry(1).description)
        await #expect(throws: expected) { try await store.diaryEntry(entry(1), of: userOne) }
        await #expect(throws: expected) { try await store.diaryEntries(of: userOne, .all, after: nil, limit: 5) }
        await #expect(throws: expected) { try await changes() }
    }

    @Test("a field that nobody has written is no conflict, although an earlier version stored it as one, and devices read on")
    func unwrittenConflict() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "", of: userOne, at: clock.now())
        try await write(1)
        let kept = DiaryConflict(field: .images, stamp: .none, value: .images([]))
        let hex = { (bytes: [UInt8]) in bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined() }
        try await store.tamper(
            """
            INSERT INTO diary_conflict (diary, entry_id, field, stamp, value)
            SELECT diary, entry_id, \(kept.field.rawValue), x'\(hex(kept.stamp.bytes))', x'\(hex(kept.value.bytes))' FROM diary_entry
            """)
        try await store.tamper("UPDATE diary_entry SET has_conflicts = 1")
        let row = try #require(try await changes().rows.first?.row)
        try row.check()
        #expect(row.conflicts.isEmpty)
        _ = try await store.updateDiaryEntry(entry(1), try DiaryChange(text: "next"), ifMatches: nil, of: userOne, at: clock.now())
        #expect(try await store.read { connection throws(RepositoryError) in
            try integer("SELECT has_conflicts FROM diary_entry", connection)
        } == 0)
    }

    @Test(
        "a full diary takes no further entry and no longer text, and lets go of some",
        arguments: ["entry_count = 20000", "byte_count = 67108864", "row_count = 40000"])
    func full(limit: String) async throws {
        try await store.addUser(userOne, "one")
        try await write(1)
        try await store.tamper("UPDATE diary SET \(limit)")
        await #expect(throws: RepositoryError.diary(.full)) { try await write(2) }
        #expect(try await count("diary_entry") == 1)
        let shorter = try DiaryChange(text: "t")
        _ = try await store.updateDiaryEntry(entry(1), shorter, ifMatches: nil, of: userOne, at: clock.now())
        try await store.deleteDiaryEntry(entry(1), of: userOne, at: clock.now())
    }

    @Test("a page of changes ends after a megabyte, and has at least one row")
    func longRows() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.registerDiaryDevice(device, name: "", of: userOne, at: clock.now())
        for number in 1...40 as ClosedRange<UInt64> { try await write(number, String(repeating: "가", count: 10_000)) }
        let page = try await store.diaryChanges(of: userOne, for: device, after: nil, limit: 500)
        #expect(!page.isComplete)
        // 30,004 bytes each: the 35th crosses 1,048,576.
        #expect(page.rows.count == 35)
    }

    private func image(_ number: UInt8, count: Int = 300_000) throws -> DiaryImage {
        DiaryImage(hash: try #require(DiaryImageHash(bytes: [UInt8](repeating: number, count: 32))), contentType: "image/png", byteCount: count)
    }

    private func stage(_ image: DiaryImage) async throws {
        try await store.stageDiaryImage(image, of: userOne, at: clock.now()) { range in [UInt8](repeating: 7, count: range.count) }
    }

    /// Runs the housekeeping that is due.
    private func tidy() async throws {
        clock.advance(Housekeeping.pause)
        for _ in 0..<9 { try await store.tamper("SELECT 1") }
        #expect(store.housekeepingFailure == nil)
    }

    @Test("promise 17: a picture goes a day after the last entry or conflict has let go of it, with all of its parts, and its room is free again")
    func unusedImages() async throws {
        try await store.addUser(userOne, "one")
        let kept = try image(1), staged = try image(2), left = try image(3)
        for picture in [kept, staged, left] { try await stage(picture) }
        let content = try DiaryContent(entryTime: clock.now(), emotion: "", text: "", images: [kept, left])
        let made = try await store.createDiaryEntry(entry(1), content, of: userOne, at: clock.now())
        clock.advance(.hours(23))
        _ = try await store.updateDiaryEntry(entry(1), DiaryChange(images: [kept]), ifMatches: made.etag, of: userOne, at: clock.now())
        clock.advance(.hours(2))
        try await tidy()
        // The picture that no entry named is gone. The picture that an entry dropped stays for a day.
        #expect(try await store.diaryImages(of: userOne, after: nil, limit: 9) == [kept, left])
        #expect(try await store.missingDiaryImages([staged.hash, kept.hash], of: userOne, at: clock.now()) == [staged.hash])
        clock.advance(.hours(30))
        try await tidy()
        #expect(try await store.diaryImages(of: userOne, after: nil, limit: 9) == [kept])
        #expect(try await count("diary_image_part") == Int64(kept.partCount))
        #expect(try await count("diary_image") == 1)
        let counts = "SELECT image_count * 1000000000 + image_byte_count FROM diary"
        #expect(try await store.read { connection throws(RepositoryError) in try integer(counts, connection) } == 1_000_300_000)
        try await store.deleteDiaryEntry(entry(1), of: userOne, at: clock.now())
        clock.advance(.hours(25))
        try await tidy()
        #expect(try await count("diary_image_part") == 0)
    }

    @Test("promise 17: an upload that was cut off leaves nothing that can be seen, is made again, and else goes within minutes")
    func cutOff() async throws {
        try await store.addUser(userOne, "one")
        let picture = try image(1, count: 3 * DiaryLimits.imagePartBytes)
        await #expect(throws: RepositoryError.storeUnavailable(detail: "cut off")) {
            try await store.stageDiaryImage(picture, of: userOne, at: clock.now()) { range throws(RepositoryError) in
                guard range.lowerBound == 0 else { throw .storeUnavailable(detail: "cut off") }
                return [UInt8](repeating: 7, count: range.count)
            }
        }
        #expect(try await count("diary_image_part") == 1)
        await #expect(throws: RepositoryError.diary(.imageNotFound)) { try await store.diaryImage(picture.hash, of: userOne) }
        await #expect(throws: RepositoryError.diary(.imageNotFound)) { try await store.diaryImagePart(0, of: picture.hash, of: userOne) }
        #expect(try await store.missingDiaryImages([picture.hash], of: userOne, at: clock.now()) == [picture.hash])
        clock.advance(.seconds(660))
        try await tidy()
        #expect(try await count("diary_image_part") == 0)
        #expect(try await count("diary_image") == 0)
        try await stage(picture)
        #expect(try await store.diaryImage(picture.hash, of: userOne) == picture)
    }

    @Test(
        "a diary with too many pictures, or too many bytes of them, takes no further one",
        arguments: ["image_count = 10000", "image_byte_count = 1073741824"])
    func fullOfImages(limit: String) async throws {
        try await store.addUser(userOne, "one")
        try await write(1)
        try await store.tamper("UPDATE diary SET \(limit)")
        let picture = try image(1)
        await #expect(throws: RepositoryError.diary(.full)) { try await stage(picture) }
        #expect(try await count("diary_image") == 0)
    }
}
