import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL
@testable import StoreSQL
@testable import StoreSQLite

@Suite("Moving between SQLite and PostgreSQL") struct CopyTests {
    private static let now = testTime(100)

    /// A SQLite store with rows in every table.
    private func livedIn() async throws -> String {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("copy-\(UUID().uuidString)").path
        let store = try SQLiteStore(directory: directory, clock: ContractCase.clock)
        for number in 1...40 as ClosedRange<UInt64> {
            let draft = try ProfileDraft(username: "user\(number)", texts: [.displayName: "이름 \(number)"], rules: UsernameRules())
            _ = try await store.createProfile(draft, for: testUser(number), at: testTime(0), idempotency: nil)
        }
        _ = try await store.keepFollowEvents(of: testUser(1), at: testTime(1))
        for number in 2...40 as ClosedRange<UInt64> {
            _ = try await store.follow(testUser(1), by: testUser(number), at: testTime(Int64(number)), idempotency: nil)
        }
        let hash = try #require(TokenHash(bytes: [UInt8](repeating: 1, count: 32)))
        _ = try await store.openSession(
            SessionOpening(
                id: SessionID(bits: UUIDBits(high: 1, low: 1)), account: .unix(uid: 1), device: nil, tokenHash: hash, createTime: testTime(1),
                expireTime: testTime(9_999)), newUserID: testUser(1), limit: 9)
        _ = try await store.createDiaryEntry(
            DiaryEntryID(bits: UUIDBits(high: 2, low: 2)), try DiaryContent(entryTime: testTime(1), emotion: "calm", text: "맑음"), of: testUser(1),
            at: testTime(2))
        _ = try await store.secret(named: "key", orStore: [1, 2, 3])
        // The last assigned number belongs to a user who has no profile now.
        _ = try await store.requestWithdrawal(of: testUser(40), at: testTime(50), purging: testTime(90_000))
        try store.close()
        return directory
    }

    private func sqlite(_ directory: String) throws -> SQLiteStore { try SQLiteStore(directory: directory, clock: ContractCase.clock) }

    /// The answers of a store to many reads.
    private func answers(of store: SQLStore) async throws -> [String] {
        let followers = try await store.followers(of: testUser(1), viewer: testUser(1), after: nil, limit: 99)
        return [
            "\(followers)", "\(try await store.counts(of: testUser(1), viewer: testUser(1)))",
            "\(try await store.keptFollowEvents(of: testUser(1), after: nil, limit: 99))",
            "\(try await store.diaryEntries(of: testUser(1), .all, after: nil, limit: 9).entries)",
            "\(try await store.sessions(of: testUser(1), endingAfter: testTime(0)))",
            "\(try await store.searchProfiles(NameSearch("이름"), viewer: testUser(1), after: nil, limit: 99).matches.map(\.profile))",
            "\(try await store.secret(named: "key", orStore: [9, 9, 9]))",
        ]
    }

    @Test("everything is the same on PostgreSQL and back on SQLite, numbers are not given again, and a second copy is refused")
    func there_and_back() async throws {
        let directory = try await livedIn(), back = directory + "-back"
        defer { for path in [directory, back] { try? FileManager.default.removeItem(atPath: path) } }
        let first = try sqlite(directory)
        let before = try await answers(of: first)
        let address = try TestCluster.shared.get().makeDatabase()
        let middle = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        var tables: [StoreTransfer.Table] = []
        try await StoreTransfer(from: first, to: middle).run(at: Self.now) { tables.append($0) }
        #expect(tables.map(\.name) == CopiedTable.all.map(\.name))
        #expect(tables.first { $0.name == "follower" }?.rows == 39)
        #expect(try await answers(of: middle) == before)
        #expect(try await !middle.hasUnfinishedCopy())
        await #expect(throws: StoreTransfer.Failure.targetInUse) { try await StoreTransfer(from: first, to: middle).run(at: Self.now) { _ in } }
        try first.close()

        let last = try SQLiteStore(directory: back, clock: ContractCase.clock)
        try await StoreTransfer(from: middle, to: last).run(at: Self.now) { _ in }
        #expect(try await answers(of: last) == before)
        // A user who comes back is the same as before, and no new user has their number.
        for store in [middle, last] as [SQLStore] {
            _ = try await store.createProfile(
                try ProfileDraft(username: "newcomer", texts: ProfileTexts(), rules: UsernameRules()), for: testUser(99), at: testTime(60),
                idempotency: nil)
            try await store.cancelWithdrawal(of: testUser(40))
            #expect(try await store.relationships(of: testUser(40), to: [testUser(1)])[testUser(1)]?.followTime == testTime(40))
            #expect(try await store.counts(of: testUser(99), viewer: testUser(99)) == FollowCounts(followers: 0, following: 0))
        }
        try middle.close()
        try last.close()
    }

    @Test("a copy that was interrupted is known as unfinished, and goes on; one whose target was written to is told")
    func interrupted() async throws {
        let directory = try await livedIn()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let source = try sqlite(directory)
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let target = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        try await StoreTransfer(from: source, to: target).run(at: Self.now) { _ in }
        // The state of an interrupted copy.
        try cluster.psql(
            address,
            "DELETE FROM follower WHERE follow_time > (SELECT min(follow_time) FROM follower); DELETE FROM request; DELETE FROM diary_entry")
        try cluster.psql(address, "INSERT INTO marked_time VALUES ('copy-unfinished', 0)")
        #expect(try await target.hasUnfinishedCopy())
        try await StoreTransfer(from: source, to: target).run(at: Self.now) { _ in }
        #expect(try await answers(of: target) == answers(of: source))
        try cluster.psql(
            address, "INSERT INTO marked_time VALUES ('copy-unfinished', 0); UPDATE profile SET display_name = 'other' WHERE username = 'user7'")
        await #expect(throws: StoreTransfer.Failure.differs(table: "profile")) {
            try await StoreTransfer(from: source, to: target).run(at: Self.now) { _ in }
        }
        #expect(try await target.hasUnfinishedCopy())
        try target.close()
        // A server that is started on it removes nothing: the copy goes on behind its last row, so a missing one would never come.
        try cluster.psql(address, "INSERT INTO request VALUES ('\\x01', 'r', '', '', 0, 1)")
        for (program, isUnfinished) in [(PostgreSQLStore.Program.server, true), (.migration, false), (.server, false)] {
            if !isUnfinished { try cluster.psql(address, "DELETE FROM marked_time") }
            let opened = try PostgreSQLStore(address: address, for: program)
            // The first round of the housekeeping asks for the size at its end.
            await until { opened.status.databaseBytes > 0 }
            try opened.close()
            let isKept = try cluster.psql(address, "SELECT count(*) FROM request WHERE request_id = 'r'").hasPrefix("1")
            #expect(isKept == (isUnfinished || program == .migration), "\(program) \(isUnfinished)")
        }
        try source.close()
    }

    @Test("a text that is not UTF-8 ends the copy, and is not taken for an absent one")
    func brokenText() async throws {
        let directory = try await livedIn()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let database = try DatabaseQueue(path: directory + "/" + SQLiteStore.fileName)
        try await database.write { try $0.execute(sql: "UPDATE session SET device_name = CAST(x'FF' AS TEXT)") }
        try database.close()
        let source = try sqlite(directory)
        let target = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase(), clock: ContractCase.clock, comparesClocks: false)
        do throws(StoreTransfer.Failure) {
            try await StoreTransfer(from: source, to: target).run(at: Self.now) { _ in }
            Issue.record("copied what cannot be read")
        } catch {
            guard case .store(.corruptRow(table: "session", let key)) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(key.contains("device_name"))
        }
        #expect(try await target.hasUnfinishedCopy())
        try target.close()
        try source.close()
    }

    @Test("a server on the database is noticed, and another copy is none")
    func servers() async throws {
        let address = try TestCluster.shared.get().makeDatabase()
        let copies = try (0..<2).map { _ in try PostgreSQLStore(address: address, for: .migration, clock: ContractCase.clock, comparesClocks: false) }
        for copy in copies { #expect(try await !copy.hasServer()) }
        let server = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        // A server connects when it has work, and then sees itself.
        #expect(try await server.hasServer())
        for copy in copies { #expect(try await copy.hasServer()) }
        for store in copies + [server] { try store.close() }
    }

    @Test("every table and column of the schema is copied")
    func complete() throws {
        let database = try DatabaseQueue()
        try SQLiteSchema.migrator.migrate(database)
        let own: Set<String> = ["grdb_migrations", "sqlite_sequence", "sqlite_stat1", "marked_time"]
        let expected = try database.read { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'").filter { !own.contains($0) }
                .reduce(into: [String: Set<String>]()) { $0[$1] = Set(try database.columns(in: $1).map(\.name)) }
        }
        #expect(Dictionary(uniqueKeysWithValues: CopiedTable.all.map { ($0.name, Set($0.columns)) }) == expected)
    }
}
