import DiarySealing
import PulseBoardDomain
import StoreSQL
import Synchronization

/// PulseBoard's repositories on PostgreSQL, for several servers at once.
///
/// A write is one transaction at READ COMMITTED, which locks its users first. It is done again if others were in its way. If the connection is lost at
/// COMMIT, a new one finds out whether the write was made, so no caller hears of a success that is not durable, and none is made twice. Reads are one
/// snapshot each. All of it goes to the primary.
///
/// Unchecked, as ``SQLStore`` says: the properties here are immutable, and `Sendable` every one.
public final class PostgreSQLStore: SQLStore, ServedStore, @unchecked Sendable {
    /// How many connections a server has, besides two for its housekeeping and for what others change.
    public struct Connections: Sendable {
        public var writing = 8
        public var reading = 4
        /// For lists and searches.
        public var readingLong = 2

        public init() {}
    }

    /// How long it is tried to find out what has become of a write.
    public static let patience = Duration.seconds(40)

    private let address: PostgreSQLAddress
    private let version: String
    private let health: StoreHealth
    private let writes: ConnectionLanes
    private let shortReads: ConnectionLanes
    private let longReads: ConnectionLanes
    private let keeper: Keeper
    private let feed: ChangeFeed
    private let newest: NewestChanges
    private let stop: Stop

    /// Opens a store. Makes its tables if the database has none, and brings those of an earlier version to this one.
    ///
    /// - Parameters:
    ///   - address: such as `postgresql:///pulseboard?host=/run/postgresql`, or `postgresql:///?service=pulseboard`. Without a password.
    ///   - followEvents: how long a user's events of follows are kept.
    ///   - usernames: how long names are kept for whom.
    ///   - diaryKeys: seal what is written in diaries. All servers on one database have the same.
    ///   - clock: decides what has expired.
    ///   - uptime: a clock that nobody can set. `clock` is compared with it.
    public init(
        address text: String, connections: Connections = Connections(), followEvents: FollowEventRetention = .standard,
        usernames: UsernamePolicy = .standard, diaryKeys: DiaryKeys = .none, clock: any WallClock = SystemWallClock(), probePauses: ClosedRange<Duration> = .seconds(1)...(.seconds(10)),
        patience: Duration = PostgreSQLStore.patience, uptime: @escaping @Sendable () -> Duration = PostgreSQLStore.machineUptime
    ) throws(PostgreSQLOpeningError) {
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(text, library)
        self.address = address
        let connect = { @Sendable () throws(PostgreSQLFailure) in try address.connect(library) }
        let vault: DiaryVault
        (version, vault) = try PostgreSQLSchema.prepare(connect, diaryKeys, clock: clock)
        let health = StoreHealth(clock: clock, pauses: probePauses)
        let stop = Stop()
        let newest = NewestChanges()
        let transactions = Transactions(health: health, clock: clock, uptime: uptime, newest: newest, patience: patience, stop: stop)
        let events = FollowEventLog(retention: followEvents)
        let usernames = Usernames(policy: usernames)
        let housekeeping = Housekeeping(clock: clock, uptime: uptime, events: events, usernames: usernames, vault: vault, hasOthers: true)
        writes = ConnectionLanes(
            "pulseboard writes", laneCount: connections.writing, batch: 1, connect: connect, work: { transactions.write($0, &$1) })
        shortReads = ConnectionLanes(
            "pulseboard reads", laneCount: connections.reading, batch: 16, connect: connect, work: { transactions.read($0, &$1) })
        longReads = ConnectionLanes(
            "pulseboard lists", laneCount: connections.readingLong, batch: 8, connect: connect, work: { transactions.read($0, &$1) })
        keeper = Keeper(housekeeping, transactions, clock: clock, connect: connect)
        feed = ChangeFeed(transactions, connect)
        self.newest = newest
        self.health = health
        self.stop = stop
        super.init(
            access: Access(writes: writes, shortReads: shortReads, longReads: longReads), housekeeping: housekeeping, events: events,
            usernames: usernames, vault: vault)
    }

    deinit { endThreads() }

    /// Finishes what is queued, and closes the connections. Afterwards every call is `storeUnavailable`.
    public func close() throws(RepositoryError) { endThreads() }

    private func endThreads() {
        stop.set()
        writes.close()
        shortReads.close()
        longReads.close()
        keeper.close()
        feed.close()
    }

    /// Whether a text is meant as the address of such a store; it may be wrong all the same.
    public static func takes(address: String) -> Bool { PostgreSQLAddress.schemes.contains(where: address.hasPrefix) }

    /// Such as `PostgreSQL 15.8`.
    public var kind: String { "PostgreSQL \(version)" }

    /// Such as `PostgreSQL 15.8, database pulseboard at /run/postgresql`.
    public var description: String { "\(kind), \(address.description)" }

    /// Time since some instant before the process began, also while the machine sleeps.
    public static let machineUptime: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }

    // MARK: How the store is

    public func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void) { health.observe(listener) }

    public var status: StoreStatus {
        StoreStatus(
            path: address.description, databaseBytes: keeper.databaseBytes, walBytes: 0, freeBytes: nil, lastCommitTime: health.lastCommitTime,
            trouble: health.trouble, lastTrouble: health.lastTrouble)
    }

    public var queuedWrites: Int { writes.queued }

    /// Nothing is to be done: the connection for the housekeeping is used at least once a minute.
    public func check() {}
}

extension PostgreSQLStore: SharedStore {
    public func listen(_ listener: SharedStoreListener) { feed.listen(listener) }

    public var isFresh: Bool { feed.isFresh }

    public func newestChange(inBucket bucket: Int) -> Int64 { max(newest[bucket], feed.newestKnown(inBucket: bucket)) }

    public func knowsChange(_ number: Int64, inBucket bucket: Int) -> Bool { feed.knows(number, inBucket: bucket) }
}

/// Writes on some lanes, and reads on two kinds of others.
private struct Access: SQLAccess {
    let writes: ConnectionLanes
    let shortReads: ConnectionLanes
    let longReads: ConnectionLanes

    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await writes.perform(body)
    }

    func read<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await shortReads.perform(body)
    }

    func readLong<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await longReads.perform(body)
    }
}
