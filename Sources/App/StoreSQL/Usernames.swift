import PulseBoardDomain
import Synchronization

/// Decides who has a username. The table `username` has a row for every owned name, every name held for its former owner, and every reserved name.
///
/// A new row is made only if no valid row has the name or its skeleton. A held or reserved name is valid until it expires. Then the next user who
/// takes the name, or the housekeeping, removes the row. A clock that may be wrong ends no claim (``JudgedTime``).
package final class Usernames: Sendable {
    private let present: Mutex<UsernamePolicy>

    /// How long names are kept for their owners. A new value is used from the next transaction on.
    package var policy: UsernamePolicy {
        get { present.withLock { $0 } }
        set { present.withLock { $0 = newValue } }
    }

    package init(policy: UsernamePolicy) { present = Mutex(policy) }

    typealias Kind = ClaimedUsername.Kind

    // MARK: Asking

    /// Checks whether a user could take a name.
    /// - Parameters:
    ///   - time: read before the transaction, like the policy: a read may run several times, and must ask the same each time.
    ///   - policy: the ``policy`` before the transaction.
    /// - Throws: what taking it would throw.
    static func check(
        _ name: Username, for user: UserID, at time: JudgedTime, _ policy: UsernamePolicy, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        if let profile = try SQLStore.profile(of: user, connection), profile.username.key != name.key {
            try checkCooldown(of: profile, at: time, policy, connection)
        }
        _ = try standing(of: name, for: user, at: time, connection)
    }

    /// A user's present claim to a name.
    private struct Standing {
        let kind: Kind
        let expireTime: Timestamp
    }

    private static let rowsBySkeleton = Query("SELECT username_key, user_id, kind, expire_time FROM username WHERE skeleton = ?")

    /// Looks at the name and all names that look like it.
    /// - Returns: the user's claim to the name; `nil` if the name is free.
    /// - Throws: `usernameDuplicated` if somebody else has the name, `usernameConfusable` if somebody else has one that looks like it.
    private static func standing(
        of name: Username, for user: UserID, at time: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Standing? {
        var statement = try connection.statement(rowsBySkeleton)
        try statement.bind(name.skeleton)
        var own: Standing?
        var looksLikeAnother = false
        while try statement.step() {
            guard let key = statement.text(0), let kind = statement.integer(2).flatMap(Kind.init), let expireTime = statement.time(3) else {
                throw .corruptRow(table: "username", key: statement.key(0))
            }
            guard kind == .owned || expireTime > time.end else { continue }
            // NULL means nobody.
            if !statement.isNull(1) {
                guard let holder = statement.identifier(1, as: UserID.self) else { throw .corruptRow(table: "username", key: key) }
                if holder == user {
                    if key == name.key { own = Standing(kind: kind, expireTime: expireTime) }
                    continue
                }
            }
            guard key != name.key else { throw .usernameDuplicated }
            looksLikeAnother = true
        }
        // Somebody else's look-alike may be older than the rule. It does not take the own name away.
        if looksLikeAnother, own?.kind != .owned { throw .usernameConfusable }
        return own
    }

    /// When a profile took its present name; `nil` if the row is missing.
    private static func takeTime(of profile: Profile, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Timestamp? {
        var statement = try connection.statement("SELECT take_time FROM username WHERE username_key = ? AND user_id = ? AND kind = 0")
        try statement.bind(profile.username.key)
        try statement.bind(profile.id)
        guard try statement.step() else { return nil }
        guard let time = statement.time(0) else { throw .corruptRow(table: "username", key: profile.username.key) }
        return time
    }

    /// - Throws: `usernameChangedRecently`.
    private static func checkCooldown(
        of profile: Profile, at judged: JudgedTime, _ policy: UsernamePolicy, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        let time = judged.end, end = endOfFreePeriod(createTime: profile.createTime)
        guard policy.cooldown.microseconds > 0, time >= end, let taken = try takeTime(of: profile, connection), taken >= end else { return }
        // The clock was ahead when the name was taken. When that was is unknown.
        guard taken <= time.advanced(by: ClockJudge.tolerance) else { return }
        let availableTime = taken.advanced(by: policy.cooldown)
        guard time >= availableTime else { throw .usernameChangedRecently(availableTime: availableTime) }
    }

    private static func endOfFreePeriod(createTime: Timestamp) -> Timestamp { createTime.advanced(by: UsernamePolicy.freePeriod) }

    // Two conditions, because the index by holder leaves out the owned names.
    private static let rowsOfUser = Query(
        """
        SELECT username_key, kind, take_time, expire_time FROM username WHERE user_id = ?1 AND kind <> 0
        UNION ALL
        SELECT u.username_key, u.kind, u.take_time, u.expire_time FROM profile p JOIN username u ON u.username_key = p.username_key
        WHERE p.user_id = ?1 AND u.user_id = ?1 AND u.kind = 0
        ORDER BY 2, 4, 1
        """)

    /// Reads all names of a user, expired ones too while their rows are kept.
    static func all(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> [ClaimedUsername] {
        var statement = try connection.statement(rowsOfUser)
        try statement.bind(user)
        var names: [ClaimedUsername] = []
        while try statement.step() {
            guard let key = statement.text(0), let kind = statement.integer(1).flatMap(Kind.init), let takeTime = statement.time(2),
                let expireTime = statement.time(3)
            else { throw .corruptRow(table: "username", key: statement.key(0)) }
            names.append(ClaimedUsername(key: key, kind: kind, takeTime: takeTime, expireTime: kind == .owned ? nil : expireTime))
        }
        return names
    }

    // MARK: Taking

    /// Gives a profile another name, and gives up the present one.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`.
    func change(
        of profile: Profile, to name: Username, at time: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        try Self.checkCooldown(of: profile, at: time, policy, connection)
        try take(name, for: profile.id, at: time, connection)
        let former = Former(user: profile.id, key: profile.username.key, createTime: profile.createTime)
        // If the row of the former name is missing, the name is free already (`admin check`). Its owner can still choose another one.
        _ = try giveUp(former, at: time.begin, connection)
    }

    /// Gives a new profile its name.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`.
    func take(_ name: Username, for user: UserID, at time: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        _ = try Self.standing(of: name, for: user, at: time, connection)
        try dropLease(of: user, connection)
        try put(name, for: user, .owned, at: time, expiring: Timestamp(microseconds: 0), connection)
    }

    /// Reserves a name for a user.
    /// - Throws: `usernameDuplicated`, `usernameConfusable`, `usernameChangedRecently`.
    func reserve(
        _ name: Username, for user: UserID, at time: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> UsernameLease {
        try PendingWithdrawal.requireNone(of: user, connection)
        if let profile = try SQLStore.profile(of: user, connection), profile.username.key != name.key {
            try Self.checkCooldown(of: profile, at: time, policy, connection)
        }
        let standing = try Self.standing(of: name, for: user, at: time, connection)
        if standing?.kind == .owned { return UsernameLease(username: name, expireTime: nil) }
        try dropLease(of: user, connection)
        let end = time.begin.advanced(by: UsernamePolicy.leaseLifetime)
        // A name that is held for longer stays held. At the end of its time it becomes the user's one lease, so that nobody keeps several for ever.
        if let standing, standing.kind == .held, standing.expireTime >= end { return UsernameLease(username: name, expireTime: standing.expireTime) }
        try put(name, for: user, .leased, at: time, expiring: end, connection)
        return UsernameLease(username: name, expireTime: end)
    }

    private func dropLease(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        // `kind <> 0` is the condition of the index, so that the index is used.
        var statement = try connection.statement("DELETE FROM username WHERE user_id = ? AND kind <> 0 AND kind = 2")
        try statement.bind(user)
        try statement.run()
    }

    private static let removeEarlier = Query(
        "DELETE FROM username WHERE skeleton = ?1 AND (username_key = ?2 AND user_id = ?4 OR kind <> 0 AND expire_time <= ?3)")
    // `likeness` is 0 if no other name looks like this one. If two writers see the same names, the unique index refuses one of them. A writer that
    // sees another user's name inserts nothing.
    private static let insertion = Query(
        """
        INSERT INTO username (username_key, user_id, kind, take_time, expire_time, skeleton, likeness)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, looks.next FROM (
            SELECT coalesce(max(likeness) + 1, 0) AS next, count(CASE WHEN user_id IS NULL OR user_id <> ?2 THEN 1 END) AS others
            FROM username WHERE skeleton = ?6) AS looks WHERE looks.others = 0
        ON CONFLICT (username_key) DO NOTHING
        """)

    /// Makes the row of a name that nobody else has. It replaces expired rows and the user's own.
    private func put(
        _ name: Username, for user: UserID, _ kind: Kind, at time: JudgedTime, expiring expireTime: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var removal = try connection.statement(Self.removeEarlier)
        try removal.bind(name.skeleton)
        try removal.bind(name.key)
        try removal.bind(time.end)
        try removal.bind(user)
        try removal.run()
        var statement = try connection.statement(Self.insertion)
        try statement.bind(name.key)
        try statement.bind(user)
        try statement.bind(kind.rawValue)
        try statement.bind(time.stated)
        try statement.bind(expireTime)
        try statement.bind(name.skeleton)
        try statement.run()
        guard connection.changes != 1 else { return }
        // Either another writer was faster, and the retry sees its row, or a damaged row has the name without its skeleton.
        if connection.hasOtherWriters, try Self.standing(of: name, for: user, at: time, connection) == nil { throw connection.startAgain() }
        throw .usernameDuplicated
    }

    // MARK: Giving up

    /// A name that its owner gives up.
    private struct Former {
        let user: UserID
        let key: String
        let createTime: Timestamp
    }

    /// - Returns: whether the user had it.
    private func giveUp(_ former: Former, at time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        let policy = policy
        // A profile of the future was made while the clock was ahead. How old it is is unknown.
        let isOld = time >= Self.endOfFreePeriod(createTime: former.createTime) || former.createTime > time.advanced(by: ClockJudge.tolerance)
        let isHeld = policy.hold.microseconds > 0 && isOld
        var statement = try connection.statement(
            isHeld
                ? "UPDATE username SET kind = 1, expire_time = ?3 WHERE username_key = ?1 AND user_id = ?2 AND kind = 0"
                : "DELETE FROM username WHERE username_key = ?1 AND user_id = ?2 AND kind = 0")
        try statement.bind(former.key)
        try statement.bind(former.user)
        if isHeld { try statement.bind(time.advanced(by: policy.hold)) }
        try statement.run()
        let had = connection.changes == 1
        if isHeld, had { try limitHolds(of: former.user, connection) }
        return had
    }

    private func limitHolds(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(
            """
            DELETE FROM username WHERE username_key IN (
                SELECT username_key FROM username WHERE user_id = ? AND kind <> 0 AND kind = 1
                ORDER BY expire_time DESC LIMIT 1000 OFFSET \(UsernamePolicy.heldNamesPerUser))
            """)
        try statement.bind(user)
        try statement.run()
    }

    /// Gives up the name of a user who withdraws, and the reserved name. Held names stay held, because the account remains.
    ///
    /// A row that does not agree with the profile is searched for, and removed at once.
    func giveUpAll(of user: UserID, at time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        try dropLease(of: user, connection)
        if let former = try former(of: user, connection), try giveUp(former, at: time, connection) { return }
        var statement = try connection.statement("DELETE FROM username WHERE user_id = ? AND kind = 0")
        try statement.bind(user)
        try statement.run()
    }

    /// The name in the profile's row; `nil` if the row cannot be read.
    private func former(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Former? {
        var statement = try connection.statement("SELECT username_key, create_time FROM profile WHERE user_id = ?")
        try statement.bind(user)
        guard try statement.step(), let key = statement.text(0), let createTime = statement.time(1) else { return nil }
        return Former(user: user, key: key, createTime: createTime)
    }

    // MARK: Expiring

    /// Removes expired rows, at most `rows`.
    /// - Returns: whether there may be more.
    static func removeExpired(at now: Timestamp, rows: Int64, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var statement = try connection.statement(
            """
            DELETE FROM username WHERE username_key IN (
                SELECT username_key FROM username WHERE kind <> 0 AND expire_time <= ? ORDER BY expire_time LIMIT ?)
            """)
        try statement.bind(now)
        try statement.bind(rows)
        try statement.run()
        return connection.changes >= rows
    }
}
