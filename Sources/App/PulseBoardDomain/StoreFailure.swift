/// What keeps the store from its work, as far as a caller or an operator can act on it.
///
/// The raw value is the reason on the wire (docs/api.md).
public enum StoreFailure: String, Sendable, Hashable, CaseIterable {
    /// There is no room left where the database is: a full disk, a quota, a limit on the size of files.
    case full = "STORE_FULL"
    /// The database file is damaged.
    case corrupt = "STORE_CORRUPT"
    /// The disk failed to read or write.
    case inputOutput = "STORE_IO_ERROR"
    /// The database may not be written: its file's mode, or a file system that has become read-only.
    case readOnly = "STORE_READ_ONLY"
    /// The database's file, or its write-ahead log, was deleted, moved or replaced while it was in use.
    case gone = "STORE_GONE"
    /// Anything else, such as a store that is closed. It says nothing of other accesses.
    case other = "UNAVAILABLE"
}
