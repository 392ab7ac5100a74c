import PulseBoardDomain
import StoreSQL
import Synchronization

/// Reads four times a second what other servers have changed.
///
/// - For users whom some client of this server watches: whether any write has locked them since (`owner.last_change`).
/// - For all users, by buckets: whether a profile was written or a session ended (`generation`), so that memory drops stale values.
///
/// It does not use LISTEN and NOTIFY, because NOTIFY takes a lock for the whole database at every COMMIT.
final class ChangeFeed: Sendable {
    /// The number of counters. Many users share one.
    static let bucketCount = UserBucket.count
    private static let pause = Duration.milliseconds(250)
    /// Watched users in one question.
    private static let usersAtOnce = 1_000
    /// Maximum age of the last look for memory to be trusted.
    private static let freshness = Duration.seconds(1)
    /// The age of the numbers at which they are looked at between two questions about users. They are younger when a look begins.
    private static let numbersAge = pause * 2
    /// How long before its end the trust in the primary is renewed, so that memory in use always has it.
    private static let margin = Duration.seconds(1)
    /// How long looks fail before it is reported, and watchers are woken without them.
    private static let patience = Duration.seconds(5)
    /// How often watchers are then woken.
    private static let pauseBetweenWakings = Duration.seconds(10)

    private let closeSignal = CloseSignal()
    private let listener = Mutex<SharedStoreListener?>(nil)
    private let thread = Mutex<ConnectionThread?>(nil)
    private let reachability: Reachability
    private let transactions: Transactions

    private struct Latest {
        /// When the last completed look began.
        var look: Duration?
        /// When its server was last known to be the primary (`Transactions.confirm`).
        var confirmed: Duration?
        /// The numbers that the look found.
        var numbers: [Int64] = []
        /// Whether memory was needed since. If not, the primary need not be confirmed.
        var isWanted = true
    }

    private let latest = Mutex(Latest())

    /// A time in which every look has failed.
    private struct Deafness {
        /// When the first of them failed.
        let begin: Duration
        /// When the watchers are woken next.
        var wakingDue: Duration
        var trouble: StoreTrouble
    }

    /// `nil` if the last look succeeded.
    private let deafness = Mutex<Deafness?>(nil)
    private let clock: any WallClock

    init(_ transactions: Transactions, _ reachability: Reachability, clock: any WallClock) {
        self.transactions = transactions
        self.reachability = reachability
        self.clock = clock
    }

    /// Begins to look. Call it once.
    func listen(_ listener: SharedStoreListener) {
        self.listener.withLock { $0 = listener }
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = ConnectionThread("pulseboard changes") { [self] _ in run() }
        }
    }

    /// Whether this process knows every write that was acknowledged a second ago.
    var isFresh: Bool {
        let now = transactions.uptime()
        return latest.withLock { latest in
            latest.isWanted = true
            guard let look = latest.look, let confirmed = latest.confirmed else { return false }
            return now - look < Self.freshness && now - confirmed < Transactions.trust
        }
    }

    /// Why all looks of some seconds have failed, and how many; `nil` if they have not. A store that is out of reach reports that itself.
    var trouble: StoreTrouble? {
        let now = transactions.uptime()
        return deafness.withLock { deafness in
            guard let deafness, now - deafness.begin >= Self.patience else { return nil }
            return deafness.trouble
        }
    }

    /// Whether this process knows a number, and memory has dropped what it made stale.
    func knows(_ number: Int64, inBucket bucket: Int) -> Bool {
        latest.withLock { $0.numbers.isEmpty ? false : $0.numbers[bucket] >= number }
    }

    /// The newest number that this process knows; 0 before the first look.
    func newestKnown(inBucket bucket: Int) -> Int64 { latest.withLock { $0.numbers.isEmpty ? 0 : $0.numbers[bucket] } }

    func close() {
        closeSignal.set()
        thread.withLock { $0.take() }?.join()
    }

    // MARK: On its thread

    private struct Known {
        /// The number of each bucket; `nil` before the first look, and after a failed one.
        var numbers: [Int64]?
        /// When the last look at the numbers began; `nil` before the first.
        var look: Duration?
        var changes: [UserID: Int64] = [:]
    }

    private func run() {
        var connection = LaneConnection(reachability, for: .changes)
        var known = Known()
        repeat {
            guard let listener = listener.withLock({ $0 }) else { return }
            do throws(PostgreSQLFailure) {
                try look(listener, &known, connection.session())
                deafness.withLock { $0 = nil }
            } catch {
                // Known numbers stay valid, because numbers only rise.
                connection.drop()
                // Only the watchers can tell then whether something has changed. If they cannot read either, their watches end with the error.
                if isWakingDue(after: error) { listener.changed(listener.watched()) }
            }
        } while !closeSignal.pause(Self.pause)
    }

    /// Records a failed look.
    /// - Returns: whether the watchers must be woken now. While the whole store is out of reach, that would only end their watches.
    private func isWakingDue(after failure: PostgreSQLFailure) -> Bool {
        guard case .storeUnavailable(let kind, let detail) = failure.error else { return false }
        let isStoreOut = transactions.health.trouble.map { $0.failure == .unreachable || $0.failure == .outdated } ?? false
        let (now, time) = (transactions.uptime(), clock.now())
        return deafness.withLock { deafness in
            var present = deafness ?? Deafness(
                begin: now, wakingDue: now + Self.patience, trouble: StoreTrouble(failure: kind, detail: detail, since: time, count: 0))
            guard !isStoreOut else {
                // What the store reports is not reported here too. What was reported before goes on.
                deafness = now - present.begin >= Self.patience ? present : nil
                return false
            }
            present.trouble.count += 1
            let isDue = now >= present.wakingDue
            if isDue { present.wakingDue = now + Self.pauseBetweenWakings }
            deafness = present
            return isDue
        }
    }

    /// Looks at the watched users, then at the numbers, and then tells who has changed.
    ///
    /// A woken watcher may be answered from memory. So memory must have dropped what a change made stale before its watchers are woken: numbers that
    /// are read after the user's row include the change. A change between the two is not told yet, and the next look finds it.
    ///
    /// If there are many users, the numbers are looked at between the questions too. So memory is as fresh for a million watched users as for none.
    private func look(_ listener: SharedStoreListener, _ known: inout Known, _ session: PostgreSQLSession) throws(PostgreSQLFailure) {
        let watched = listener.watched()
        var found: [UserID: Int64] = [:]
        var changed: [UserID] = []
        for start in stride(from: 0, to: watched.count, by: Self.usersAtOnce) {
            if areNumbersDue(known) {
                try lookAtNumbers(listener, &known, session)
                tell(&changed, listener)
            }
            let piece = Array(watched[start..<min(start + Self.usersAtOnce, watched.count)])
            let changes = try snapshot(session) { connection throws(RepositoryError) in try Self.changes(of: piece, session) }
            // A new watcher may have read memory. So it is woken once in any case.
            changed += piece.filter { known.changes[$0] != changes[$0] }
            found.merge(changes) { $1 }
        }
        try lookAtNumbers(listener, &known, session)
        known.changes = found
        tell(&changed, listener)
    }

    private func areNumbersDue(_ known: Known) -> Bool {
        guard let look = known.look else { return true }
        return transactions.uptime() - look >= Self.numbersAge
    }

    private func tell(_ changed: inout [UserID], _ listener: SharedStoreListener) {
        guard !changed.isEmpty else { return }
        listener.changed(changed)
        changed = []
    }

    private func lookAtNumbers(
        _ listener: SharedStoreListener, _ known: inout Known, _ session: PostgreSQLSession
    ) throws(PostgreSQLFailure) {
        let begin = transactions.uptime()
        let numbers = try allNumbers(session)
        let isWanted = latest.withLock { latest in
            defer { latest.isWanted = false }
            return latest.isWanted
        }
        if isWanted { try transactions.confirm(session, early: Self.margin) }
        let outdated = numbers.indices.filter { known.numbers?[$0] != numbers[$0] }
        known.numbers = numbers
        known.look = begin
        if !outdated.isEmpty { listener.forget(Set(outdated)) }
        // From here on, memory has nothing that is older than the look.
        latest.withLock { latest in
            (latest.look, latest.confirmed, latest.numbers) = (begin, session.confirmed, numbers)
        }
    }

    /// Reads one snapshot.
    private func snapshot<Value>(
        _ session: PostgreSQLSession, _ body: (borrowing SQLConnection) throws(RepositoryError) -> Value
    ) throws(PostgreSQLFailure) -> Value {
        try session.begin(.read)
        let value: Value
        do throws(RepositoryError) { value = try body(SQLConnection(session)) } catch { throw session.failure ?? .lost(detail: "\(error)") }
        try session.leave()
        return value
    }

    /// The number of each bucket. Missing rows are made again, because without them no look would succeed.
    private func allNumbers(_ session: PostgreSQLSession) throws(PostgreSQLFailure) -> [Int64] {
        for _ in 1...2 {
            let numbers = try snapshot(session) { connection throws(RepositoryError) in try Self.numbers(connection) }
            if let numbers { return numbers }
            try makeMissingRows(session)
        }
        throw .refused(.other, detail: "rows of the table generation are missing")
    }

    /// - Returns: `nil` if a bucket has no row.
    private static func numbers(_ connection: borrowing SQLConnection) throws(RepositoryError) -> [Int64]? {
        let statement = try connection.statement(
            "SELECT bucket, number FROM generation WHERE bucket >= 0 AND bucket < \(bucketCount) ORDER BY bucket")
        var numbers: [Int64] = []
        while try statement.step() {
            guard let bucket = statement.integer(0), let number = statement.integer(1) else {
                throw .corruptRow(table: "generation", key: statement.key(0))
            }
            guard bucket == Int64(numbers.count) else { return nil }
            numbers.append(number)
        }
        return numbers.count == bucketCount ? numbers : nil
    }

    // A write makes the row of its own bucket. The time is a number that the row never had. So every server drops what memory has of the bucket's
    // users.
    private static let insertionOfNumbers = Query(
        """
        INSERT INTO generation (bucket, number)
        SELECT bucket, \(OperationKey.now) FROM generate_series(0, \(bucketCount - 1)) AS bucket
        ON CONFLICT (bucket) DO NOTHING
        """)

    private func makeMissingRows(_ session: PostgreSQLSession) throws(PostgreSQLFailure) {
        try session.begin(.write)
        // The session keeps the failure.
        do throws(RepositoryError) {
            try SQLConnection(session).run(Self.insertionOfNumbers)
        } catch {}
        switch session.end() {
        case .committed: return
        case .rolledBack(let failure), .unknown(let failure): throw failure
        }
    }

    /// Users without a row are absent: no write has ever locked them.
    private static func changes(of users: [UserID], _ session: PostgreSQLSession) throws(RepositoryError) -> [UserID: Int64] {
        guard !users.isEmpty else { return [:] }
        var changes: [UserID: Int64] = [:]
        let cursor = session.statement(lastChanges)
        defer { cursor.reset() }
        cursor.bind(users)
        while try cursor.step() {
            guard let user = cursor.bits(0).map(UserID.init(bits:)), let change = cursor.integer(1) else {
                throw .corruptRow(table: "owner", key: "last_change")
            }
            changes[user] = change
        }
        return changes
    }

    private static let lastChanges = Query("SELECT user_id, last_change FROM owner WHERE user_id = ANY (?)")
}
