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
