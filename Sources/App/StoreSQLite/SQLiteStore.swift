import DiarySealing
import Foundation
import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL
import Synchronization

/// PulseBoard's repositories on SQLite: one writer that commits in groups, many readers, one process.
///
/// Opening takes sole possession of the data directory. `close()` or the end of the process gives it back. Reads and
/// writes suspend their caller and run on the store's own threads, never on the caller's.
///
/// Unchecked, as ``SQLStore`` says: the properties here are immutable, and `Sendable` every one.
public final class SQLiteStore: SQLStore, ServedStore, @unchecked Sendable {
    public static let fileName = "pulseboard.sqlite"

    /// The database file.
    public let path: String
    /// The one connection that writes and checkpoints.
    private let database: DatabaseQueue
    private let files: StoreFiles
    private let health: StoreHealth
    private let recovery: StoreRecovery
    /// Makes copies of the database.
    let copying: DatabaseCopying
    private let writer: GroupCommit
    private let log: WriteAheadLog
    /// Reads of a few rows, and reads that may look at many: apart, so that no short one waits for a long one.
    private let shortReads: ReadLanes
    private let longReads: ReadLanes
    /// Gives the housekeeping a turn while nobody writes.
    private let idleHousekeeping: Task<Void, Never>
    /// Held until the database is closed.
    private let possession: Mutex<Possession?>

    /// The locks of the directory and of the database's file.
    private struct Possession: ~Copyable {
        let directory: DirectoryLock
        let database: DatabaseLock
    }

    /// Opens the store of a directory. Makes both if they are missing.
    ///
    /// - Parameters:
    ///   - directory: a missing one is made with access for its owner only.
    ///   - readerCount: most reads at once. Half of them are short ones, with at least one of either kind. Each reader is a thread and a connection
    ///     with up to
    ///     32 MiB of page cache, made when it is first needed.
    ///   - followEvents: how long a user's events of follows are kept.
    ///   - usernames: how long names are kept for whom.
    ///   - diaryKeys: seal what is written in diaries.
    ///   - archive: where what is committed is kept; `nil` for nowhere.
    ///   - clock: decides what has expired.
    ///   - probePauses: the first and the longest pause before the store checks whether a failure is over.
    ///   - walLimit: length of the write-ahead log beyond which the lanes pause so that it can be emptied, bytes.
    ///   - willMigrate: called before a database of an earlier version is rewritten, which takes a minute for ten million follows.
    ///   - uptime: a clock that nobody can set. `clock` is compared with it.
    ///   - timer: wakes the housekeeping while nobody writes.
    public init(
        directory: String, readerCount: Int = 4, followEvents: FollowEventRetention = .standard,
        usernames: UsernamePolicy = .standard, diaryKeys: DiaryKeys = .none, archive: LogArchiveSettings? = nil, clock: any WallClock = SystemWallClock(), probePauses: ClosedRange<Duration> = .seconds(1)...(.seconds(30)),
        walLimit: Int64 = 64 << 20, willMigrate: () -> Void = {},
        uptime: @escaping @Sendable () -> Duration = SQLiteStore.machineUptime, timer: any Clock<Duration> = ContinuousClock()
    ) throws(StoreOpeningError) {
        try Self.makeDirectory(directory)
        let directoryLock = try DirectoryLock(directory: directory)
        let path = directory + "/" + Self.fileName
        self.path = path
        let events = FollowEventLog(retention: followEvents)
        let usernames = Usernames(policy: usernames)
        let before = archive.map { LogArchiveResumption(directory: $0.directory, database: path) }
        let opened = try Self.open(path, willMigrate)
        database = opened.writer
        let vault: DiaryVault
        do {
            vault = try opened.writer.write { try DiaryVault.open(diaryKeys, SQLConnection($0)) }
        } catch { throw StoreOpeningError(thrown: error, path: path) }
        let housekeeping = Housekeeping(clock: clock, uptime: uptime, events: events, usernames: usernames, vault: vault)
        let files = opened.files
        self.files = files
        possession = Mutex(Possession(directory: directoryLock, database: opened.lock))
        health = StoreHealth(clock: clock, pauses: probePauses)
        let openReader = { @Sendable in
            let reader = try DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
            // Its name may lead to another database by now, which nothing here has been read from.
            let standing = files.standing()
            guard standing.isInPlace else { throw RepositoryError.storeUnavailable(.gone, detail: standing.description) }
            return reader
        }
        shortReads = ReadLanes("pulseboard reads", laneCount: max(1, readerCount / 2), health: health, open: openReader)
        longReads = ReadLanes("pulseboard lists", laneCount: max(1, readerCount - readerCount / 2), health: health, open: openReader)
        recovery = StoreRecovery(files: files, health: health, openReader: openReader)
        let logArchive = archive.map { settings in
            LogArchive(settings, database: path, clock: clock, before: before ?? LogArchiveResumption(directory: settings.directory, database: path))
        }
        let log = WriteAheadLog(health: health, archive: logArchive)
        self.log = log
        copying = DatabaseCopying(files: files, clock: clock, position: { logArchive?.position }, openReader: openReader)
        let writer = GroupCommit(
            database, housekeeping: housekeeping, files: files, health: health, recovery: recovery, log: log,
            bound: WALBound([shortReads, longReads], limit: walLimit))
        self.writer = writer
        idleHousekeeping = Task { [weak writer] in
            // What an earlier process left begins at once.
            writer?.nudge()
            while (try? await timer.sleep(for: .microseconds(Housekeeping.pause.microseconds))) != nil { writer?.nudge() }
        }
        super.init(
            access: SQLiteAccess(writer: writer, shortReads: shortReads, longReads: longReads), housekeeping: housekeeping, events: events,
            usernames: usernames, vault: vault)
    }

    deinit {
        endThreads()
        // Now, while the locks are held. Nobody is left who could be told of a failure.
        try? database.close()
    }

    /// Commits what is queued, empties the WAL into the database, and closes. Afterwards every call is `storeUnavailable`.
    ///
    /// If the WAL cannot be emptied, as on a full disk, it stays with everything in it, and the next start reads it. `status` has its length.
    public func close() throws(RepositoryError) {
        endThreads()
        let standing = files.standing()
        // The writer checkpoints while it is alone: readers are gone, and the WAL need not be replayed at the next start.
        database.inDatabase { database in
            let connection = SQLConnection(database, writing: log)
            if !standing.hasWAL { connection.keepLogAtEnd() }
            _ = connection.checkpoint(emptying: true)
        }
        do { try database.close() } catch { throw RepositoryError(thrown: error) }
        log.archive?.close()
        possession.withLock { $0 = nil }
    }

    /// Finishes what is queued; the readers' connections are closed then.
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

    /// Such as `SQLite 3.40.1 at /var/lib/pulseboard/pulseboard.sqlite`.
    public var description: String { "\(kind) at \(path)" }

    // MARK: How the store is

    /// Calls the listener with what happens to the store from now on, in order, and at once when it cannot do its work. The listener is
    /// called on the store's threads; it must return soon and must not ask the store.
    public func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void) { health.observe(listener) }

    /// How the store is now. Asks the file system, and no thread of the store's.
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

    /// Checks whether the files' names still lead to them. Call it now and then: while nobody writes, nothing else notices.
    public func check() { writer.checkFiles() }

    /// Time since some instant before the process began, also while the machine sleeps.
    public static let machineUptime: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }

    /// Writes that wait for the next transaction: how far the disk is behind the callers.
    public var queuedWrites: Int { writer.queuedWrites }

    /// Whether a transaction is being made.
    var isWriting: Bool { writer.writesInTransaction > 0 }
}

/// One writer, and reads on two kinds of lanes.
private struct SQLiteAccess: SQLAccess {
    let writer: GroupCommit
    let shortReads: ReadLanes
    let longReads: ReadLanes

    /// Performs a write in the next group commit.
    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await writer.write(body)
    }

    func read<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await shortReads.read(body)
    }

    func readLong<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await longReads.read(body)
    }
}
