#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL
import Synchronization

/// Archives each committed transaction, so that a restored backup can be brought forward to any later instant.
///
/// SQLite appends each transaction's pages to the write-ahead log, as frames. The archive copies the frames into files of a directory, with the time
/// of each COMMIT. It does so at most a second after a commit, and always before a checkpoint, because only after a checkpoint can the log begin
/// again from its start (``WriteAheadLog``). So no frame is overwritten before it is archived.
///
/// A series of transactions without a gap is a **generation**. If frames were lost, because the archive's disk was full or a server ran without the
/// archive, a new generation begins, and an earlier backup cannot be brought beyond the gap. A file beside the database has the generation of the
/// newest backup, so a later start still reports the gap. ``LogArchiveFile`` has the format. Only the writer's thread calls the methods that copy.
final class LogArchive: Sendable {
    /// The longest time between a commit and the copy of its frames.
    static let pause = Duration.seconds(1)
    /// How long after a failure copying is tried again.
    static let pauseAfterFailure = Duration.seconds(10)
    /// Length of a file from which on the next one is begun, in bytes.
    static let fileBytes: Int64 = 64 << 20
    /// Age of a file from which on the next one is begun, so that old files can be removed.
    static let fileAge = Timestamp.Interval.seconds(3_600)

    private struct State {
        /// The present file; `nil` before the first frames after the start, and after a failure.
        var file: LogArchiveFile?
        var generation: UInt64
        /// The number of the next record.
        var sequence: UInt64
        var checksum: LogChecksum
        /// The number of the next file.
        var fileNumber: UInt64
        /// The log whose frames were copied last, and how many of them were copied.
        var salts: LogSalts?
        var copiedFrames: Int
        /// Commits that are not copied yet, each with the number of the log's frames after it.
        var waiting: [(frames: Int, time: Timestamp)] = []
        var due: ContinuousClock.Instant?
        var problem: String?
        /// Why no backup made so far can be brought forward to now; `nil` once there is a new backup.
        var gap: String?
        var lastTime: Timestamp?
        /// Whether the clock may decide that a file is old.
        var judge: ClockJudge
        /// Keeps other servers from writing into the directory.
        var lock: LogArchiveLock?
    }

    private let directory: String
    private let database: String
    private let walPath: String
    /// The file with the generation of the newest backup, in hexadecimal digits.
    private let backupPath: String
    private let days: Int
    private let clock: any WallClock
    private let uptime: @Sendable () -> Duration
    /// Held while frames are copied, and so while the archive's disk writes.
    private let state: Mutex<State>
    /// The status after the last change of `state`. It has a lock of its own, so that nobody who asks for it waits for the archive's disk.
    private let published: Mutex<StoreArchiveStatus>

    /// Continues the archive of the directory if the database and its log show that nothing was written since its end. Otherwise begins a generation.
    /// Call it after the database was opened and before anything is written to it.
    /// - Parameters:
    ///   - uptime: a monotonic clock. `clock` is compared with it, and with the archive's last record.
    ///   - before: the state of the database before it was opened (``LogArchiveResumption``).
    init(
        _ settings: LogArchiveSettings, database: String, clock: any WallClock, uptime: @escaping @Sendable () -> Duration,
        before: LogArchiveResumption
    ) {
        directory = settings.directory
        days = settings.days
        self.clock = clock
        self.uptime = uptime
        self.database = database
        walPath = database + "-wal"
        backupPath = database + "-archived"
        let now = clock.now()
        let newest = LogArchiveFile.newestGeneration(in: directory)
        var state = State(
            generation: Self.generation(at: now, after: newest), sequence: 0, checksum: LogChecksum(), fileNumber: 0, salts: nil, copiedFrames: 0,
            judge: ClockJudge(last: before.end?.record.time ?? now, uptime: uptime()))
        let log = try? LogReader(walPath)
        if let end = before.end, let copied = before.framesThatFollow(log) {
            state.generation = end.generation
            state.sequence = end.sequence + 1
            state.checksum = end.checksum
            state.fileNumber = end.fileNumber + 1
            state.salts = log?.header?.salts
            state.copiedFrames = copied
            // Transactions that were not copied when the last server was killed. Their time is unknown, so they get the present time.
            for frames in (try? log?.commits(after: copied)) ?? [] { state.waiting.append((frames, now)) }
            if !state.waiting.isEmpty { state.due = .now }
        } else if let log, let header = log.header {
            // The present frames are part of the database that a backup will copy.
            state.salts = header.salts
            state.copiedFrames = (try? log.commits(after: 0).last) ?? 0
        }
        let backedUp = (try? String(contentsOfFile: backupPath, encoding: .utf8)).flatMap { UInt64($0, radix: 16) }
        // Without a note, there may still be a backup: one that an earlier version of the server made, or one from before a restore. Files that are
        // in the archive already are a sign of it.
        if let needed = backedUp ?? newest, needed != state.generation {
            state.gap = Self.gap("\(directory): transactions after the newest backup are missing")
        }
        // A missing directory is made with the first file.
        if access(directory, F_OK) == 0 {
            do throws(LogArchiveFailure) {
                state.lock = try LogArchiveLock(directory, database: database)
            } catch {
                state.problem = error.description
            }
        }
        published = Mutex(Self.status(of: state, in: settings.directory))
        self.state = Mutex(state)
        // The generation must be recorded now: a backup may be made, and the server killed, before the first commit.
        if state.sequence == 0 {
            self.state.withLock { state in
                do throws(LogArchiveFailure) { try openFile(&state) } catch { state.problem = error.description }
                publish(state)
            }
        }
    }

    /// When the next copy is due; `nil` if there is nothing to copy.
    var due: ContinuousClock.Instant? { state.withLock { $0.due } }

    /// The position from which a copy of the database that begins now is to be brought forward. The copy may contain later transactions:
    /// ``positionOfCopy(_:)``. `nil` if the archive cannot be written: it will not have the transactions after this copy.
    func positionOfNewCopy() -> LogPosition? {
        state.withLock { state in
            defer { publish(state) }
            noticeLostFile(&state)
            // The position must be in the archive even if nothing is committed from here on.
            if state.sequence == 0 {
                do throws(LogArchiveFailure) {
                    try openFile(&state)
                } catch {
                    state.problem = error.description
                    return nil
                }
            }
            return LogPosition(generation: state.generation, sequence: state.sequence)
        }
    }

    /// The position of a copy whose snapshot was taken just now, from that before the snapshot. It says which transactions the copy may contain.
    func positionOfCopy(_ position: LogPosition) -> LogPosition {
        state.withLock { state in
            guard position.generation == state.generation else { return position }
            return LogPosition(
                generation: position.generation, sequence: position.sequence, end: state.sequence + UInt64(state.waiting.count))
        }
    }

    /// Records that there is a backup that begins at a position. It is the one that a gap asks for, unless there was another gap after it began.
    func hasBackup(at position: LogPosition) {
        state.withLock { state in
            guard position.generation == state.generation else { return }
            state.gap = nil
            publish(state)
            // If the note cannot be written, the next start may ask for another backup, which does no harm.
            try? Data(String(state.generation, radix: 16).utf8).write(to: URL(filePath: backupPath), options: .atomic)
        }
    }

    /// The status for the operator, as it was after the last copy. Asking waits for no disk.
    var status: StoreArchiveStatus { published.withLock { $0 } }

    private static func status(of state: State, in directory: String) -> StoreArchiveStatus {
        StoreArchiveStatus(directory: directory, lastTime: state.lastTime, problem: state.problem ?? state.gap)
    }

    /// Makes the status known. Call it at the end of each change of `lastTime`, `problem` or `gap`.
    private func publish(_ state: State) {
        let status = Self.status(of: state, in: directory)
        published.withLock { $0 = status }
    }

    /// Records a commit.
    func committed(frames: Int) {
        let now = clock.now()
        state.withLock { state in
            // A log that has begun again is shorter, as a rule. It is copied at once: only its first record shows a later start that all of the
            // former log was copied (``LogArchiveResumption``).
            if frames <= state.waiting.last?.frames ?? state.copiedFrames {
                state.due = .now
            } else if state.due == nil {
                state.due = .now + Self.pause
            }
            state.waiting.append((frames, now))
        }
    }

    /// Copies waiting commits, if a copy is due.
    func copyIfDue() {
        if state.withLock({ $0.due.map { $0 <= .now } ?? false }) { copy(isBeforeCheckpoint: false) }
    }

    /// Copies waiting commits.
    /// - Parameter isBeforeCheckpoint: whether the log may begin again after this. Then frames that cannot be copied now are lost to the archive.
    func copy(isBeforeCheckpoint: Bool) {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.due = nil
                return
            }
            defer { publish(state) }
            do throws(LogArchiveFailure) {
                noticeLostFile(&state)
                try copyWaiting(&state)
                state.waiting = []
                state.due = nil
                state.problem = nil
            } catch {
                state.problem = error.description
                state.file = nil
                if isBeforeCheckpoint {
                    // These frames are lost.
                    state.copiedFrames = state.waiting.last?.frames ?? state.copiedFrames
                    state.waiting = []
                }
                state.due = state.waiting.isEmpty ? nil : .now + Self.pauseAfterFailure
                if isBeforeCheckpoint { beginGeneration(&state, because: error.description) }
            }
        }
    }

    /// Records the state of the database at an orderly end, when the whole log is in the database. So the next server can continue the archive.
    func close() {
        state.withLock { state in
            defer {
                state.lock = nil
                publish(state)
            }
            guard state.problem == nil, state.waiting.isEmpty, access(walPath, F_OK) != 0, let print = DatabasePrint(database) else { return }
            do throws(LogArchiveFailure) {
                noticeLostFile(&state)
                try openFile(&state)
                try state.file?.append(
                    LogRecord(
                        kind: .closed, sequence: state.sequence, time: clock.now(), pages: 0, salts: state.salts ?? LogSalts(), endFrame: 0,
                        frames: 0, print: print),
                    &state.checksum)
                try state.file?.synchronize()
            } catch { state.problem = error.description }
            state.file = nil
        }
    }

    // MARK: Steps

    private func copyWaiting(_ state: inout State) throws(LogArchiveFailure) {
        let log = try LogReader(walPath)
        guard let header = log.header else { throw LogArchiveFailure("the log has no header", "로그에 머리말이 없습니다") }
        if state.salts != header.salts {
            // The log has begun again. It does so only after a checkpoint, and everything was copied before that.
            state.salts = header.salts
            state.copiedFrames = 0
        }
        try openFile(&state)
        let before = state
        do throws(LogArchiveFailure) { try appendWaiting(of: log, header, &state) } catch {
            // The records before the failure count, if they get to the disk.
            try synchronize(&state, elseGoBackTo: before)
            throw error
        }
        try synchronize(&state, elseGoBackTo: before)
        if let file = state.file, file.byteCount > Self.fileBytes || file.begin.advanced(by: Self.fileAge) < clock.now() { state.file = nil }
    }

    private func appendWaiting(of log: LogReader, _ header: LogHeader, _ state: inout State) throws(LogArchiveFailure) {
        while let next = state.waiting.first {
            guard let file = state.file else { return }
            let count = next.frames - state.copiedFrames
            if count > 0 {
                // The last frame of a transaction contains the size of the database after it.
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
    }

    /// Syncs what was appended. If that fails, nobody knows what is on the disk, and another sync would not tell. Then the file is cut after what was
    /// synced before, and the same transactions are copied again, into another file.
    private func synchronize(_ state: inout State, elseGoBackTo before: State) throws(LogArchiveFailure) {
        guard let file = state.file else { return }
        do throws(LogArchiveFailure) { try file.synchronize() } catch {
            if file.cutUnsynced() { state = before } else { beginGeneration(&state, because: error.description) }
            throw error
        }
    }

    /// Begins a new generation if the present file, or the directory, was removed, renamed or replaced. Its transactions may be lost,
    /// and a restore would not find what is written to it from now on.
    private func noticeLostFile(_ state: inout State) {
        let lost = state.file.flatMap { $0.isInPlace ? nil : $0.path } ?? state.lock.flatMap { $0.isInPlace ? nil : directory }
        guard let lost else { return }
        state.file = nil
        state.lock = nil
        beginGeneration(&state, because: "\(lost): removed or renamed while the server wrote it")
    }

    private func openFile(_ state: inout State) throws(LogArchiveFailure) {
        guard state.file == nil else { return }
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw .system(directory) }
        if state.lock == nil { state.lock = try LogArchiveLock(directory, database: database) }
        let pageBytes = (try? LogReader(walPath))?.header?.pageBytes ?? 4_096
        let file = try LogArchiveFile.make(
            in: directory, LogFileHeader(generation: state.generation, number: state.fileNumber, sequence: state.sequence, pageBytes: pageBytes),
            at: clock.now(), &state.checksum)
        state.fileNumber += 1
        if state.sequence == 0 {
            let record = LogRecord(
                kind: .begin, sequence: 0, time: clock.now(), pages: 0, salts: state.salts ?? LogSalts(), endFrame: UInt32(state.copiedFrames),
                frames: 0,
                print: state.salts == nil ? DatabasePrint(database) : nil)
            var checksum = state.checksum
            do throws(LogArchiveFailure) {
                try file.append(record, &checksum)
                try file.synchronize()
            } catch {
                // Nothing may follow a torn record. The next try begins another file.
                unlink(file.path)
                throw error
            }
            state.checksum = checksum
            state.sequence = 1
        }
        state.file = file
        removeOldFiles(&state)
    }

    /// Begins a new generation, because the archive lacks something. No earlier backup can be brought forward beyond this.
    private func beginGeneration(_ state: inout State, because cause: String) {
        state.gap = Self.gap(cause)
        state.generation = Self.generation(at: clock.now(), after: state.generation)
        state.sequence = 0
        state.fileNumber = 0
        state.checksum = LogChecksum()
    }

    private static func gap(_ cause: String) -> String { cause + LogArchiveSettings.gapEnding }

    /// The number of a new generation: the time, so that a directory that was emptied does not get an earlier number again. It is always greater than
    /// the one before, because the greatest counts as the newest, and the clock may have been ahead.
    private static func generation(at time: Timestamp, after former: UInt64?) -> UInt64 {
        let present = UInt64(bitPattern: time.microseconds)
        // No file that this program writes has the greatest number. So a foreign one does not count.
        guard let former, former < .max else { return present }
        return max(present, former + 1)
    }

    /// Removes files that were not written for `days` days. While the clock may be wrong, it removes none.
    private func removeOldFiles(_ state: inout State) {
        let now = clock.now()
        guard state.judge.believes(now, uptime: uptime()) else { return }
        let limit = now.advanced(by: .days(-Int64(days))).microseconds / 1_000_000
        for name in LogArchiveFile.names(in: directory) {
            var information = stat()
            let path = directory + "/" + name
            if path != state.file?.path, stat(path, &information) == 0, Int64(information.st_mtim.tv_sec) < limit { unlink(path) }
        }
    }
}

/// The settings of an archive of commits.
public struct LogArchiveSettings: Sendable, Hashable {
    /// Permitted numbers of days.
    public static let dayRange = 1...3_650
    /// How a problem of an archive ends that a new backup ends.
    public static let gapEnding = "; only a new backup can be brought forward from here"
    public let directory: String
    /// After how many days a file is removed.
    public let days: Int

    public init(directory: String, days: Int = 14) {
        self.directory = directory
        self.days = days
    }
}

/// An error of an archive, as a text for the operator.
struct LogArchiveFailure: Error, CustomStringConvertible {
    let phrase: Phrase
    /// The text for the log.
    var description: String { phrase.english }

    init(_ phrase: Phrase) { self.phrase = phrase }
    init(_ english: String, _ korean: String, of path: String = "") { phrase = Phrase(english, korean).after(path) }

    static func system(_ path: String) -> LogArchiveFailure { LogArchiveFailure(Phrase.systemError(errno).after(path)) }
}

/// An exclusive lock on the directory of an archive, from `init` until the value is destroyed. An archive belongs to one database: in a mixture, no
/// server could tell where its own log ends.
final class LogArchiveLock: Sendable {
    private let directory: String
    private let device: UInt
    private let inode: UInt
    /// `nil` in the data directory, which is locked already.
    private let lock: DirectoryLock?

    init(_ directory: String, database: String) throws(LogArchiveFailure) {
        var archive = stat(), data = stat()
        guard stat(directory, &archive) == 0 else { throw .system(directory) }
        self.directory = directory
        (device, inode) = (UInt(archive.st_dev), UInt(archive.st_ino))
        if stat(URL(filePath: database).deletingLastPathComponent().path, &data) == 0, archive.st_dev == data.st_dev, archive.st_ino == data.st_ino {
            lock = nil
            return
        }
        do throws(StoreOpeningError) {
            lock = try DirectoryLock(directory: directory)
        } catch .locked(_, let holder) {
            let server = holder.map { Phrase("the server of process \($0)", "프로세스 \($0)의 서버가") } ?? Phrase("another server", "다른 서버가")
            throw LogArchiveFailure(
                "\(server.english) archives another database there; give each database a directory of its own",
                "\(server.korean) 다른 데이터베이스를 보관하고 있습니다. 데이터베이스마다 다른 디렉터리를 쓰세요", of: directory)
        } catch .directoryUnusable(_, let detail) {
            throw LogArchiveFailure(detail.after(directory))
        } catch {
            throw LogArchiveFailure(error.phrase)
        }
    }

    /// Whether the path still leads to the locked directory.
    var isInPlace: Bool {
        var named = stat()
        return stat(directory, &named) == 0 && UInt(named.st_dev) == device && UInt(named.st_ino) == inode
    }
}
