import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

/// Checks whether a store in trouble can do its work again.
///
/// - A full, failing or read-only disk: there is a mebibyte of room, and a small write is durable. The log is emptied first if possible. If the log
///   is what fills the disk, the next write then begins it from its start.
/// - A file that was gone: its name leads to it again.
/// - A damaged file: `quick_check` finds nothing. It reads the whole file, on its own thread and connection.
final class StoreRecovery: Sendable {
    /// Room that a full disk must have again, bytes: with less the next writes would fail as the last did.
    private static let room: Int64 = 1 << 20

    private let files: StoreFiles
    private let health: StoreHealth
    private let openReader: @Sendable () throws -> DatabaseQueue
    private let check = Mutex<(thread: ConnectionThread, database: DatabaseQueue)?>(nil)

    init(files: StoreFiles, health: StoreHealth, openReader: @escaping @Sendable () throws -> DatabaseQueue) {
        self.files = files
        self.health = health
        self.openReader = openReader
    }

    /// Probes when that is due. On the writer's thread.
    func probeIfDue(_ connection: borrowing SQLConnection) {
        guard let due = health.probeDue, due <= .now, let trouble = health.trouble else { return }
        if trouble.failure == .corrupt, files.standing().isInPlace { return beginCheck() }
        if canWrite(trouble.failure, connection) { health.recovered() } else { health.probeFailed() }
    }

    private func canWrite(_ failure: StoreFailure, _ connection: borrowing SQLConnection) -> Bool {
        guard files.standing().isInPlace else { return false }
        if failure == .full {
            guard files.freeBytes ?? .max >= Self.room else { return false }
            _ = connection.checkpoint()
        }
        do throws(RepositoryError) {
            try connection.run(.beginImmediate)
            // This value is already set. Writing it is the trial.
            try connection.run("PRAGMA application_id = \(ConnectionSettings.applicationID)")
            try connection.run(.commit)
            return files.standing().isInPlace
        } catch {
            if connection.isInTransaction { connection.abandonTransaction() }
            return false
        }
    }

    private func beginCheck() {
        health.probeBegins()
        guard let database = try? openReader() else { return health.probeFailed() }
        check.withLock { check in
            let thread = ConnectionThread("pulseboard check") { [health] _ in
                let found = try? database.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
                try? database.close()
                if found == ["ok"] { health.recovered() } else { health.probeFailed() }
            }
            check = (thread, database)
        }
    }

    /// Gives a check up that is under way, and returns when its connection is closed.
    func close() {
        guard let check = check.withLock({ $0.take() }) else { return }
        check.database.interrupt()
        check.thread.join()
    }
}
