/// A store that several servers have at once. Each must hear of what the others change.
public protocol SharedStore: PulseBoardStore {
    /// Begins to look for what others change. For one listener, once.
    func listen(_ listener: SharedStoreListener)
    /// Whether everything is known here that any server had acknowledged a second ago. Only then may an answer come from memory.
    var isFresh: Bool { get }
    /// The number of the newest change in a bucket that this process has made or heard of: not less than that of any write of its own that was
    /// acknowledged. Must not wait.
    func newestChange(inBucket bucket: Int) -> Int64
    /// Whether a change, and all before it, was heard of here, and what it made stale forgotten. Must not wait.
    func knowsChange(_ number: Int64, inBucket bucket: Int) -> Bool
}

/// What a server wants to know of others' changes. All of it is called on a thread of the store's, and must return soon.
public struct SharedStoreListener: Sendable {
    /// The users about whom somebody is to be told.
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

/// Users in so many parts, so that little has to be asked to know about all. Every server counts the same.
public enum UserBucket {
    public static let count = 256

    /// The bucket of a user: the last byte of the id, which is random.
    public static func of(_ user: UserID) -> Int { Int(user.bits.low & 0xFF) }
}
