import DiarySealing
import PulseBoardDomain
import Synchronization

/// The repositories on a SQL database. SQLite and PostgreSQL share the same rules.
///
/// A subclass opens its kind of database and gives access to it. Only this target decides what is read and written, in which order and under
/// which locks. It also has the health of a store, its housekeeping, and the threads of its connections.
///
/// `@unchecked Sendable` is sound: every stored property here is an immutable `Sendable` value, and so are those of the subclasses, which are final.
/// The compiler cannot check a class with subclasses.
open class SQLStore: PulseBoardStore, @unchecked Sendable {
    private let access: any SQLAccess
    private let shortReads = UserPlaces(limit: SQLStore.shortReadsOfUser)
    private let longReads = UserPlaces(limit: SQLStore.longReadsOfUser)
    private let tokenReads = UserPlaces(limit: SQLStore.tokenReadsOfSource)
    private let ownWrites: UserPlaces
    private let signIns: UserPlaces
    /// Writes by others on a user; `nil` if such writes do not keep a connection each.
    private let writesOnOthers: UserPlaces?
    /// Removes what has expired, and the follows of removed users.
    package let housekeeping: Housekeeping
    /// Writes follow events.
    package let events: FollowEventLog
    /// Remembers writes with a request id.
    let requests = RememberedRequests()
    /// Decides who owns a name.
    package let usernames: Usernames
    /// Seals and opens diaries.
    package let vault: DiaryVault

    /// - Parameters:
    ///   - writesOfUser: writes of one user that are queued or running.
    ///   - writesOnUser: writes by others on one user that are queued or running, such as follows of the user; `nil` for no limit.
    package init(
        access: any SQLAccess, housekeeping: Housekeeping, events: FollowEventLog, usernames: Usernames, vault: DiaryVault,
        writesOfUser: Int = SQLStore.writesOfUser, writesOnUser: Int? = nil
    ) {
        ownWrites = UserPlaces(limit: writesOfUser)
        signIns = UserPlaces(limit: max(1, writesOfUser / 2))
        writesOnOthers = writesOnUser.map { UserPlaces(limit: $0) }
        self.vault = vault
        self.access = access
        self.housekeeping = housekeeping
        self.events = events
        self.usernames = usernames
    }

    /// Keys that diaries are sealed with and that the file of keys lacks. If there are any, every diary call throws `diary(.locked)`.
    public var missingDiaryKeys: Set<DiaryKeys.ID> { vault.missingKeys }

    public var areDiariesLocked: Bool { !vault.missingKeys.isEmpty }

    /// The keys with which diaries may have been sealed when the store was opened, and the one that seals since. One key alone means that a sweep has
    /// ended since the last server was started, so that no other key of the file is needed.
    public var diaryKeysAtStart: Set<DiaryKeys.ID> { vault.keysAtStart }

    /// The keys with which diaries may be sealed. Other keys of the file are not needed any more. ``DiaryKeys/ID/none`` stands for unsealed data.
    public func diaryKeysInUse() async throws(RepositoryError) -> Set<DiaryKeys.ID> {
        try await read { connection throws(RepositoryError) in
            let statement = try connection.statement("SELECT key_id FROM diary_seal")
            var ids: Set<DiaryKeys.ID> = []
            while try statement.step() { ids.insert(DiaryKeys.ID(bytes: statement.blob(0) ?? [])) }
            return ids
        }
    }

    /// Why the last removal of expired rows failed; `nil` if it did not. No caller's write fails with it.
    public var housekeepingFailure: RepositoryError? { housekeeping.failure }

    /// Why nothing is removed at present; `nil` if the clock is trusted. Expired sessions, remembered writes and events still count as absent. They
    /// are removed when the clock is trusted again.
    public var clockDoubt: ClockDoubt? { housekeeping.clockDoubt }

    public func setUsernamePolicy(_ policy: UsernamePolicy) { usernames.policy = policy }

    public func onFollowsEnded(_ tell: @escaping @Sendable ([UserID]) -> Void) { housekeeping.onFollowsEnded(tell) }

    // MARK: Access

    // Limits of one user in the queues, which take memory. What is over a limit waits in its order. The queue of reads is also fair by time
    // (`FairQueue`).

    /// Writes that are queued or running, where all writes share one connection.
    package static let writesOfUser = 256
    /// Short reads that are queued or running, or whose results nobody has taken yet. The results are taken on the event loop, in the order in which
    /// they come. So few of one user may come at once.
    package static let shortReadsOfUser = 32
    /// Looks for tokens that are queued or running, or whose results nobody has taken yet, of one source (``CallSource``). After a start the
    /// session of everybody behind a gateway is looked for, so one user's places would be too few. A look reads two rows by their keys.
    package static let tokenReadsOfSource = 256
    /// Long reads that are queued or running, or whose results nobody has taken yet. They are few, because a result may be large: what it becomes is
    /// encoded on the event loop, before the results of others that come later.
    package static let longReadsOfUser = 8

    /// Performs a write in one transaction, which is durable when this returns. The body may run more than once, and only the last run has an
    /// effect. So it must only read and write the database.
    package func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await access.write(body)
    }

    /// Performs a write for a user. At most ``writesOfUser`` of the user's writes are in the queue at once.
    /// - Throws: `cancelled` when the caller's task is cancelled while the write waits for its turn. Then nothing is written.
    package func write<Result: Sendable>(
        of user: UserID, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        let place = try await ownWrites.take(user)
        defer { withExtendedLifetime(place) {} }
        return try await access.write(body)
    }

    /// Performs a write of a user that also locks another user, such as a follow. Each of the two has a limit: many followers of one user would
    /// otherwise keep all connections while they wait for that user's row.
    ///
    /// The user's own place is taken first. Nobody who has a place on another user waits for a further one, so there is no deadlock. The other user's
    /// own writes need no such place, so nobody can keep them waiting in this process.
    package func write<Result: Sendable>(
        of user: UserID, on other: UserID, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        let own = try await ownWrites.take(user)
        defer { withExtendedLifetime(own) {} }
        return try await write(on: other, body)
    }

    /// Performs a write of nobody that locks a user, or the housekeeping. It has the same limit as the writes of others on that user.
    /// - Parameter isPatient: whether it waits for a place.
    /// - Throws: `cancelled` if there is no place, and it does not wait.
    package func write<Result: Sendable>(
        on other: UserID, isPatient: Bool = true, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        guard let writesOnOthers else { return try await access.write(body) }
        guard let place = try await isPatient ? writesOnOthers.take(other) : writesOnOthers.takeNow(other) else { throw .cancelled }
        defer { withExtendedLifetime(place) {} }
        return try await access.write(body)
    }

    /// Performs a sign-in to an account. Its user is not known before the write, so sign-ins are limited by their account, to half the writes of a
    /// user. A sign-in is not made if its caller has left before it begins: nobody would get the token. So clients that call and leave cost no
    /// transactions.
    /// - Throws: `cancelled` when the caller's task is cancelled before the write begins. Then nothing is written.
    package func write<Result: Sendable>(
        signingInTo account: AccountID, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        let place = try await signIns.take(Self.key(of: account))
        defer { withExtendedLifetime(place) {} }
        return try await skippedWithoutCaller(body) { body async throws(RepositoryError) in try await access.write(body) }
    }

    /// What stands for an account or a source in ``UserPlaces`` and in the queue of reads. The hash has this process's secret, so nobody can
    /// look for another one with the same.
    private static func key(of caller: some Hashable) -> UserID {
        func half(_ number: UInt8) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(number)
            hasher.combine(caller)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return UserID(bits: UUIDBits(high: half(0), low: half(1)))
    }

    /// Performs a read of a few rows. All its statements see one snapshot of the database.
    package func read<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await access.read(of: nil, body)
    }

    /// Performs a read of a few rows for a user. At most ``shortReadsOfUser`` of the user's short reads are in the queue at once.
    /// - Throws: `cancelled` when the caller's task is cancelled while the read waits for its turn; and what `body` throws.
    package func read<Result: Sendable>(
        of user: UserID, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        let place = try await shortReads.take(user)
        defer { withExtendedLifetime(place) {} }
        return try await access.read(of: user, body)
    }

    /// Performs a look for a token. Nobody knows whose it is, so the looks of a source have their places together, and are one user to the
    /// queue. At most ``tokenReadsOfSource`` of them are in the queue at once.
    /// - Throws: `cancelled` when the caller's task is cancelled while the look waits for its turn; and what `body` throws.
    package func readToken<Result: Sendable>(
        for source: CallSource, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        let key = Self.key(of: source)
        let place = try await tokenReads.take(key)
        defer { withExtendedLifetime(place) {} }
        return try await access.read(of: key, body)
    }

    /// Performs a read that may look at many rows for a user, also on one snapshot. It does not delay short reads. At most ``longReadsOfUser`` of the
    /// user's long reads are in the queue at once. If the caller's task is cancelled before the read begins, nothing is read.
    /// - Throws: `cancelled`, and what `body` throws.
    package func readLong<Result: Sendable>(
        of user: UserID, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        let place = try await longReads.take(user)
        defer { withExtendedLifetime(place) {} }
        return try await readLong(queuedFor: user, body)
    }

    /// Performs a read that may look at many rows on the server's own behalf, also on one snapshot. It is not counted for a user. If the task is
    /// cancelled before the read begins, nothing is read.
    /// - Throws: `cancelled`, and what `body` throws.
    package func readLong<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await readLong(queuedFor: nil, body)
    }

    private func readLong<Result: Sendable>(
        queuedFor user: UserID?, _ body: @escaping QueuedBody<Result>.Body
    ) async throws(RepositoryError) -> Result {
        try await skippedWithoutCaller(body) { body async throws(RepositoryError) in try await access.readLong(of: user, body) }
    }

    /// Queues an access that is skipped if the caller's task is cancelled before the access begins.
    /// - Throws: `cancelled`, and what `body` throws.
    private func skippedWithoutCaller<Result: Sendable>(
        _ body: @escaping QueuedBody<Result>.Body,
        _ queue: (@escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
    ) async throws(RepositoryError) -> Result {
        let cancellation = Cancellation()
        let outcome: Swift.Result<Result, RepositoryError> = await withTaskCancellationHandler {
            do throws(RepositoryError) {
                return .success(try await queue { connection throws(RepositoryError) in
                    guard !cancellation.hasHappened.load(ordering: .relaxed) else { throw .cancelled }
                    return try body(connection)
                })
            } catch { return .failure(error) }
        } onCancel: {
            cancellation.hasHappened.store(true, ordering: .relaxed)
        }
        return try outcome.get()
    }

    private final class Cancellation: Sendable {
        let hasHappened = Atomic(false)
    }
}

/// Access to a database on its own threads. Reads are queued fairly among users; `nil` is the server itself.
package protocol SQLAccess: Sendable {
    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
    func read<Result: Sendable>(of user: UserID?, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
    func readLong<Result: Sendable>(of user: UserID?, _ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
}

extension SQLStore {
    public func secret(named name: String, orStore candidate: [UInt8]) async throws(RepositoryError) -> [UInt8] {
        try await write { connection throws(RepositoryError) in
            var insertion = try connection.statement(
                "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
            try insertion.bind(name)
            try insertion.bind(candidate)
            try insertion.run()
            var query = try connection.statement("SELECT value FROM secret WHERE name = ?")
            try query.bind(name)
            guard try query.step() else { throw .emptyValue(table: "secret", key: name) }
            guard let value = query.blob(0), value.count == candidate.count else {
                throw .corruptRow(table: "secret", key: name)
            }
            return value
        }
    }
}
