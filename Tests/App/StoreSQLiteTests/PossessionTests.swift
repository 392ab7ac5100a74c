import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// The locks and files of an open store, and what happens when its files are taken away.
@Suite("Sole possession") struct PossessionTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore

    init() throws {
        directory = try TemporaryDirectory()
        // One lane for short reads. On a slow machine a second one could open a connection, which is refused after the files are taken away.
        store = try SQLiteStore(directory: directory.path, readerCount: 2, probePauses: .milliseconds(1)...(.milliseconds(1)))
    }

    private func url(_ name: String) -> URL { URL(filePath: directory.path + "/" + name) }
    private var database: URL { url(SQLiteStore.fileName) }

    private func failure(of body: () async throws -> Void) async -> StoreFailure? {
        do {
            try await body()
            return nil
        } catch RepositoryError.storeUnavailable(let failure, _) {
            return failure
        } catch {
            Issue.record("refused with \(error)")
            return nil
        }
    }

    @Test("deleting the lock file lets nobody in")
    func lockFileDeleted() throws {
        try FileManager.default.removeItem(at: url(DirectoryLock.fileName))
        #expect(throws: StoreOpeningError.locked(path: directory.path, holder: nil)) { try SQLiteStore(directory: directory.path) }
        try store.close()
        try SQLiteStore(directory: directory.path).close()
    }

    @Test("the same database under another directory's name is in use as well", arguments: [false, true])
    func otherName(_ isHardLink: Bool) throws {
        let other = try TemporaryDirectory()
        let path = other.path + "/" + SQLiteStore.fileName
        if isHardLink {
            try FileManager.default.linkItem(atPath: store.path, toPath: path)
        } else {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: store.path)
        }
        #expect(throws: StoreOpeningError.locked(path: path, holder: nil)) { try SQLiteStore(directory: other.path) }
        try store.close()
    }

    @Test("SQLite's own locks and this one do not disturb each other: another program may read meanwhile, and the last writer is told")
    func besideSQLite() async throws {
        try await store.addUser(userOne, "name")
        let reader = try ChildSQLite.run(store.path, "PRAGMA query_only = 1; SELECT count(*) FROM profile; PRAGMA integrity_check")
        #expect(reader == "1\nok\n")
        try await store.addUser(userTwo, "other")
        try store.close()
        #expect(try ChildSQLite.run(store.path, "SELECT count(*) FROM profile") == "2\n")
    }

    @Test("a database that was moved takes no write, says so, and goes on when it is back")
    func moved() async throws {
        let events = EventRecord(store)
        try await store.addUser(userOne, "name")
        try FileManager.default.moveItem(at: database, to: url("elsewhere"))
        #expect(await failure { try await store.addUser(userTwo, "other") } == .gone)
        #expect(store.status.trouble?.failure == .gone)
        #expect(await failure { try await store.addUser(userTwo, "other") } == .gone)
        // All acknowledged writes are in the file, wherever it is, and the log is empty.
        let size = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")[.size] as? NSNumber
        #expect(size == 0)
        try FileManager.default.moveItem(at: url("elsewhere"), to: database)
        await events.recovery()
        try await store.addUser(UserID(bits: UUIDBits(high: 0x4000, low: 3)), "third")
        #expect(store.status.trouble == nil && store.status.lastTrouble?.failure == .gone)
        try store.close()
        let names = try ChildSQLite.run(store.path, "SELECT username FROM profile ORDER BY username")
        // The failed write was made before the missing file was noticed, so it may be in the file.
        #expect(names.contains("name\n") && names.contains("third\n"))
    }

    @Test("a database that was replaced takes no write, and neither the new one nor its log is touched", arguments: [false, true])
    func replaced(_ withLog: Bool) async throws {
        try await store.addUser(userOne, "name")
        let other = try TemporaryDirectory()
        let second = try SQLiteStore(directory: other.path)
        try await second.addUser(userTwo, "other")
        for suffix in withLog ? ["", "-wal"] : [""] {
            let copy = other.path + "/copy" + suffix
            try FileManager.default.copyItem(atPath: second.path + suffix, toPath: copy)
            #expect(rename(copy, store.path + suffix) == 0)
        }
        try second.close()
        let before = try Data(contentsOf: database)
        let log = withLog ? try Data(contentsOf: URL(filePath: store.path + "-wal")) : Data()
        #expect(await failure { try await store.addUser(UserID(bits: UUIDBits(high: 0x4000, low: 3)), "third") } == .gone)
        try store.close()
        #expect(try Data(contentsOf: database) == before)
        #expect(((try? Data(contentsOf: URL(filePath: store.path + "-wal"))) ?? Data()) == log)
        let now = try SQLiteStore(directory: directory.path)
        if withLog { #expect(try await now.profile(of: userTwo).username.text == "other") }
        try now.close()
    }

    @Test("a log that was deleted takes no write, and what is in it is brought into the database")
    func logDeleted() async throws {
        try await store.addUser(userOne, "name")
        // From here on there is a reading connection; a new one would make its own log.
        #expect(try await store.profile(of: userOne).username.text == "name")
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        #expect(await failure { try await store.addUser(userTwo, "other") } == .gone)
        #expect(try await store.profile(of: userOne).username.text == "name", "what can be read is read")
        try store.close()
        let again = try SQLiteStore(directory: directory.path)
        #expect(try await again.profile(of: userOne).username.text == "name")
        try again.close()
    }

    @Test("a store that nobody writes to notices when it is asked to look")
    func idle() async throws {
        let events = EventRecord(store)
        try FileManager.default.moveItem(at: database, to: url("elsewhere"))
        store.check()
        #expect(store.status.trouble?.failure == .gone)
        #expect(store.status.trouble?.count == 0)
        try FileManager.default.moveItem(at: url("elsewhere"), to: database)
        await events.recovery()
        try store.close()
    }
}

/// SQLite's command-line program, as another process.
enum ChildSQLite {
    static func run(_ path: String, _ sql: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path, sql]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
