import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL
import Synchronization

/// The write-ahead log of the open database, as its writer sees it: how long it is, when it is copied into the database, and that nothing of it goes
/// before an archive has it.
///
/// The connection that writes tells after each COMMIT how many frames the log has. A log begins again from its start with the first write after all of
/// it has been copied into the database. Only this process writes and checkpoints, and only through ``SQLConnection/checkpoint(emptying:)``: so what is
/// archived before each checkpoint is everything.
final class WriteAheadLog: Sendable {
    private let frameCount = Atomic(0)
    private let health: StoreHealth
    private let number = WriteAheadLog.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// Where the log's frames are kept; `nil` for nowhere.
    let archive: LogArchive?

    init(health: StoreHealth, archive: LogArchive?) {
        self.health = health
        self.archive = archive
    }

    /// Frames of the log after the last commit, each a page of the database.
    var frames: Int { frameCount.load(ordering: .relaxed) }

    /// Notes that a transaction has been made durable.
    fileprivate func committed(_ frames: Int) {
        frameCount.store(frames, ordering: .relaxed)
        archive?.committed(frames: frames)
    }

    /// Copies the log into the database, as far as its readers allow, if it is longer than ``ConnectionSettings/checkpointPages``. As SQLite's own
    /// automatic checkpoint does, but after the callers of the last transaction have their answers. What keeps it from that is met again at the next commit.
    func keepShort(_ connection: borrowing SQLConnection) {
        if frames >= ConnectionSettings.checkpointPages { _ = connection.checkpoint() }
    }

    /// To be called before each checkpoint.
    func willCheckpoint() { archive?.copy(isBeforeCheckpoint: true) }

    /// To be called after each checkpoint.
    func didCheckpoint(completely isComplete: Bool) { health.checkpointed(completely: isComplete) }

    /// Has a connection tell of its commits, and takes the place of SQLite's automatic checkpoints.
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

    /// The logs that are watched, by their numbers: what SQLite hands back is a number and no address.
    private static let watched = Mutex<[Int: @Sendable (Int) -> Void]>([:])
    private static let lastNumber = Atomic(0)
}
