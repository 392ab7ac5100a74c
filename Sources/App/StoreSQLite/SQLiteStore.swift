import DiarySealing
import Foundation
import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL
import Synchronization

/// PulseBoard's repositories on SQLite: one writer that commits in groups, many readers, and one process.
///
/// Opening locks the data directory for this store alone. `close()` or the end of the process releases it. Reads and
/// writes suspend their caller and run on the store's own threads.
///
/// `@unchecked Sendable` is sound for the reason that ``SQLStore`` gives: all stored properties here are immutable `Sendable` values.
public final class SQLiteStore: SQLStore, ServedStore, @unchecked Sendable {
    public static let fileName = "pulseboard.sqlite"
    /// The name of the file that a running server locks. It contains the server's process id.
    public static let lockFileName = DirectoryLock.fileName

    /// The database file.
    public let path: String
    /// The only connection that writes and checkpoints.
    private let database: DatabaseQueue
    private let files: StoreFiles
    private let health: StoreHealth
    private let recovery: StoreRecovery
    /// Makes copies of the database.
    let copying: DatabaseCopying
    private let writer: GroupCommit
    let log: WriteAheadLog
    /// Lanes for reads of a few rows, and lanes for reads of many rows, so that a short read never waits for a long one.
    private let shortReads: ReadLanes
    private let longReads: ReadLanes
    /// Runs the housekeeping while nobody writes.
    private let idleHousekeeping: Task<Void, Never>
    /// Held until the database is closed.
    private let possession: Mutex<Possession?>

    /// The locks of the directory and of the database's file.
    private struct Possession: ~Copyable {
        let directory: DirectoryLock
        let database: DatabaseLock
    }

    /// Opens the store of a directory. Makes the directory and the database if they are missing.
    ///
    /// - Parameters:
    ///   - directory: a missing directory is made with access for the owner only.
    ///   - readerCount: maximum reads at once. Half of them are short ones, and there is at least one of each kind. Each reader is a thread and a
    ///     connection with up to 32 MiB of page cache, made when it is first needed.
    ///   - followEvents: how long a user's follow events are kept.
    ///   - usernames: how long names are kept for their owners.
    ///   - diaryKeys: the keys that seal diaries.
    ///   - archive: where commits are archived; `nil` for no archive.
    ///   - clock: the time of day, which decides what has expired.
    ///   - probePauses: the first and the longest pause before the store checks whether a failure is over.
    ///   - walLimit: length of the write-ahead log, in bytes, beyond which the lanes pause so that it can begin again.
    ///   - willMigrate: called before a database of an earlier version is rewritten, which can take minutes.
    ///   - uptime: a monotonic clock. `clock` is compared with it.
    ///   - timer: wakes the housekeeping while nobody writes.
    public init(
        directory: String, readerCount: Int = 4, followEvents: FollowEventRetention = .standard,
        usernames: UsernamePolicy = .standard, diaryKeys: DiaryKeys = .none, archive: LogArchiveSettings? = nil,
        clock: any WallClock = SystemWallClock(), probePauses: ClosedRange<Duration> = .seconds(1)...(.seconds(30)),
        walLimit: Int64 = 64 << 20, longestTransaction: Duration = standardLongestTransaction, willMigrate: () -> Void = {},
        uptime: @escaping @Sendable () -> Duration = SQLiteStore.machineUptime, timer: any Clock<Duration> = ContinuousClock()
    ) throws(StoreOpeningError) {
        try Self.makeDirectory(directory)
        let directoryLock = try DirectoryLock(directory: directory)
        let path = directory + "/" + Self.fileName
        self.path = path
        let events = FollowEventLog(retention: followEvents)
        let usernames = Usernames(policy: usernames)
        let logArchive = archive.map { LogArchive($0, database: path, clock: clock, uptime: uptime) }
        let before = logArchive?.readEnd()
        let opened = try Self.open(path, mayBeNew: !directoryLock.knowsDatabase, isArchived: archive != nil, willMigrate)
        directoryLock.noteDatabase()
        database = opened.writer
        let vault: DiaryVault, marks: ClockMarks, isUnfinishedCopy: Bool
        do {
            (vault, marks, isUnfinishedCopy) = try opened.writer.write { database in
                let connection = SQLConnection(database)
                return (try DiaryVault.open(diaryKeys, connection), try ClockMarks(connection), try Self.hasUnfinishedCopy(connection))
            }
        } catch {
            if archive != nil { Self.closeKeepingLog(opened.writer, path) }
            throw StoreOpeningError(thrown: error, path: path)
        }
        // The copy is not continued where rows of it are missing.
        let housekeeping = Housekeeping(
            watch: ClockWatch(clock: clock, uptime: uptime, marks: marks), events: events, usernames: usernames, vault: vault,
            isPaused: isUnfinishedCopy)
        let files = opened.files
        self.files = files
        possession = Mutex(Possession(directory: directoryLock, database: opened.lock))
        health = StoreHealth(clock: clock, pauses: probePauses)
        let openReader = { @Sendable in
            let reader = try DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
            // The name may refer to another database by now.
            let standing = files.standing()
            guard standing.isInPlace else { throw RepositoryError.storeUnavailable(.gone, detail: standing.description) }
            return reader
        }
        shortReads = ReadLanes("pulseboard reads", laneCount: max(1, readerCount / 2), health: health, open: openReader)
        longReads = ReadLanes("pulseboard lists", laneCount: max(1, readerCount - readerCount / 2), health: health, open: openReader)
        recovery = StoreRecovery(files: files, health: health, openReader: openReader)
        logArchive?.begin(before)
        let log = WriteAheadLog(health: health, archive: logArchive)
        self.log = log
        copying = DatabaseCopying(files: files, clock: clock, log: log, openReader: openReader)
        let writer = GroupCommit(
            database, housekeeping: housekeeping, files: files, health: health, recovery: recovery, log: log,
            bound: WALBound([shortReads, longReads], limit: walLimit), longestTransaction: longestTransaction)
        self.writer = writer
        idleHousekeeping = Task { [weak writer, weak logArchive] in
            // Work that an earlier process left begins at once.
            writer?.nudge()
            while (try? await timer.sleep(for: .microseconds(Housekeeping.pause.microseconds))) != nil {
                writer?.nudge()
                logArchive?.copyIfLate()
            }
        }
        super.init(
            access: SQLiteAccess(writer: writer, shortReads: shortReads, longReads: longReads), housekeeping: housekeeping, events: events,
            usernames: usernames, vault: vault)
    }

    deinit {
        endThreads()
        log.archive?.end()
        // Close now, while the locks are held. A failure cannot be reported any more.
        try? database.close()
    }

    /// Commits queued writes, copies the WAL into the database, and closes. Afterwards every call throws `storeUnavailable`.
    ///
    /// If the WAL cannot be emptied, such as on a full disk, it stays complete, and the next start reads it. `status` has its length.
    public func close() throws(RepositoryError) {
        endThreads()
        let standing = files.standing()
        // The readers are gone, so the writer can checkpoint everything. Then the next start need not replay the WAL.
        database.inDatabase { database in
            let connection = SQLConnection(database, writing: log)
            if !standing.hasWAL { connection.keepLogAtEnd() }
            _ = connection.checkpoint(emptying: true)
        }
        do { try database.close() } catch { throw RepositoryError(thrown: error) }
        log.archive?.close()
        possession.withLock { $0 = nil }
    }

    /// Finishes queued accesses and closes the readers' connections.
    private func endThreads() {
        idleHousekeeping.cancel()
        writer.close()
        recovery.close()
        copying.close()
        shortReads.close()
        longReads.close()
    }

    /// Kind and version of the store, such as `SQLite 3.40.1`.
    public var kind: String { "SQLite \(String(cString: sqlite3_libversion()))" }

    /// The store for people, such as `SQLite 3.40.1 at /var/lib/pulseboard/pulseboard.sqlite`.
    public var description: String { "\(kind) at \(path)" }

    // MARK: How the store is

    /// Calls the listener with the store's events from now on, in order. If the store is failing now, it is called at once. The
    /// listener is called on the store's threads; it must return soon and must not call the store.
    public func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void) { health.observe(listener) }

    /// The present status. Asks the file system of the database, so do not call it on an event loop. Waits neither for the store's threads nor for
    /// the disk of the archive.
    public var status: StoreStatus {
        var status = StoreStatus(
            path: path, databaseBytes: files.databaseBytes, walBytes: files.standing().walBytes, freeBytes: files.freeBytes,
            lastCommitTime: health.lastCommitTime, trouble: health.trouble, lastTrouble: health.lastTrouble)
        (status.commits, status.writes) = health.committedCounts
        status.commitFigures = health.commitFigures
        status.archive = log.archive?.status
        (status.checkpoints, status.completeCheckpoints) = health.checkpointCounts
        return status
    }

    /// Checks whether the files' names still refer to them, and whether a transaction hangs. Call it from time to time: while nobody writes, or the
    /// disk does not answer, nothing else notices.
    public func check() { writer.check() }

    /// How long a transaction may take before it is a trouble of the disk.
    public static let standardLongestTransaction = Duration.seconds(10)

    /// The time since a fixed instant. It also advances while the machine sleeps.
    public static let machineUptime: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }

    /// The number of writes that wait for the next transaction.
    public var queuedWrites: Int { writer.queuedWrites }
}

/// One writer, and lanes for short and for long reads.
private struct SQLiteAccess: SQLAccess {
    let writer: GroupCommit
    let shortReads: ReadLanes
    let longReads: ReadLanes

    /// Performs a write in the next group commit.
    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await writer.write(body)
    }

    func read<Result: Sendable>(of user: UserID?, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await shortReads.read(of: user, body)
    }

    func readLong<Result: Sendable>(of user: UserID?, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await longReads.read(of: user, body)
    }
}
