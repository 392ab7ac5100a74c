import Foundation
import GRDB
import GRDBSQLite
import PulseBoardDomain
import Synchronization

/// PulseBoard's repositories on SQLite: one writer that commits in groups, many readers, one process.
///
/// Opening takes sole possession of the data directory; `close()` or the end of the process gives it back. Reads and
/// writes suspend their caller and run on GRDB's queues, never on the caller's thread.
public final class SQLiteStore: PulseBoardStore, CustomStringConvertible {
    public static let fileName = "pulseboard.sqlite"

    /// The database file.
    public let path: String
    /// The one connection that writes and checkpoints.
    private let database: DatabaseQueue
    private let writer: GroupCommit
    /// Reads of a few rows, and reads that may look at many: apart, so that no short one waits for a long one.
    private let shortReads: ReadLanes
    private let longReads: ReadLanes
    /// Removes what has expired, and the follows of those who have withdrawn.
    let housekeeping: Housekeeping
    /// Gives the housekeeping a turn while nobody writes.
    private let idleHousekeeping: Task<Void, Never>
    /// Writes the events of follows.
    let events: FollowEventLog
    /// Held until the database is closed.
    private let lock: Mutex<DirectoryLock?>

    /// Opens the store of a directory, making both when they are not there.
    ///
    /// - Parameters:
    ///   - directory: made with access for its owner only when it is missing.
    ///   - readerCount: most reads at once, half of them short ones, at least one of either kind; each reader is a thread and a
    ///     connection with up to 32 MiB of page cache, made when it is first needed.
    ///   - followEvents: how long a user's events of follows are kept.
    ///   - clock: decides what has expired.
    ///   - willMigrate: called before a database of an earlier version is rewritten, which takes a minute for ten million follows.
    ///   - uptime: how long something has been running, by a clock that nobody sets; what `clock` tells is held against it.
    ///   - timer: wakes the housekeeping while nobody writes.
    public init(
        directory: String, readerCount: Int = 4, followEvents: FollowEventRetention = .standard,
        clock: any WallClock = SystemWallClock(), willMigrate: () -> Void = {},
        uptime: @escaping @Sendable () -> Duration = SQLiteStore.machineUptime, timer: any Clock<Duration> = ContinuousClock()
    ) throws(StoreOpeningError) {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .directoryUnusable(path: directory, detail: "\(error)")
        }
        lock = Mutex(try DirectoryLock(directory: directory))
        let path = directory + "/" + Self.fileName
        self.path = path
        events = FollowEventLog(retention: followEvents)
        housekeeping = Housekeeping(clock: clock, uptime: uptime, events: events)
        database = try Self.open(path, willMigrate)
        let writer = GroupCommit(database, housekeeping: housekeeping)
        self.writer = writer
        idleHousekeeping = Task { [weak writer] in
            // What an earlier process left begins at once.
            writer?.nudge()
            while (try? await timer.sleep(for: .microseconds(Housekeeping.pause.microseconds))) != nil { writer?.nudge() }
        }
        let openReader = { @Sendable in try DatabaseQueue(path: path, configuration: ConnectionSettings.reader) }
        shortReads = ReadLanes("pulseboard reads", laneCount: max(1, readerCount / 2), open: openReader)
        longReads = ReadLanes("pulseboard lists", laneCount: max(1, readerCount - readerCount / 2), open: openReader)
    }

    deinit {
        endThreads()
        // Now, while the lock is held; whether it succeeds nobody is left to be told.
        try? database.close()
    }

    /// Commits what is queued, empties the WAL into the database and closes; afterwards every call is `storeUnavailable`.
    public func close() throws(RepositoryError) {
        endThreads()
        do {
            // The writer checkpoints while it is alone: readers are gone, and the WAL need not be replayed at the next start.
            try database.writeWithoutTransaction { database in
                _ = try database.checkpoint(.truncate)
            }
            try database.close()
        } catch {
            throw .storeUnavailable(detail: "\(error)")
        }
        lock.withLock { $0 = nil }
    }

    /// Finishes what is queued; the readers' connections are closed then.
    private func endThreads() {
        idleHousekeeping.cancel()
        writer.close()
        shortReads.close()
        longReads.close()
    }

    /// Kind and version of the store, such as `SQLite 3.40.1`.
    public static var kind: String { "SQLite \(String(cString: sqlite3_libversion()))" }

    /// Such as `SQLite 3.40.1 at /var/lib/pulseboard/pulseboard.sqlite`.
    public var description: String { "\(Self.kind) at \(path)" }

    /// Why the removal of expired rows last failed, or `nil`; no caller's write fails with it.
    public var housekeepingFailure: RepositoryError? { housekeeping.failure }

    /// Why nothing expires at present, or `nil`: the clock tells a time that is more than a day off what the last write and the machine's uptime
    /// lead to expect. Sessions, remembered writes and events that are over count as absent all the same; they are removed once the clock is
    /// back, or has stayed for an hour.
    public var clockJump: ClockJump? { housekeeping.clockJump }

    public func onFollowsEnded(_ tell: @escaping @Sendable () -> Void) { housekeeping.onFollowsEnded(tell) }

    /// Time since some instant before the process began, also while the machine sleeps.
    public static let machineUptime: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }

    /// Writes that wait for the next transaction: how far the disk is behind the callers.
    public var queuedWrites: Int { writer.queuedWrites }

    /// Whether a transaction is being made.
    var isWriting: Bool { writer.writesInTransaction > 0 }

    // MARK: Access

    /// Performs a write in the next group commit.
    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await writer.write(body)
    }

    /// Performs a read of a few rows: one snapshot of the database for all statements in it.
    func read<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await shortReads.read(body)
    }

    /// Performs a read that may look at many rows, one snapshot as well, apart from the short ones.
    func readLong<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await longReads.read(body)
    }
}
