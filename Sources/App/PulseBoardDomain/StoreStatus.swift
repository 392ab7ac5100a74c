import PulseBoardVocabulary

/// What keeps the store from its work, since when, and how often.
public struct StoreTrouble: Sendable, Hashable {
    public let failure: StoreFailure
    /// SQLite's words, or the store's own; for an operator.
    public let detail: String
    /// When it began, by the store's clock.
    public let since: Timestamp
    /// Reads and writes that failed for it until now.
    public var count: Int

    public init(failure: StoreFailure, detail: String, since: Timestamp, count: Int) {
        self.failure = failure
        self.detail = detail
        self.since = since
        self.count = count
    }
}

/// How the store is at one moment.
public struct StoreStatus: Sendable, Hashable {
    /// The database file.
    public let path: String
    /// Length of the database file, bytes.
    public let databaseBytes: Int64
    /// Length of the write-ahead log, bytes.
    public let walBytes: Int64
    /// What the file system has left for this process, bytes; `nil` when it does not say.
    public let freeBytes: Int64?
    /// When a write was last made durable; `nil` when none was since the start.
    public let lastCommitTime: Timestamp?
    /// What keeps the store from its work now.
    public let trouble: StoreTrouble?
    /// The last failure since the start, over or not.
    public let lastTrouble: StoreTrouble?
    /// Transactions that were made durable since the start.
    public var commits: Int64 = 0
    /// Writes in those.
    public var writes: Int64 = 0
    /// What a store that commits in groups has counted of it; `nil` for one that does not.
    public var commitFigures: CommitFigures?
    /// Checkpoints since the start, and how many brought all of the log into the database.
    public var checkpoints: Int64 = 0
    public var completeCheckpoints: Int64 = 0
    /// How the archive of what was committed is; `nil` without one.
    public var archive: StoreArchiveStatus?

    public init(
        path: String, databaseBytes: Int64, walBytes: Int64, freeBytes: Int64?, lastCommitTime: Timestamp?, trouble: StoreTrouble?,
        lastTrouble: StoreTrouble?
    ) {
        self.path = path
        self.databaseBytes = databaseBytes
        self.walBytes = walBytes
        self.freeBytes = freeBytes
        self.lastCommitTime = lastCommitTime
        self.trouble = trouble
        self.lastTrouble = lastTrouble
    }
}

/// How an archive of what was committed is.
public struct StoreArchiveStatus: Sendable, Hashable {
    public let directory: String
    /// When the last commit was made that it has; `nil` when it has got none since the start.
    public let lastTime: Timestamp?
    /// What keeps it from going on; `nil` while nothing does.
    public let problem: String?

    public init(directory: String, lastTime: Timestamp?, problem: String?) {
        self.directory = directory
        self.lastTime = lastTime
        self.problem = problem
    }
}

/// How large transactions were, and how long they took to be made durable, since the start.
public struct CommitFigures: Sendable, Hashable {
    /// Transactions with at most so many writes: each power of two from 1 to 256.
    public static let sizes: [Int] = (0...8).map { 1 << $0 }
    /// Transactions that took less than so many nanoseconds: each fourth power of two from 65 µs to 17 s.
    public static let bounds: [Int64] = stride(from: 16, through: 34, by: 2).map { 1 << $0 }

    /// Transactions by ``sizes``, each in the first that fits.
    public var bySize = [Int64](repeating: 0, count: CommitFigures.sizes.count)
    /// Transactions by ``bounds``, each in the first that fits; the last is for longer ones.
    public var byTime = [Int64](repeating: 0, count: CommitFigures.bounds.count + 1)
    /// Nanoseconds that all took, from the first write to the end of COMMIT.
    public var nanoseconds: Int64 = 0

    public init() {}

    /// Counts a transaction.
    public mutating func count(writes: Int, nanoseconds time: Int64) {
        bySize[Self.sizes.firstIndex { writes <= $0 } ?? Self.sizes.count - 1] += 1
        byTime[Self.bounds.firstIndex { time < $0 } ?? Self.bounds.count] += 1
        nanoseconds += time
    }
}

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
    /// The database is on a server that does not answer, or does so no more.
    case unreachable = "STORE_UNREACHABLE"
    /// Anything else, such as a store that is closed. It says nothing of other accesses.
    case other = "UNAVAILABLE"
}

extension Reason {
    /// The reason of a call that the store could not do.
    public init(_ failure: StoreFailure) {
        self =
            switch failure {
            case .full: .storeFull
            case .corrupt: .storeCorrupt
            case .inputOutput: .storeInputOutput
            case .readOnly: .storeReadOnly
            case .gone: .storeGone
            case .unreachable: .storeUnreachable
            case .other: .unavailable
            }
    }
}
