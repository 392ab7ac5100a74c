#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardDomain
import Synchronization

/// Keeps what is committed, transaction by transaction, so that a backup can be brought forward to any instant after it.
///
/// SQLite writes each transaction's pages to the end of the write-ahead log, as frames. This copies the frames into files of a directory, with the time
/// of each COMMIT. It does so a second after a commit at the latest, and always before a checkpoint: only after one may the log begin again from its start,
/// with the next write (``WriteAheadLog``). So no frame goes that is not in the archive.
///
/// What stands in the files without a gap is a **generation**. If frames were lost, because the archive's disk was full or a server ran without the
/// archive, another generation begins, and a backup from before cannot be brought beyond the gap. ``LogArchiveFile`` has the format. The calls are the writer's thread's.
final class LogArchive: Sendable {
    /// How long after a commit its frames are copied at the latest.
    static let pause = Duration.seconds(1)
    /// How long after a failure it is tried again.
    static let pauseAfterFailure = Duration.seconds(10)
    /// Length beyond which a file is followed by the next, bytes.
    static let fileBytes: Int64 = 64 << 20
    /// Time after which a file is followed by the next, so that old ones can be removed.
    static let fileAge = Timestamp.Interval.seconds(3_600)

    private struct State {
        /// The file that is written; `nil` until the first frames after the start, and after a failure.
        var file: LogArchiveFile?
        var generation: UInt64
        /// The record that is written next.
        var sequence: UInt64
        var checksum: LogChecksum
        /// Of the next file.
        var fileNumber: UInt64
        /// The log whose frames were copied last, and how many of them.
        var salts: LogSalts?
        var copiedFrames: Int
        /// Commits that are not copied, each with the frames of the log after it.
        var waiting: [(frames: Int, time: Timestamp)] = []
        var due: ContinuousClock.Instant?
        var problem: String?
        var lastTime: Timestamp?
    }

    private let directory: String
    private let database: String
    private let walPath: String
    private let days: Int
    private let clock: any WallClock
    private let state: Mutex<State>

    /// Goes on where the archive of the directory ends, if the database and its log show that nothing was written since; else begins a generation. To be made
    /// when the database has been opened and before anything is written to it.
    /// - Parameters:
    ///   - before: how the database was before it was opened (``LogArchiveResumption``).
    init(_ settings: LogArchiveSettings, database: String, clock: any WallClock, before: LogArchiveResumption) {
        directory = settings.directory
        days = settings.days
        self.clock = clock
        self.database = database
        walPath = database + "-wal"
        let now = clock.now()
        var state = State(
            generation: UInt64(bitPattern: now.microseconds), sequence: 0, checksum: LogChecksum(), fileNumber: 0, salts: nil, copiedFrames: 0)
        let log = try? LogReader(walPath)
        if let end = before.end, let copied = before.framesThatFollow(log) {
            state.generation = end.generation
            state.sequence = end.sequence + 1
            state.checksum = end.checksum
            state.fileNumber = end.fileNumber + 1
            state.salts = log?.header?.salts
            state.copiedFrames = copied
            // What was committed and not copied when the last server was killed: nobody knows when, so it counts as of now.
            for frames in (try? log?.commits(after: copied)) ?? [] { state.waiting.append((frames, now)) }
            if !state.waiting.isEmpty { state.due = .now }
        } else if let log, let header = log.header {
            // The frames that are there are in the database that a backup will copy.
            state.salts = header.salts
            state.copiedFrames = (try? log.commits(after: 0).last) ?? 0
        }
        self.state = Mutex(state)
        // A backup may be made, and the server killed, before anything is committed: the generation must be known then.
        if state.sequence == 0 {
            self.state.withLock { state in
                do throws(LogArchiveFailure) { try openFile(&state) } catch { state.problem = error.description }
            }
        }
    }

    /// When there is something to copy.
    var due: ContinuousClock.Instant? { state.withLock { $0.due } }

    /// The record from which on a copy of the database that begins now is to be brought forward: `GENERATION:SEQUENCE`. What the copy has besides does no harm,
    /// because frames are whole pages and the last one of a page counts.
    var position: String { state.withLock { LogPosition(generation: $0.generation, sequence: $0.sequence).description } }

    /// How it is, for the operator.
    var status: StoreArchiveStatus { state.withLock { StoreArchiveStatus(directory: directory, lastTime: $0.lastTime, problem: $0.problem) } }

    /// Notes a commit.
    func committed(frames: Int) {
        let now = clock.now()
        state.withLock { state in
            state.waiting.append((frames, now))
            if state.due == nil { state.due = .now + Self.pause }
        }
    }

    /// Copies what waits, if it is time.
    func copyIfDue() {
        if state.withLock({ $0.due.map { $0 <= .now } ?? false }) { copy(isBeforeCheckpoint: false) }
    }

    /// Copies what waits.
    /// - Parameter isBeforeCheckpoint: whether the log may begin again after this. Then what cannot be copied now is lost to the archive.
    func copy(isBeforeCheckpoint: Bool) {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return }
            do throws(LogArchiveFailure) {
                try copyWaiting(&state)
                state.waiting = []
                state.due = nil
                state.problem = nil
            } catch {
                state.problem = error.description
                state.file = nil
                state.due = .now + Self.pauseAfterFailure
                if isBeforeCheckpoint { beginGeneration(&state) }
            }
        }
    }

    /// Says at the orderly end, when the log is in the database and gone, how the database is then: who starts next can go on.
    func close() {
        state.withLock { state in
            guard state.problem == nil, state.waiting.isEmpty, access(walPath, F_OK) != 0, let print = DatabasePrint(database) else { return }
            do throws(LogArchiveFailure) {
                try openFile(&state)
                try state.file?.append(
                    LogRecord(kind: .closed, sequence: state.sequence, time: clock.now(), pages: 0, salts: state.salts ?? LogSalts(), endFrame: 0, frames: 0, print: print),
                    &state.checksum)
                try state.file?.synchronize()
            } catch { state.problem = error.description }
            state.file = nil
        }
    }

    // MARK: Steps

    private func copyWaiting(_ state: inout State) throws(LogArchiveFailure) {
        let log = try LogReader(walPath)
        guard let header = log.header else { throw LogArchiveFailure("the log has no header") }
        if state.salts != header.salts {
            // It has begun again, which it does only after a checkpoint: all of it was copied before.
            state.salts = header.salts
            state.copiedFrames = 0
        }
        try openFile(&state)
        while let next = state.waiting.first {
            guard let file = state.file else { return }
            let count = next.frames - state.copiedFrames
            if count > 0 {
                // The last frame of a transaction says how large the database is after it.
                let pages = try log.databasePages(at: next.frames)
                let record = LogRecord(
                    kind: .commit, sequence: state.sequence, time: next.time, pages: pages, salts: header.salts, endFrame: UInt32(next.frames),
                    frames: UInt32(count), print: nil)
                var checksum = state.checksum
                try file.append(record, frames: state.copiedFrames..<next.frames, of: log, &checksum)
                state.checksum = checksum
                state.sequence += 1
                state.copiedFrames = next.frames
                state.lastTime = next.time
            }
            state.waiting.removeFirst()
        }
        try state.file?.synchronize()
        if let file = state.file, file.byteCount > Self.fileBytes || file.begin.advanced(by: Self.fileAge) < clock.now() { state.file = nil }
    }

    private func openFile(_ state: inout State) throws(LogArchiveFailure) {
        guard state.file == nil else { return }
        let pageBytes = (try? LogReader(walPath))?.header?.pageBytes ?? 4_096
        state.file = try LogArchiveFile.make(
            in: directory, LogFileHeader(generation: state.generation, number: state.fileNumber, sequence: state.sequence, pageBytes: pageBytes),
            at: clock.now(), &state.checksum)
        state.fileNumber += 1
        if state.sequence == 0 {
            let record = LogRecord(
                kind: .begin, sequence: 0, time: clock.now(), pages: 0, salts: state.salts ?? LogSalts(), endFrame: UInt32(state.copiedFrames), frames: 0,
                print: state.salts == nil ? DatabasePrint(database) : nil)
            try state.file?.append(record, &state.checksum)
            try state.file?.synchronize()
            state.sequence = 1
        }
        removeOldFiles()
    }

    /// What was not copied is lost. The next transactions are of another generation.
    private func beginGeneration(_ state: inout State) {
        state.generation = UInt64(bitPattern: clock.now().microseconds)
        state.sequence = 0
        state.fileNumber = 0
        state.checksum = LogChecksum()
        state.copiedFrames = state.waiting.last?.frames ?? state.copiedFrames
        state.waiting = []
        state.due = nil
    }

    /// Removes files that nobody has written for as many days as are kept.
    private func removeOldFiles() {
        let limit = clock.now().advanced(by: .days(-Int64(days))).microseconds / 1_000_000
        for name in LogArchiveFile.names(in: directory) {
            var information = stat()
            let path = directory + "/" + name
            if stat(path, &information) == 0, Int64(information.st_mtim.tv_sec) < limit { unlink(path) }
        }
    }
}

/// Where a store keeps what is committed, so that a backup can be brought forward.
public struct LogArchiveSettings: Sendable, Hashable {
    /// Days that files are kept.
    public static let dayRange = 1...3_650
    public let directory: String
    /// After so many days a file is removed.
    public let days: Int

    public init(directory: String, days: Int = 14) {
        self.directory = directory
        self.days = days
    }
}

/// What is wrong with an archive, in words for the operator.
struct LogArchiveFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }

    static func system(_ path: String) -> LogArchiveFailure { LogArchiveFailure("\(path): \(String(cString: strerror(errno)))") }
}

/// Whether an archive can go on where it ends: to be looked up before the database is opened.
struct LogArchiveResumption: Sendable {
    /// The archive's last record; `nil` for an empty archive, and for one whose end cannot be read.
    let end: LogArchiveEnd?
    private let print: DatabasePrint?
    private let log: LogHeader?

    init(directory: String, database: String) {
        end = LogArchiveEnd(directory: directory)
        print = DatabasePrint(database)
        log = (try? LogReader(database + "-wal"))?.header
    }

    /// How many frames of the log, as it is once the database is open, the archive has; `nil` if there may be others that it lacks.
    func framesThatFollow(_ now: LogReader?) -> Int? {
        guard let end else { return nil }
        if let closed = end.record.print {
            // A log that has never begun again follows a database in which all before it is. One that is there already is of a server that was killed
            // before it had copied anything.
            guard closed == print, (log?.restarts ?? 0) == 0, (now?.header?.restarts ?? 0) == 0, log == nil || log?.salts == now?.header?.salts else { return nil }
            return 0
        }
        guard let before = log, before.salts == now?.header?.salts else { return nil }
        if before.salts == end.record.salts { return Int(end.record.endFrame) }
        // It has begun again once, after a checkpoint before which all of it was copied.
        return before.salts.first == end.record.salts.first &+ 1 ? 0 : nil
    }
}

/// What tells whether anybody has written to a closed database: the same file, as long and as old.
struct DatabasePrint: Sendable, Hashable {
    let bytes: Int64
    let modified: Int64
    let inode: UInt64

    init?(_ path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        bytes = Int64(information.st_size)
        modified = Int64(information.st_mtim.tv_sec) * 1_000_000_000 + Int64(information.st_mtim.tv_nsec)
        inode = UInt64(information.st_ino)
    }

    init(bytes: Int64, modified: Int64, inode: UInt64) {
        self.bytes = bytes
        self.modified = modified
        self.inode = inode
    }
}
