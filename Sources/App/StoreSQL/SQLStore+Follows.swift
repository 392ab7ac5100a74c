import PulseBoardDomain

extension SQLStore {
    // MARK: Writing

    public func follow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        guard target != follower else { throw .selfFollow }
        let events = events
        let housekeeping = housekeeping
        let record = try await write { connection throws(RepositoryError) in
            try connection.lock(follower, target)
            return try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                // Somebody who withdrew and came back, and whose former follows are not all gone yet.
                if housekeeping.mayHaveWithdrawals {
                    try housekeeping.withdrawals.settle(target, with: follower, connection)
                    try housekeeping.withdrawals.settle(follower, with: target, connection)
                }
                // Looked at before anything is changed.
                guard let following = try events.standing(of: follower, connection) else {
                    throw try Self.missingProfile(of: follower, connection)
                }
                guard let gaining = try events.standing(of: target, connection) else { throw .userNotFound }
                let edge = FollowEdge(follower: following.number, followee: gaining.number)
                let existing = try edge.time(connection)
                if existing == nil {
                    try events.append(.followed, to: following, with: target, at: time, connection)
                    try events.append(.followerGained, to: gaining, with: follower, at: time, connection)
                    try edge.insert(at: time, connection)
                }
                return RelationshipRecord(
                    userID: target, followTime: existing ?? time,
                    isFollowedBy: try edge.reversed.time(connection) != nil)
            }
        }
        return record.model()
    }

    public func unfollow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let events = events
        let record = try await write { connection throws(RepositoryError) in
            try connection.lock(follower, target)
            return try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                let edge = try Self.endEdge(from: follower, to: target, by: .follower, at: time, events, connection)
                return RelationshipRecord(
                    userID: target, followTime: nil, isFollowedBy: try edge?.reversed.time(connection) != nil)
            }
        }
        return record.model()
    }

    public func removeFollower(
        _ follower: UserID, of owner: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let events = events
        let record = try await write { connection throws(RepositoryError) in
            try connection.lock(owner, follower)
            return try RememberedRequests.once(idempotency, of: owner, at: time, connection) {
                connection throws(RepositoryError) in
                let edge = try Self.endEdge(from: follower, to: owner, by: .followee, at: time, events, connection)
                return RelationshipRecord(
                    userID: follower, followTime: try edge?.reversed.time(connection), isFollowedBy: false)
            }
        }
        return record.model()
    }

    /// Ends the edge, if it exists, and tells both sides.
    /// - Parameter cause: which side ends it.
    /// - Returns: the edge; `nil` when the side that ends it has no profile, and so follows nobody and is followed by nobody.
    /// - Throws: `userNotFound` when the other side has no profile.
    private static func endEdge(
        from follower: UserID, to followee: UserID, by cause: FollowEvent.Cause, at time: Timestamp, _ events: FollowEventLog,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowEdge? {
        let leaving = try events.standing(of: follower, connection)
        let losing = try events.standing(of: followee, connection)
        guard let leaving, let losing else {
            if (cause == .follower ? losing : leaving) == nil { throw .userNotFound }
            return nil
        }
        let edge = FollowEdge(follower: leaving.number, followee: losing.number)
        if try edge.delete(connection) { try events.appendEnd(of: leaving, losing, by: cause, at: time, connection) }
        return edge
    }

    // MARK: Reading

    // A LEFT JOIN, so that missing counts are reported and not taken for a missing user (X17). Those who have withdrawn do not count, though
    // their edges are still there; they come first, being few or none.
    private static let countsByUser = Query(
        """
        SELECT c.followers, c.following,
            (SELECT count(*) FROM withdrawal w CROSS JOIN following f WHERE f.follower = w.number AND f.followee = p.number),
            (SELECT count(*) FROM withdrawal w CROSS JOIN following f WHERE f.follower = p.number AND f.followee = w.number)
        FROM profile p LEFT JOIN follow_count c ON c.number = p.number WHERE p.user_id = ?
        """)

    public func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship] {
        let look: QueuedBody<[UserID: Relationship]>.Body = { connection throws(RepositoryError) in
            let viewerNumber = try Self.number(of: viewer, connection)
            var found: [UserID: Relationship] = [:]
            for target in targets where found[target] == nil {
                guard let number = try Self.number(of: target, connection) else { continue }
                if target == viewer {
                    found[target] = .personal(target)
                } else {
                    let edge = viewerNumber.map { FollowEdge(follower: $0, followee: number) }
                    found[target] = RelationshipRecord(
                        userID: target, followTime: try edge?.time(connection),
                        isFollowedBy: try edge?.reversed.time(connection) != nil
                    ).model()
                }
            }
            return found
        }
        return targets.count == 1 ? try await read(look) : try await readLong(look)
    }

    public func counts(of userID: UserID, viewer: UserID) async throws(RepositoryError) -> FollowCounts {
        try await read { connection throws(RepositoryError) in
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
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await readLong { connection throws(RepositoryError) in
            try Self.list(.followers, of: userID, viewer: viewer, after: cursor, limit: limit, connection)
        }
    }

    public func following(
        of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int
    ) async throws(RepositoryError) -> [FollowListEntry] {
        try await readLong { connection throws(RepositoryError) in
            try Self.list(.following, of: userID, viewer: viewer, after: cursor, limit: limit, connection)
        }
    }

    /// One direction of the edges: its table, whose list it is, and who is listed.
    private struct Direction {
        let table: String
        let firstPage: String
        let nextPage: String

        static let followers = Direction(table: "follower", owner: "followee", listed: "follower")
        static let following = Direction(table: "following", owner: "follower", listed: "followee")

        private init(table: String, owner: String, listed: String) {
            self.table = table
            func sql(_ start: String) -> String {
                // A LEFT JOIN, so that an edge to a missing profile is reported and not skipped (X17).
                """
                SELECT e.follow_time, e.\(listed), \(UserSummary.columns)
                FROM \(table) e LEFT JOIN profile p ON p.number = e.\(listed)
                WHERE e.\(owner) = (SELECT number FROM profile WHERE user_id = ?) \(start) ORDER BY e.follow_time DESC LIMIT ?
                """
            }
            firstPage = sql("")
            nextPage = sql("AND e.follow_time <= ?")
        }
    }

    /// The statement of a list's first page, by whose plan a database is judged.
    package static let firstPageOfFollowers = Direction.followers.firstPage

    /// Rows that are asked for at once besides those that are wanted: of users who followed at the same instant, or who have gone.
    private static let spareRows = 16

    /// Newest first, and of those who followed at the same instant the greatest identifier first. The rows of one instant come in the
    /// order of their numbers, so they are all read, and put in order here.
    private static func list(
        _ direction: Direction, of userID: UserID, viewer: UserID, after cursor: FollowCursor?, limit: Int,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [FollowListEntry] {
        var rows = limit + spareRows
        while true {
            if let entries = try list(direction, of: userID, after: cursor, limit: limit, rows: rows, connection) {
                // Whoever has a list is there; of an empty one it has to be asked.
                if entries.isEmpty, try number(of: userID, connection) == nil {
                    throw try missing(userID, to: viewer, own: .profileRequired, connection)
                }
                return entries
            }
            // Many followed at one instant, or have gone. More rows at once, so that the whole stays in proportion to the last look.
            rows *= 4
        }
    }

    /// - Returns: `nil` if so many rows were too few to tell.
    private static func list(
        _ direction: Direction, of owner: UserID, after cursor: FollowCursor?, limit: Int, rows: Int,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [FollowListEntry]? {
        var statement = try connection.statement(cursor == nil ? direction.firstPage : direction.nextPage)
        try statement.bind(owner)
        if let cursor { try statement.bind(cursor.followTime) }
        try statement.bind(Int64(rows))
        var entries: [FollowListEntry] = []
        var areInOrder = true
        var seen = 0
        var isComplete = false
        while try statement.step() {
            seen += 1
            guard let time = statement.time(0), let number = statement.userNumber(1) else {
                throw .corruptRow(table: direction.table, key: "\(owner) \(statement.key(1))")
            }
            if entries.count >= limit, entries.last?.followTime != time {
                isComplete = true
                break
            }
            guard let entry = try entry(statement, time, number, connection) else { continue }
            if let cursor, entry.cursor >= cursor { continue }
            if let last = entries.last, entry.cursor > last.cursor { areInOrder = false }
            entries.append(entry)
        }
        guard isComplete || seen < rows else { return nil }
        if !areInOrder { entries.sort { $0.cursor > $1.cursor } }
        return Array(entries.prefix(limit))
    }

    /// `nil` for a withdrawn user whose follows are not all removed yet.
    private static func entry(
        _ row: borrowing SQLStatement, _ time: Timestamp, _ number: UserNumber, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowListEntry? {
        guard !row.isNull(2) else {
            if try Withdrawals.includes(number, connection) { return nil }
            throw .emptyValue(table: "profile", key: number.description)
        }
        guard row.identifier(2, as: UserID.self) != nil else { throw .corruptRow(table: "profile", key: number.description) }
        return FollowListEntry(user: try UserSummary(row: row, first: 2), followTime: time)
    }
}

/// What a write of a follow led to, as it is remembered; `Relationship` is what it means (B11).
struct RelationshipRecord: Hashable, Sendable {
    var userID: UserID
    /// `nil` when the user is not followed.
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
        // A field that is there holds what it must.
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
