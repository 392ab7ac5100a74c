import PulseBoardVocabulary

/// A failure of the store: what it is, since when, and how often it occurred.
public struct StoreTrouble: Sendable, Hashable {
    /// The kind of failure.
    public let failure: StoreFailure
    /// A text for the operator, from the database or the store.
    public let detail: String
    /// When it began, by the store's clock.
    public let since: Timestamp
    /// How many reads and writes it made fail so far.
    public var count: Int

    public init(failure: StoreFailure, detail: String, since: Timestamp, count: Int) {
        self.failure = failure
        self.detail = detail
        self.since = since
        self.count = count
    }
}

/// The status of a store at one instant.
public struct StoreStatus: Sendable, Hashable {
    /// The database file.
    public let path: String
    /// Length of the database file, bytes.
    public let databaseBytes: Int64
    /// Length of the write-ahead log, bytes.
    public let walBytes: Int64
    /// Free bytes that the file system has for this process; `nil` if unknown.
    public let freeBytes: Int64?
    /// When a write was last made durable; `nil` if none was since the start.
    public let lastCommitTime: Timestamp?
    /// The present trouble; `nil` without one.
    public let trouble: StoreTrouble?
    /// The last failure since the start, over or not.
    public let lastTrouble: StoreTrouble?
    /// How many transactions were made durable since the start.
    public var commits: Int64 = 0
    /// How many writes those transactions had.
    public var writes: Int64 = 0
    /// The figures of group commit; `nil` for a store without it.
    public var commitFigures: CommitFigures?
    /// How many checkpoints there were since the start, and how many of them copied the whole log into the database.
    public var checkpoints: Int64 = 0
    public var completeCheckpoints: Int64 = 0
    /// The status of the archive of commits; `nil` without one.
    public var archive: StoreArchiveStatus?
    /// Why changes by other servers are unknown, although the store works; `nil` if they are known, or if there are no other servers.
    public var changesTrouble: StoreTrouble?

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

/// The status of the directory where profiles' pictures are kept.
public struct ImageDirectoryStatus: Sendable, Hashable {
    /// The directory.
    public let path: String
    /// Free bytes that its file system has for this process; `nil` if unknown.
    public let freeBytes: Int64?
    /// What keeps pictures from being stored now; `nil` if nothing does.
    public let trouble: StoreTrouble?

    public init(path: String, freeBytes: Int64?, trouble: StoreTrouble?) {
        self.path = path
        self.freeBytes = freeBytes
        self.trouble = trouble
    }
}

/// The status of an archive of commits.
public struct StoreArchiveStatus: Sendable, Hashable {
    /// The directory of the archive.
    public let directory: String
    /// The time of the newest commit in the archive; `nil` if it got none since the start.
    public let lastTime: Timestamp?
    /// Why the newest backup cannot be brought forward to now: the archive does not go on, or it lost something after that backup. `nil` if it can.
    public let problem: String?

    public init(directory: String, lastTime: Timestamp?, problem: String?) {
        self.directory = directory
        self.lastTime = lastTime
        self.problem = problem
    }
}

/// The sizes of transactions and how long they took to become durable, since the start.
public struct CommitFigures: Sendable, Hashable {
    /// Upper bounds of the buckets of ``bySize``, in writes: each power of two from 1 to 256.
    public static let sizes: [Int] = (0...8).map { 1 << $0 }
    /// Upper bounds of the buckets of ``byTime``, in nanoseconds: powers of four from 65 µs to 17 s.
    public static let bounds: [Int64] = stride(from: 16, through: 34, by: 2).map { 1 << $0 }

    /// Transactions by ``sizes``, each in the first that fits.
    public var bySize = [Int64](repeating: 0, count: CommitFigures.sizes.count)
    /// Transactions by ``bounds``, each in the first that fits; the last is for longer ones.
    public var byTime = [Int64](repeating: 0, count: CommitFigures.bounds.count + 1)
    /// The total time of all transactions in nanoseconds, each from its first write to the end of COMMIT.
    public var nanoseconds: Int64 = 0

    public init() {}

    /// Counts a transaction.
    public mutating func count(writes: Int, nanoseconds time: Int64) {
        bySize[Self.sizes.firstIndex { writes <= $0 } ?? Self.sizes.count - 1] += 1
        byTime[Self.bounds.firstIndex { time < $0 } ?? Self.bounds.count] += 1
        nanoseconds += time
    }
}

/// Why a store fails, in kinds that a caller or an operator can act on.
///
/// The raw value is the reason that is sent to the client (docs/api.md).
public enum StoreFailure: String, Sendable, Hashable, CaseIterable {
    /// The database has no room left: a full disk, a quota, or a limit on the size of files.
    case full = "STORE_FULL"
    /// The database file is damaged.
    case corrupt = "STORE_CORRUPT"
    /// The disk failed to read or write.
    case inputOutput = "STORE_IO_ERROR"
    /// The database cannot be written, because of its file's mode or a read-only file system.
    case readOnly = "STORE_READ_ONLY"
    /// The database's file, or its write-ahead log, was deleted, moved or replaced while it was in use.
    case gone = "STORE_GONE"
    /// The database server does not answer.
    case unreachable = "STORE_UNREACHABLE"
    /// The database server lacks writes that were acknowledged.
    case outdated = "STORE_OUTDATED"
    /// Anything else, such as a closed store. Other accesses may work.
    case other = "UNAVAILABLE"
}

extension Reason {
    /// The reason for a call that fails because of the store.
    public init(_ failure: StoreFailure) {
        self =
            switch failure {
            case .full: .storeFull
            case .corrupt: .storeCorrupt
            case .inputOutput: .storeInputOutput
            case .readOnly: .storeReadOnly
            case .gone: .storeGone
            case .unreachable: .storeUnreachable
            case .outdated: .storeOutdated
            case .other: .unavailable
            }
    }
}
