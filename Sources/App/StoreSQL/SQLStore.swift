import DiarySealing
import PulseBoardDomain

/// The repositories on a SQL database: one code of rules for SQLite and for PostgreSQL.
///
/// A subclass opens a database of its kind and gives access to it. What is read and written, in which order and under which locks, stands in this
/// target alone. So do the health of a store, its housekeeping, and the threads that hold its connections.
///
/// Unchecked, because a class with subclasses cannot be checked: every stored property here is an immutable value that is `Sendable` itself, and so is
/// every one of the subclasses', which are final.
open class SQLStore: PulseBoardStore, @unchecked Sendable {
    private let access: any SQLAccess
    /// Removes what has expired, and the follows of withdrawn users.
    package let housekeeping: Housekeeping
    /// Writes the events of follows.
    package let events: FollowEventLog
    /// Decides who has a name.
    package let usernames: Usernames
    /// Seals and opens diaries.
    package let vault: DiaryVault

    package init(access: any SQLAccess, housekeeping: Housekeeping, events: FollowEventLog, usernames: Usernames, vault: DiaryVault) {
        self.vault = vault
        self.access = access
        self.housekeeping = housekeeping
        self.events = events
        self.usernames = usernames
    }

    /// Keys that diaries are sealed with and that the file of keys lacks. If there are any, every call about a diary is `diary(.locked)`.
    public var missingDiaryKeys: Set<DiaryKeys.ID> { vault.missingKeys }

    /// The keys with which something of diaries may be sealed; the others of the file are needed no longer. ``DiaryKeys/ID/none`` is what is not sealed.
    public func diaryKeysInUse() async throws(RepositoryError) -> Set<DiaryKeys.ID> {
        try await read { connection throws(RepositoryError) in
            let statement = try connection.statement("SELECT key_id FROM diary_seal")
            var ids: Set<DiaryKeys.ID> = []
            while try statement.step() { ids.insert(DiaryKeys.ID(bytes: statement.blob(0) ?? [])) }
            return ids
        }
    }

    /// Why the removal of expired rows last failed, or `nil`; no caller's write fails with it.
    public var housekeepingFailure: RepositoryError? { housekeeping.failure }

    /// Why nothing expires at present, or `nil`. The clock is more than a day away from what the last write and the machine's uptime say. Expired
    /// sessions, remembered writes and events still count as absent. They are removed when the clock is back, or has stayed for an hour.
    public var clockJump: ClockJump? { housekeeping.clockJump }

    public func onFollowsEnded(_ tell: @escaping @Sendable () -> Void) { housekeeping.onFollowsEnded(tell) }

    // MARK: Access

    /// Performs a write: in one transaction, which is durable when this returns. It may be performed more than once, all but the last time without
    /// effect, so it must only read and write the database.
    package func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await access.write(body)
    }

    /// Performs a read of a few rows: one snapshot of the database for all statements in it.
    package func read<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await access.read(body)
    }

    /// Performs a read that may look at many rows, one snapshot as well, apart from the short ones.
    package func readLong<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result {
        try await access.readLong(body)
    }
}

/// Access to a database on threads of its own.
package protocol SQLAccess: Sendable {
    func write<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
    func read<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
    func readLong<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) async throws(RepositoryError) -> Result
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
