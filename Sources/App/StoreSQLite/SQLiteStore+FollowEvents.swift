import PulseBoardDomain

extension SQLiteStore {
    public func keepFollowEvents(
        of owner: UserID, at now: Timestamp
    ) async throws(RepositoryError) -> FollowEventPosition {
        let events = events
        return try await write { connection throws(RepositoryError) in
            guard let last = try events.keep(owner, at: now, connection) else { throw .userNotFound }
            return FollowEventPosition(time: last)
        }
    }

    public func followEvents(
        of owner: UserID, after position: FollowEventPosition, at now: Timestamp, limit: Int
    ) async throws(RepositoryError) -> [FollowEvent] {
        let horizon = FollowEventPosition(time: events.retention.horizon(at: now))
        return try await readLong { connection throws(RepositoryError) in
            let kept = try Self.keptEvents(of: owner, connection)
            guard now < kept.until, kept.floor <= position, position <= kept.last else { throw .eventsForgotten }
            let found = try Self.events(of: owner, kept.number, after: position, limit: limit, connection)
            // What has expired counts as absent, whether or not it has been removed yet.
            if let first = found.first, first.position <= horizon { throw .eventsForgotten }
            return found
        }
    }

    /// Between which positions an owner's events can be asked for, and until when they are kept.
    private struct KeptEvents {
        let number: UserNumber
        let floor: FollowEventPosition
        let last: FollowEventPosition
        let until: Timestamp
    }

    private static func keptEvents(
        of owner: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> KeptEvents {
        guard let number = try Self.number(of: owner, connection) else { throw .userNotFound }
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
        // A LEFT JOIN: the other side may have withdrawn since, and the event stands all the same.
        var statement = try connection.statement(
            """
            SELECT e.event_time, e.kind, e.other, p.user_id, p.username, p.username_key, p.display_name
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
                    change: kind.change, cause: kind.cause, userID: other, names: try names(of: other, row: statement),
                    position: FollowEventPosition(time: time)))
        }
        return found
    }

    /// The names in columns 3 to 6; `nil` when there is no profile.
    private static func names(
        of user: UserID, row: borrowing SQLStatement
    ) throws(RepositoryError) -> FollowEvent.Names? {
        guard !row.isNull(3) else { return nil }
        guard
            let text = row.text(4), let key = row.text(5), let displayName = row.text(6),
            let username = Username(storedText: text, storedKey: key)
        else { throw .corruptRow(table: "profile", key: user.description) }
        return FollowEvent.Names(username: username, displayName: DisplayName(stored: displayName))
    }
}
