#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// The files of an open store: whether their names still refer to them, and how large they are.
///
/// A database that is deleted, moved or replaced while it is open still accepts writes, into a file that nobody can find again. So the names
/// are checked after every COMMIT, before any caller gets its answer. That takes two calls of `stat`.
struct StoreFiles: Sendable {
    /// The database file.
    let path: String
    /// The write-ahead log.
    let walPath: String
    private let database: FileNumber
    private let wal: FileNumber

    /// Make it after SQLite has opened both files; SQLite does not open them again.
    /// - Parameter database: the locked file.
    /// - Throws: `failed` if a name refers to another file already.
    init(_ path: String, database: FileNumber) throws(StoreOpeningError) {
        self.path = path
        walPath = path + "-wal"
        self.database = database
        guard let wal = Self.look(walPath) else { throw .failed(path: path, detail: Phrase("it has no write-ahead log", "쓰기 로그(-wal)가 없습니다")) }
        self.wal = FileNumber(wal)
        guard standing().isInPlace else {
            throw .failed(path: path, detail: Phrase("it was replaced while it was being opened", "여는 동안 다른 파일로 바뀌었습니다"))
        }
    }

    /// What the names refer to at one instant.
    struct Standing: Sendable, Hashable {
        /// Whether the database's name refers to the database.
        var hasDatabase: Bool
        /// Whether the log's name refers to the log.
        var hasWAL: Bool
        /// Length of the file with the log's name, in bytes.
        var walBytes: Int64

        var isInPlace: Bool { hasDatabase && hasWAL }

        /// A text about what is wrong.
        var description: String {
            switch (hasDatabase, hasWAL) {
            case (true, true): "the files are in their places"
            case (true, false): "the write-ahead log was deleted, moved or replaced"
            case (false, true): "the database file was deleted, moved or replaced"
            case (false, false): "the database file and its write-ahead log were deleted, moved or replaced"
            }
        }
    }

    /// Checks both names.
    func standing() -> Standing {
        let log = Self.look(walPath)
        return Standing(
            hasDatabase: Self.look(path).map(FileNumber.init) == database, hasWAL: log.map(FileNumber.init) == wal,
            walBytes: Int64(log?.st_size ?? 0))
    }

    /// Length of the database file in bytes; 0 if it is missing.
    var databaseBytes: Int64 { Int64(Self.look(path)?.st_size ?? 0) }

    /// Free bytes that the database's file system has for this process; `nil` if unknown.
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
