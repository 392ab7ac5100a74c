/// What a server needs of its store besides the repositories: its kind, its status, and closing it.
public protocol ServedStore: PulseBoardStore, CustomStringConvertible {
    /// Kind and version of the store, such as `SQLite 3.40.1`.
    var kind: String { get }
    /// The present status. Must not wait.
    var status: StoreStatus { get }
    /// How many writes are queued.
    var queuedWrites: Int { get }
    /// Why the last removal of expired rows failed; `nil` if it did not. No caller's write fails with it.
    var housekeepingFailure: RepositoryError? { get }
    /// The clock jump that keeps everything from expiring at present; `nil` without one.
    var clockJump: ClockJump? { get }
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

/// A change of the wall clock by more than a day. It may be an error.
public struct ClockJump: Hashable, Sendable {
    /// The clock's last trusted time.
    public let from: Timestamp
    /// The clock's time after that.
    public let to: Timestamp

    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }
}
