import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL
import Synchronization

/// The write-ahead log of the open database, as its writer sees it. It knows the log's length, decides when to checkpoint, and ensures that nothing
/// is lost before it is archived.
///
/// After each COMMIT, the writing connection reports how many frames the log has. A log begins again from its start with the first write after all of
/// it has been copied into the database. Only this process writes and checkpoints, and only through ``SQLConnection/checkpoint(emptying:)``. So
/// archiving before each checkpoint archives everything, while the archive can be written.
final class WriteAheadLog: Sendable {
    private let frameCount = Atomic(0)
    /// Commits that have begun, and those of them that have ended. Between the two, readers may see a transaction that is not recorded yet.
    private let begunCommits = Atomic(0), endedCommits = Atomic(0)
    private let records = Atomic(0)
    private let checkpoint = Mutex<ContinuousClock.Instant?>(nil)
    private let health: StoreHealth
    private let number = WriteAheadLog.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// The archive of the log's frames; `nil` without one.
    let archive: LogArchive?

    init(health: StoreHealth, archive: LogArchive?) {
        self.health = health
        self.archive = archive
    }

    /// How many frames the log has after the last commit. Each is a page of the database.
    var frames: Int { frameCount.load(ordering: .relaxed) }

    /// How many transactions were recorded. One that has written nothing is not.
    var recordCount: Int { records.load(ordering: .relaxed) }

    /// Records a durable transaction.
    fileprivate func committed(_ frames: Int) {
        records.add(1, ordering: .relaxed)
        frameCount.store(frames, ordering: .relaxed)
        archive?.committed(frames: frames)
    }

    /// Call it before each COMMIT.
    func willCommit() { begunCommits.add(1, ordering: .sequentiallyConsistent) }

    /// Call it after each COMMIT, also if it has failed.
    func didCommit() { endedCommits.add(1, ordering: .sequentiallyConsistent) }

    /// Waits for the commits that have begun. Afterwards, all that readers could see before is recorded.
    /// - Parameter pause: waits a little. What it throws ends the wait.
    func waitForCommits(_ pause: () throws -> Void) rethrows {
        let begun = begunCommits.load(ordering: .sequentiallyConsistent)
        while endedCommits.load(ordering: .sequentiallyConsistent) < begun { try pause() }
    }

    /// Copies the log into the database, as far as its readers allow, if it has reached ``ConnectionSettings/checkpointPages``. Unlike SQLite's
    /// automatic checkpoint, it runs after the callers of the last transaction have their answers. If it fails, the next commit tries again.
    func keepShort(_ connection: borrowing SQLConnection) {
        if frames >= ConnectionSettings.checkpointPages { _ = connection.checkpoint() }
    }

    /// Call it before each checkpoint.
    func waitBeforeCheckpoint() {
        archive?.waitBeforeCheckpoint()
        checkpoint.withLock { $0 = .now }
    }

    /// Call it after each checkpoint.
    /// - Parameter isComplete: whether it has copied the whole log; nil if it failed.
    func didCheckpoint(completely isComplete: Bool?) {
        checkpoint.withLock { $0 = nil }
        if let isComplete { health.checkpointed(completely: isComplete) }
    }

    /// When the present checkpoint began, after the wait for the archive; `nil` between two.
    var checkpointBegin: ContinuousClock.Instant? { checkpoint.withLock { $0 } }

    /// Makes a connection report its commits, and replaces SQLite's automatic checkpoints.
    func watch(_ connection: SQLiteConnection) {
        Self.watched.withLock { $0[number] = { [weak self] frames in self?.committed(frames) } }
        sqlite3_wal_hook(
            connection,
            { number, _, _, frames in
                WriteAheadLog.watched.withLock { $0[Int(bitPattern: number)] }?(Int(frames))
                return SQLITE_OK
            }, .init(bitPattern: number))
    }

    deinit { Self.watched.withLock { $0[number] = nil } }

    /// The watched logs by number. SQLite passes the number back, so that no address is needed.
    private static let watched = Mutex<[Int: @Sendable (Int) -> Void]>([:])
    private static let lastNumber = Atomic(0)
}
