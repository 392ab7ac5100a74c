import PulseBoardDomain

extension SQLiteStore {
    // MARK: Writing

    public func follow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        guard target != follower else { throw .selfFollow }
        let events = events
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                let since = try Self.insertEdge(follower, target, time, events, connection)
                let isFollowedBy = try Self.edgeTime(target, follower, connection) != nil
                return RelationshipRecord(userID: target, followTime: since, isFollowedBy: isFollowedBy)
            }
        }
        return record.model()
    }

    public func unfollow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let events = events
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                if try Self.deleteEdge(follower, target, connection) {
                    try events.appendEnd(of: follower, target, by: .follower, at: time, connection)
                } else {
                    try Self.requireProfile(of: target, connection)
                }
                let isFollowedBy = try Self.edgeTime(target, follower, connection) != nil
                return RelationshipRecord(userID: target, followTime: nil, isFollowedBy: isFollowedBy)
            }
        }
        return record.model()
    }

    public func removeFollower(
        _ follower: UserID, of owner: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let events = events
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: owner, at: time, connection) {
                connection throws(RepositoryError) in
                if try Self.deleteEdge(follower, owner, connection) {
                    try events.appendEnd(of: follower, owner, by: .followee, at: time, connection)
                } else {
                    try Self.requireProfile(of: follower, connection)
                }
                return RelationshipRecord(
                    userID: follower, followTime: try Self.edgeTime(owner, follower, connection), isFollowedBy: false)
            }
        }
        return record.model()
    }

    private static let edgeInsertion = Query("INSERT INTO following (follower, followee, follow_time) VALUES (?, ?, ?)")
    private static let reverseEdgeInsertion = Query(
        "INSERT INTO follower (followee, follow_time, follower) VALUES (?, ?, ?)")

    /// Makes the edge in both directions, counts it and tells both sides; an edge that exists stays as it is.
    /// - Returns: since when the edge exists.
    private static func insertEdge(
        _ follower: UserID, _ followee: UserID, _ time: Timestamp, _ events: FollowEventLog,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Timestamp {
        if let since = try edgeTime(follower, followee, connection) { return since }
        // Whoever has a profile has a standing. Looked at before anything is changed.
        guard let gaining = try events.standing(of: followee, connection),
            let following = try events.standing(of: follower, connection)
        else { throw .userNotFound }
        try events.append(.followed, to: following, with: followee, at: time, connection)
        try events.append(.followerGained, to: gaining, with: follower, at: time, connection)
        var edge = try connection.statement(edgeInsertion)
        try edge.bind(follower)
        try edge.bind(followee)
        try edge.bind(time)
        try edge.run()
        var reverse = try connection.statement(reverseEdgeInsertion)
        try reverse.bind(followee)
        try reverse.bind(time)
        try reverse.bind(follower)
        try reverse.run()
        return time
    }

    /// Removes the edge in both directions. - Returns: `false` when there was none.
    private static func deleteEdge(
        _ follower: UserID, _ followee: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Bool {
        guard let since = try edgeTime(follower, followee, connection) else { return false }
        var edge = try connection.statement("DELETE FROM following WHERE follower = ? AND followee = ?")
        try edge.bind(follower)
        try edge.bind(followee)
        try edge.run()
        var reverse = try connection.statement(
            "DELETE FROM follower WHERE followee = ? AND follow_time = ? AND follower = ?")
        try reverse.bind(followee)
        try reverse.bind(since)
        try reverse.bind(follower)
        try reverse.run()
        guard connection.changes == 1 else {
            throw .emptyValue(table: "follower", key: "\(followee) \(follower)")
        }
        return true
    }

    private static func requireProfile(
        of user: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        guard try counts(of: user, connection) != nil else { throw .userNotFound }
    }

    /// Removes all edges of a user in both directions, their counts, and their share in everybody else's counts, and tells
    /// the others.
    static func removeFollows(
        of user: UserID, at time: Timestamp, _ events: FollowEventLog, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        try events.appendWithdrawal(of: user, at: time, connection)
        let statements = [
            """
            DELETE FROM follower WHERE (followee, follow_time, follower) IN (
                SELECT followee, follow_time, follower FROM following WHERE follower = ?)
            """,
            """
            DELETE FROM following WHERE (follower, followee) IN (
                SELECT follower, followee FROM follower WHERE followee = ?)
            """,
            "DELETE FROM following WHERE follower = ?",
            "DELETE FROM follower WHERE followee = ?",
            "DELETE FROM follow_count WHERE user_id = ?",
        ]
        for sql in statements {
            var statement = try connection.statement(sql)
            try statement.bind(user)
            try statement.run()
        }
    }

    // MARK: Reading

    private static let edgeByKey = Query("SELECT follow_time FROM following WHERE follower = ? AND followee = ?")
    private static let countsByUser = Query("SELECT followers, following FROM follow_count WHERE user_id = ?")

    public func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship] {
        let look: QueuedBody<[UserID: Relationship]>.Body = { connection throws(RepositoryError) in
            var found: [UserID: Relationship] = [:]
            for target in targets where found[target] == nil {
                found[target] = try Self.relationship(of: viewer, to: target, connection)
            }
            return found
        }
        return targets.count == 1 ? try await read(look) : try await readLong(look)
    }

    /// `nil` when the target has no profile.
    private static func relationship(
        of viewer: UserID, to target: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Relationship? {
        guard try counts(of: target, connection) != nil else { return nil }
        guard target != viewer else { return .personal(target) }
        return RelationshipRecord(
            userID: target, followTime: try edgeTime(viewer, target, connection),
            isFollowedBy: try edgeTime(target, viewer, connection) != nil
        ).model()
    }

    public func counts(of userID: UserID) async throws(RepositoryError) -> FollowCounts {
        try await read { connection throws(RepositoryError) in
            guard let counts = try Self.counts(of: userID, connection) else { throw .userNotFound }
            return counts
        }
    }

    /// Since when the edge exists; `nil` when it does not.
    private static func edgeTime(
        _ follower: UserID, _ followee: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Timestamp? {
        var statement = try connection.statement(edgeByKey)
        try statement.bind(follower)
        try statement.bind(followee)
        guard try statement.step() else { return nil }
        guard let time = statement.time(0) else {
            throw .corruptRow(table: "following", key: "\(follower) \(followee)")
        }
        return time
    }

    /// A user's counts; `nil` when the user has no profile.
    static func counts(
        of user: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> FollowCounts? {
        var statement = try connection.statement(countsByUser)
        try statement.bind(user)
        guard try statement.step() else { return nil }
        guard let followers = statement.integer(0), let following = statement.integer(1), followers >= 0, following >= 0
        else { throw .corruptRow(table: "follow_count", key: user.description) }
        return FollowCounts(followers: followers, following: following)
    }
}
