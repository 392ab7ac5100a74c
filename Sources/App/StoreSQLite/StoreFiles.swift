#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The files of an open store: whether their names still lead to them, and how large they are.
///
/// A database that is deleted, moved or replaced while it is open still takes writes, into a file that nobody will find again. So the names are
/// looked up after every COMMIT, before anybody hears of it. That is two calls of `stat`, about 3 µs for a transaction.
struct StoreFiles: Sendable {
    /// The database.
    let path: String
    /// The write-ahead log.
    let walPath: String
    private let database: FileNumber
    private let wal: FileNumber

    /// To be made once SQLite has opened both: from then on it opens neither again.
    /// - Parameter database: the file that is locked.
    /// - Throws: `failed` when a name leads elsewhere already.
    init(_ path: String, database: FileNumber) throws(StoreOpeningError) {
        self.path = path
        walPath = path + "-wal"
        self.database = database
        guard let wal = Self.look(walPath) else { throw .failed(path: path, detail: "it has no write-ahead log") }
        self.wal = FileNumber(wal)
        guard standing().isInPlace else { throw .failed(path: path, detail: "it was replaced while it was being opened") }
    }

    /// What the names lead to at one moment.
    struct Standing: Sendable, Hashable {
        /// Whether the database's name leads to the database.
        var hasDatabase: Bool
        /// Whether the log's name leads to the log.
        var hasWAL: Bool
        /// Length of what the log's name leads to, bytes.
        var walBytes: Int64

        var isInPlace: Bool { hasDatabase && hasWAL }

        /// What is wrong, in words.
        var description: String {
            switch (hasDatabase, hasWAL) {
            case (true, true): "the files are in their places"
            case (true, false): "the write-ahead log was deleted, moved or replaced"
            case (false, true): "the database file was deleted, moved or replaced"
            case (false, false): "the database file and its write-ahead log were deleted, moved or replaced"
            }
        }
    }

    /// Looks both names up.
    func standing() -> Standing {
        let log = Self.look(walPath)
        return Standing(
            hasDatabase: Self.look(path).map(FileNumber.init) == database, hasWAL: log.map(FileNumber.init) == wal,
            walBytes: Int64(log?.st_size ?? 0))
    }

    /// Length of the database file, bytes; 0 if there is none.
    var databaseBytes: Int64 { Int64(Self.look(path)?.st_size ?? 0) }

    /// What the file system of the database has left for this process, bytes; `nil` when it does not say.
    var freeBytes: Int64? {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var information = statvfs()
        guard statvfs(directory, &information) == 0 else { return nil }
        let (bytes, overflow) = Int64(clamping: information.f_bavail).multipliedReportingOverflow(by: Int64(information.f_frsize))
        return overflow ? .max : bytes
    }

    private static func look(_ path: String) -> stat? {
        var information = stat()
        return stat(path, &information) == 0 ? information : nil
    }
}
