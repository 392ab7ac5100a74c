import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Opening and closing") struct OpeningTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var databasePath: String { directory.path + "/" + SQLiteStore.fileName }

    private func profile(_ store: SQLiteStore, _ name: String, at time: Int64 = 1) async throws -> Profile {
        let draft = try ProfileDraft(username: name, texts: [.displayName: "", .statusMessage: ""], rules: UsernameRules())
        return try await store.createProfile(
            draft, for: userOne, at: Timestamp(microseconds: time), idempotency: try requestKey("r1"))
    }

    @Test("B3: what was acknowledged is there after reopening")
    func persistence() async throws {
        let first = try SQLiteStore(directory: directory.path)
        let created = try await profile(first, "name")
        try first.close()
        let second = try SQLiteStore(directory: directory.path)
        #expect(try await second.profile(of: userOne) == created)
        try second.close()
    }

    @Test("X13: a write retried after a restart is given its first result")
    func idempotencyOutlivesRestart() async throws {
        let clock = SetClock(1)
        let first = try SQLiteStore(directory: directory.path, clock: clock)
        let created = try await profile(first, "name", at: 1)
        try first.close()
        let second = try SQLiteStore(directory: directory.path, clock: clock)
        #expect(try await profile(second, "name", at: 2) == created)
        try second.close()
    }

    @Test("B3: what was acknowledged survives a process that ends without closing")
    func crash() async throws {
        let first = try SQLiteStore(directory: directory.path)
        let created = try await profile(first, "name")
        // The files of a killed process: the write is only in the WAL.
        let left = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: databasePath + suffix, toPath: left.path + "/" + SQLiteStore.fileName + suffix)
        }
        try first.close()
        let second = try SQLiteStore(directory: left.path)
        #expect(try await second.profile(of: userOne) == created)
        try second.close()
    }

    @Test("a directory in use is refused, naming the path and the process, and free again after close")
    func lock() throws {
        var first: SQLiteStore? = try SQLiteStore(directory: directory.path)
        #expect(throws: StoreOpeningError.locked(path: directory.path, holder: getpid())) {
            try SQLiteStore(directory: directory.path)
        }
        try first?.close()
        first = nil
        try SQLiteStore(directory: directory.path).close()
    }

    @Test("a server that takes over waits for the other to leave the directory")
    func waiting() async throws {
        var first: SQLiteStore? = try SQLiteStore(directory: directory.path)
        _ = try await profile(try #require(first), "name")
        var pauses = 0
        var holders: [Int32?] = []
        let second = try await SQLiteStore.open(directory: directory.path, patience: .seconds(1)) {
            Issue.record("migrated")
        } willWait: { holder in
            holders.append(holder)
        } pausing: { _ in
            pauses += 1
            if pauses == 3 {
                try? first?.close()
                first = nil
            }
        }
        #expect(pauses == 3)
        #expect(holders == [getpid()], "told once")
        #expect(try await second.profile(of: userOne).username.text == "name")
        try second.close()
    }

    @Test("the wait for a directory in use is bounded, and no other refusal is waited for")
    func boundedWait() async throws {
        let first = try SQLiteStore(directory: directory.path)
        var paused = Duration.zero
        await #expect(throws: StoreOpeningError.locked(path: directory.path, holder: getpid())) {
            try await SQLiteStore.open(directory: directory.path, patience: .seconds(2), pausing: { paused += $0 })
        }
        #expect(paused == .seconds(2))
        await #expect(throws: StoreOpeningError.locked(path: directory.path, holder: getpid())) {
            try await SQLiteStore.open(directory: directory.path, patience: .zero, pausing: { _ in Issue.record("waited") })
        }
        try first.close()
        let file = directory.path + "/file"
        try Data().write(to: URL(filePath: file))
        await #expect(throws: StoreOpeningError.self) {
            try await SQLiteStore.open(directory: file, patience: .seconds(1), pausing: { _ in Issue.record("waited") })
        }
    }

    @Test("a refused directory closes its own descriptor once, and nobody else's")
    func refusedLock() async throws {
        let store = try SQLiteStore(directory: directory.path)
        let path = directory.path
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                (0..<5_000).reduce(into: 0) { admitted, _ in
                    if (try? SQLiteStore(directory: path)) != nil { admitted += 1 }
                }
            }
            group.addTask {
                // Reuses the descriptor numbers that were just closed. If one is closed twice, this fails.
                (0..<50_000).reduce(into: 0) { missing, _ in
                    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    if fcntl(file, F_GETFD) < 0 || close(file) != 0 { missing += 1 }
                }
            }
            for await count in group { #expect(count == 0) }
        }
        try store.close()
    }

    @Test("a database with a migration of a newer version is refused")
    func newerSchema() throws {
        try SQLiteStore(directory: directory.path).close()
        let queue = try DatabaseQueue(path: databasePath)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')") }
        try queue.close()
        #expect(throws: StoreOpeningError.newerSchema(path: databasePath)) {
            try SQLiteStore(directory: directory.path)
        }
    }

    @Test("another application's database is refused and not changed")
    func foreignDatabase() throws {
        let queue = try DatabaseQueue(path: databasePath)
        try queue.write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: databasePath))
        #expect(throws: StoreOpeningError.foreignDatabase(path: databasePath)) {
            try SQLiteStore(directory: directory.path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath)) == before)
    }

    @Test("a file that is no database is refused")
    func noDatabase() throws {
        try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: databasePath))
        do throws(StoreOpeningError) {
            _ = try SQLiteStore(directory: directory.path)
            Issue.record("a file of letters was opened")
        } catch {
            guard case .failed(databasePath, _) = error else {
                Issue.record("refused with \(error)")
                return
            }
        }
    }

    @Test("a directory that cannot be made is directoryUnusable")
    func unusableDirectory() throws {
        let file = directory.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        do throws(StoreOpeningError) {
            _ = try SQLiteStore(directory: file + "/below")
            Issue.record("a directory was made below a file")
        } catch {
            guard case .directoryUnusable(file + "/below", _) = error else {
                Issue.record("refused with \(error)")
                return
            }
        }
    }

    @Test("a data directory that is made is its owner's alone")
    func directoryPermissions() throws {
        let path = directory.path + "/data"
        try SQLiteStore(directory: path).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
    }

    @Test("the writer is durable and in WAL mode, the readers cannot write")
    func pragmas() async throws {
        let store = try SQLiteStore(directory: directory.path)
        let synchronous = try await store.write { connection throws(RepositoryError) in
            try integer("PRAGMA synchronous", connection)
        }
        #expect(synchronous == 2)
        let mode = try await store.write { connection throws(RepositoryError) in
            let statement = try connection.statement("PRAGMA journal_mode")
            return try statement.step() ? statement.text(0) : nil
        }
        #expect(mode == "wal")
        do throws(RepositoryError) {
            try await store.read { connection throws(RepositoryError) in try connection.run("DELETE FROM profile") }
            Issue.record("a reader wrote")
        } catch {
            guard case .storeUnavailable = error else {
                Issue.record("refused with \(error)")
                return
            }
        }
        try store.close()
    }

    @Test("after close every call is storeUnavailable, and the WAL is empty")
    func closed() async throws {
        let store = try SQLiteStore(directory: directory.path)
        _ = try await profile(store, "name")
        try store.close()
        let size = try FileManager.default.attributesOfItem(atPath: databasePath)[.size] as? NSNumber
        #expect((size?.intValue ?? 0) > 4_096)
        let wal = try? FileManager.default.attributesOfItem(atPath: databasePath + "-wal")[.size] as? NSNumber
        #expect(wal?.intValue ?? 0 == 0)
        for attempt in ["read", "write"] {
            do throws(RepositoryError) {
                if attempt == "read" {
                    _ = try await store.profile(of: userOne)
                } else {
                    try await store.closeSessions(of: userOne)
                }
                Issue.record("a closed store answered a \(attempt)")
            } catch {
                guard case .storeUnavailable = error else {
                    Issue.record("refused with \(error)")
                    return
                }
            }
        }
    }

    @Test("the description names SQLite's version and the file")
    func description() throws {
        let store = try SQLiteStore(directory: directory.path)
        #expect(store.description.hasPrefix("SQLite 3."))
        #expect(store.description.hasSuffix(" at \(databasePath)"))
        try store.close()
    }
}
