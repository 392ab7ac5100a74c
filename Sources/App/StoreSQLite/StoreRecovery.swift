import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

/// Probes whether a store in trouble works again.
///
/// - A failing or read-only disk: a small write becomes durable.
/// - A full disk: it also has 1 MiB of room. Before the write, the log is copied into the database if possible. A log that fills the disk then begins
///   again with the next write.
/// - A file that was gone: its name refers to it again.
/// - A damaged file: `quick_check` finds nothing. It reads the whole file, on its own thread and connection.
final class StoreRecovery: Sendable {
    /// Bytes that a full disk must have free again. With less, the next writes would fail too.
    private static let room: Int64 = 1 << 20

    private let files: StoreFiles
    private let health: StoreHealth
    private let openReader: @Sendable () throws -> DatabaseQueue
    private let check = Mutex<Check?>(nil)

    /// A running check of a damaged file.
    private struct Check {
        let thread: ConnectionThread
        /// `nil` once it is about to be closed. It is interrupted only under the lock, because a closed connection is freed.
        var database: DatabaseQueue?
    }

    init(files: StoreFiles, health: StoreHealth, openReader: @escaping @Sendable () throws -> DatabaseQueue) {
        self.files = files
        self.health = health
        self.openReader = openReader
    }

    /// Probes if a probe is due. Call it on the writer's thread.
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
            // The value is already set. Writing it is the probe.
            try connection.run("PRAGMA application_id = \(ConnectionSettings.applicationID)")
            try connection.commit()
            return files.standing().isInPlace
        } catch {
            if connection.isInTransaction { connection.abandonTransaction() }
            return false
        }
    }

    private func beginCheck() {
        health.probeBegins()
        guard let database = try? openReader() else { return health.probeFailed() }
        // The thread waits for this lock before it begins, so it finds its check.
        check.withLock { check in
            let thread = ConnectionThread("pulseboard check") { [self] _ in run(database) }
            check = Check(thread: thread, database: database)
        }
    }

    private func run(_ database: DatabaseQueue) {
        var found: [String]?
        if check.withLock({ $0 != nil }) { found = try? database.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") } }
        check.withLock { $0?.database = nil }
        try? database.close()
        // Before the result is known, because the next check may begin then.
        check.withLock { $0 = nil }
        if found == ["ok"] { health.recovered() } else { health.probeFailed() }
    }

    /// Cancels a running check, and waits until its connection is closed.
    func close() {
        let thread = check.withLock { check in
            check?.database?.interrupt()
            return check.take()?.thread
        }
        thread?.join()
    }
}
