import Foundation
import GRDB
import PulseBoardDomain
import Synchronization
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// Commits are archived, and a backup can be brought forward to any instant.
@Suite("The archive of the log", .serialized) struct LogArchiveTests {
    let directory: TemporaryDirectory
    let kept: TemporaryDirectory
    let restored: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        kept = try TemporaryDirectory()
        restored = try TemporaryDirectory()
    }

    var settings: LogArchiveSettings { LogArchiveSettings(directory: kept.path + "/wal") }

    private func open(_ clock: any WallClock = SystemWallClock(), archive: Bool = true, walLimit: Int64 = 64 << 20) throws -> SQLiteStore {
        try SQLiteStore(directory: directory.path, archive: archive ? settings : nil, clock: clock, walLimit: walLimit)
    }

    /// Writes a value, which may take many pages.
    func put(_ store: SQLiteStore, _ name: String, _ bytes: Int, _ value: UInt8) async throws {
        try await store.write { connection throws(RepositoryError) in
            var statement = try connection.statement("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)")
            try statement.bind(name)
            try statement.bind([UInt8](repeating: value, count: bytes))
            try statement.run()
        }
    }

    private func remove(_ store: SQLiteStore, _ name: String) async throws {
        try await store.write { connection throws(RepositoryError) in
            var statement = try connection.statement("DELETE FROM secret WHERE name = ?")
            try statement.bind(name)
            try statement.run()
        }
    }

    /// A backup of the store, and the archive's position after it.
    struct Backup {
        let bytes: [UInt8]
        let position: String
    }

    func backup(_ store: SQLiteStore) async throws -> Backup {
        let copy = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
        copy.wasDelivered()
        return Backup(bytes: try copy.bytes(at: 0, count: Int(copy.byteCount)), position: try #require(copy.archivePosition))
    }

    /// Restores a backup, brings it forward, and returns its contents: the names with the first byte and the length of their
    /// values.
    func contents(of backup: Backup, until: Timestamp?, isTorn: Bool = false) throws -> [String: [Int]] {
        try contents(of: backup, to: until.map { .time($0) } ?? .archive) { #expect($0.isTorn == isTorn) }
    }

    func contents(of backup: Backup, to end: LogReplayEnd, check: (LogReplay) -> Void) throws -> [String: [Int]] {
        let restoration = try StoreRestoration(directory: restored.path, replacing: true)
        try Data(backup.bytes).write(to: URL(filePath: try restoration.place(for: SQLiteStore.fileName)))
        do {
            check(try restoration.bringForward(archive: settings.directory, position: backup.position, to: end))
        } catch {
            restoration.abandon()
            throw error
        }
        _ = try restoration.finish(counts: nil, sessions: .keep)
        let queue = try DatabaseQueue(path: restored.path + "/" + SQLiteStore.fileName)
        defer { try? queue.close() }
        return try queue.read { database in
            var found: [String: [Int]] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT name, value FROM secret WHERE name LIKE 'x%'") {
                let value: Data = row["value"]
                found[row["name"]] = [Int(value.first ?? 0), value.count]
            }
            return found
        }
    }

    /// Runs another store on the files as they are now, as after a kill. Afterwards the archive is that of the other store.
    func restartAfterKill(_ store: SQLiteStore, _ body: (SQLiteStore) async throws -> Void = { _ in }) async throws {
        let crashed = try TemporaryDirectory()
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasPrefix("pulseboard.sqlite") {
            try FileManager.default.copyItem(atPath: directory.path + "/" + name, toPath: crashed.path + "/" + name)
        }
        let keptThen = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: settings.directory, toPath: keptThen.path + "/wal")
        // It copies the rest, which the other store does not see.
        try store.close()
        let archive = LogArchiveSettings(directory: keptThen.path + "/wal")
        let survivor = try SQLiteStore(directory: crashed.path, archive: archive)
        try await body(survivor)
        try survivor.close()
        try FileManager.default.removeItem(atPath: settings.directory)
        try FileManager.default.moveItem(atPath: archive.directory, toPath: settings.directory)
    }

    /// A clock that advances by a second with each reading, from now on.
    private final class SteppingClock: WallClock {
        private let time = Atomic(SystemWallClock().now().microseconds)
        func now() -> Timestamp { Timestamp(microseconds: time.wrappingAdd(1_000_000, ordering: .relaxed).newValue) }
    }

    @Test("a backup is brought forward to any instant after it, while the log begins again many times", arguments: 1...4)
    func anyInstant(_ seed: UInt64) async throws {
        var generator = SeededRandom(seed: seed)
        let clock = SteppingClock()
        let store = try open(clock, walLimit: 1 << 20)
        var expected: [String: [Int]] = [:]
        var states: [(time: Timestamp, contents: [String: [Int]])] = []
        for step in 0..<10 { try await put(store, "x\(step)", 100, 1) }
        for step in 0..<10 { expected["x\(step)"] = [1, 100] }
        let first = try await backup(store)
        states.append((clock.now(), expected))
        var second: Backup?
        for step in 0..<60 {
            let name = "x\(Int.random(in: 0..<20, using: &generator))"
            if Int.random(in: 0..<4, using: &generator) == 0 {
                try await remove(store, name)
                expected[name] = nil
            } else {
                let bytes = Int.random(in: 1...200_000, using: &generator)
                try await put(store, name, bytes, UInt8(step))
                expected[name] = [step, bytes]
            }
            states.append((clock.now(), expected))
            if step == 30 { second = try await backup(store) }
        }
        #expect(store.status.checkpoints > 3, "the log has begun again")
        try store.close()
        for (time, contents) in states.shuffled(using: &generator).prefix(8) + [states[0], states[60]] {
            #expect(try self.contents(of: first, until: time) == contents)
        }
        #expect(try contents(of: first, until: nil) == expected)
        let later = try #require(second)
        #expect(try contents(of: later, until: nil) == expected)
        #expect(try contents(of: later, until: states[45].time) == states[45].contents)
    }

    @Test("it goes on over orderly ends and over a process that is killed; nothing that was acknowledged is missing")
    func restarts() async throws {
        var store = try open()
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        try await put(store, "x2", 10, 2)
        try store.close()
        store = try open()
        try await put(store, "x3", 10, 3)
        await until { store.status.archive?.lastTime != nil }
        try await put(store, "x4", 10, 4)
        try await restartAfterKill(store) { survivor in try await put(survivor, "x5", 10, 5) }
        #expect(try contents(of: base, until: nil) == ["x1": [1, 10], "x2": [2, 10], "x3": [3, 10], "x4": [4, 10], "x5": [5, 10]])
    }

    @Test("a server without the archive in between leaves a gap, over which no backup is brought")
    func gap() async throws {
        var store = try open()
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        try await put(store, "x2", 10, 2)
        try store.close()
        store = try open(archive: false)
        try await put(store, "x3", 10, 3)
        try store.close()
        store = try open()
        try await put(store, "x4", 10, 4)
        let later = try await backup(store)
        try await put(store, "x5", 10, 5)
        let end = SystemWallClock().now()
        try store.close()
        #expect(throws: StoreOpeningError.self) { try contents(of: base, until: end) }
        #expect(try contents(of: base, until: nil) == ["x1": [1, 10], "x2": [2, 10]], "up to the gap")
        #expect(try contents(of: later, until: end).keys.sorted() == ["x1", "x2", "x3", "x4", "x5"])
    }

    @Test(
        "a gap is reported after restarts too, until the next backup",
        arguments: ["without the archive", "removed while it ran", "removed while it was stopped"])
    func reportedGap(_ cause: String) async throws {
        var store = try open()
        _ = try await backup(store)
        try await put(store, "x1", 10, 1)
        if cause == "removed while it ran" {
            try FileManager.default.removeItem(atPath: settings.directory)
            try await put(store, "x2", 10, 2)
            await until { store.status.archive?.problem != nil }
        }
        try store.close()
        if cause == "removed while it was stopped" { try FileManager.default.removeItem(atPath: settings.directory) }
        if cause == "without the archive" {
            store = try open(archive: false)
            try await put(store, "x3", 10, 3)
            try store.close()
        }
        for _ in 0..<2 {
            store = try open()
            #expect(store.status.archive?.problem?.contains("only a new backup") == true)
            try await put(store, "x4", 10, 4)
            try store.close()
        }
        store = try open()
        let later = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        try await put(store, "x5", 10, 5)
        try store.close()
        store = try open()
        #expect(store.status.archive?.problem == nil)
        try store.close()
        #expect(try contents(of: later, until: nil)["x5"] == [5, 10])
    }

    @Test("a copy that was not delivered, or began before the gap, is not the backup that a gap asks for")
    func undeliveredCopy() async throws {
        let store = try open()
        _ = try await backup(store)
        let early = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
        try FileManager.default.removeItem(atPath: settings.directory)
        try await put(store, "x1", 10, 1)
        await until { store.status.archive?.problem != nil }
        early.wasDelivered()
        #expect(store.status.archive?.problem?.contains("only a new backup") == true)
    }

    @Test("the gap stays after a copy that nobody took, also after a restart")
    func cancelledBackup() async throws {
        var store = try open()
        _ = try await backup(store)
        try store.close()
        store = try open(archive: false)
        try await put(store, "x1", 10, 1)
        try store.close()
        for _ in 0..<2 {
            store = try open()
            _ = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
            #expect(store.status.archive?.problem?.contains("only a new backup") == true)
            try store.close()
        }
        store = try open()
        _ = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        try store.close()
    }

    @Test("two databases cannot share an archive: the second says so, and the first is not disturbed")
    func sharedDirectory() async throws {
        let other = try TemporaryDirectory()
        let first = try open()
        let base = try await backup(first)
        let second = try SQLiteStore(directory: other.path, archive: settings)
        #expect(second.status.archive?.problem?.contains("archives another database there") == true)
        try await put(second, "y", 10, 1)
        try await put(first, "x1", 10, 1)
        try second.close()
        try first.close()
        #expect(LogArchiveFile.names(in: settings.directory).count == 1)
        #expect(try contents(of: base, until: nil) == ["x1": [1, 10]])
        // It is free again.
        let third = try SQLiteStore(directory: other.path, archive: settings)
        #expect(third.status.archive?.problem?.contains("archives another database there") != true)
        try third.close()
    }

    @Test("a first start with the clock years ahead lets later starts continue the archive")
    func generationOfTheFuture() async throws {
        let clock = SetClock(SystemWallClock().now().microseconds)
        clock.advance(.days(29_219))
        var store = try open(clock)
        try store.close()
        clock.advance(.days(-29_219))
        store = try open(clock, archive: false)
        try await put(store, "x1", 10, 1)
        try store.close()
        store = try open(clock)
        let base = try await backup(store)
        for step in 2..<5 {
            try await put(store, "x\(step)", 10, UInt8(step))
            try store.close()
            store = try open(clock)
            #expect(store.status.archive?.problem == nil)
        }
        try store.close()
        #expect(try contents(of: base, until: nil).keys.sorted() == ["x1", "x2", "x3", "x4"])
    }

    @Test("what follows a transaction from a clock that was ahead is told of by --until, and found by its number")
    func timesOutOfOrder() async throws {
        let clock = SetClock(SystemWallClock().now().microseconds)
        let store = try open(clock)
        let base = try await backup(store)
        for (name, step) in [("x1", Timestamp.Interval.seconds(1)), ("x2", .hours(1)), ("x3", .hours(-1)), ("x4", .hours(2))] {
            clock.advance(step)
            try await put(store, name, 10, 1)
        }
        try store.close()
        let until = clock.now().advanced(by: .seconds(-5_400))
        var told: Int?
        #expect(try contents(of: base, to: .time(until)) { told = $0.transactionsWithEarlierTimes }.keys.sorted() == ["x1"])
        let count = try #require(told)
        #expect(try contents(of: base, to: .transactions(count)) { _ in }.keys.sorted() == ["x1", "x2", "x3"])
        #expect(try contents(of: base, to: .transactions(count - 1)) { _ in }.keys.sorted() == ["x1", "x2"])
        #expect(throws: StoreOpeningError.self) { try contents(of: base, to: .transactions(count + 10)) { _ in } }
    }

    @Test("a backup is not brought to an instant before its own last transaction, because earlier pages would stand beside later ones")
    func beforeTheSnapshot() async throws {
        let store = try open()
        var base: Backup?
        // Commits are archived within a second. The backup has to begin before that.
        for _ in 0..<20 {
            for step in 0..<3 { try await put(store, "x\(step)", 10, 1) }
            let made = try await backup(store)
            guard let position = LogPosition(made.position), position.end > position.sequence else { continue }
            base = made
            break
        }
        try await put(store, "x9", 10, 1)
        try store.close()
        let made = try #require(base)
        for end in [LogReplayEnd.transactions(0), .time(Timestamp(microseconds: 1))] {
            #expect(throws: StoreOpeningError.self) { try contents(of: made, to: end) { _ in } }
        }
        let position = try #require(LogPosition(made.position))
        // The archive may have lost the last of them.
        let later = LogPosition(generation: position.generation, sequence: position.sequence, end: position.end + 9)
        #expect(throws: StoreOpeningError.self) {
            try contents(of: Backup(bytes: made.bytes, position: later.description), until: nil)
        }
        let count = Int(position.end - position.sequence)
        #expect(try contents(of: made, to: .transactions(count)) { _ in }.keys.sorted() == ["x0", "x1", "x2"])
        #expect(try contents(of: made, until: nil).keys.sorted() == ["x0", "x1", "x2", "x9"])
    }

    @Test("an archive that cannot be written stops no write, is told of, and goes on in a new generation")
    func failing() async throws {
        try Data().write(to: URL(filePath: settings.directory))
        let store = try open(walLimit: 1 << 20)
        for step in 0..<20 { try await put(store, "x\(step)", 200_000, UInt8(step)) }
        #expect(store.status.archive?.problem?.contains("Not a directory") == true)
        #expect(store.status.trouble == nil)
        try FileManager.default.removeItem(atPath: settings.directory)
        let base = try await backup(store)
        try await put(store, "y", 200_000, 1)
        try await put(store, "x0", 7, 7)
        try store.close()
        #expect(try contents(of: base, until: nil)["x0"] == [7, 7])
    }

    @Test(
        "an archive that somebody removes or renames is told of until the next backup, which can be brought forward",
        arguments: ["directory", "file", "renamed"])
    func lostFile(_ what: String) async throws {
        let store = try open(walLimit: 1 << 20)
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        switch what {
        case "directory": try FileManager.default.removeItem(atPath: settings.directory)
        case "file":
            for name in LogArchiveFile.names(in: settings.directory) {
                try FileManager.default.removeItem(atPath: settings.directory + "/" + name)
            }
        default: try FileManager.default.moveItem(atPath: settings.directory, toPath: settings.directory + ".old")
        }
        for step in 0..<20 { try await put(store, "x\(step)", 200_000, UInt8(step)) }
        #expect(store.status.checkpoints > 0, "everything is archived before that")
        #expect(store.status.archive?.problem?.contains("removed or renamed") == true)
        #expect(store.status.trouble == nil)
        let later = try await backup(store)
        #expect(store.status.archive?.problem == nil)
        try await put(store, "x30", 7, 7)
        try store.close()
        #expect(throws: StoreOpeningError.self) { try contents(of: base, until: nil) }
        #expect(try contents(of: later, until: nil)["x30"] == [7, 7])
    }

    @Test("a backup that is made before the loss is noticed can be brought forward too")
    func lostFileBeforeBackup() async throws {
        let store = try open()
        try await put(store, "x1", 10, 1)
        try FileManager.default.removeItem(atPath: settings.directory)
        let later = try await backup(store)
        try await put(store, "x2", 7, 7)
        try store.close()
        #expect(try contents(of: later, until: nil) == ["x1": [1, 10], "x2": [7, 7]])
    }

    @Test("a record that is torn, damaged or missing is noticed, and nothing is taken from behind it")
    func damaged() async throws {
        let clock = SteppingClock()
        let store = try open(clock)
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        let begin = clock.now()
        for step in 2..<8 { try await put(store, "x\(step)", 10, UInt8(step)) }
        try store.close()
        let name = try #require(LogArchiveFile.names(in: settings.directory).last)
        let file = settings.directory + "/" + name
        let whole = try Data(contentsOf: URL(filePath: file))
        for cut in [whole.count - 1, whole.count / 2, LogArchiveFile.headerBytes + 10] {
            try whole.prefix(cut).write(to: URL(filePath: file))
            let found = try contents(of: base, until: nil, isTorn: true)
            #expect(found["x1"] == [1, 10] && found.count < 8)
        }
        for place in [LogArchiveFile.headerBytes + 80, whole.count / 2] {
            var flipped = whole
            flipped[place] ^= 1
            try flipped.write(to: URL(filePath: file))
            #expect(throws: StoreOpeningError.self) { try contents(of: base, until: nil) }
            #expect(throws: StoreOpeningError.self) { try contents(of: base, until: Timestamp(microseconds: .max)) }
        }
        // The damage is in the middle, so an instant before it can still be restored.
        #expect(try contents(of: base, until: begin) == ["x1": [1, 10]])
        try Data("no archive".utf8).write(to: URL(filePath: file))
        #expect(throws: StoreOpeningError.self) { try contents(of: base, until: nil) }
        try FileManager.default.removeItem(atPath: file)
        #expect(throws: StoreOpeningError.self) { try contents(of: base, until: nil) }
    }

    @Test(
        "a file that a full disk or a power cut has left without a whole header disturbs neither a restore nor the next start",
        arguments: [0, 20], [false, true])
    func unbegunFile(_ bytes: Int, isOfNextGeneration: Bool) async throws {
        var store = try open()
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        try await put(store, "x2", 10, 2)
        try store.close()
        let last = try #require(LogArchiveFile.names(in: settings.directory).last.flatMap(LogFileHeader.numbers))
        let header = isOfNextGeneration
            ? LogFileHeader(generation: last.generation + 1, number: 0, sequence: 0, pageBytes: 4_096)
            : LogFileHeader(generation: last.generation, number: last.number + 1, sequence: 0, pageBytes: 4_096)
        try Data(header.bytes.prefix(bytes)).write(to: URL(filePath: settings.directory + "/" + header.name))
        #expect(try contents(of: base, until: nil) == ["x1": [1, 10], "x2": [2, 10]])
        store = try open()
        #expect(store.status.archive?.problem == nil, "nothing is missing, so the generation goes on")
        try await put(store, "x3", 10, 3)
        try store.close()
        #expect(try contents(of: base, until: nil) == ["x1": [1, 10], "x2": [2, 10], "x3": [3, 10]])
    }

    @Test("files that are older than they are kept are removed, and a backup from before them is refused")
    func removed() async throws {
        var store = try open()
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        try await put(store, "x2", 10, 2)
        try store.close()
        for name in LogArchiveFile.names(in: settings.directory) {
            var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, settings.directory + "/" + name, &times, 0) == 0)
        }
        store = try open()
        try await put(store, "x3", 10, 3)
        try store.close()
        #expect(LogArchiveFile.names(in: settings.directory).count <= 2, "what is written now, and no more")
        #expect(throws: StoreOpeningError.self) { try contents(of: base, until: nil) }
    }

    @Test("a clock that is ahead for a moment removes nothing, while the server runs or at its start")
    func wrongClock() async throws {
        let clock = SetClock(SystemWallClock().now().microseconds)
        var store = try open(clock)
        try await put(store, "x1", 10, 1)
        let base = try await backup(store)
        try await put(store, "x2", 10, 2)
        for isStopped in [false, true] {
            if isStopped { try store.close() }
            clock.advance(.days(15))
            if isStopped { store = try open(clock) }
            try await put(store, "x3", 10, 3)
            if isStopped { try store.close() }
            clock.advance(.days(-15))
            if isStopped { store = try open(clock) }
            try await put(store, "x4", 10, 4)
        }
        try store.close()
        #expect(try contents(of: base, until: nil) == ["x1": [1, 10], "x2": [2, 10], "x3": [3, 10], "x4": [4, 10]])
    }
}
