#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

/// Writes the files of an archive. ``LogArchiveFile`` has their format.
///
/// Only the archive's thread uses it, because every method may wait for the archive's disk.
struct LogArchiveWriter {
    /// Length of a file from which on the next one is begun, in bytes.
    static let fileBytes: Int64 = 64 << 20
    /// Age of a file from which on the next one is begun, so that old files can be removed.
    static let fileAge = Timestamp.Interval.seconds(3_600)

    /// The generation that is written; `nil` before ``begin(_:backup:)`` or ``beginGeneration(_:)``.
    private(set) var generation: UInt64?
    /// The number of the next record.
    private(set) var sequence: UInt64 = 0
    /// The time of the newest transaction in the archive.
    private(set) var lastTime: Timestamp?
    /// Why the last step failed; `nil` if it did not.
    private(set) var problem: String?
    /// A gap that nobody was told of.
    private var gap: String?
    /// The present file; `nil` before the first frames after the start, and after a failure.
    private var file: LogArchiveFile?
    /// The number of the next file.
    private var fileNumber: UInt64 = 0
    private var checksum = LogChecksum()
    /// The log whose frames were copied last, and how many of them were copied.
    private var salts: LogSalts?
    private var copiedFrames = 0
    /// How many of the log's frames that are not copied are of transactions before the generation.
    private var framesBefore = 0
    /// Whether the clock may decide that a file is old; `nil` until the time of the archive's last record was read.
    private var judge: ClockJudge?
    /// Keeps other servers from writing into the directory.
    private var lock: LogArchiveLock?

    private let directory: String
    private let database: String
    private let walPath: String
    private let days: Int
    private let clock: any WallClock
    private let uptime: () -> Duration
    private let diskAnswered: () -> Bool

    /// - Parameter diskAnswered: called between two steps of the disk. It returns `false` if frames that were read before may be of another log.
    init(
        _ settings: LogArchiveSettings, database: String, clock: any WallClock, uptime: @escaping () -> Duration,
        diskAnswered: @escaping () -> Bool
    ) {
        directory = settings.directory
        days = settings.days
        self.database = database
        walPath = database + "-wal"
        self.clock = clock
        self.uptime = uptime
        self.diskAnswered = diskAnswered
    }

    // MARK: Generations

    /// The archive's end, and the state of the database and its log.
    mutating func resumption() -> LogArchiveResumption {
        let resumption = LogArchiveResumption(directory: directory, database: database) { _ = diskAnswered() }
        compareClock(with: resumption.end)
        return resumption
    }

    /// An archive whose end cannot be read says nothing about the clock.
    private mutating func compareClock(with end: LogArchiveEnd?) {
        guard end != nil || LogArchiveFile.names(in: directory).isEmpty else { return }
        judge = ClockJudge(last: end?.record.time ?? clock.now(), uptime: uptime())
    }

    /// Continues the archive's generation, or begins one.
    /// - Parameters:
    ///   - before: the state before the database was opened.
    ///   - backup: the generation of the newest backup, if it is known.
    /// - Returns: the number of the log's frames, and the transactions that were not copied when the last server was killed.
    mutating func begin(_ before: LogArchiveResumption, backup: UInt64?) -> (frames: Int, commits: [LogCommit]) {
        let now = clock.now()
        let newest = LogArchiveFile.newestGeneration(in: directory)
        generation = Self.generation(at: now, after: newest)
        var commits: [LogCommit] = []
        let log = try? LogReader(walPath)
        if let end = before.end, let copied = before.framesThatFollow(log) {
            generation = end.generation
            sequence = end.sequence + 1
            checksum = end.checksum
            fileNumber = end.fileNumber + 1
            salts = log?.header?.salts
            copiedFrames = copied
            // Their time is unknown, so they get the present time. Those before the beginning of a generation are one with the next transaction: a
            // backup has all of them, and replaying a part of them would make its pages older.
            let ends = (try? log?.commits(after: copied)) ?? []
            framesBefore = end.record.kind == .begin ? Int(end.record.pages) : 0
            let first = ends.first { $0 > framesBefore } ?? ends.last ?? 0
            commits = ends.filter { $0 >= first }.map { LogCommit(frames: $0, time: now) }
        } else if let log, let header = log.header {
            // The present frames are part of the database that a backup will copy.
            salts = header.salts
            copiedFrames = log.lastCommit ?? 0
        }
        // Without a note, there may still be a backup: one that an earlier version of the server made, or one from before a restore. Files that are
        // in the archive already are a sign of it.
        if let needed = backup ?? newest, needed != generation {
            gap = LogArchiveSettings.gap("\(directory): transactions after the newest backup are missing")
        }
        // A missing directory is made with the first file.
        if access(directory, F_OK) == 0 {
            do throws(LogArchiveFailure) { lock = try LogArchiveLock(directory, database: database) } catch { problem = error.description }
        }
        // A new generation is recorded now: a backup may be made, and the server killed, before its first commit.
        if sequence == 0 {
            do throws(LogArchiveFailure) {
                try openFile()
                problem = nil
            } catch { problem = error.description }
        }
        return (commits.last?.frames ?? copiedFrames, commits)
    }

    /// Begins a generation after frames were lost, and records it. If that fails, ``sequence`` is 0, and ``problem`` says why.
    ///
    /// The first transaction has all frames of the present log up to its end. The database may have some of them already. Pages are whole, so that
    /// does no harm.
    /// - Parameter frames: called when the disk has made a file: the number of the log's frames that are of transactions before the beginning. From
    ///   then on, every commit is copied.
    mutating func beginGeneration(_ frames: () -> Int) {
        file = nil
        if lock?.isInPlace == false { lock = nil }
        let newest = LogArchiveFile.newestGeneration(in: directory)
        _ = diskAnswered()
        salts = (try? LogReader(walPath))?.header?.salts
        copiedFrames = 0
        beginGeneration(after: [generation, newest].compactMap(\.self).filter { $0 < .max }.max())
        do throws(LogArchiveFailure) {
            let file = try makeFile()
            framesBefore = frames()
            try recordGeneration(in: file)
            self.file = file
            problem = nil
        } catch { problem = error.description }
    }

    /// Begins a generation, because frames could not be copied.
    mutating func lose(upTo frames: Int) {
        copiedFrames = frames
        framesBefore = 0
        beginGeneration(because: problem ?? directory)
    }

    /// Begins a generation, because the archive lacks something. No earlier backup can be brought forward beyond this.
    private mutating func beginGeneration(because cause: String) {
        gap = LogArchiveSettings.gap(cause)
        beginGeneration(after: generation)
    }

    private mutating func beginGeneration(after former: UInt64?) {
        generation = Self.generation(at: clock.now(), after: former)
        sequence = 0
        fileNumber = 0
        checksum = LogChecksum()
    }

    /// The number of a new generation: the time, so that a directory that was emptied does not get an earlier number again. It is always greater than
    /// the one before, because the greatest counts as the newest, and the clock may have been ahead.
    private static func generation(at time: Timestamp, after former: UInt64?) -> UInt64 {
        let present = UInt64(bitPattern: time.microseconds)
        // No file that this program writes has the greatest number. So a foreign one does not count.
        guard let former, former < .max else { return present }
        return max(present, former + 1)
    }

    /// The gap that nobody was told of yet.
    mutating func takeGap() -> String? {
        defer { gap = nil }
        return gap
    }

    // MARK: Steps

    /// Copies transactions of the log.
    /// - Returns: how many were copied. If one was not, ``problem`` says why.
    mutating func copy(_ commits: [LogCommit]) -> Int {
        var count = 0
        do throws(LogArchiveFailure) {
            noticeLostFile()
            try copy(commits, &count)
            problem = nil
        } catch {
            problem = error.description
            file = nil
        }
        return count
    }

    /// The position from which a copy of the database that begins now is to be brought forward; `nil` if the archive cannot be written.
    mutating func positionOfNewCopy() -> LogPosition? {
        noticeLostFile()
        _ = diskAnswered()
        // The position must be in the archive even if nothing is committed from here on.
        do throws(LogArchiveFailure) { if sequence == 0 { try openFile() } } catch {
            problem = error.description
            return nil
        }
        return generation.map { LogPosition(generation: $0, sequence: sequence) }
    }

    /// Records the state of the database, if the whole log is in it.
    mutating func close() {
        guard problem == nil, hasEmptyLog, let print = DatabasePrint(database) else { return }
        do throws(LogArchiveFailure) {
            noticeLostFile()
            try openFile()
            try file?.append(
                ArchiveRecord(
                    kind: .closed, sequence: sequence, time: clock.now(), pages: 0, salts: salts ?? LogSalts(), endFrame: 0, frames: 0,
                    print: print),
                &checksum)
            try file?.synchronize()
        } catch { problem = error.description }
        file = nil
    }

    /// Whether the log was emptied into the database. SQLite leaves a file without bytes while another process has the database open.
    private var hasEmptyLog: Bool {
        var status = stat()
        return stat(walPath, &status) != 0 || status.st_size == 0
    }

    /// Lets other servers write into the directory.
    mutating func unlock() { lock = nil }

    private mutating func copy(_ commits: [LogCommit], _ count: inout Int) throws(LogArchiveFailure) {
        let log = try LogReader(walPath)
        guard let header = log.header else { throw LogArchiveFailure("the log has no header", "로그에 머리말이 없습니다") }
        if salts != header.salts {
            // The log has begun again. It does so only after a checkpoint, and everything was copied before that, or lost.
            salts = header.salts
            copiedFrames = 0
            framesBefore = 0
        }
        try openFile()
        while count < commits.count {
            let before = self, countBefore = count
            var failure: LogArchiveFailure?
            do throws(LogArchiveFailure) { try appendPart(of: commits, &count, of: log, header) } catch { failure = error }
            // The records before a failure count, if they get to the disk.
            do throws(LogArchiveFailure) { try file?.synchronize() } catch {
                // Nobody knows what is on the disk, and another sync would not tell. So the file is cut after what was synced before, and the same
                // transactions are copied again, into another file.
                if file?.cutUnsynced() ?? false { (self, count) = (before, countBefore) } else { beginGeneration(because: error.description) }
                throw error
            }
            _ = diskAnswered()
            if let failure { throw failure }
        }
        if let file, file.byteCount > Self.fileBytes || file.begin.advanced(by: Self.fileAge) < clock.now() { self.file = nil }
    }

    /// Appends transactions up to ``LogArchiveFile/bytesEachSync``, which are then to be synced. So a slow disk is not taken for one that hangs.
    private mutating func appendPart(
        of commits: [LogCommit], _ count: inout Int, of log: LogReader, _ header: LogHeader
    ) throws(LogArchiveFailure) {
        guard let file else { return }
        let end = file.byteCount + LogArchiveFile.bytesEachSync
        let diskAnswered = diskAnswered
        while count < commits.count, file.byteCount < end {
            let next = commits[count], frames = next.frames - copiedFrames
            guard frames > 0 else {
                throw LogArchiveFailure("the log is shorter than what was copied of it", "로그가 이미 보관한 것보다 짧습니다")
            }
            // The last frame of a transaction contains the size of the database after it.
            let pages = try log.databasePages(at: next.frames)
            let record = ArchiveRecord(
                kind: .commit, sequence: sequence, time: next.time, pages: pages, salts: header.salts, endFrame: UInt32(next.frames),
                frames: UInt32(frames), print: nil)
            var checksum = checksum
            try file.append(record, frames: copiedFrames..<next.frames, of: log, &checksum) { () throws(LogArchiveFailure) in
                if !diskAnswered() { throw LogArchiveFailure("the disk has answered too late", "디스크의 응답이 너무 늦었습니다") }
            }
            self.checksum = checksum
            sequence += 1
            copiedFrames = next.frames
            framesBefore = 0
            lastTime = next.time
            count += 1
        }
    }

    /// Begins a new generation if the present file, or the directory, was removed, renamed or replaced. Its transactions may be lost,
    /// and a restore would not find what is written to it from now on.
    private mutating func noticeLostFile() {
        let lost = file.flatMap { $0.isInPlace ? nil : $0.path } ?? lock.flatMap { $0.isInPlace ? nil : directory }
        guard let lost else { return }
        file = nil
        lock = nil
        // The directory may be another one now.
        judge = nil
        beginGeneration(because: "\(lost): removed or renamed while the server wrote it")
    }

    private mutating func openFile() throws(LogArchiveFailure) {
        guard file == nil else { return }
        let file = try makeFile()
        if sequence == 0 { try recordGeneration(in: file) }
        self.file = file
        removeOldFiles()
    }

    /// Makes the next file of the generation.
    private mutating func makeFile() throws(LogArchiveFailure) -> LogArchiveFile {
        guard let generation else { throw LogArchiveFailure("it has not begun", "시작되지 않았습니다", of: directory) }
        _ = diskAnswered()
        if mkdir(directory, 0o700) == 0 { syncParent(of: directory) } else if errno != EEXIST { throw .system(directory) }
        if lock == nil { lock = try LogArchiveLock(directory, database: database) }
        if judge == nil { compareClock(with: LogArchiveEnd(directory: directory) { _ = diskAnswered() }) }
        let pageBytes = (try? LogReader(walPath))?.header?.pageBytes ?? 4_096
        let file = try LogArchiveFile.make(
            in: directory, LogFileHeader(generation: generation, number: fileNumber, sequence: sequence, pageBytes: pageBytes),
            at: clock.now(), &checksum)
        fileNumber += 1
        return file
    }

    /// Writes the first record of the generation.
    private mutating func recordGeneration(in file: LogArchiveFile) throws(LogArchiveFailure) {
        let record = ArchiveRecord(
            kind: .begin, sequence: 0, time: clock.now(), pages: UInt32(framesBefore), salts: salts ?? LogSalts(),
            endFrame: UInt32(copiedFrames), frames: 0, print: salts == nil ? DatabasePrint(database) : nil)
        var checksum = checksum
        do throws(LogArchiveFailure) {
            _ = diskAnswered()
            try file.append(record, &checksum)
            try file.synchronize()
        } catch {
            // Nothing may follow a torn record. The next try begins another file.
            unlink(file.path)
            throw error
        }
        self.checksum = checksum
        sequence = 1
    }

    /// Removes files that were not written for `days` days. While the clock may be wrong, it removes none.
    private mutating func removeOldFiles() {
        let now = clock.now(), uptime = uptime()
        guard judge?.believes(now, uptime: uptime) ?? false else { return }
        let limit = now.advanced(by: .days(-Int64(days))).microseconds / 1_000_000
        for name in LogArchiveFile.names(in: directory) {
            var information = stat()
            let path = directory + "/" + name
            if path != file?.path, stat(path, &information) == 0, Int64(information.st_mtim.tv_sec) < limit { unlink(path) }
            _ = diskAnswered()
        }
    }
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
