/// What a server needs of its store besides the repositories: what it is, how it is, and its end.
public protocol ServedStore: PulseBoardStore, CustomStringConvertible {
    /// Kind and version of the store, such as `SQLite 3.40.1`.
    var kind: String { get }
    /// How the store is now. Must not wait.
    var status: StoreStatus { get }
    /// Writes that wait for their turn: how far the store is behind its callers.
    var queuedWrites: Int { get }
    /// Why the removal of expired rows last failed, or `nil`; no caller's write fails with it.
    var housekeepingFailure: RepositoryError? { get }
    /// Why nothing expires at present, or `nil`.
    var clockJump: ClockJump? { get }
    /// Calls the listener with what happens to the store from now on, in order, and at once when it cannot do its work. The listener is called on the
    /// store's threads; it must return soon and must not ask the store.
    func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void)
    /// Checks what nothing else notices while nobody writes. To be called now and then.
    func check()
    /// Finishes what is queued, and closes. Afterwards every call is `storeUnavailable`.
    func close() throws(RepositoryError)
}

/// What an operator wants to hear of a store.
public enum StoreEvent: Sendable, Hashable {
    /// The store cannot do its work from now on.
    case failing(StoreTrouble)
    /// The store works again; with the trouble that is over.
    case recovered(StoreTrouble)
    /// An access failed in a way that concerns no other. Logged at most once a minute, with the count since.
    case failed(StoreTrouble)
}

/// A change of the wall clock by more than a day, which may be wrong.
public struct ClockJump: Hashable, Sendable {
    /// The clock's time when it was last believed.
    public let from: Timestamp
    /// The clock's time after that.
    public let to: Timestamp

    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }
}
