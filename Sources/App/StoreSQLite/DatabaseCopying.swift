import Crypto
import Foundation
import GRDB
import PulseBoardDomain
import StoreSQL
import Synchronization

extension SQLiteStore: CopyableStore {
    public func copy(
        bytesPerSecond: Int64, progress: @escaping @Sendable (StoreCopyProgress) -> Void
    ) async throws -> any StoreCopy {
        try await copying.copy(bytesPerSecond: bytesPerSecond, progress: progress)
    }
}

/// Copies the database while the store is in use, one copy at a time.
///
/// A read-only connection holds one snapshot and copies its pages with SQLite's backup interface, a few at a time and with pauses. So the copy is of
/// one instant, and its use of the disk is limited. Meanwhile the log cannot begin again from its start, so it grows by what is written. The copy is
/// not synced to the disk: what a crash leaves of it is removed at the next start.
///
/// It runs on its own thread with a lower priority.
final class DatabaseCopying: Sendable {
    /// The suffix of the copy's file.
    static let suffix = ".copy"
    /// Pages between two pauses: 256 KiB.
    private static let pagesPerStep: CInt = 64
    /// Bytes that a copy leaves free on the disk for the store's own writes.
    private static let reserve: Int64 = 64 << 20
    private static let progressPause = Duration.seconds(1)
    /// How much lower the thread's priority is (`nice`).
    private static let niceness: CInt = 10
    /// On Linux, `PRIO_PROCESS` with 0 means the calling thread, because each thread has its own priority.
    private static let thisThread = __priority_which_t(PRIO_PROCESS.rawValue)

    private let files: StoreFiles
    private let clock: any WallClock
    private let log: WriteAheadLog
    private let openReader: @Sendable () throws -> DatabaseQueue

    private struct State {
        var isClosed = false
        /// The copy that is being made or still in use.
        var job: Job?
    }

    /// One copy, from its beginning until its last reference is gone.
    final class Job: Sendable {
        private let state = Mutex<(isGivenUp: Bool, database: DatabaseQueue?)>((false, nil))
        fileprivate let thread = Mutex<ConnectionThread?>(nil)
        /// The copy, from when the thread has made it until the caller takes it. So the thread has no reference of its own, which could outlive the
        /// caller's and refuse the next copy for a moment.
        fileprivate let made = Mutex<DatabaseCopy?>(nil)

        func giveUp() {
            state.withLock { state in
                state.isGivenUp = true
                state.database?.interrupt()
            }
        }

        /// - Throws: `CancellationError` when the copy is cancelled.
        func requireGoingOn() throws {
            if state.withLock({ $0.isGivenUp }) { throw CancellationError() }
        }

        /// Runs a long operation on the copy. It is interrupted when the copy is cancelled.
        func interruptibly<Result>(_ database: DatabaseQueue, _ body: () throws -> Result) throws -> Result {
            state.withLock { $0.database = database }
            defer { state.withLock { $0.database = nil } }
            try requireGoingOn()
            let result = Swift.Result { try body() }
            try requireGoingOn()
            return try result.get()
        }
    }

    private let state = Mutex(State())

    init(
        files: StoreFiles, clock: any WallClock, log: WriteAheadLog,
        openReader: @escaping @Sendable () throws -> DatabaseQueue
    ) {
        self.files = files
        self.clock = clock
        self.log = log
        self.openReader = openReader
    }

    /// Removes an unfinished copy of an earlier process.
    static func removeLeftovers(of path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + Self.suffix + suffix) }
    }

    /// As ``CopyableStore/copy(bytesPerSecond:progress:)``.
    /// - Throws: also `rateLimited` while there is another copy.
    func copy(
        bytesPerSecond: Int64, progress: @escaping @Sendable (StoreCopyProgress) -> Void
    ) async throws -> any StoreCopy {
        let job = Job()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let refusal = state.withLock { state -> RepositoryError? in
                    guard !state.isClosed else { return .storeClosed }
                    guard state.job == nil else { return .rateLimited(retryAfter: .seconds(60)) }
                    state.job = job
                    let thread = ConnectionThread("pulseboard copy") { [self] thread in
                        setpriority(Self.thisThread, 0, Self.niceness)
                        do {
                            try job.made.withLock { $0 = try make(job, bytesPerSecond, progress, on: thread) }
                            continuation.resume()
                        } catch {
                            forget(job)
                            continuation.resume(throwing: error)
                        }
                    }
                    job.thread.withLock { $0 = thread }
                    return nil
                }
                if let refusal { continuation.resume(throwing: refusal) }
            }
        } onCancel: {
            job.giveUp()
        }
        guard let copy = job.made.withLock({ $0.take() }) else { throw RepositoryError.storeClosed }
        return copy
    }

    /// Permits the next copy.
    private func forget(_ job: Job) {
        state.withLock { state in
            if state.job === job { state.job = nil }
        }
    }

    /// Cancels the copy that is being made, and waits until it reads nothing more from the database.
    func close() {
        let job = state.withLock { state in
            state.isClosed = true
            return state.job
        }
        job?.giveUp()
        job?.thread.withLock { $0.take() }?.join()
    }

    // MARK: On the thread

    private func make(
        _ job: Job, _ bytesPerSecond: Int64, _ progress: @escaping @Sendable (StoreCopyProgress) -> Void, on thread: ConnectionThread
    ) throws -> DatabaseCopy {
        let path = files.path + Self.suffix
        Self.removeLeftovers(of: files.path)
        do {
            // Taken before the snapshot, so that the snapshot has everything up to this position.
            let archive = log.archive
            var position = archive?.positionOfNewCopy()
            let time = try copyPages(job, to: path, bytesPerSecond, progress, on: thread) {
                guard let beginning = position else { return }
                // The snapshot may have a transaction that its writer records only now.
                try log.waitForCommits {
                    try job.requireGoingOn()
                    thread.sleep(until: .now + .milliseconds(1))
                }
                position = archive?.positionOfCopy(beginning)
            }
            return try DatabaseCopy(
                path: path, fileName: SQLiteStore.fileName, time: time, position: position, job: job, told: progress,
                delivered: { [archive, position] in if let position { archive?.noteBackup(at: position) } }, ended: { [self] in forget(job) })
        } catch {
            Self.removeLeftovers(of: files.path)
            throw error is CancellationError || error is RepositoryError ? error : RepositoryError(thrown: error)
        }
    }

    private func copyPages(
        _ job: Job, to path: String, _ bytesPerSecond: Int64, _ progress: @escaping @Sendable (StoreCopyProgress) -> Void,
        on thread: ConnectionThread, snapshotWasTaken: () throws -> Void
    ) throws -> Timestamp {
        let source = try openReader()
        defer { try? source.close() }
        let target = try DatabaseQueue(path: path, configuration: ConnectionSettings.copy)
        defer { try? target.close() }
        return try source.inDatabase { source in
            try source.execute(sql: "BEGIN")
            defer { try? source.execute(sql: "ROLLBACK") }
            // The first statement takes the snapshot.
            let pageCount = try Int64.fetchOne(source, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_schema")
            let time = clock.now()
            try snapshotWasTaken()
            let pageBytes = try Int64.fetchOne(source, sql: "PRAGMA page_size") ?? 4_096
            try requireRoom(for: pageCount * pageBytes)
            let begin = ContinuousClock.now
            var told = begin - Self.progressPause
            try target.inDatabase { target in
                try source.backup(to: target, pagesPerStep: Self.pagesPerStep) { [self] step in
                    let done = Int64(step.completedPageCount) * pageBytes
                    if ContinuousClock.now >= told + Self.progressPause {
                        told = .now
                        progress(.copying(done: done, total: Int64(step.totalPageCount) * pageBytes))
                        try requireRoom(for: 0)
                    }
                    try job.requireGoingOn()
                    let due = begin + .microseconds(done / max(1, bytesPerSecond / 1_000_000))
                    while ContinuousClock.now < due {
                        thread.sleep(until: due)
                        try job.requireGoingOn()
                    }
                }
                // The copy is one file without a log. The server sets WAL mode again.
                _ = try String.fetchOne(target, sql: "PRAGMA journal_mode = DELETE")
            }
            return time
        }
    }

    private func requireRoom(for bytes: Int64) throws {
        guard let free = files.freeBytes, free < bytes + Self.reserve else { return }
        throw RepositoryError.storeUnavailable(
            .full, detail: "a copy needs \(bytes + Self.reserve) bytes of room beside the database, and there are \(free)")
    }
}

/// A checked copy of the database. Its file is deleted with it.
final class DatabaseCopy: StoreCopy {
    let fileName: String
    let byteCount: Int64
    let sha256: [UInt8]
    let time: Timestamp
    var archivePosition: String? { position?.description }
    let schema: String
    let counts: [StoreTableCount]

    private let path: String
    private let file: FileHandle
    private let database: DatabaseQueue
    /// Serialises reads, because they seek.
    private let reading = Mutex(())
    private let position: LogPosition?
    private let delivered: @Sendable () -> Void
    private let ended: @Sendable () -> Void
    /// How many bytes are hashed at once.
    private static let hashedBytes = 1 << 20
    /// Maximum lines of SQLite's report about a damaged copy.
    private static let mostComplaints = 5

    /// Checks the copy and hashes it.
    /// - Parameters:
    ///   - delivered: called when the copy was delivered.
    ///   - ended: called when the copy is deleted.
    init(
        path: String, fileName: String, time: Timestamp, position: LogPosition?, job: DatabaseCopying.Job, told: (StoreCopyProgress) -> Void,
        delivered: @escaping @Sendable () -> Void, ended: @escaping @Sendable () -> Void
    ) throws {
        self.path = path
        self.fileName = fileName
        self.time = time
        self.position = position
        self.delivered = delivered
        file = try FileHandle(forReadingFrom: URL(filePath: path))
        byteCount = Int64(try file.seekToEnd())
        database = try DatabaseQueue(path: path, configuration: ConnectionSettings.copyReader)
        told(.checking(total: byteCount))
        let database = database
        (schema, counts) = try job.interruptibly(database) {
            try database.inDatabase { database in
                let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.mostComplaints))")
                guard found == ["ok"] else {
                    throw RepositoryError.storeUnavailable(.corrupt, detail: "a copy of the database is damaged: \(found.joined(separator: "; "))")
                }
                return try (Self.schema(database), Self.counts(database))
            }
        }
        try file.seek(toOffset: 0)
        var hash = SHA256()
        while let bytes = try file.read(upToCount: Self.hashedBytes), !bytes.isEmpty {
            try job.requireGoingOn()
            hash.update(data: bytes)
        }
        sha256 = Array(hash.finalize())
        self.ended = ended
    }

    deinit {
        try? database.close()
        try? file.close()
        unlink(path)
        ended()
    }

    /// The newest migration of a database.
    static func schema(_ database: Database) throws -> String {
        try String.fetchOne(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid DESC LIMIT 1") ?? ""
    }

    /// The number of rows of each table, sorted by name.
    static func counts(_ database: Database) throws -> [StoreTableCount] { try tables(database).map { try count($0, database) } }

    static func tables(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
    }

    static func count(_ table: String, _ database: Database) throws -> StoreTableCount {
        StoreTableCount(table: table, rows: try Int64.fetchOne(database, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0)
    }

    func wasDelivered() { delivered() }

    func bytes(at offset: Int64, count: Int) throws(RepositoryError) -> [UInt8] {
        do {
            return try reading.withLock { _ in
                try file.seek(toOffset: UInt64(offset))
                return [UInt8](try file.read(upToCount: count) ?? Data())
            }
        } catch {
            throw .storeUnavailable(.inputOutput, detail: "reading a copy of the database: \(error.words)")
        }
    }

    func images(after: OwnedImage?, limit: Int) throws(RepositoryError) -> [OwnedImage] {
        do {
            return try database.inDatabase { database in
                let first = after ?? OwnedImage(owner: UserID(bits: UUIDBits(high: 0, low: 0)), id: ImageID(bits: UUIDBits(high: 0, low: 0)))
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT owner, image_id FROM image
                        WHERE state IN (\(ImageState.staged.rawValue), \(ImageState.attached.rawValue)) AND (owner, image_id) > (?, ?)
                        ORDER BY owner, image_id LIMIT ?
                        """,
                    arguments: [Data(first.owner.bits.bytes), Data(first.id.bits.bytes), limit])
                return try rows.map { row in
                    guard let image = OwnedImage(row) else { throw RepositoryError.corruptRow(table: "image", key: "\(row)") }
                    return image
                }
            }
        } catch {
            throw RepositoryError(thrown: error)
        }
    }
}
