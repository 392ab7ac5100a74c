import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// The files that a process leaves if it is killed while opening the store, and files that look similar.
@Suite("Interrupted openings") struct InterruptedOpeningTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var databasePath: String { directory.path + "/" + SQLiteStore.fileName }

    /// Opens the store, uses it, and closes it.
    private func use() async throws {
        let store = try SQLiteStore(directory: directory.path)
        try await store.addUser(userOne, "name")
        #expect(try await store.profile(of: userOne).username.text == "name")
        try store.close()
    }

    private func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }

    /// Runs SQL on the database as another program would.
    private func alter(_ statements: String...) throws { try alter(statements) }

    private func alter(_ statements: [String]) throws {
        let queue = try DatabaseQueue(path: databasePath)
        try queue.writeWithoutTransaction { database in for statement in statements { try database.execute(sql: statement) } }
        try queue.close()
    }

    /// Leaves the files of a transaction that was interrupted after its first write to the database, so that its journal must be
    /// rolled back.
    private func interrupt(_ sql: String) throws {
        let aside = try TemporaryDirectory()
        let queue = try DatabaseQueue(path: databasePath)
        try queue.writeWithoutTransaction { database in
            // With room for one page only, pages are written into the database at once.
            try database.execute(sql: "PRAGMA cache_size = 1")
            try database.execute(sql: "BEGIN IMMEDIATE")
            try database.execute(sql: sql)
            try database.execute(sql: "CREATE TABLE filler (a)")
            for _ in 0..<64 { try database.execute(sql: "INSERT INTO filler VALUES (randomblob(3000))") }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: databasePath + suffix, toPath: aside.path + "/database" + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        try queue.close()
        for suffix in ["", "-journal"] {
            try? FileManager.default.removeItem(atPath: databasePath + suffix)
            try FileManager.default.copyItem(atPath: aside.path + "/database" + suffix, toPath: databasePath + suffix)
        }
        #expect(try Data(contentsOf: URL(filePath: databasePath + "-journal")).count > 512, "a journal that is hot")
    }

    @Test("a database gets its name when it is complete: what was left of one under the other name is removed")
    func leftUnderConstruction() async throws {
        for suffix in ["", "-journal", "-wal"] {
            try Data(repeating: 7, count: 5_000).write(to: URL(filePath: databasePath + ".new" + suffix))
        }
        try await use()
        #expect(try names().isSubset(of: ["pulseboard.sqlite", "pulseboard.sqlite-wal", "pulseboard.sqlite-shm", "pulseboard.lock"]))
    }

    @Test("a new database says in its own first page whose it is, whatever its log holds")
    func header() throws {
        let store = try SQLiteStore(directory: directory.path)
        let header = try #require(try FileHandle(forReadingFrom: URL(filePath: databasePath)).read(upToCount: 100))
        #expect(ForeignDatabases.isOurs(header: Array(header)))
        try store.close()
    }

    @Test("what an interrupted first start of an earlier version left is gone on with", arguments: [
        [], ["PRAGMA journal_mode = WAL"],
        ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"],
    ])
    func earlierFirstStart(_ statements: [String]) async throws {
        try Data().write(to: URL(filePath: databasePath))
        try alter(statements)
        try await use()
    }

    @Test("a journal that must be rolled back is, where nothing or ours is left then", arguments: [
        nil, "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
    ])
    func hotJournal(_ sql: String?) async throws {
        if let sql { try alter(sql) } else { try alter("VACUUM") }
        try interrupt("PRAGMA application_id = 7")
        try await use()
    }

    @Test("a journal beside ours is rolled back too")
    func hotJournalOfOurs() async throws {
        try SQLiteStore(directory: directory.path).close()
        // The same as a backup before it is in WAL mode.
        try alter("PRAGMA journal_mode = DELETE")
        try interrupt("PRAGMA user_version = 7")
        try await use()
    }

    @Test("a journal of no database, which a new one must not be rolled back by")
    func strayJournal() async throws {
        try alter("CREATE TABLE a (b)")
        try interrupt("CREATE TABLE c (d)")
        try Data().write(to: URL(filePath: databasePath))
        try await use()
    }

    @Test("another program's database with a journal is refused, and neither is changed")
    func foreignWithJournal() throws {
        try alter("CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)")
        try interrupt("UPDATE theirs SET a = 2")
        let before = try ["", "-journal"].map { try Data(contentsOf: URL(filePath: databasePath + $0)) }
        #expect(throws: StoreOpeningError.foreignDatabase(path: databasePath)) { try SQLiteStore(directory: directory.path) }
        #expect(try ["", "-journal"].map { try Data(contentsOf: URL(filePath: databasePath + $0)) } == before)
        #expect(try names() == ["pulseboard.sqlite", "pulseboard.sqlite-journal", "pulseboard.lock"])
    }

    @Test("another program's migrations are not taken for an interrupted start")
    func foreignMigrations() throws {
        try alter(
            "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)", "INSERT INTO grdb_migrations VALUES ('theirs')")
        #expect(throws: StoreOpeningError.foreignDatabase(path: databasePath)) { try SQLiteStore(directory: directory.path) }
    }

    @Test("a log without its database is not thrown away for a new one", arguments: [false, true])
    func logAlone(_ isEmpty: Bool) async throws {
        let store = try SQLiteStore(directory: directory.path)
        try await store.addUser(userOne, "name")
        let log = try Data(contentsOf: URL(filePath: databasePath + "-wal"))
        try store.close()
        try FileManager.default.removeItem(atPath: databasePath)
        if isEmpty { try Data().write(to: URL(filePath: databasePath)) }
        try log.write(to: URL(filePath: databasePath + "-wal"))
        #expect(throws: StoreOpeningError.databaseMissing(path: databasePath, walBytes: Int64(log.count))) {
            try SQLiteStore(directory: directory.path)
        }
        #expect(try Data(contentsOf: URL(filePath: databasePath + "-wal")) == log)
        try FileManager.default.removeItem(atPath: databasePath + "-wal")
        try FileManager.default.removeItem(atPath: directory.path + "/pulseboard.lock")
        try await use()
    }

    @Test("a database that is lost is not replaced by an empty one, until the note of it is removed", arguments: [false, true])
    func lostDatabase(_ isEmpty: Bool) async throws {
        let note = directory.path + "/pulseboard.lock"
        #expect(!SQLiteStore.isDatabaseLost(in: directory.path))
        for _ in 0..<2 { try SQLiteStore(directory: directory.path).close() }
        #expect(!SQLiteStore.isDatabaseLost(in: directory.path))
        try FileManager.default.removeItem(atPath: databasePath)
        if isEmpty { try Data().write(to: URL(filePath: databasePath)) }
        for _ in 0..<2 {
            #expect(SQLiteStore.isDatabaseLost(in: directory.path))
            #expect(throws: StoreOpeningError.databaseLost(path: databasePath, note: note)) { try SQLiteStore(directory: directory.path) }
        }
        try FileManager.default.removeItem(atPath: note)
        try await use()
    }

    @Test("a link that leads nowhere is not replaced by a new database, because its target may come back")
    func danglingLink() throws {
        let target = directory.path + "/elsewhere"
        try FileManager.default.createSymbolicLink(atPath: databasePath, withDestinationPath: target)
        let refusal = #expect(throws: StoreOpeningError.self) { try SQLiteStore(directory: directory.path) }
        #expect(refusal?.description == "cannot open \(databasePath): No such file or directory")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: databasePath) == target)
    }

    @Test("what a person reads of a refusal is words, and no value of the program's")
    func words() throws {
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: databasePath))
        let refusal = #expect(throws: StoreOpeningError.self) { try SQLiteStore(directory: directory.path) }
        let words = "file is not a database (SQLite error 26); restore a backup: pulseboard admin restore --overwrite FILE"
        #expect(refusal?.description == "cannot open \(databasePath): \(words)")
        let below = #expect(throws: StoreOpeningError.self) { try SQLiteStore(directory: databasePath + "/below") }
        #expect(below?.description == "cannot use the data directory \(databasePath)/below: Not a directory")
    }
}
