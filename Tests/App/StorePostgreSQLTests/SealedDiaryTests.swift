import DiarySealing
import Foundation
import PulseBoardDomain
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL
@testable import StoreSQL

@Suite("Sealed diaries on PostgreSQL") struct SealedDiaryTests {
    /// A file of keys. It is removed with the test.
    private func keys(_ lines: String...) throws -> DiaryKeys {
        let path = FileManager.default.temporaryDirectory.path + "/pb-keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(
            atPath: path, contents: Data(lines.joined(separator: "\n").utf8), attributes: [.posixPermissions: 0o600]))
        return try DiaryKeys(path: path)
    }

    @Test("what is written is sealed, found again, sealed again with the next key, and locked without a key")
    func sealing() async throws {
        let (one, two) = (String(repeating: "1", count: 64), String(repeating: "2", count: 64))
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let entry = DiaryEntryID.random(using: SystemRandomSource())
        let image = DiaryImage(
            hash: try #require(DiaryImageHash(bytes: [UInt8](repeating: 5, count: 32))), contentType: "image/png", byteCount: 300_000)
        let content = try DiaryContent(entryTime: testTime(1), emotion: "calm", text: "Kanarienvogel", images: [image])
        func expectAll(_ store: PostgreSQLStore) async throws {
            #expect(try await store.diaryEntry(entry, of: testUser(1)).content == content)
            let found = try await store.diaryEntries(of: testUser(1), DiaryFilter(text: "kanarien"), after: nil, limit: 5)
            #expect(found.entries.map(\.id) == [entry] && found.isComplete)
            #expect(try await store.diaryImagePart(1, of: image.hash, of: testUser(1)).allSatisfy { $0 == 7 })
        }
        // At first nothing is sealed.
        var store = try PostgreSQLStore(address: address)
        try await store.addUser(1)
        // Uses the store's own clock, because old rows are removed.
        let now = SystemWallClock().now()
        try await store.stageDiaryImage(image, of: testUser(1), at: now) { range in [UInt8](repeating: 7, count: range.count) }
        _ = try await store.createDiaryEntry(entry, content, of: testUser(1), at: now)
        try store.close()
        let readable = "SELECT count(*) FROM diary_entry WHERE body IS NOT NULL OR emotion IS NOT NULL OR images IS NOT NULL OR sealed IS NULL"
        for lines in [[one], [two, one]] {
            store = try PostgreSQLStore(address: address, diaryKeys: lines.count == 1 ? keys(one) : keys(two, one))
            try await expectAll(store)
            // As the housekeeping does, until there is no more to do.
            let vault = store.vault
            while try await store.write({ connection throws(RepositoryError) in try vault.sealMore(connection, rows: 200) }) {}
            #expect(try await store.diaryKeysInUse() == [vault.seal.keys.newest])
            try await expectAll(store)
            try store.close()
            #expect(try cluster.psql(address, readable) == "0")
            #expect(try cluster.psql(address, "SELECT count(*) FROM diary_image_part WHERE is_sealed = 0") == "0")
        }
        store = try PostgreSQLStore(address: address)
        await #expect(throws: RepositoryError.diary(.locked)) { try await store.diaryEntry(entry, of: testUser(1)) }
        try store.close()
        store = try PostgreSQLStore(address: address, diaryKeys: keys(two))
        try await expectAll(store)
        try store.close()
    }

    @Test(
        "what another server writes with the former key, or without one, behind the sweep is sealed after that server's next start",
        arguments: [false, true])
    func behindTheSweep(isUnsealed: Bool) async throws {
        let (one, two) = (String(repeating: "1", count: 64), String(repeating: "2", count: 64))
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let now = SystemWallClock().now()
        let entry = DiaryEntryID.random(using: SystemRandomSource())
        let content = try DiaryContent(entryTime: testTime(1), emotion: "calm", text: "Kanarienvogel")
        func open(_ lines: String...) throws -> PostgreSQLStore {
            switch lines.count {
            case 0: try PostgreSQLStore(address: address)
            case 1: try PostgreSQLStore(address: address, diaryKeys: keys(lines[0]))
            default: try PostgreSQLStore(address: address, diaryKeys: keys(lines[0], lines[1]))
            }
        }
        func sweep(_ store: PostgreSQLStore) async throws {
            let vault = store.vault
            while try await store.write({ connection throws(RepositoryError) in try vault.sealMore(connection, rows: 200) }) {}
        }
        let late = try isUnsealed ? open() : open(one)
        try await late.addUser(1)
        let first = try isUnsealed ? open(two) : open(two, one)
        try await sweep(first)
        #expect(try await first.diaryKeysInUse().count == 1)
        // The other server still runs with its former keys.
        _ = try await late.createDiaryEntry(entry, content, of: testUser(1), at: now)
        try late.close()
        let again = try isUnsealed ? open(two) : open(two, one)
        #expect(again.diaryKeysAtStart.count == 1)
        #expect(try await again.diaryKeysInUse().count == (isUnsealed ? 2 : 3))
        try await sweep(again)
        #expect(try await again.diaryKeysInUse() == [again.vault.seal.keys.newest])
        try again.close()
        try first.close()
        #expect(try cluster.psql(address, "SELECT count(*) FROM diary_entry WHERE sealed IS NULL") == "0")
        // The former key is not needed.
        let last = try open(two)
        #expect(last.diaryKeysAtStart.count == 1)
        #expect(try await last.diaryEntry(entry, of: testUser(1)).content == content)
        try last.close()
    }
}
