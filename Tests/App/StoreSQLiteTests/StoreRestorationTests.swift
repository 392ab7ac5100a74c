import Foundation
import GRDB
import PulseBoardDomain
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// A database of an earlier version, in rollback mode.
enum OldDatabase {
    static func make(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: Schema.migrator.migrations[Schema.migrator.migrations.count - 2])
        try queue.close()
    }
}

@Suite("Putting a backup in its place") struct StoreRestorationTests {
    let source: TemporaryDirectory
    let target: TemporaryDirectory

    init() throws {
        source = try TemporaryDirectory()
        target = try TemporaryDirectory()
    }

    /// A copy of a store with a user and a session with the given token.
    private func copy() async throws -> (bytes: [UInt8], counts: [StoreTableCount]) {
        let store = try SQLiteStore(directory: source.path)
        try await store.addUser(userOne, "one")
        _ = try await store.secret(named: "page-token-key", orStore: [1, 2, 3])
        for token in ["aa", "bb"] {
            try await store.tamper(
                "INSERT INTO session (user_id, session_id, issuer, subject, token_hash, create_time, expire_time) VALUES (x'01', x'\(token)', 'a', 'b', x'\(token)', 1, \(Int64.max))"
            )
            try await store.tamper("INSERT INTO session_token VALUES (x'\(token)', x'01', x'\(token)')")
        }
        let copy = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
        let bytes = try copy.bytes(at: 0, count: Int(copy.byteCount))
        let counts = copy.counts
        try store.close()
        return (bytes, counts)
    }

    private func restore(
        _ bytes: [UInt8], _ counts: [StoreTableCount], imageDirectory: String? = nil, replacing: Bool = false,
        sessions: StoreRestoration.Sessions = .keep
    ) throws -> StoreRestoration.Outcome {
        let restoration = try StoreRestoration(directory: target.path, imageDirectory: imageDirectory, replacing: replacing)
        try Data(bytes).write(to: URL(filePath: try restoration.place(for: SQLiteStore.fileName)))
        try Data("picture".utf8).write(to: URL(filePath: try restoration.place(for: "images/3d/owner/picture-96.webp")))
        return try restoration.finish(counts: counts, sessions: sessions)
    }

    private func count(_ sql: String) throws -> Int64? {
        let queue = try DatabaseQueue(path: target.path + "/" + SQLiteStore.fileName)
        defer { try? queue.close() }
        return try queue.read { try Int64.fetchOne($0, sql: sql) }
    }

    @Test("everything is there again, in a new generation: no token of before is good")
    func generation() async throws {
        let (bytes, counts) = try await copy()
        let outcome = try restore(bytes, counts)
        #expect(outcome == StoreRestoration.Outcome(former: nil, endedSessions: 0, returned: nil))
        #expect(try count("SELECT count(*) FROM session_token") == 2)
        #expect(FileManager.default.fileExists(atPath: target.path + "/images/3d/owner/picture-96.webp"))
        let store = try SQLiteStore(directory: target.path)
        #expect(try await store.profile(of: userOne).username.text == "one")
        #expect(try await store.secret(named: "page-token-key", orStore: [4, 5, 6]) == [4, 5, 6])
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).filter { $0.contains("restore") }.isEmpty)
    }

    @Test("pictures that the server keeps elsewhere are added there, and those that are there stay")
    func picturesElsewhere() async throws {
        let (bytes, counts) = try await copy()
        let pictures = source.path + "/pictures"
        let kept = pictures + "/3d/owner/other-96.webp", restored = pictures + "/3d/owner/picture-96.webp"
        try FileManager.default.createDirectory(atPath: pictures + "/3d/owner", withIntermediateDirectories: true)
        try Data("other".utf8).write(to: URL(filePath: kept))
        _ = try restore(bytes, counts, imageDirectory: pictures)
        #expect(FileManager.default.contents(atPath: restored) == Data("picture".utf8))
        #expect(FileManager.default.contents(atPath: kept) == Data("other".utf8))
        #expect(!FileManager.default.fileExists(atPath: target.path + "/images"))
        // A picture's name is never used for other bytes, so what is there is right.
        try Data("present".utf8).write(to: URL(filePath: restored))
        _ = try restore(bytes, counts, imageDirectory: pictures, replacing: true)
        #expect(FileManager.default.contents(atPath: restored) == Data("present".utf8))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: pictures).filter { $0.hasSuffix("restored") }.isEmpty)
    }

    @Test("the default directory of pictures is replaced, also if it is named")
    func namedDefault() async throws {
        let (bytes, counts) = try await copy()
        _ = try restore(bytes, counts, imageDirectory: target.path + "/images")
        let former = try #require(try restore(bytes, counts, imageDirectory: target.path + "/images/", replacing: true).former)
        #expect(FileManager.default.fileExists(atPath: former + "/images/3d/owner/picture-96.webp"))
        #expect(FileManager.default.fileExists(atPath: target.path + "/images/3d/owner/picture-96.webp"))
    }

    @Test("another program's database is put aside without a change")
    func foreign() async throws {
        let (bytes, counts) = try await copy()
        let database = target.path + "/pulseboard.sqlite"
        try await DatabaseQueue(path: database).write { try $0.execute(sql: "CREATE TABLE other (value INTEGER)") }
        let before = FileManager.default.contents(atPath: database)
        let former = try #require(try restore(bytes, counts, replacing: true).former)
        #expect(FileManager.default.contents(atPath: former + "/pulseboard.sqlite") == before)
    }

    @Test("a link in place of the lock is not followed")
    func linkedLock() async throws {
        let (bytes, counts) = try await copy()
        let victim = source.path + "/victim"
        try Data("precious".utf8).write(to: URL(filePath: victim))
        try FileManager.default.createSymbolicLink(atPath: target.path + "/pulseboard.lock", withDestinationPath: victim)
        #expect(throws: StoreOpeningError.self) { try restore(bytes, counts) }
        #expect(FileManager.default.contents(atPath: victim) == Data("precious".utf8))
    }

    @Test("a database that is there stays unless it may be replaced, and then it is kept; sessions that it does not have stay ended")
    func occupied() async throws {
        let (bytes, counts) = try await copy()
        _ = try restore(bytes, counts)
        let store = try SQLiteStore(directory: target.path)
        try await store.tamper("DELETE FROM session WHERE token_hash = x'aa'")
        try await store.tamper("DELETE FROM session_token WHERE token_hash = x'aa'")
        #expect(throws: StoreOpeningError.locked(path: target.path, holder: getpid())) { try restore(bytes, counts, replacing: true) }
        try store.close()
        #expect(throws: StoreOpeningError.occupied(path: target.path)) { try restore(bytes, counts) }
        #expect(try count("SELECT count(*) FROM session") == 1, "nothing was changed")
        let outcome = try restore(bytes, counts, replacing: true)
        #expect(outcome.endedSessions == 1)
        #expect(try count("SELECT count(*) FROM session WHERE token_hash = x'bb'") == 1)
        #expect(try count("SELECT count(*) FROM session_token") == 1)
        let former = try #require(outcome.former)
        #expect(FileManager.default.fileExists(atPath: former + "/" + SQLiteStore.fileName))
        #expect(try restore(bytes, counts, replacing: true, sessions: .endAll).endedSessions == 2)
        #expect(try count("SELECT count(*) FROM session_token") == 0)
    }

    @Test("what users gave up since the backup is counted, and those who were leaving can still stay")
    func returned() async throws {
        _ = try await copy()
        let store = try SQLiteStore(directory: source.path)
        try await store.tamper("INSERT INTO account (issuer, subject, user_id, create_time) SELECT 'p', 'kept', user_id, 1 FROM profile")
        try await store.tamper("INSERT INTO account (issuer, subject, user_id, create_time) SELECT 'p', 'unlinked', user_id, 1 FROM profile")
        for (subject, user) in [("left", "02"), ("leaving", "03"), ("stays", "04")] {
            try await store.tamper("INSERT INTO account (issuer, subject, user_id, create_time) VALUES ('p', '\(subject)', x'\(user)', 1)")
        }
        try await store.tamper("INSERT INTO pending_withdrawal (user_id, request_time, purge_time) VALUES (x'04', 1, 2)")
        let copy = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
        let bytes = try copy.bytes(at: 0, count: Int(copy.byteCount)), counts = copy.counts
        try store.close()
        _ = try restore(bytes, counts)
        let former = try SQLiteStore(directory: target.path)
        try await former.tamper("DELETE FROM account WHERE subject IN ('left', 'unlinked')")
        try await former.tamper("DELETE FROM profile")
        try await former.tamper("INSERT INTO pending_withdrawal (user_id, request_time, purge_time) VALUES (x'03', 1, 2)")
        try await former.tamper("DELETE FROM pending_withdrawal WHERE user_id = x'04'")
        // This user came after the backup.
        try await former.tamper("INSERT INTO pending_withdrawal (user_id, request_time, purge_time) VALUES (x'05', 1, 2)")
        try former.close()
        let outcome = try restore(bytes, counts, replacing: true)
        #expect(outcome.returned == StoreRestoration.Returned(accounts: 1, leaving: 1, profiles: 1, identities: 1))
        let sixDays = Int64(Date().timeIntervalSince1970 + 6 * 86_400) * 1_000_000
        #expect(try count("SELECT count(*) FROM pending_withdrawal WHERE user_id = x'04' AND purge_time > \(sixDays)") == 1)
    }

    @Test("a backup that is damaged, incomplete or of a later version takes nothing's place")
    func refused() async throws {
        var (bytes, counts) = try await copy()
        _ = try restore(bytes, counts)
        func expectRefused(_ bytes: [UInt8], _ counts: [StoreTableCount]) throws {
            #expect(throws: StoreOpeningError.self) { try restore(bytes, counts, replacing: true) }
            #expect(try count("SELECT count(*) FROM profile") == 1)
            #expect(!FileManager.default.fileExists(atPath: target.path + "/" + StoreRestoration.partialName))
        }
        try expectRefused(bytes, counts.map { StoreTableCount(table: $0.table, rows: $0.rows + 1) })
        try expectRefused(Array("no database".utf8), counts)
        try expectRefused([], counts)
        for index in bytes.indices[4_200..<8_000] { bytes[index] = 0xFF }
        try expectRefused(bytes, counts)
    }

    @Test(
        "files go nowhere but to their places",
        arguments: ["../x", "images/../../x/y", "/etc/passwd", "images/a", "other.sqlite", "images/a/b/.c", ""])
    func places(_ path: String) throws {
        let restoration = try StoreRestoration(directory: target.path, replacing: false)
        #expect(throws: StoreOpeningError.self) { _ = try restoration.place(for: path) }
        restoration.abandon()
    }

    @Test("a server does not start while a restore is half-way, and the restore can be done again")
    func interrupted() async throws {
        let (bytes, counts) = try await copy()
        _ = try restore(bytes, counts)
        let swap = target.path + "/" + StoreRestoration.swapName
        try FileManager.default.createDirectory(atPath: swap, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: target.path + "/" + SQLiteStore.fileName, toPath: swap + "/" + SQLiteStore.fileName)
        #expect(throws: StoreOpeningError.restoreInterrupted(path: target.path)) { try SQLiteStore(directory: target.path) }
        _ = try restore(bytes, counts)
        let store = try SQLiteStore(directory: target.path)
        #expect(try await store.profile(of: userOne).username.text == "one")
        try store.close()
    }
}
