import Foundation
import GRDB
import PulseBoardDomain
import Synchronization
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// A flag that is raised once.
private final class Flag: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .relaxed) }
    func raise() { state.store(true, ordering: .relaxed) }
}

@Suite("Copies of the database") struct BackupTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore
    private let rate: Int64 = 1 << 30

    init() async throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path)
        try await store.addUser(userOne, "one")
        try await store.addUser(userTwo, "two")
    }

    private var copyPath: String { directory.path + "/" + SQLiteStore.fileName + DatabaseCopying.suffix }

    /// The bytes of a copy, opened as a database.
    private func read<Value>(_ copy: any StoreCopy, _ body: (Database) throws -> Value) throws -> Value {
        let path = directory.path + "/read.sqlite"
        var bytes: [UInt8] = []
        while true {
            let part = try copy.bytes(at: Int64(bytes.count), count: 10_000)
            if part.isEmpty { break }
            bytes += part
        }
        #expect(Int64(bytes.count) == copy.byteCount)
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try DatabaseQueue(path: path).read(body)
    }

    /// A copy. The thread that made the former one may hold it for another moment.
    private func nextCopy() async throws -> any StoreCopy {
        while true {
            do {
                return try await store.copy(bytesPerSecond: rate) { _ in }
            } catch RepositoryError.rateLimited {
                await Task.yield()
            }
        }
    }

    @Test("a copy for an archive waits until a transaction that it may have is recorded, or until it is cancelled")
    func unrecordedTransaction() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path, archive: LogArchiveSettings(directory: directory.path + "/wal"))
        // As between the COMMIT of a transaction and its record.
        store.log.willCommit()
        let cancelled = Task { try await store.copy(bytesPerSecond: 1 << 30) { _ in }.byteCount }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        store.log.didCommit()
        let copy = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
        #expect(copy.archivePosition != nil)
        try store.close()

        let log = WriteAheadLog(health: StoreHealth(clock: SystemWallClock()), archive: nil)
        log.willCommit()
        var pauses = 0
        log.waitForCommits {
            pauses += 1
            if pauses == 3 { log.didCommit() }
        }
        log.waitForCommits { pauses += 1 }
        #expect(pauses == 3)
    }

    @Test("it has the state of one instant, though others write while it is made", .timeLimit(.minutes(5)))
    func snapshot() async throws {
        for _ in 0..<3 {
            let isOver = Flag()
            let copy = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [store] in
                    var time: Int64 = 10
                    while !isOver.isRaised {
                        _ = try await store.follow(userTwo, by: userOne, at: Timestamp(microseconds: time), idempotency: nil)
                        _ = try await store.unfollow(userTwo, by: userOne, at: Timestamp(microseconds: time + 1), idempotency: nil)
                        time += 2
                    }
                }
                let copy: any StoreCopy
                do {
                    // Also if the copy fails: the group waits for the writer.
                    defer { isOver.raise() }
                    copy = try await nextCopy()
                }
                try await group.waitForAll()
                return copy
            }
            let rows = try read(copy) { database in
                #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
                // An edge, its other row and its counts are all there, or none of them.
                return try (
                    Int64.fetchOne(database, sql: "SELECT count(*) FROM following"), Int64.fetchOne(database, sql: "SELECT count(*) FROM follower"),
                    Int64.fetchOne(database, sql: "SELECT sum(followers) FROM follow_count"))
            }
            #expect(rows.0 == rows.1 && rows.0 == rows.2, "\(rows)")
            #expect(copy.counts.first { $0.table == "profile" }?.rows == 2)
            #expect(copy.schema == SQLiteSchema.migrator.migrations.last)
        }
    }

    @Test("there is one at a time, and its file goes with it", .timeLimit(.minutes(5)))
    func oneAtATime() async throws {
        do {
            let copy = try await store.copy(bytesPerSecond: rate) { _ in }
            #expect(FileManager.default.fileExists(atPath: copyPath))
            await #expect(throws: RepositoryError.rateLimited(retryAfter: .seconds(60))) {
                _ = try await store.copy(bytesPerSecond: rate) { _ in }
            }
            withExtendedLifetime(copy) {}
        }
        // The thread that made the copy may hold it for another moment.
        await until { !FileManager.default.fileExists(atPath: copyPath) }
        _ = try await nextCopy()
    }

    @Test("it is given up when its caller is, and when the store closes; what a crash left of one is removed")
    func givenUp() async throws {
        // Sixteen steps of a quarter of a second.
        try await store.tamper("CREATE TABLE filler (bytes BLOB)")
        try await store.tamper("INSERT INTO filler VALUES (zeroblob(4000000))")
        let (steps, step) = AsyncStream<StoreCopyProgress>.makeStream()
        // The copy is so slow that it would not end by itself.
        let task = Task { [store] in try await store.copy(bytesPerSecond: 1_000_000) { step.yield($0) } }
        for await _ in steps { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!FileManager.default.fileExists(atPath: copyPath))

        let (others, other) = AsyncStream<StoreCopyProgress>.makeStream()
        let second = Task { [store] in try await store.copy(bytesPerSecond: 1_000_000) { other.yield($0) } }
        for await _ in others { break }
        try store.close()
        await #expect(throws: CancellationError.self) { try await second.value }
        try Data("half".utf8).write(to: URL(filePath: copyPath))
        let again = try SQLiteStore(directory: directory.path)
        #expect(!FileManager.default.fileExists(atPath: copyPath))
        try again.close()
        await #expect(throws: RepositoryError.storeClosed) { _ = try await again.copy(bytesPerSecond: rate) { _ in } }
    }

    @Test("it names the pictures that are kept, a page at a time")
    func images() async throws {
        for number in 1...5 as ClosedRange<UInt64> {
            let id = ImageID(bits: UUIDBits(high: 7, low: number)), time = Timestamp(microseconds: 1)
            let owner = UserID(bits: UUIDBits(high: number, low: 0))
            try await store.beginImage(id, of: owner, expiring: Timestamp(microseconds: .max))
            // The last picture is still being written.
            if number < 5 { try await store.stageImage(id, of: owner, at: time, expiring: Timestamp(microseconds: .max)) }
        }
        let copy = try await store.copy(bytesPerSecond: rate) { _ in }
        let first = try copy.images(after: nil, limit: 3)
        #expect(first.map(\.owner.bits.high) == [1, 2, 3])
        #expect(try copy.images(after: first.last, limit: 3).map(\.owner.bits.high) == [4])
    }

    @Test("a damaged database makes no copy")
    func damaged() async throws {
        try await store.tamper("CREATE TABLE extra (a TEXT)")
        try await store.tamper("CREATE INDEX extra_by_a ON extra (a)")
        try await store.tamper("INSERT INTO extra VALUES ('x')")
        // An index lacks a row. SQLite finds that only by comparing both.
        try await store.tamper("PRAGMA writable_schema = ON")
        try await store.tamper("UPDATE sqlite_schema SET sql = 'CREATE INDEX extra_by_a ON extra (a COLLATE NOCASE DESC)' WHERE name = 'extra_by_a'")
        try await store.tamper("INSERT INTO extra VALUES ('a')")
        try store.close()
        let again = try SQLiteStore(directory: directory.path)
        try await again.tamper("INSERT INTO extra VALUES ('m'), ('b'), ('z')")
        do {
            _ = try await again.copy(bytesPerSecond: rate) { _ in }
            Issue.record("a damaged copy was made")
        } catch RepositoryError.storeUnavailable(.corrupt, _) {
            #expect(!FileManager.default.fileExists(atPath: copyPath))
        }
    }
}
