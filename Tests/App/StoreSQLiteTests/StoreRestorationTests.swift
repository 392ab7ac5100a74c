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
        try SQLiteSchema.migrator.migrate(queue, upTo: SQLiteSchema.migrator.migrations[SQLiteSchema.migrator.migrations.count - 2])
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
        #expect(outcome == StoreRestoration.Outcome(former: nil, isFormerUnreadable: false, endedSessions: 0, returned: nil))
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

    @Test("a link to the pictures stays, and the backup's pictures are added behind it", arguments: [nil, "/images", "/images/"])
    func linkedPictures(named: String?) async throws {
        let (bytes, counts) = try await copy()
        let files = FileManager.default, elsewhere = try TemporaryDirectory()
        _ = try restore(bytes, counts)
        try files.removeItem(atPath: target.path + "/images")
        try files.createDirectory(atPath: elsewhere.path + "/3d/owner", withIntermediateDirectories: true)
        try Data("newer".utf8).write(to: URL(filePath: elsewhere.path + "/3d/owner/newer-96.webp"))
        try files.createSymbolicLink(atPath: target.path + "/images", withDestinationPath: elsewhere.path)
        let pictures = named.map { target.path + $0 }
        _ = try #require(try restore(bytes, counts, imageDirectory: pictures, killedAfter: .max))
        for name in ["picture", "newer"] { #expect(files.fileExists(atPath: target.path + "/images/3d/owner/\(name)-96.webp"), "\(name)") }
        #expect(try files.destinationOfSymbolicLink(atPath: target.path + "/images") == elsewhere.path)
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

    /// Damages the first page of a table and of each of its indexes.
    private func damage(_ table: String) throws {
        let path = target.path + "/" + SQLiteStore.fileName
        let queue = try DatabaseQueue(path: path)
        let pageBytes = try queue.read { try Int64.fetchOne($0, sql: "PRAGMA page_size") ?? 0 }
        let roots = try queue.read { try Int64.fetchAll($0, sql: "SELECT rootpage FROM sqlite_schema WHERE tbl_name = '\(table)'") }
        try queue.close()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        for root in roots where root > 0 {
            try file.seek(toOffset: UInt64((root - 1) * pageBytes))
            try file.write(contentsOf: Data(repeating: 0xFF, count: Int(pageBytes)))
        }
        try file.close()
    }

    @Test(
        "damage of the former database is not the backup's fault, and all sessions end: nobody knows which were ended since the backup",
        arguments: ["session", "used_id_token", "used_nonce"])
    func damagedFormer(_ table: String) async throws {
        let (bytes, counts) = try await copy()
        _ = try restore(bytes, counts)
        try damage(table)
        let outcome = try restore(bytes, counts, replacing: true)
        #expect(outcome.isFormerUnreadable)
        #expect(outcome.endedSessions == 2)
        #expect(outcome.returned == nil)
        #expect(try count("SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM session_token)") == 0)
        #expect(try count("SELECT count(*) FROM profile") == 1)
        let former = try #require(outcome.former)
        #expect(FileManager.default.fileExists(atPath: former + "/" + SQLiteStore.fileName))
    }

    @Test("a former database that is no database any more is put aside as it is, and all sessions end")
    func formerIsNoDatabase() async throws {
        let (bytes, counts) = try await copy()
        let garbage = Data(repeating: 0x41, count: 8_192)
        try garbage.write(to: URL(filePath: target.path + "/" + SQLiteStore.fileName))
        let outcome = try restore(bytes, counts, replacing: true)
        #expect(outcome.isFormerUnreadable)
        #expect(outcome.endedSessions == 2)
        let former = try #require(outcome.former)
        #expect(FileManager.default.contents(atPath: former + "/" + SQLiteStore.fileName) == garbage)
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
        let check = StoreCheck(directory: target.path, imageDirectory: nil)
        #expect(throws: StoreOpeningError.restoreInterrupted(path: target.path)) { try check.run() }
        #expect(throws: StoreOpeningError.restoreInterrupted(path: target.path)) { try StoreRepair(of: check).run() }
        _ = try restore(bytes, counts)
        let store = try SQLiteStore(directory: target.path)
        #expect(try await store.profile(of: userOne).username.text == "one")
        try store.close()
    }

    private struct Killed: Error {}

    /// Restores with the pictures that are there, up to a step of the move.
    /// - Parameter step: how many steps are done. The process is killed before the next one.
    /// - Returns: `nil` if it was killed.
    private func restore(
        _ bytes: [UInt8], _ counts: [StoreTableCount], imageDirectory: String? = nil, killedAfter step: Int
    ) throws -> StoreRestoration.Outcome? {
        let restoration = try StoreRestoration(directory: target.path, imageDirectory: imageDirectory, replacing: true)
        try Data(bytes).write(to: URL(filePath: try restoration.place(for: SQLiteStore.fileName)))
        try Data("picture".utf8).write(to: URL(filePath: try restoration.place(for: "images/3d/owner/picture-96.webp")))
        _ = try restoration.keepPictures()
        var steps = 0
        restoration.willStep = {
            steps += 1
            if steps > step { throw Killed() }
        }
        do {
            return try restoration.finish(counts: counts, sessions: .keep)
        } catch {
            guard steps > step else { throw error }
            return nil
        }
    }

    /// The steps of a move: `restore.swap`, the folder, the former database and pictures, those of the backup, and the end of `restore.swap`.
    static let steps = 7
    /// After how many steps the backup's database is in its place.
    static let stepsUntilDatabase = 5

    @Test("a restore that is killed within the move can be done again: no session comes back, and no picture is lost", arguments: 0...steps)
    func killed(_ step: Int) async throws {
        let files = FileManager.default
        let (bytes, counts) = try await copy()
        _ = try restore(bytes, counts)
        // The newest folder of former files is an earlier restore's, if the process is killed before it makes one.
        let earlier = try #require(try restore(bytes, counts, replacing: true).former)
        let store = try SQLiteStore(directory: target.path)
        try await store.tamper("DELETE FROM session WHERE token_hash = x'aa'")
        try await store.tamper("DELETE FROM session_token WHERE token_hash = x'aa'")
        try await store.tamper(
            "INSERT INTO used_id_token (token_hash, request_id, session_id, expire_time) VALUES (x'cc', '', x'', \(Int64.max))")
        try store.close()
        let picture = "/images/3d/owner/newer-96.webp"
        try Data("newer".utf8).write(to: URL(filePath: target.path + picture))

        let first = try restore(bytes, counts, killedAfter: step)
        #expect((first == nil) == (step < Self.steps), "each step is tried")
        let outcome = try #require(try restore(bytes, counts, killedAfter: .max))
        // If the first restore got so far, the second one replaces what it made.
        let isDone = step >= Self.stepsUntilDatabase
        #expect(outcome.endedSessions == 1)
        #expect(!outcome.isFormerUnreadable)
        #expect(try count("SELECT count(*) FROM session") == 1)
        #expect(try count("SELECT count(*) FROM session WHERE token_hash = x'bb'") == 1)
        #expect(try count("SELECT count(*) FROM used_id_token") == 1)
        let former = try #require(outcome.former)
        for folder in [target.path, former] {
            #expect(files.contents(atPath: folder + picture) == Data("newer".utf8), "\(folder)")
        }
        #expect(files.fileExists(atPath: earlier + "/" + SQLiteStore.fileName))
        let names = try files.contentsOfDirectory(atPath: target.path)
        #expect(names.filter { $0.hasPrefix("before-restore") }.count == (isDone ? 3 : 2))
        #expect(names.filter { $0.hasPrefix("restore.") }.isEmpty)
        let restored = try SQLiteStore(directory: target.path)
        #expect(try await restored.profile(of: userOne).username.text == "one")
        try restored.close()
    }
}
