import Foundation
import GRDB
import PulseBoardDomain
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("The check of a data directory, and its repair") struct StoreCheckTests {
    let directory: TemporaryDirectory
    private static let image = OwnedImage(owner: userOne, id: ImageID(bits: UUIDBits(high: 3, low: 4)))

    init() throws { directory = try TemporaryDirectory() }

    private var check: StoreCheck { StoreCheck(directory: directory.path) }

    /// Makes a directory with people, follows, a session, a picture and a diary, and changes rows directly.
    private func make(_ tampering: [String] = []) async throws {
        let store = try SQLiteStore(directory: directory.path)
        let time = Timestamp(microseconds: 5)
        try await store.addUser(userOne, "one")
        try await store.addUser(userTwo, "two")
        _ = try await store.follow(userTwo, by: userOne, at: time, idempotency: nil)
        _ = try await store.follow(userOne, by: userTwo, at: time, idempotency: nil)
        let far = Timestamp(microseconds: .max)
        let image = Self.image
        try await store.beginImage(image.id, of: image.owner, expiring: far)
        try await store.stageImage(image.id, of: image.owner, at: time, expiring: far)
        try await store.tamper("UPDATE image SET state = 2")
        try await store.tamper("UPDATE profile SET image_id = (SELECT image_id FROM image) WHERE username_key = 'one'")
        let content = try DiaryContent(entryTime: time, emotion: "calm", text: "text")
        _ = try await store.createDiaryEntry(DiaryEntryID(bits: UUIDBits(high: 1, low: 1)), content, of: userOne, at: time)
        try await store.tamper(
            "INSERT INTO session (user_id, session_id, issuer, subject, token_hash, create_time, expire_time) VALUES (x'01', x'02', 'a', 'b', x'03', 1, \(Int64.max))"
        )
        try await store.tamper("INSERT INTO session_token VALUES (x'03', x'01', x'02')")
        for sql in tampering { try await store.tamper(sql) }
        try store.close()
        for size in ImageSize.allCases { try place(image.path(size)) }
    }

    private func place(_ path: String) throws {
        let url = URL(filePath: directory.path + "/images/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("picture".utf8).write(to: url)
    }

    @Test("a sound directory has no faults, also while a server is at work on it")
    func sound() async throws {
        try await make()
        let store = try SQLiteStore(directory: directory.path)
        let report = try check.run()
        #expect(report.isSound, "\(report.findings) \(report.damage)")
        #expect(report.counts.first { $0.table == "following" }?.rows == 2)
        try store.close()
    }

    /// For each rule, the SQL that breaks it.
    private static let breaches: [(rule: String, sql: [String])] = [
        ("follow-unknown", ["INSERT INTO following VALUES (1, 99, 7)", "INSERT INTO follower VALUES (99, 7, 1)"]),
        ("follow-times", ["UPDATE follower SET follow_time = 6 WHERE follower = 1"]),
        ("follow-without-follower", ["DELETE FROM follower WHERE follower = 1"]),
        ("follower-without-follow", ["DELETE FROM following WHERE follower = 1"]),
        ("counts-missing", ["DELETE FROM follow_count WHERE number = 1"]),
        ("counts-unknown", ["INSERT INTO follow_count (number, followers, following) VALUES (99, 0, 0)"]),
        ("counts", ["UPDATE follow_count SET followers = 7 WHERE number = 1"]),
        ("event-unknown", ["INSERT INTO follow_event VALUES (99, 1, 1, x'00')"]),
        ("username-unknown", ["INSERT INTO username VALUES ('ghost', x'09', 0, 0, 0, 'ghost', 0)"]),
        ("username-missing", ["DELETE FROM username WHERE username_key = 'two'"]),
        ("term-unknown", ["INSERT INTO profile_term VALUES ('ghost', x'09', 0)"]),
        ("term-missing", ["DELETE FROM profile_term WHERE term = 'two'"]),
        ("session", ["DELETE FROM session_token"]),
        ("image-missing", ["UPDATE profile SET image_id = x'00' WHERE username_key = 'two'"]),
        ("image-unknown", ["INSERT INTO image VALUES (x'07', x'08', 2, 0)"]),
        ("diary-unknown", ["UPDATE diary_entry SET diary = x'00'", "UPDATE diary SET entry_count = 0, row_count = 0"]),
        ("diary-counts", ["UPDATE diary SET entry_count = 7"]),
        ("diary-image-counts", ["UPDATE diary SET image_count = 7, image_byte_count = 7"]),
    ]

    @Test("every rule has a case here")
    func complete() {
        #expect(Self.breaches.map(\.rule) == StoreRule.all.map(\.name))
        #expect(Set(StoreRule.all.map(\.name)).count == StoreRule.all.count)
    }

    @Test("each fault is found by its own rule, and mended where it can be", arguments: breaches)
    func breach(_ breach: (rule: String, sql: [String])) async throws {
        try await make(breach.sql)
        let before = try check.run()
        #expect(before.findings.map(\.rule).contains(breach.rule), "\(before.findings)")
        #expect(before.damage.isEmpty)
        let (_, after) = try StoreRepair(of: check).run()
        let isMended = StoreRule.all.first { $0.name == breach.rule }?.repairs.isEmpty == false
        #expect(after.findings.map(\.rule) == (isMended ? [] : [breach.rule]), "\(after.findings)")
        // A server opens the repaired database.
        let store = try SQLiteStore(directory: directory.path)
        #expect(try await store.profile(of: userOne).username.text == "one")
        if breach.rule.hasPrefix("follow") {
            let counts = try await store.counts(of: userOne, viewer: userTwo)
            #expect(counts.followers == 1 && counts.following == 1, "no follow is lost")
        }
        try store.close()
    }

    private func rootPage(of table: String) throws -> Int64 {
        try DatabaseQueue(path: directory.path + "/" + SQLiteStore.fileName).read { database in
            try #require(
                try Int64.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table]))
        }
    }

    @Test("a damaged page is named, and what the other pages say is told; a repair changes nothing")
    func damagedPage() async throws {
        try await make(["DELETE FROM follower WHERE follower = 1"])
        let path = directory.path + "/" + SQLiteStore.fileName
        let page = try rootPage(of: "session")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(page - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
        try file.close()
        let report = try check.run()
        #expect(report.damage.contains { $0.contains("table session") }, "\(report.damage)")
        #expect(report.findings.map(\.rule).contains("follow-without-follower"))
        #expect(report.counts.contains { $0.table == "profile" && $0.rows == 2 })
        #expect(!report.isSound && !report.isRepairable)
        let (before, after) = try StoreRepair(of: check).run()
        #expect(before == after && before.mended(after).isSound)
    }

    @Test("B20: files of pictures without a row, and rows without their files, are found and mended")
    func files() async throws {
        try await make()
        let stranger = OwnedImage(owner: userTwo, id: ImageID(bits: UUIDBits(high: 5, low: 6)))
        try place(stranger.path(.small))
        try place("notes.txt")
        try FileManager.default.removeItem(atPath: directory.path + "/images/" + Self.image.path(.large))
        let before = try check.run()
        #expect(before.findings.map(\.rule) == ["image-files-missing", "image-files-unknown"])
        #expect(before.findings.map(\.count) == [1, 1])
        let (_, after) = try StoreRepair(of: check).run()
        // The server's sweep removes the other files of the incomplete picture.
        #expect(after.isSound, "\(after.findings)")
        #expect(FileManager.default.fileExists(atPath: directory.path + "/images/notes.txt"), "no picture, so not the server's")
        let store = try SQLiteStore(directory: directory.path)
        #expect(try await store.profile(of: userOne).image == nil)
        try store.close()
    }

    @Test("a lost picture of a user who is leaving is left alone until the user comes back")
    func filesOfLeaver() async throws {
        try await make()
        let store = try SQLiteStore(directory: directory.path)
        _ = try await store.requestWithdrawal(of: userOne, at: Timestamp(microseconds: 1), purging: Timestamp(microseconds: .max))
        try store.close()
        try FileManager.default.removeItem(atPath: directory.path + "/images/" + Self.image.path(.large))
        #expect(try StoreRepair(of: check).run().after.isSound)
        let returned = try SQLiteStore(directory: directory.path)
        try await returned.cancelWithdrawal(of: userOne)
        #expect(try await returned.profile(of: userOne).image != nil)
        try returned.close()
        #expect(try check.run().findings.map(\.rule) == ["image-files-missing"])
    }

    @Test("pictures are looked for where the server keeps them, and profiles keep theirs while that directory is not there")
    func elsewhere() async throws {
        try await make()
        let folder = directory.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: directory.path + "/images", toPath: folder)
        #expect(try StoreCheck(directory: directory.path, imageDirectory: folder).run().isSound)
        #expect(try check.run().findings.map(\.rule) == ["image-files-missing"])
        let (_, after) = try StoreRepair(of: check).run()
        #expect(after.findings.map(\.rule) == ["image-files-missing"])
        // The place where a disk is mounted is there without the disk, and is empty.
        try FileManager.default.createDirectory(atPath: directory.path + "/images", withIntermediateDirectories: false)
        #expect(try StoreRepair(of: check).run().after.findings.map(\.rule) == ["image-files-missing"])
        #expect(try StoreCheck(directory: directory.path, imageDirectory: folder).run().isSound)
    }

    @Test("a withdrawal half-way and a user who has asked to leave are no faults")
    func leaving() async throws {
        let store = try SQLiteStore(directory: directory.path)
        try await store.addUser(userOne, "one")
        let others = (1...400 as ClosedRange<UInt64>).map { UserID(bits: UUIDBits(high: 9, low: $0)) }
        for (number, other) in others.enumerated() {
            try await store.addUser(other, "u\(number)")
            _ = try await store.follow(userOne, by: other, at: Timestamp(microseconds: 3), idempotency: nil)
        }
        _ = try await store.requestWithdrawal(of: others[0], at: Timestamp(microseconds: 4), purging: Timestamp(microseconds: .max))
        #expect(try check.run().isSound)
        // The tombstone after the first step.
        try await store.tamper("INSERT INTO withdrawal SELECT number, x'00', 1, 400, 0, 0, 1 FROM profile WHERE username_key = 'one'")
        try await store.tamper("DELETE FROM follow_count WHERE number = 1")
        try await store.tamper("DELETE FROM profile_term WHERE term = 'one'")
        try await store.tamper("DELETE FROM username WHERE username_key = 'one'")
        try await store.tamper("DELETE FROM profile WHERE username_key = 'one'")
        let report = try check.run()
        #expect(report.isSound, "\(report.findings)")
        try store.close()
    }

    @Test("a repair needs the directory for itself, and changes nothing that is sound")
    func possession() async throws {
        try await make(["UPDATE follow_count SET followers = 7"])
        let store = try SQLiteStore(directory: directory.path)
        #expect(throws: StoreOpeningError.locked(path: directory.path, holder: getpid())) {
            try StoreRepair(of: check).run()
        }
        #expect(!(try check.run().isSound))
        try store.close()
        #expect(try StoreRepair(of: check).run().after.isSound)
        let bytes = try Data(contentsOf: URL(filePath: directory.path + "/" + SQLiteStore.fileName))
        #expect(try StoreRepair(of: check).run().before.isSound)
        #expect(try Data(contentsOf: URL(filePath: directory.path + "/" + SQLiteStore.fileName)) == bytes)
    }

    @Test("a pipe in place of the database is refused, and not waited for")
    func pipe() throws {
        #expect(mkfifo(directory.path + "/pulseboard.sqlite", 0o600) == 0)
        #expect(throws: StoreOpeningError.self) { try check.run() }
        #expect(throws: StoreOpeningError.self) { try StoreRepair(of: check).run() }
    }

    @Test("a directory without a database, and one of an earlier version, are refused")
    func refused() throws {
        #expect(throws: StoreOpeningError.self) { try check.run() }
        let path = directory.path + "/" + SQLiteStore.fileName
        try OldDatabase.make(at: path)
        #expect(
            throws: StoreOpeningError.failed(path: path, detail: .earlierVersion)
        ) {
            try check.run()
        }
    }
}
