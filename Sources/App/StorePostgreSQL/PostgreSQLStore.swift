import DiarySealing
import PulseBoardDomain
import StoreSQL

/// PulseBoard's repositories on PostgreSQL, for several servers at once.
///
/// A write is one transaction at READ COMMITTED that locks its users first. After a conflict it is repeated. If the connection is lost at COMMIT, a
/// new connection finds out whether the write was committed. So no caller gets a success that is not durable, and no write happens twice. Each read
/// is one snapshot. Everything goes to the primary.
///
/// `@unchecked Sendable` is sound for the reason that ``SQLStore`` gives: all stored properties here are immutable `Sendable` values.
public final class PostgreSQLStore: SQLStore, ServedStore, @unchecked Sendable {
    /// How many connections a server has. It has two more: for the housekeeping, and for the changes by other servers.
    public struct Connections: Sendable {
        /// Connections for writes.
        public var writing = 8
        /// Connections for short reads.
        public var reading = 4
        /// Connections for lists and searches.
        public var readingLong = 2

        public init() {}
    }

    /// Who uses a store, by the name that PostgreSQL shows (`application_name`).
    public enum Program: String, Sendable {
        case server = "pulseboardd"
        /// `pulseboardd migrate`.
        case migration = "pulseboardd migrate"
    }

    /// How long the store tries to find out whether a write was committed.
    public static let patience = Duration.seconds(40)
    /// How long the database may say nothing on a connection. Then the connection is given up.
    public static let silence = Duration.seconds(5)

    /// Writes of one user that have a connection or wait for one. More wait in their order. They all lock the same row, so more of them would only
    /// keep connections from other users.
    static let writesOfOneUser = 2
    /// Writes by others on one user, such as follows, that have a connection or wait for one. They too lock the user's row.
    static let writesOnOneUser = 2

    private let address: PostgreSQLAddress
    private let version: String
    private let health: StoreHealth
    private let writes: ConnectionLanes
    private let shortReads: ConnectionLanes
    private let longReads: ConnectionLanes
    private let housekeepingThread: HousekeepingThread
    private let feed: ChangeFeed
    private let newest: NewestChanges
    private let closeSignal: CloseSignal

    /// Opens a store. Makes its tables if the database has none, and migrates those of an earlier version.
    ///
    /// - Parameters:
    ///   - address: such as `postgresql:///pulseboard?host=/run/postgresql`, or `postgresql:///?service=pulseboard`. Without a password.
    ///   - program: who uses it.
    ///   - followEvents: how long a user's follow events are kept.
    ///   - usernames: how long names are kept for their owners.
    ///   - diaryKeys: the keys that seal diaries. All servers on one database must have the same.
    ///   - clock: the time of day, which decides what has expired.
    ///   - comparesClocks: whether `clock` is compared with the database's clock. `false` is for clocks that a test sets.
    ///   - uptime: a monotonic clock. `clock` is compared with it.
    public init(
        address text: String, for program: Program = .server, connections: Connections = Connections(),
        followEvents: FollowEventRetention = .standard, usernames: UsernamePolicy = .standard, diaryKeys: DiaryKeys = .none,
        clock: any WallClock = SystemWallClock(), comparesClocks: Bool = true, probePauses: ClosedRange<Duration> = .seconds(1)...(.seconds(10)),
        patience: Duration = PostgreSQLStore.patience, silence: Duration = PostgreSQLStore.silence,
        uptime: @escaping @Sendable () -> Duration = PostgreSQLStore.machineUptime
    ) throws(PostgreSQLOpeningError) {
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(text, library)
        self.address = address
        let vault: DiaryVault, marks: ClockMarks, isUnfinishedCopy: Bool, allowed: Int
        (version, vault, marks, isUnfinishedCopy, allowed) = try PostgreSQLSchema.prepare(
            { () throws(PostgreSQLFailure) in try address.connect(library, silence: silence, for: program) }, diaryKeys, clock: clock)
        let acknowledged = AcknowledgedWrites(uptime: uptime)
        let connect = { @Sendable () throws(PostgreSQLFailure) in
            try address.connect(library, silence: silence, for: program) { session throws(PostgreSQLFailure) in try acknowledged.check(session) }
        }
        let connections = connections.within(allowed)
        let health = StoreHealth(clock: clock, pauses: probePauses)
        let reachability = Reachability(health, silence: silence, accepts: { acknowledged.accepts($0) }, connect)
        let closeSignal = CloseSignal()
        let newest = NewestChanges()
        let transactions = Transactions(
            health: health, uptime: uptime, newest: newest, acknowledged: acknowledged, patience: patience, closeSignal: closeSignal)
        let events = FollowEventLog(retention: followEvents)
        let usernames = Usernames(policy: usernames)
        // A migration removes none of the rows that it copies. A copy is not continued where rows of it are missing, so no server removes any.
        let watch = ClockWatch(clock: clock, uptime: uptime, marks: marks, databaseTime: comparesClocks ? HousekeepingThread.databaseTime : nil)
        let housekeeping = Housekeeping(
            watch: watch, events: events, usernames: usernames, vault: vault, hasOthers: true,
            isPaused: program == .migration || isUnfinishedCopy)
        writes = ConnectionLanes(
            "pulseboard writes", laneCount: connections.writing, batch: 1, reachability: reachability, work: { transactions.write($0, &$1) })
        shortReads = ConnectionLanes(
            "pulseboard reads", laneCount: connections.reading, batch: 16, reachability: reachability, work: { transactions.read($0, &$1) })
        longReads = ConnectionLanes(
            "pulseboard lists", laneCount: connections.readingLong, batch: 8, reachability: reachability, work: { transactions.read($0, &$1) })
        housekeepingThread = HousekeepingThread(housekeeping, transactions, reachability: reachability)
        feed = ChangeFeed(transactions, reachability, clock: clock)
        self.newest = newest
        self.health = health
        self.closeSignal = closeSignal
        super.init(
            access: Access(writes: writes, shortReads: shortReads, longReads: longReads), housekeeping: housekeeping, events: events,
            usernames: usernames, vault: vault, writesOfUser: Self.writesOfOneUser, writesOnUser: Self.writesOnOneUser)
    }

    deinit { endThreads() }

    /// Finishes queued accesses and closes the connections. Afterwards every call throws `storeUnavailable`.
    public func close() throws(RepositoryError) { endThreads() }

    private func endThreads() {
        closeSignal.set()
        writes.close()
        shortReads.close()
        longReads.close()
        housekeepingThread.close()
        feed.close()
    }

    /// Checks an address without connecting.
    /// - Throws: `addressInvalid`, `passwordInAddress`, `libraryMissing`.
    public static func check(address: String) throws(PostgreSQLOpeningError) { _ = try PostgreSQLAddress(address, try LibPQ.shared.get()) }

    /// Whether a text has the scheme of such an address. It may still be malformed.
    public static func takes(address: String) -> Bool { PostgreSQLAddress.schemes.contains(where: address.hasPrefix) }

    /// Kind and version, such as `PostgreSQL 15.8`.
    public var kind: String { "PostgreSQL \(version)" }

    /// The store for people, such as `PostgreSQL 15.8, database pulseboard at /run/postgresql`.
    public var description: String { "\(kind), \(address.description)" }

    /// The time since a fixed instant. It also advances while the machine sleeps.
    public static let machineUptime: @Sendable () -> Duration = { [start = ContinuousClock.now] in start.duration(to: .now) }

    // MARK: How the store is

    public func observe(_ listener: @escaping @Sendable (StoreEvent) -> Void) { health.observe(listener) }

    public var status: StoreStatus {
        var status = StoreStatus(
            path: address.description, databaseBytes: housekeepingThread.databaseBytes, walBytes: 0, freeBytes: nil,
            lastCommitTime: health.lastCommitTime, trouble: health.trouble, lastTrouble: health.lastTrouble)
        status.changesTrouble = feed.trouble
        (status.commits, status.writes) = health.committedCounts
        status.commitFigures = health.commitFigures
        return status
    }

    public var queuedWrites: Int { writes.queued }

    /// Whether a server has connections to the database. It is not seen if its address names another `application_name`, or if it has another role.
    public func hasServer() async throws(RepositoryError) -> Bool {
        try await read { connection throws(RepositoryError) in
            var query = try connection.statement(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? LIMIT 1")
            try query.bind(Program.server.rawValue)
            return try query.step()
        }
    }

    /// Whether a COMMIT waits for the standbys, or at least for the disk: `synchronous_commit` of the role, as it is now. If it does not, an
    /// acknowledged write can be lost.
    public func commitSetting() async throws(RepositoryError) -> String {
        try await read { connection throws(RepositoryError) in
            let query = try connection.statement("SELECT current_setting('synchronous_commit')")
            return try query.step() ? query.text(0) ?? "" : ""
        }
    }

    /// Does nothing: the housekeeping uses its connection at least once a minute, and so notices troubles.
    public func check() {}
}

extension PostgreSQLStore: SharedStore {
    public func listen(_ listener: SharedStoreListener) { feed.listen(listener) }

    public var isFresh: Bool { feed.isFresh }

    public func newestChange(inBucket bucket: Int) -> Int64 { max(newest[bucket], feed.newestKnown(inBucket: bucket)) }

    public func knowsChange(_ number: Int64, inBucket bucket: Int) -> Bool { feed.knows(number, inBucket: bucket) }
}

/// Lanes for writes, for short reads and for long reads.
private struct Access: SQLAccess {
    let writes: ConnectionLanes
    let shortReads: ConnectionLanes
    let longReads: ConnectionLanes

    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await writes.perform(body)
    }

    func read<Result: Sendable>(of user: UserID?, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await shortReads.perform(of: user, body)
    }

    func readLong<Result: Sendable>(of user: UserID?, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await longReads.perform(of: user, body)
    }
}
