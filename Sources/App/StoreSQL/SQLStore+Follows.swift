import PulseBoardDomain

extension SQLStore {
    // MARK: Writing

    public func follow(
        _ target: UserID, by follower: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        guard target != follower else { throw .selfFollow }
        let events = events, housekeeping = housekeeping, requests = requests
        let record = try await write(of: follower, on: target) { connection throws(RepositoryError) in
            try connection.lock(follower, target)
            let judged = housekeeping.judged(time)
            return try requests.once(idempotency, of: follower, at: judged, connection) {
                connection throws(RepositoryError) in
                // Its owner may have ended the session while this write waited.
                try Self.require(session, of: follower, connection)
                // One of them may have withdrawn and come back before all former follows were removed.
                if housekeeping.mayHaveWithdrawals {
                    try housekeeping.tombstones.settle(target, with: follower, connection)
                    try housekeeping.tombstones.settle(follower, with: target, connection)
                }
                // All reads come before the first change.
                guard let following = try events.standing(of: follower, connection) else {
                    throw try Self.missingProfile(of: follower, connection)
                }
                guard let gaining = try events.standing(of: target, connection) else { throw .userNotFound }
                let edge = FollowEdge(follower: following.number, followee: gaining.number)
                let existing = try edge.time(connection)
                if existing == nil {
                    try events.append(.followed, to: following, with: target, at: judged, connection)
                    try events.append(.followerGained, to: gaining, with: follower, at: judged, connection)
                    try edge.insert(at: judged.likely, connection)
                }
                return RelationshipRecord(
                    userID: target, followTime: existing ?? judged.likely,
                    isFollowedBy: try edge.reversed.time(connection) != nil)
            }
        }
        return record.model()
    }

    public func unfollow(
        _ target: UserID, by follower: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let events = events, housekeeping = housekeeping, requests = requests
        let record = try await write(of: follower, on: target) { connection throws(RepositoryError) in
            try connection.lock(follower, target)
            let judged = housekeeping.judged(time)
            return try requests.once(idempotency, of: follower, at: judged, connection) {
                connection throws(RepositoryError) in
                try Self.require(session, of: follower, connection)
                let edge = try Self.endEdge(from: follower, to: target, by: .follower, at: judged, events, connection)
                return RelationshipRecord(
                    userID: target, followTime: nil, isFollowedBy: try edge?.reversed.time(connection) != nil)
            }
        }
        return record.model()
    }

    public func removeFollower(
        _ follower: UserID, of owner: UserID, in session: SessionID?, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let events = events, housekeeping = housekeeping, requests = requests
        let record = try await write(of: owner, on: follower) { connection throws(RepositoryError) in
            try connection.lock(owner, follower)
            let judged = housekeeping.judged(time)
            return try requests.once(idempotency, of: owner, at: judged, connection) {
                connection throws(RepositoryError) in
                try Self.require(session, of: owner, connection)
                let edge = try Self.endEdge(from: follower, to: owner, by: .followee, at: judged, events, connection)
                return RelationshipRecord(
                    userID: follower, followTime: try edge?.reversed.time(connection), isFollowedBy: false)
            }
        }
        return record.model()
    }

    /// Ends the edge, if it exists, and appends events for both sides.
    /// - Parameter cause: which side ends it.
    /// - Returns: the edge; `nil` if the side that ends it has no profile and therefore no follows.
    /// - Throws: `userNotFound` if the other side has no profile; `withdrawing` if the side that ends it has asked to leave, because coming back
    ///   restores its follows.
    private static func endEdge(
        from follower: UserID, to followee: UserID, by cause: FollowEvent.Cause, at time: JudgedTime, _ events: FollowEventLog,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowEdge? {
        let leaving = try events.standing(of: follower, connection)
        let losing = try events.standing(of: followee, connection)
        guard let leaving, let losing else {
            let ending = cause == .follower ? follower : followee
            try PendingWithdrawal.requireNone(of: ending, connection)
            if (cause == .follower ? losing : leaving) == nil { throw .userNotFound }
            return nil
        }
        let edge = FollowEdge(follower: leaving.number, followee: losing.number)
        if try edge.delete(connection) { try events.appendEnd(of: leaving, losing, by: cause, at: time, connection) }
        return edge
    }

    // MARK: Reading

    // A LEFT JOIN, so that missing counts are reported and do not look like a missing user (X17). Withdrawn users do not count, though their
    // edges may still be stored. They come first in the join, because they are few.
    private static let countsByUser = Query(
        """
        SELECT c.followers, c.following,
            (SELECT count(*) FROM withdrawal w CROSS JOIN following f WHERE f.follower = w.number AND f.followee = p.number),
            (SELECT count(*) FROM withdrawal w CROSS JOIN following f WHERE f.follower = p.number AND f.followee = w.number)
        FROM profile p LEFT JOIN follow_count c ON c.number = p.number WHERE p.user_id = ?
        """)

    /// The users in one statement where each statement is a round trip.
    private static let targetsOfStatement = 20
    private static let relationshipsAmong = Query(
        """
        SELECT p.user_id, p.number, f.follow_time, b.follow_time FROM profile p
        LEFT JOIN following f ON f.follower = ? AND f.followee = p.number
        LEFT JOIN following b ON b.follower = p.number AND b.followee = ?
        WHERE p.user_id IN (\(Query.marks(targetsOfStatement)))
        """)

    public func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship] {
        if targets.count == 1 {
            return try await read(of: viewer) { connection throws(RepositoryError) in
                let viewerNumber = try Self.viewerNumber(viewer, connection)
                guard let number = try Self.number(of: targets[0], connection) else { return [:] }
                return [targets[0]: try Self.relationship(of: viewer, viewerNumber, to: targets[0], number, connection)]
            }
        }
        return try await readLong(of: viewer) { connection throws(RepositoryError) in
            let viewerNumber = try Self.viewerNumber(viewer, connection)
            if connection.isRemote { return try Self.relationships(of: viewer, viewerNumber, toAmong: targets, connection) }
            var found: [UserID: Relationship] = [:]
            for target in targets {
                guard let number = try Self.number(of: target, connection) else { continue }
                found[target] = try Self.relationship(of: viewer, viewerNumber, to: target, number, connection)
            }
            return found
        }
    }

    /// The number of a viewer; `nil` without a profile, and so without follows.
    /// - Throws: `withdrawing` if the viewer has asked to leave. Their follows are hidden, and coming back restores them.
    private static func viewerNumber(_ viewer: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> UserNumber? {
        if let number = try number(of: viewer, connection) { return number }
        try PendingWithdrawal.requireNone(of: viewer, connection)
        return nil
    }

    /// Reads the relationships to many users in few statements.
    private static func relationships(
        of viewer: UserID, _ viewerNumber: UserNumber?, toAmong targets: [UserID], _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [UserID: Relationship] {
        // No user has the number 0, so a viewer without a profile follows nobody.
        let viewerNumber = viewerNumber ?? UserNumber(rawValue: 0)
        var found: [UserID: Relationship] = [:]
        for part in targets.filledParts(of: targetsOfStatement) {
            var statement = try connection.statement(relationshipsAmong)
            try statement.bind(viewerNumber)
            try statement.bind(viewerNumber)
            for target in part { try statement.bind(target) }
            while try statement.step() {
                guard let target = statement.identifier(0, as: UserID.self), let number = statement.userNumber(1) else {
                    throw .corruptRow(table: "profile", key: statement.key(0))
                }
                let edge = FollowEdge(follower: viewerNumber, followee: number)
                found[target] = relationship(
                    of: viewer, to: target, try Self.time(statement, 2, of: edge), try Self.time(statement, 3, of: edge.reversed))
            }
        }
        return found
    }

    /// Reads the relationship to one user.
    private static func relationship(
        of viewer: UserID, _ viewerNumber: UserNumber?, to target: UserID, _ number: UserNumber, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Relationship {
        let edge = viewerNumber.map { FollowEdge(follower: $0, followee: number) }
        let times = (try edge?.time(connection), try edge?.reversed.time(connection))
        return relationship(of: viewer, to: target, times.0, times.1)
    }

    private static func relationship(of viewer: UserID, to target: UserID, _ since: Timestamp?, _ back: Timestamp?) -> Relationship {
        target == viewer
            ? .personal(target) : RelationshipRecord(userID: target, followTime: since, isFollowedBy: back != nil).model()
    }

    /// The time of an edge in a row of a statement; `nil` if there is no edge.
    private static func time(
        _ statement: borrowing SQLStatement, _ column: CInt, of edge: FollowEdge
    ) throws(RepositoryError) -> Timestamp? {
        if statement.isNull(column) { return nil }
        guard let time = statement.time(column) else { throw .corruptRow(table: "following", key: edge.description) }
        return time
    }

    public func counts(of userID: UserID, viewer: UserID) async throws(RepositoryError) -> FollowCounts {
        try await read(of: viewer) { connection throws(RepositoryError) in
            var statement = try connection.statement(Self.countsByUser)
            try statement.bind(userID)
            guard try statement.step() else { throw try Self.missing(userID, to: viewer, own: .profileRequired, connection) }
            guard !statement.isNull(0) else { throw .emptyValue(table: "follow_count", key: userID.description) }
            guard let followers = statement.integer(0), let following = statement.integer(1), followers >= 0, following >= 0,
                let leaving = statement.integer(2), let left = statement.integer(3)
            else { throw .corruptRow(table: "follow_count", key: userID.description) }
            return FollowCounts(followers: max(followers - leaving, 0), following: max(following - left, 0))
        }
    }
}

extension SQLStore {
    public func followers(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry
    ) async throws(RepositoryError) -> FollowEntries {
        try await readLong(of: viewer) { connection throws(RepositoryError) in
            try Self.list(.followers, of: userID, viewer: viewer, after: cursor, limit: limit, last: last, connection)
        }
    }

    public func following(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry
    ) async throws(RepositoryError) -> FollowEntries {
        try await readLong(of: viewer) { connection throws(RepositoryError) in
            try Self.list(.following, of: userID, viewer: viewer, after: cursor, limit: limit, last: last, connection)
        }
    }

    /// One direction of the edges: the table, the column of the list's owner, and the column of the listed users.
    private struct Direction {
        let table: String
        let firstPage: String
        let nextPage: String

        static let followers = Direction(table: "follower", owner: "followee", listed: "follower")
        static let following = Direction(table: "following", owner: "follower", listed: "followee")

        private init(table: String, owner: String, listed: String) {
            self.table = table
            func sql(_ start: String) -> String {
                // A LEFT JOIN, so that an edge to a missing profile is reported and not skipped (X17). The last column says whether the user has gone
                // or is leaving. It is looked up only for those without a profile, and without a round trip for each.
                """
                SELECT e.follow_time, e.\(listed), \(UserSummary.columns),
                    CASE WHEN p.number IS NULL
                        AND (EXISTS (SELECT 1 FROM withdrawal w WHERE w.number = e.\(listed))
                            OR EXISTS (SELECT 1 FROM pending_withdrawal q WHERE q.number = e.\(listed))) THEN 1 ELSE 0 END
                FROM \(table) e LEFT JOIN profile p ON p.number = e.\(listed)
                WHERE e.\(owner) = (SELECT number FROM profile WHERE user_id = ?) \(start) ORDER BY e.follow_time DESC LIMIT ?
                """
            }
            firstPage = sql("")
            nextPage = sql("AND e.follow_time <= ?")
        }
    }

    /// The statement of a list's first page. Tests check the database's plan for it.
    package static let firstPageOfFollowers = Direction.followers.firstPage

    /// How many more rows than needed are read at once: the row that the page before ended with, the row behind the last one, and two for follows of
    /// the same instant and for users who are gone. If that is too few, more are read. PostgreSQL computes all rows that it is asked for.
    private static let spareRows = 4
    /// The most rows that are read for a page. A page behind more users who are leaving may have fewer entries, or none, and a place to continue.
    /// Only more follows of one instant are read together.
    private static let mostRowsOfPage = 1_000

    /// Lists the newest first, and by descending identifier within one instant. The database returns the rows of one instant in the
    /// order of their numbers, so all of them are read and sorted here.
    private static func list(
        _ direction: Direction, of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowEntries {
        // The first page of a list has no row of a page before it. Its last row need not be followed by another time if it is only a proof.
        var rows = cursor == nil && last == .proof && limit > 1 ? limit : limit + spareRows
        while true {
            if let found = try list(direction, of: userID, after: cursor, limit: limit, last: last, rows: rows, connection) {
                // A user with follows exists. For an empty list the store must check.
                if found.entries.isEmpty, found.continuation == nil, try number(of: userID, connection) == nil {
                    throw try missing(userID, to: viewer, own: .profileRequired, connection)
                }
                return found
            }
            // Many follows have one instant, or many users are gone. Read more rows, so that the total work stays proportional to the last
            // read.
            rows = rows < mostRowsOfPage ? min(rows * 4, mostRowsOfPage) : rows * 4
        }
    }

    /// - Returns: `nil` if this number of rows was too small for a page.
    private static func list(
        _ direction: Direction, of owner: UserID, after cursor: FollowCursor?, limit: Int, last: LastEntry, rows: Int,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowEntries? {
        var statement = try connection.statement(cursor == nil ? direction.firstPage : direction.nextPage)
        try statement.bind(owner)
        if let cursor { try statement.bind(cursor.followTime) }
        try statement.bind(Int64(rows))
        var entries: [FollowListEntry] = []
        var areInOrder = true
        var seen = 0
        var isComplete = false
        var firstTime: Timestamp?, lastTime: Timestamp?
        while try statement.step() {
            seen += 1
            guard let time = statement.time(0), let number = statement.userNumber(1) else {
                throw .corruptRow(table: direction.table, key: "\(owner) \(statement.key(1))")
            }
            (firstTime, lastTime) = (firstTime ?? time, time)
            if entries.count >= limit, entries.last?.followTime != time {
                isComplete = true
                break
            }
            guard let entry = try entry(statement, time, number) else { continue }
            if let cursor, entry.cursor >= cursor { continue }
            if let last = entries.last, entry.cursor > last.cursor { areInOrder = false }
            entries.append(entry)
        }
        if last == .proof, limit > 1, entries.count == limit, entries[limit - 2].followTime != entries[limit - 1].followTime { isComplete = true }
        var continuation: FollowCursor?
        if !isComplete, seen == rows {
            // Enough was read if another instant than the last one is complete. The next page begins with the last one.
            guard rows >= mostRowsOfPage, let lastTime, firstTime != lastTime else { return nil }
            entries.removeAll { $0.followTime == lastTime }
            let leastID = UserID(bits: UUIDBits(high: 0, low: 0))
            let place = FollowCursor(followTime: lastTime.advanced(by: Timestamp.Interval(microseconds: 1)), userID: leastID)
            // The first rows may be of an instant that the page before has listed.
            if let cursor, place >= cursor { return nil }
            continuation = place
        }
        if !areInOrder { entries.sort { $0.cursor > $1.cursor } }
        return FollowEntries(Array(entries.prefix(limit)), continuation: entries.count >= limit ? nil : continuation)
    }

    /// The entry of a row; `nil` for a removed user whose follows are not all removed yet.
    private static func entry(
        _ row: borrowing SQLStatement, _ time: Timestamp, _ number: UserNumber
    ) throws(RepositoryError) -> FollowListEntry? {
        guard !row.isNull(2) else {
            if row.integer(7) == 1 { return nil }
            throw .emptyValue(table: "profile", key: number.description)
        }
        guard row.identifier(2, as: UserID.self) != nil else { throw .corruptRow(table: "profile", key: number.description) }
        return FollowListEntry(user: try UserSummary(row: row, first: 2), followTime: time)
    }
}

/// The remembered result of a write of a follow. `Relationship` is its form in the domain (B11).
struct RelationshipRecord: Hashable, Sendable {
    var userID: UserID
    /// When the follow began; `nil` if the user is not followed.
    var followTime: Timestamp?
    var isFollowedBy: Bool

    func model() -> Relationship {
        Relationship(
            userID: userID, state: followTime.map { .followed(since: $0) } ?? .unfollowed, isFollowedBy: isFollowedBy)
    }
}

extension RelationshipRecord: RememberedResult {
    func encode(into writer: inout RecordFieldsWriter) {
        writer.put(userID, as: 1)
        if let followTime { writer.put(followTime.microseconds, as: 2) }
        if isFollowedBy { writer.put(1, as: 3) }
    }

    init?(_ fields: RecordFields) {
        guard let userID = fields.identifier(1, as: UserID.self) else { return nil }
        let followTime = fields.integer(2), followedBy = fields.integer(3)
        // A field that exists must have a valid value.
        guard fields.has(2) == (followTime != nil), fields.has(3) == (followedBy == 1) else { return nil }
        self.userID = userID
        self.followTime = followTime.map(Timestamp.init(microseconds:))
        isFollowedBy = followedBy == 1
    }

    init?(from reader: inout RecordBytesReader) {
        guard let id = reader.fixed(16).flatMap({ UUIDBits(bytes: $0) }), let flags = reader.byte(), flags < 4 else {
            return nil
        }
        userID = UserID(bits: id)
        isFollowedBy = flags & 2 != 0
        if flags & 1 != 0 {
            guard let time = reader.integer() else { return nil }
            followTime = Timestamp(microseconds: time)
        }
    }
}
