import PulseBoardDomain

/// Writes users' follow counts and events, which change together, and removes events beyond the retention.
package struct FollowEventLog: Sendable {
    let retention: FollowEventRetention
    /// The owners with too many events, where one connection makes all writes.
    let surplus = SurplusOwners()

    package init(retention: FollowEventRetention) { self.retention = retention }

    /// How many events an owner may have stored. Another number is damage.
    private static let counts: ClosedRange<Int64> = 0...(1 << 40)

    /// How many owners one sweep looks at.
    static let ownersPerSweep: Int64 = 500
    /// Maximum events of one owner that are removed at once because there are too many.
    static let removedAtOnce: Int64 = 2_000

    /// The time of the next event: now, or a microsecond after the newest event if that is later.
    private static let nextEvent = "CASE WHEN last_event < ?2 THEN ?2 ELSE last_event + 1 END"
    /// The change of its owner's row by a kept event.
    static let counting = """
        last_event = CASE WHEN events_until <= ?2 THEN last_event WHEN last_event < ?2 THEN ?2 ELSE last_event + 1 END,
        event_count = CASE WHEN events_until <= ?2 THEN event_count ELSE event_count + 1 END
        """

    // A LEFT JOIN, so that missing counts are reported and do not look like a missing user (X17).
    private static let standingByUser = Query(
        """
        SELECT p.number, c.last_event, c.event_count, c.events_until
        FROM profile p LEFT JOIN follow_count c ON c.number = p.number WHERE p.user_id = ?
        """)
    // There is no RETURNING, because SQLite would make a temporary table for it each time. The separate read is cheaper.
    private static let advance = Query(
        """
        UPDATE follow_count SET followers = followers + ?2, following = following + ?3, last_event = ?4, event_count = ?5
        WHERE number = ?1
        """)
    private static let eventInsertion = Query(
        "INSERT INTO follow_event (owner, event_time, kind, other) VALUES (?, ?, ?, ?)")

    /// Keeps an owner's events from now on. If they were not kept before, events before now may be missing, so a watch cannot resume from an
    /// earlier position.
    /// - Returns: the time of the newest event; `nil` if the owner has no profile.
    func keep(
        _ owner: UserID, at now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Timestamp? {
        guard let number = try SQLStore.number(of: owner, connection) else { return nil }
        var statement = try connection.statement(
            """
            UPDATE follow_count SET
                event_floor = CASE WHEN events_until > ?2 THEN event_floor ELSE \(Self.nextEvent) END,
                last_event = CASE WHEN events_until > ?2 THEN last_event ELSE \(Self.nextEvent) END,
                events_until = CASE WHEN events_until > ?3 THEN events_until ELSE ?3 END
            WHERE number = ?1 RETURNING last_event
            """)
        try statement.bind(number)
        try statement.bind(now)
        try statement.bind(now.advanced(by: retention.lease))
        guard try statement.step() else { throw .emptyValue(table: "follow_count", key: owner.description) }
        guard let last = statement.time(0) else { throw .corruptRow(table: "follow_count", key: owner.description) }
        try statement.run()
        return last
    }

    /// The state of a user's events.
    struct Standing {
        let user: UserID
        let number: UserNumber
        fileprivate var last: Timestamp
        fileprivate var count: Int64
        fileprivate let until: Timestamp
    }

    /// Reads the state of a user's events before a change; `nil` if the user has no profile.
    func standing(
        of user: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Standing? {
        var statement = try connection.statement(Self.standingByUser)
        try statement.bind(user)
        guard try statement.step() else { return nil }
        guard !statement.isNull(1) else { throw .emptyValue(table: "follow_count", key: user.description) }
        guard let number = statement.userNumber(0), let last = statement.time(1), let count = statement.integer(2),
            Self.counts.contains(count), let until = statement.time(3)
        else {
            throw .corruptRow(table: "follow_count", key: user.description)
        }
        return Standing(user: user, number: number, last: last, count: count, until: until)
    }

    /// Changes the owner's counts by an event, and appends the event if the owner's events are kept.
    func append(
        _ kind: FollowEventKind, to standing: Standing, with other: UserID, at judged: JudgedTime,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var standing = standing
        // By a clock that is far ahead, nobody's events would be kept.
        let time = judged.stated < standing.until ? judged.stated : judged.end
        let isKept = time < standing.until
        if isKept {
            standing.last = max(time, standing.last.advanced(by: Timestamp.Interval(microseconds: 1)))
            standing.count += 1
        }
        var update = try connection.statement(Self.advance)
        try update.bind(standing.number)
        try update.bind(kind.countChange.followers)
        try update.bind(kind.countChange.following)
        try update.bind(standing.last)
        try update.bind(standing.count)
        try update.run()
        guard isKept else { return }
        var event = try connection.statement(Self.eventInsertion)
        try event.bind(standing.number)
        try event.bind(standing.last)
        try event.bind(kind.rawValue)
        try event.bind(other)
        try event.run()
        // Events are removed only after each 1/8 of the limit, so that the cost is small.
        let excess = standing.count - Int64(retention.count)
        guard excess > Int64(retention.count / 8) else { return }
        // One connection for all writes would keep everybody waiting if the events of many owners were removed at once.
        if connection.hasOtherWriters { _ = try removeSurplus(excess, of: standing.number, connection) } else { surplus.note(standing.number) }
    }

    /// Updates the counts of both sides for the end of an edge, and appends an event for each.
    func appendEnd(
        of follower: Standing, _ followee: Standing, by cause: FollowEvent.Cause, at time: JudgedTime,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        let kinds = FollowEventKind.end(cause)
        try append(kinds.follower, to: follower, with: followee.user, at: time, connection)
        try append(kinds.followee, to: followee, with: follower.user, at: time, connection)
    }

    // MARK: Forgetting

    /// Removes events that are too old, of the owners after `cursor`, at most `rows` of them.
    ///
    /// There is no index by time, because it would make every write more expensive. Each sweep looks at the next few owners, so all owners have
    /// their turn.
    /// - Parameter cursor: the last owner of the previous sweep; `nil` to begin with the first owner.
    /// - Returns: the owner to continue after, `nil` at the end of the round; and whether it ended because it had removed `rows`.
    func sweep(
        after cursor: UserNumber?, now: Timestamp, rows: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (cursor: UserNumber?, isFull: Bool) {
        let horizon = retention.horizon(at: now)
        let owners = try owners(after: cursor, upTo: horizon, connection)
        if connection.hasOtherWriters { try lock(owners.withOldEvents, connection) }
        var cursor = cursor
        var room = rows
        for owner in owners.withOldEvents {
            room -= try remove(from: owner, upTo: horizon, limit: room, connection)
            // This owner may have more, so the next sweep begins with it again.
            guard room > 0 else { return (cursor, true) }
            cursor = owner
        }
        return (owners.last, false)
    }

    /// Where a process begins with its sweeps: behind a random owner, so that frequent restarts do not always leave out the same ones. `nil` if one
    /// sweep looks at all owners; then it begins with the first.
    func start(_ connection: borrowing SQLConnection) throws(RepositoryError) -> UserNumber? {
        let statement = try connection.statement("SELECT max(number) FROM follow_count")
        guard try statement.step(), let last = statement.integer(0), last > Self.ownersPerSweep else { return nil }
        return UserNumber(rawValue: .random(in: 1..<last))
    }

    /// Looks at the next owners. Returns those with old events, and the last owner that was looked at; `nil` if no owners follow. Most owners have no
    /// old events and are not locked.
    private func owners(
        after cursor: UserNumber?, upTo horizon: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (withOldEvents: [UserNumber], last: UserNumber?) {
        var statement = try connection.statement(
            """
            SELECT number, event_count,
                CASE WHEN EXISTS (SELECT 1 FROM follow_event e WHERE e.owner = c.number AND e.event_time <= ?) THEN 1 ELSE 0 END
            FROM follow_count c WHERE number > ? ORDER BY number LIMIT ?
            """)
        try statement.bind(horizon)
        try statement.bind(cursor ?? .beforeFirst)
        try statement.bind(Self.ownersPerSweep)
        var seen: Int64 = 0
        var found: (withOldEvents: [UserNumber], last: UserNumber?) = ([], nil)
        while try statement.step() {
            guard let owner = statement.userNumber(0), let count = statement.integer(1) else {
                throw .corruptRow(table: "follow_count", key: statement.key(0))
            }
            if count > 0, statement.integer(2) == 1 { found.withOldEvents.append(owner) }
            found.last = owner
            seen += 1
        }
        if seen < Self.ownersPerSweep { found.last = nil }
        return found
    }

    private func lock(_ owners: [UserNumber], _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var users: [UserID] = []
        for owner in owners {
            var statement = try connection.statement("SELECT user_id FROM profile WHERE number = ?")
            try statement.bind(owner)
            // A user who has asked to leave has no profile row. Nobody writes their counts, so no lock is needed.
            guard try statement.step() else { continue }
            // Nor is it for a damaged row, because no call finds its user. It must not stop the removal.
            if let user = statement.identifier(0, as: UserID.self) { users.append(user) }
        }
        try connection.lockOrYield(users)
    }

    /// Removes the surplus of some noted owners. It takes owners until they have as many events together as one owner may have. What it leaves is for
    /// the next transaction. An owner may have more than the limit until then.
    func removeSurplus(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        var room = Int64(FollowEventRetention.standard.count)
        while room > 0, let owner = surplus.takeFirst() {
            guard let count = try count(of: owner, connection) else { continue }
            room -= count
            let excess = count - Int64(retention.count)
            guard excess > 0 else { continue }
            if try removeSurplus(excess, of: owner, connection) { surplus.note(owner) }
        }
    }

    /// How many events an owner has; `nil` if the owner is gone.
    private func count(of owner: UserNumber, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64? {
        var statement = try connection.statement("SELECT event_count FROM follow_count WHERE number = ?")
        try statement.bind(owner)
        guard try statement.step() else { return nil }
        guard let count = statement.integer(0), Self.counts.contains(count) else {
            throw .corruptRow(table: "follow_count", key: owner.description)
        }
        return count
    }

    /// Removes an owner's surplus, at most ``removedAtOnce`` events: first what other users have beyond their places, then the oldest events.
    /// - Returns: whether there is more.
    private func removeSurplus(_ count: Int64, of owner: UserNumber, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var removed = try removeRepeated(of: owner, connection)
        let rest = min(count, Self.removedAtOnce) - removed
        if rest > 0 { removed += try remove(from: owner, upTo: Timestamp(microseconds: .max), limit: rest, connection) }
        return removed > 0 && removed < count
    }

    // The direction of an event is odd or even, as its kind (`FollowEventKind`).
    private static let repeating = Query(
        "SELECT 1 FROM follow_event WHERE owner = ? GROUP BY other, kind % 2 HAVING count(*) > ? LIMIT 1")
    private static let repeatedDeletion = Query(
        """
        DELETE FROM follow_event WHERE owner = ?1 AND event_time IN (
            SELECT event_time FROM (
                SELECT event_time, row_number() OVER (PARTITION BY other, kind % 2 ORDER BY event_time DESC) AS place
                FROM follow_event WHERE owner = ?1) AS placed
            WHERE place > ?2 ORDER BY event_time LIMIT ?3)
        """)

    /// Removes the oldest events, at most ``removedAtOnce``, of other users who have more than their places. `event_floor` stays: a reader from
    /// before a removed event lacks only changes that a newer event of the same user has undone or repeated.
    /// - Returns: how many were removed.
    private func removeRepeated(of owner: UserNumber, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64 {
        // Most owners have none. Finding that out costs less than half of the deletion.
        do {
            var query = try connection.statement(Self.repeating)
            try query.bind(owner)
            try query.bind(Int64(FollowEventRetention.placesOfOneUser))
            guard try query.step() else { return 0 }
        }
        var deletion = try connection.statement(Self.repeatedDeletion)
        try deletion.bind(owner)
        try deletion.bind(Int64(FollowEventRetention.placesOfOneUser))
        try deletion.bind(Self.removedAtOnce)
        try deletion.run()
        let removed = Int64(connection.changes)
        var update = try connection.statement("UPDATE follow_count SET event_count = event_count - ?2 WHERE number = ?1")
        try update.bind(owner)
        try update.bind(removed)
        try update.run()
        return removed
    }

    /// Removes the oldest events of an owner, none after `horizon`, and records the newest removed one.
    /// - Returns: how many were removed.
    private func remove(
        from owner: UserNumber, upTo horizon: Timestamp, limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Int64 {
        guard let (count, last) = try oldest(of: owner, upTo: horizon, limit: limit, connection) else { return 0 }
        var deletion = try connection.statement("DELETE FROM follow_event WHERE owner = ? AND event_time <= ?")
        try deletion.bind(owner)
        try deletion.bind(last)
        try deletion.run()
        var floor = try connection.statement(
            """
            UPDATE follow_count SET event_floor = CASE WHEN event_floor < ?2 THEN ?2 ELSE event_floor END,
                event_count = event_count - ?3
            WHERE number = ?1
            """)
        try floor.bind(owner)
        try floor.bind(last)
        try floor.bind(count)
        try floor.run()
        return count
    }

    /// How many of an owner's oldest events to remove, and the last of them; `nil` for none.
    private func oldest(
        of owner: UserNumber, upTo horizon: Timestamp, limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (count: Int64, last: Timestamp)? {
        var statement = try connection.statement(
            """
            SELECT count(*), max(event_time) FROM (
                SELECT event_time FROM follow_event WHERE owner = ? AND event_time <= ? ORDER BY event_time LIMIT ?) AS oldest
            """)
        try statement.bind(owner)
        try statement.bind(horizon)
        try statement.bind(limit)
        guard try statement.step(), let count = statement.integer(0), count > 0, let last = statement.time(1) else {
            return nil
        }
        return (count, last)
    }
}

/// The kind of a row of `follow_event`, as one small integer. `FollowEvent.Change` and `Cause` are its form in the domain (B11).
///
/// The numbers are stored and never change their meaning. They are odd for the owner's follow of the other side, and even for the other side's follow
/// of the owner.
enum FollowEventKind: Int64, Sendable, CaseIterable {
    case followed = 1
    case followerGained = 2
    case unfollowed = 3
    case followerLost = 4
    case unfollowedByFollowee = 5
    case followerRemoved = 6
    case unfollowedByWithdrawal = 7
    case followerLostByWithdrawal = 8

    /// The kinds of the events for both sides of an ended edge.
    static func end(_ cause: FollowEvent.Cause) -> (follower: FollowEventKind, followee: FollowEventKind) {
        switch cause {
        case .follower: (.unfollowed, .followerLost)
        case .followee: (.unfollowedByFollowee, .followerRemoved)
        case .withdrawal: (.unfollowedByWithdrawal, .followerLostByWithdrawal)
        }
    }

    var change: FollowEvent.Change {
        switch self {
        case .followed: .followed
        case .followerGained: .followerGained
        case .unfollowed, .unfollowedByFollowee, .unfollowedByWithdrawal: .unfollowed
        case .followerLost, .followerRemoved, .followerLostByWithdrawal: .followerLost
        }
    }

    var cause: FollowEvent.Cause {
        switch self {
        case .followed, .followerGained, .unfollowed, .followerLost: .follower
        case .unfollowedByFollowee, .followerRemoved: .followee
        case .unfollowedByWithdrawal, .followerLostByWithdrawal: .withdrawal
        }
    }

    /// The change of the owner's counts.
    var countChange: (followers: Int64, following: Int64) {
        switch change {
        case .followed: (0, 1)
        case .unfollowed: (0, -1)
        case .followerGained: (1, 0)
        case .followerLost: (-1, 0)
        }
    }
}

extension SQLStore {
    public func keepFollowEvents(
        of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> FollowEventPosition {
        let events = events, housekeeping = housekeeping
        return try await write(of: owner) { connection throws(RepositoryError) in
            try connection.lock(owner)
            let judged = housekeeping.judged(now)
            guard let last = try events.keep(owner, at: judged.end, connection) else { throw try Self.missingProfile(of: owner, connection) }
            return FollowEventPosition(time: last)
        }
    }

    public func followEvents(
        of owner: UserID, after position: FollowEventPosition, at now: Timestamp, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent] {
        let events = events, housekeeping = housekeeping
        return try await readLong(of: owner) { connection throws(RepositoryError) in
            // By a clock that is ahead, everything would be forgotten, and the position would be given up for good.
            let now = housekeeping.judged(now).end
            let horizon = FollowEventPosition(time: events.retention.horizon(at: now))
            let kept = try Self.keptEvents(of: owner, connection)
            guard now < kept.until, kept.floor <= position, position <= kept.last else { throw .eventsForgotten }
            let found = try Self.events(of: owner, kept.number, after: position, limit: limit, connection)
            // An expired event counts as absent, even if it is not removed yet.
            if let first = found.first, first.position <= horizon { throw .eventsForgotten }
            return found
        }
    }

    public func keptFollowEvents(
        of owner: UserID, after position: FollowEventPosition?, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent] {
        try await readLong(of: owner) { connection throws(RepositoryError) in
            guard let number = try Self.number(of: owner, connection) else { throw try Self.missingProfile(of: owner, connection) }
            let start = position ?? FollowEventPosition(time: Timestamp(microseconds: .min))
            return try Self.events(of: owner, number, after: start, limit: limit, connection)
        }
    }

    /// The range of an owner's stored events, and until when they are kept.
    private struct KeptEvents {
        let number: UserNumber
        let floor: FollowEventPosition
        let last: FollowEventPosition
        let until: Timestamp
    }

    private static func keptEvents(
        of owner: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> KeptEvents {
        guard let number = try Self.number(of: owner, connection) else { throw try Self.missingProfile(of: owner, connection) }
        var statement = try connection.statement(
            "SELECT event_floor, last_event, events_until FROM follow_count WHERE number = ?")
        try statement.bind(number)
        guard try statement.step() else { throw .emptyValue(table: "follow_count", key: owner.description) }
        guard let floor = statement.time(0), let last = statement.time(1),
            let until = statement.time(2), floor <= last
        else {
            throw .corruptRow(table: "follow_count", key: owner.description)
        }
        return KeptEvents(
            number: number, floor: FollowEventPosition(time: floor), last: FollowEventPosition(time: last), until: until)
    }

    private static func events(
        of owner: UserID, _ number: UserNumber, after position: FollowEventPosition, limit: Int,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [FollowEvent] {
        // A LEFT JOIN, because the other side may have withdrawn since. The event is still valid.
        var statement = try connection.statement(
            """
            SELECT e.event_time, e.kind, e.other, \(UserSummary.columns)
            FROM follow_event e LEFT JOIN profile p ON p.user_id = e.other
            WHERE e.owner = ? AND e.event_time > ? ORDER BY e.event_time LIMIT ?
            """)
        try statement.bind(number)
        try statement.bind(position.time)
        try statement.bind(Int64(limit))
        var found: [FollowEvent] = []
        while try statement.step() {
            guard
                let time = statement.time(0), let kind = statement.integer(1).flatMap(FollowEventKind.init(rawValue:)),
                let other = statement.identifier(2, as: UserID.self)
            else { throw .corruptRow(table: "follow_event", key: "\(owner) \(statement.key(0))") }
            found.append(
                FollowEvent(
                    change: kind.change, cause: kind.cause, userID: other,
                    summary: statement.isNull(3) ? nil : try UserSummary(row: statement, first: 3),
                    position: FollowEventPosition(time: time)))
        }
        return found
    }
}
