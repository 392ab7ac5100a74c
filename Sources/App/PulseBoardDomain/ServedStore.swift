/// What a server needs of its store besides the repositories: its kind, its status, and closing it.
public protocol ServedStore: PulseBoardStore, CustomStringConvertible {
    /// Kind and version of the store, such as `SQLite 3.40.1`.
    var kind: String { get }
    /// The present status. It may ask the file system of the database, so do not read it on an event loop. It waits for nothing else.
    var status: StoreStatus { get }
    /// How many writes are queued.
    var queuedWrites: Int { get }
    /// Why the last removal of expired rows failed; `nil` if it did not. No caller's write fails with it.
    var housekeepingFailure: RepositoryError? { get }
    /// Why nothing expires at present; `nil` while the clock is trusted.
    var clockDoubt: ClockDoubt? { get }
    /// Whether keys of diaries are missing, so that every call of a diary throws `diary(.locked)`. It does not change while the store is open.
    var areDiariesLocked: Bool { get }
    /// Calls the listener with the store's events from now on, in order. If the store is failing now, it is called at once. The listener is called on
    /// the store's threads; it must return soon and must not call the store.
    func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void)
    /// Checks for troubles that only writes would notice otherwise. Call it from time to time.
    func check()
    /// Sets how long names are kept for their owners, for all later writes. A name that is held already keeps its end.
    func setUsernamePolicy(_ policy: UsernamePolicy)
    /// Finishes queued writes and closes the store. Afterwards every call throws `storeUnavailable`.
    func close() throws(RepositoryError)
}

/// An event of a store for the operator.
public enum StoreEvent: Sendable, Hashable {
    /// The store cannot do its work from now on.
    case failing(StoreTrouble)
    /// The store works again. The value is the trouble that is over.
    case recovered(StoreTrouble)
    /// A single access failed; others do not fail for the same reason. It is logged at most once a minute, with the count since then.
    case failed(StoreTrouble)
}

/// Why a server does not trust its wall clock. Nothing expires until the clock is right again.
public struct ClockDoubt: Hashable, Sendable {
    /// What the clock disagrees with.
    public enum Cause: Hashable, Sendable {
        /// It is more than a day away from what the machine's uptime and the last trusted time say. A jump is trusted after an hour.
        case jumped
        /// It differs by more than a minute from the clock of the database, which several servers share.
        case differsFromDatabase
    }

    public let cause: Cause
    /// The last trusted time before a jump, or the database's time.
    public let expected: Timestamp
    /// What the clock has shown instead.
    public let shown: Timestamp

    public init(_ cause: Cause, expected: Timestamp, shown: Timestamp) {
        self.cause = cause
        self.expected = expected
        self.shown = shown
    }
}

/// A store that several servers use at once. Each server must learn what the others change.
public protocol SharedStore: PulseBoardStore {
    /// Begins to watch for changes by other servers. Call it once.
    func listen(_ listener: SharedStoreListener)
    /// Whether this process knows every write that any server had acknowledged a second ago. Only then may an answer come from memory.
    var isFresh: Bool { get }
    /// The number of the newest change in a bucket that this process has made or read. It includes every acknowledged write of its own. Must
    /// not wait.
    func newestChange(inBucket bucket: Int) -> Int64
    /// Whether this process has read a change and all before it, and has dropped what they made stale. Must not wait.
    func knowsChange(_ number: Int64, inBucket bucket: Int) -> Bool
}

/// The callbacks of a server for changes by other servers. The store calls them on its own threads. They must return soon.
public struct SharedStoreListener: Sendable {
    /// The users that some client watches.
    public let watched: @Sendable () -> [UserID]
    /// Something of these users may have changed.
    public let changed: @Sendable ([UserID]) -> Void
    /// Profiles may have been written, and sessions may have ended, of all users in these buckets.
    public let forget: @Sendable (_ buckets: Set<Int>) -> Void

    public init(
        watched: @escaping @Sendable () -> [UserID], changed: @escaping @Sendable ([UserID]) -> Void,
        forget: @escaping @Sendable (_ buckets: Set<Int>) -> Void
    ) {
        self.watched = watched
        self.changed = changed
        self.forget = forget
    }
}

/// Users in a fixed number of buckets, so that a few numbers tell about all users. Every server uses the same buckets.
public enum UserBucket {
    /// The number of buckets.
    public static let count = 256

    /// The bucket of a user: the last byte of the id, which is random.
    public static func of(_ user: UserID) -> Int { Int(user.bits.low & 0xFF) }
}
