import Foundation
import GRDB
import PulseBoardDomain
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// An archive is continued only if it is known to have everything.
@Suite("The archive after a kill or a failure") struct LogArchiveContinuationTests {
    /// What another program does to the database and the log of a server that was killed, before it is killed too.
    enum Interlude: String, CaseIterable, Sendable {
        /// It copies the log into the database and begins it again with one transaction.
        case beginsAgain
        /// It writes a transaction before that.
        case writesBefore
        /// It begins the log again twice.
        case beginsAgainTwice
        /// It overwrites all of the former log.
        case overwritesAll
        /// It empties the log before it begins it again.
        case empties
    }

    @Test("a file of the archive that the disk cannot read is no end of the archive")
    func unreadable() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path, archive: archiveSettings(in: directory))
        let copy = try await store.copy(bytesPerSecond: 1 << 30) { _ in }
        copy.wasDelivered()
        let position = try #require(copy.archivePosition.flatMap { LogPosition($0) })
        let restored = directory.path + "/restored.sqlite"
        try Data(try copy.bytes(at: 0, count: Int(copy.byteCount))).write(to: URL(filePath: restored))
        try await store.tamper("INSERT INTO secret (name, value) VALUES ('x1', x'00')")
        try store.close()
        let folder = directory.path + "/wal"
        #expect(LogArchiveEnd(directory: folder) != nil)
        let newest = try #require(LogArchiveFile.names(in: folder).last.flatMap(LogFileHeader.numbers))
        // A directory can be opened, and reading it fails.
        let name = String(format: "%016llx-%016llx.wal", newest.generation, newest.number + 1)
        try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: false)
        #expect(LogArchiveEnd(directory: folder) == nil)
        #expect(throws: (any Error).self) { try LogArchiveReplay(directory: folder, database: restored).run(from: position, to: .archive) }
    }

    @Test(
        "a log that has begun again without the archive leaves no gap only if the former log shows that all of it was archived",
        arguments: Interlude.allCases)
    func begunAgain(_ interlude: Interlude) async throws {
        let directory = try TemporaryDirectory()
        let first = try SQLiteStore(directory: directory.path, archive: archiveSettings(in: directory))
        let copy = try await first.copy(bytesPerSecond: 1 << 30) { _ in }
        copy.wasDelivered()
        let position = try #require(copy.archivePosition.flatMap { LogPosition($0) })
        let bytes = try copy.bytes(at: 0, count: Int(copy.byteCount))
        try await first.tamper("INSERT INTO secret (name, value) VALUES ('x1', zeroblob(200000))")
        var killed: TemporaryDirectory
        repeat {
            await until { isArchived(directory) }
            killed = try copyFiles(of: directory)
        } while !isArchived(killed)
        try first.close()

        let former = try #require(logSalts(in: killed))
        let left = try writeWithoutArchive(interlude, in: killed)
        let present = try #require(logSalts(in: left))
        #expect(present.first == former.first &+ (interlude == .beginsAgainTwice ? 2 : 1))

        let last = try SQLiteStore(directory: left.path, archive: archiveSettings(in: left))
        let problem = last.status.archive?.problem
        try last.close()
        let restored = left.path + "/restored.sqlite"
        try Data(bytes).write(to: URL(filePath: restored))
        let replay = try LogArchiveReplay(directory: left.path + "/wal", database: restored).run(from: position, to: .archive)
        if interlude == .beginsAgain {
            #expect(problem == nil)
            #expect(replay.gapEnd == nil)
            #expect(try names(in: restored) == ["x1", "x3"])
        } else {
            #expect(problem?.contains("only a new backup") == true)
            #expect(replay.gapEnd != nil)
            #expect(try names(in: restored) == ["x1"], "up to the gap")
        }
    }

    @Test(
        "opening a database with an archive takes nothing out of a long log, not even with a migration; without one it may",
        arguments: [true, false])
    func openingKeepsLog(isArchived: Bool) throws {
        let directory = try TemporaryDirectory(), identifiers = SQLiteSchema.migrator.migrations
        let former = try DatabaseQueue(path: databasePath(in: directory))
        try former.writeWithoutTransaction { try ConnectionSettings.prepareWriter($0, checkpoints: false) }
        try SQLiteSchema.migrator.migrate(former, upTo: identifiers[identifiers.count - 2])
        try former.write { database in
            for number in 0..<40 {
                try database.execute(sql: "INSERT INTO secret (name, value) VALUES (?, zeroblob(1000000))", arguments: ["x\(number)"])
            }
        }
        let killed = try copyFiles(of: directory)
        try former.close()
        #expect(try #require(LogReader(databasePath(in: killed) + "-wal").lastCommit) > ConnectionSettings.checkpointPages)
        let before = try Data(contentsOf: URL(filePath: databasePath(in: killed)))
        let opened = try SQLiteStore.open(databasePath(in: killed), mayBeNew: false, isArchived: isArchived) {}
        #expect((try Data(contentsOf: URL(filePath: databasePath(in: killed))) == before) == isArchived)
        try opened.writer.close()
    }

    @Test("a start that is refused for a newer schema takes nothing out of an archived log")
    func refusedStartKeepsLog() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path, archive: archiveSettings(in: directory))
        try await store.tamper("INSERT INTO grdb_migrations VALUES ('999 from the future')")
        let killed = try copyFiles(of: directory)
        try store.close()
        let path = databasePath(in: killed)
        let files = [path, path + "-wal"].map { URL(filePath: $0) }
        let before = try files.map { try Data(contentsOf: $0) }
        #expect(!before[1].isEmpty)
        #expect(throws: StoreOpeningError.newerSchema(path: path)) {
            try SQLiteStore(directory: killed.path, archive: archiveSettings(in: killed))
        }
        #expect(try files.map { try Data(contentsOf: $0) } == before)
    }

    @Test("the first transaction of a log that has begun again is due at once, because only then a kill is sure to leave no gap")
    func dueAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let disk = HangingDisk()
        let archive = openArchive(in: directory, on: disk)
        // Nothing is copied while the thread does something else.
        disk.hang()
        defer { disk.answer() }
        Thread { _ = archive.positionOfNewCopy() }.start()
        await until { disk.isWaitedFor }
        let begin = ContinuousClock.now
        archive.committed(frames: 9)
        let usual = try #require(archive.due)
        #expect(usual >= begin + LogArchive.pause)
        archive.committed(frames: 2)
        let early = try #require(archive.due)
        #expect(early <= ContinuousClock.now)
    }

    @Test("a generation whose first record could not be written whole begins in a new file")
    func tornBeginning() async {
        // In a separate process, because the limit on the size of files holds for all threads.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let directory = try TemporaryDirectory()
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
            let former = limit.rlim_cur
            // There is room for the header of a file, but not for a record.
            limit.rlim_cur = rlim_t(LogArchiveFile.headerBytes + 10)
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(3) }
            let archive = openArchive(in: directory)
            let isTold = archive.status.problem != nil
            let isRefused = archive.positionOfNewCopy() == nil
            limit.rlim_cur = former
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(4) }
            if !isTold { exit(5) }
            if !isRefused { exit(6) }
            if archive.positionOfNewCopy()?.sequence != 1 { exit(7) }
            let folder = archiveSettings(in: directory).directory
            if LogArchiveFile.names(in: folder).count != 1 { exit(8) }
            guard let end = LogArchiveEnd(directory: folder), end.record.kind == .begin, end.sequence == 0 else { exit(9) }
        }
    }

    @Test("a position with an end that no copy has is none")
    func endOfPosition() {
        #expect(LogPosition("a:5:18446744073709551615") == nil)
        #expect(LogPosition("a:5:4294967301") == nil)
        #expect(LogPosition("a:5:4294967300")?.end == 4_294_967_300)
        #expect(LogPosition("a:5:4") == nil)
    }
}

private func archiveSettings(in directory: TemporaryDirectory) -> LogArchiveSettings { LogArchiveSettings(directory: directory.path + "/wal") }

private func databasePath(in directory: TemporaryDirectory) -> String { directory.path + "/" + SQLiteStore.fileName }

/// An archive without a store.
private func openArchive(in directory: TemporaryDirectory, on disk: HangingDisk? = nil) -> LogArchive {
    var settings = archiveSettings(in: directory)
    if let disk { settings.willWork = disk.pass }
    let archive = LogArchive(settings, database: databasePath(in: directory), clock: SystemWallClock(), uptime: SQLiteStore.machineUptime)
    archive.begin(archive.readEnd())
    return archive
}

private func logSalts(in directory: TemporaryDirectory) -> LogSalts? { (try? LogReader(databasePath(in: directory) + "-wal"))?.header?.salts }

/// Whether the archive has all of the log.
private func isArchived(_ directory: TemporaryDirectory) -> Bool {
    guard let log = try? LogReader(databasePath(in: directory) + "-wal"), let salts = log.header?.salts,
        let end = LogArchiveEnd(directory: archiveSettings(in: directory).directory)?.record
    else { return false }
    return end.kind == .commit && end.salts == salts && log.lastCommit == Int(end.endFrame)
}

/// Copies the files of an open database and of its archive. The copies are as after a kill.
private func copyFiles(of directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let copy = try TemporaryDirectory()
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
        try FileManager.default.copyItem(atPath: directory.path + "/" + name, toPath: copy.path + "/" + name)
    }
    return copy
}

/// Writes to a database as a program without the archive that is then killed.
/// - Returns: the files that it leaves.
private func writeWithoutArchive(_ interlude: LogArchiveContinuationTests.Interlude, in directory: TemporaryDirectory) throws -> TemporaryDirectory {
    let queue = try DatabaseQueue(path: databasePath(in: directory))
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { database in
        func insert(_ name: String, _ count: Int = 10) throws {
            try database.execute(sql: "INSERT INTO secret (name, value) VALUES (?, zeroblob(?))", arguments: [name, count])
        }
        if interlude == .writesBefore { try insert("x2") }
        _ = try database.checkpoint(interlude == .empties ? .truncate : .passive)
        try insert("x3", interlude == .overwritesAll ? 1_000_000 : 10)
        if interlude == .beginsAgainTwice {
            _ = try database.checkpoint(.passive)
            try insert("x4")
        }
        return try copyFiles(of: directory)
    }
}

/// The names of the rows that a test has written.
private func names(in database: String) throws -> [String] {
    let queue = try DatabaseQueue(path: database)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: "SELECT name FROM secret WHERE name LIKE 'x%' ORDER BY name") }
}
