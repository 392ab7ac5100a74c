/// Why a data directory could not be opened; each case names the path, because the answer lies there.
public enum StoreOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The directory cannot be made or used.
    case directoryUnusable(path: String, detail: String)
    /// Another process has the directory, or the database, open; its process id, when it has got round to writing it down.
    case locked(path: String, holder: Int32?)
    /// A newer version of PulseBoard has changed the schema; this one would misread it.
    case newerSchema(path: String)
    /// There is no database, but a write-ahead log that holds what was acknowledged, so many bytes. A new database would lose it.
    case databaseMissing(path: String, walBytes: Int64)
    /// The file is a database of some other application.
    case foreignDatabase(path: String)
    /// A row of the table names a user who has no profile, so a database of an earlier version cannot be brought to this one. It is left as
    /// the earlier version understands it.
    case damaged(path: String, table: String, missingUser: String)
    /// SQLite refused.
    case failed(path: String, detail: String)

    public var description: String {
        switch self {
        case .directoryUnusable(let path, let detail):
            "cannot use the data directory \(path): \(detail)"
        case .locked(let path, let holder?):
            "the data directory \(path) is in use by process \(holder)"
        case .locked(let path, nil):
            (path.hasSuffix("/" + SQLiteStore.fileName) ? "" : "the data directory ") + "\(path) is in use by another process"
        case .newerSchema(let path):
            "\(path) was written by a newer version of PulseBoard"
        case .databaseMissing(let path, let bytes):
            "\(path) is missing, but its write-ahead log \(path)-wal is there with \(bytes) bytes of it"
        case .foreignDatabase(let path):
            "\(path) is not a PulseBoard database"
        case .damaged(let path, let table, let user):
            "\(path) is damaged: a row of `\(table)` names the user \(user), who has no profile"
        case .failed(let path, let detail):
            "cannot open \(path): \(detail)"
        }
    }
}
