#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The state from which it is decided whether an archive can be continued. Read it before the database is opened.
struct LogArchiveResumption: Sendable {
    /// The archive's last record; `nil` if the archive is empty or its end cannot be read.
    let end: LogArchiveEnd?
    private let print: DatabasePrint?
    private let walPath: String
    private let log: LogHeader?

    /// - Parameter wasRead: called after each step of the archive's disk.
    init(directory: String, database: String, wasRead: () -> Void) {
        end = LogArchiveEnd(directory: directory, wasRead: wasRead)
        print = DatabasePrint(database)
        walPath = database + "-wal"
        log = (try? LogReader(walPath))?.header
    }

    /// How many frames of the log, after opening the database, the archive has. `nil` if it may lack some.
    func framesThatFollow(_ now: LogReader?) -> Int? {
        guard let end else { return nil }
        if let closed = end.record.print {
            // A log that never began again follows a complete database. If there is a log already, its server was killed before it had copied
            // anything.
            guard closed == print, (log?.restarts ?? 0) == 0, (now?.header?.restarts ?? 0) == 0, log == nil || log?.salts == now?.header?.salts else {
                return nil
            }
            return 0
        }
        guard let before = log, before.salts == now?.header?.salts else { return nil }
        if before.salts == end.record.salts {
            // A log that is shorter is an earlier state of this one, such as from a snapshot of the disk.
            let copied = Int(end.record.endFrame)
            return now?.lastCommit ?? 0 >= copied ? copied : nil
        }
        // The log has begun again. A server without the archive may have added to the former log before that, or to another one in between.
        return before.salts.first == end.record.salts.first &+ 1 && isEndOfFormerLog(end.record, pageBytes: before.pageBytes) ? 0 : nil
    }

    /// Whether the former log ended with a record. The present log is written over it from the start, and the rest of it stays in the file. So the
    /// record's last frame must be there, and no later frame of the former log. `false` if that frame was overwritten or cut off: then nobody knows.
    private func isEndOfFormerLog(_ record: ArchiveRecord, pageBytes: Int) -> Bool {
        guard record.endFrame > 0, let file = try? ReadFile(walPath) else { return false }
        let headBytes = LogReader.frameHeaderBytes
        let end = Int64(LogHeader.byteCount) + Int64(record.endFrame) * Int64(headBytes + pageBytes)
        guard let last = try? file.read(at: end - Int64(headBytes + pageBytes), headBytes), LogSalts(ofFrame: last) == record.salts,
            let next = try? file.read(at: end, headBytes)
        else { return false }
        // A part of a frame may be of either log.
        return next.isEmpty || (next.count == headBytes && LogSalts(ofFrame: next) != record.salts)
    }
}

/// Detects whether somebody has written to a closed database: the inode, length and time of the file.
struct DatabasePrint: Sendable, Hashable {
    let bytes: Int64
    let modified: Int64
    let inode: UInt64

    init?(_ path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        bytes = Int64(information.st_size)
        // A time after the year 2262 does not fit. It only has to be the same again.
        modified = Int64(information.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(information.st_mtim.tv_nsec)
        inode = UInt64(information.st_ino)
    }

    init(bytes: Int64, modified: Int64, inode: UInt64) {
        self.bytes = bytes
        self.modified = modified
        self.inode = inode
    }
}
