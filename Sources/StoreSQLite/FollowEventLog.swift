import PulseBoardDomain

/// Writes users' follow counts and events, which always change together, and forgets events beyond the retention.
struct FollowEventLog: Sendable {
    let retention: FollowEventRetention

    /// Owners that one sweep looks at: two short reads each, about a millisecond in all.
    static let ownersPerSweep: Int64 = 500

    /// The next event's instant: the present one, or the microsecond after the newest event's.
    private static let nextEvent = "CASE WHEN last_event < ?2 THEN ?2 ELSE last_event + 1 END"
    /// What an event changes in its owner's counts, where it is kept.
    private static let counting = """
        last_event = CASE WHEN events_until <= ?2 THEN last_event WHEN last_event < ?2 THEN ?2 ELSE last_event + 1 END,
        event_count = CASE WHEN events_until <= ?2 THEN event_count ELSE event_count + 1 END
        """

    private static let standingByOwner = Query(
        "SELECT last_event, event_count, events_until FROM follow_count WHERE user_id = ?")
    // Not with RETURNING, for which SQLite makes a temporary table each time: dearer than the look before.
    private static let advance = Query(
        """
        UPDATE follow_count SET followers = followers + ?2, following = following + ?3, last_event = ?4, event_count = ?5
        WHERE user_id = ?1
        """)
    private static let eventInsertion = Query(
        "INSERT INTO follow_event (owner, event_time, kind, other) VALUES (?, ?, ?, ?)")

    /// Keeps an owner's events from now on. When they have not been kept up to now, the owner begins anew: whatever is later
    /// than a position from before may be missing.
    /// - Returns: the instant of the newest event; `nil` when the owner has no profile.
    func keep(
        _ owner: UserID, at now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Timestamp? {
        var statement = try connection.statement(
            """
            UPDATE follow_count SET
                event_floor = CASE WHEN events_until > ?2 THEN event_floor ELSE \(Self.nextEvent) END,
                last_event = CASE WHEN events_until > ?2 THEN last_event ELSE \(Self.nextEvent) END,
                events_until = CASE WHEN events_until > ?3 THEN events_until ELSE ?3 END
            WHERE user_id = ?1 RETURNING last_event
            """)
        try statement.bind(owner)
        try statement.bind(now)
        try statement.bind(now.advanced(by: retention.lease))
        guard try statement.step() else { return nil }
        guard let last = statement.time(0) else {
            throw .corruptRow(table: "follow_count", key: owner.description)
        }
        try statement.run()
        return last
    }

    /// Up to where an owner's events go.
    struct Standing {
        fileprivate var owner: UserID
        fileprivate var last: Timestamp
        fileprivate var count: Int64
        fileprivate let until: Timestamp
    }

    /// How an owner's events stand before a change; `nil` when the owner has no profile.
    func standing(
        of owner: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Standing? {
        var statement = try connection.statement(Self.standingByOwner)
        try statement.bind(owner)
        guard try statement.step() else { return nil }
        guard let last = statement.time(0), let count = statement.integer(1), let until = statement.time(2) else {
            throw .corruptRow(table: "follow_count", key: owner.description)
        }
        return Standing(owner: owner, last: last, count: count, until: until)
    }

    /// Changes the owner's counts as the event says, and appends it if the owner's events are kept.
    func append(
        _ kind: FollowEventKind, to standing: Standing, with other: UserID, at time: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var standing = standing
        let isKept = time < standing.until
        if isKept {
            standing.last = max(time, standing.last.advanced(by: Timestamp.Interval(microseconds: 1)))
            standing.count += 1
        }
        var update = try connection.statement(Self.advance)
        try update.bind(standing.owner)
        try update.bind(kind.countChange.followers)
        try update.bind(kind.countChange.following)
        try update.bind(standing.last)
        try update.bind(standing.count)
        try update.run()
        guard isKept else { return }
        var event = try connection.statement(Self.eventInsertion)
        try event.bind(standing.owner)
        try event.bind(standing.last)
        try event.bind(kind.rawValue)
        try event.bind(other)
        try event.run()
        // Not at every event beyond the limit but at every 1/32 of it, so that it costs next to nothing.
        let excess = standing.count - Int64(retention.count)
        if excess > Int64(retention.count / 32) { try removeOldest(excess, of: standing.owner, connection) }
    }

    /// Counts the end of an edge off on both sides, and tells both.
    func appendEnd(
        of follower: UserID, _ followee: UserID, by cause: FollowEvent.Cause, at time: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        let kinds = FollowEventKind.end(cause)
        for (kind, owner, other) in [(kinds.follower, follower, followee), (kinds.followee, followee, follower)] {
            guard let standing = try standing(of: owner, connection) else {
                throw .emptyValue(table: "follow_count", key: owner.description)
            }
            try append(kind, to: standing, with: other, at: time, connection)
        }
    }

    /// Tells the other side of every edge of a withdrawing user, corrects their counts, and removes the user's own events.
    /// To be called while the edges are still there.
    func appendWithdrawal(
        of user: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        let kinds = FollowEventKind.end(.withdrawal)
        let followees = "SELECT followee FROM following WHERE follower = ?1"
        let followers = "SELECT follower FROM follower WHERE followee = ?1"
        for (kind, others, column) in [(kinds.followee, followees, "followers"), (kinds.follower, followers, "following")] {
            var update = try connection.statement(
                """
                UPDATE follow_count SET \(column) = \(column) - 1, \(Self.counting) WHERE user_id IN (\(others))
                """)
            try update.bind(user)
            try update.bind(time)
            try update.run()
            var events = try connection.statement(
                """
                INSERT INTO follow_event (owner, event_time, kind, other)
                SELECT user_id, last_event, ?3, ?1 FROM follow_count WHERE events_until > ?2 AND user_id IN (\(others))
                """)
            try events.bind(user)
            try events.bind(time)
            try events.bind(kind.rawValue)
            try events.run()
        }
        var own = try connection.statement("DELETE FROM follow_event WHERE owner = ?")
        try own.bind(user)
        try own.run()
    }

    // MARK: Forgetting

    /// Removes events that have become too old, from the owners after `cursor`, at most `rows` of them.
    ///
    /// There is no index by time, which would cost every write more than this costs once a minute: a sweep looks at the next
    /// few owners, and one after the other gets round to all.
    /// - Parameter cursor: the owner the last sweep ended with; `nil` to begin with the first.
    /// - Returns: the owner to go on after, `nil` at the end of the round; and whether it ended for having removed `rows`.
    func sweep(
        after cursor: UserID?, now: Timestamp, rows: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (cursor: UserID?, isFull: Bool) {
        let horizon = retention.horizon(at: now)
        let owners = try owners(after: cursor, connection)
        var cursor = cursor
        var room = rows
        for owner in owners.withEvents {
            room -= try remove(from: owner, upTo: horizon, limit: room, connection)
            // There may be more of this owner's: the next sweep begins with it again.
            guard room > 0 else { return (cursor, true) }
            cursor = owner
        }
        return (owners.last, false)
    }

    private func owners(
        after cursor: UserID?, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (withEvents: [UserID], last: UserID?) {
        var statement = try connection.statement(
            "SELECT user_id, event_count FROM follow_count WHERE user_id > ? ORDER BY user_id LIMIT ?")
        // The empty blob comes before every identifier.
        try statement.bind(cursor?.bits.bytes ?? [])
        try statement.bind(Self.ownersPerSweep)
        var seen: Int64 = 0
        var found: (withEvents: [UserID], last: UserID?) = ([], nil)
        while try statement.step() {
            guard let owner = statement.identifier(0, as: UserID.self), let count = statement.integer(1) else {
                throw .corruptRow(table: "follow_count", key: statement.key(0))
            }
            if count > 0 { found.withEvents.append(owner) }
            found.last = owner
            seen += 1
        }
        if seen < Self.ownersPerSweep { found.last = nil }
        return found
    }

    private func removeOldest(
        _ count: Int64, of owner: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        _ = try remove(from: owner, upTo: Timestamp(microseconds: .max), limit: count, connection)
    }

    /// Removes the oldest events of an owner, none after `horizon`, and remembers how far. - Returns: how many went.
    private func remove(
        from owner: UserID, upTo horizon: Timestamp, limit: Int64, _ connection: borrowing SQLConnection
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
            WHERE user_id = ?1
            """)
        try floor.bind(owner)
        try floor.bind(last)
        try floor.bind(count)
        try floor.run()
        return count
    }

    /// How many of an owner's oldest events may go, and the last of them; `nil` for none.
    private func oldest(
        of owner: UserID, upTo horizon: Timestamp, limit: Int64, _ connection: borrowing SQLConnection
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
