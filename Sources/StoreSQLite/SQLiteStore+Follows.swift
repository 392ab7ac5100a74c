import PulseBoardDomain

extension SQLiteStore {
    // MARK: Writing

    public func follow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        guard target != follower else { throw .selfFollow }
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                let since = try Self.insertEdge(follower, target, time, connection)
                let isFollowedBy = try Self.edgeTime(target, follower, connection) != nil
                return RelationshipRecord(userID: target, followTime: since, isFollowedBy: isFollowedBy)
            }
        }
        return record.model()
    }

    public func unfollow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                try Self.deleteEdge(follower, target, elseRequire: target, connection)
                let isFollowedBy = try Self.edgeTime(target, follower, connection) != nil
                return RelationshipRecord(userID: target, followTime: nil, isFollowedBy: isFollowedBy)
            }
        }
        return record.model()
    }

    public func removeFollower(
        _ follower: UserID, of owner: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: owner, at: time, connection) {
                connection throws(RepositoryError) in
                try Self.deleteEdge(follower, owner, elseRequire: follower, connection)
                return RelationshipRecord(
                    userID: follower, followTime: try Self.edgeTime(owner, follower, connection), isFollowedBy: false)
            }
        }
        return record.model()
    }

    /// Makes the edge in both directions and counts it; an edge that exists stays as it is.
    /// - Returns: since when the edge exists.
    private static func insertEdge(
        _ follower: UserID, _ followee: UserID, _ time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Timestamp {
        var edge = try connection.statement(
            """
            INSERT INTO following (follower, followee, follow_time) VALUES (?, ?, ?)
            ON CONFLICT (follower, followee) DO NOTHING
            """)
        try edge.bind(follower)
        try edge.bind(followee)
        try edge.bind(time)
        try edge.run()
        guard connection.changes == 1 else {
            guard let since = try edgeTime(follower, followee, connection) else {
                throw .emptyValue(table: "following", key: "\(follower) \(followee)")
            }
            return since
        }
        var reverse = try connection.statement(
            "INSERT INTO follower (followee, follow_time, follower) VALUES (?, ?, ?)")
        try reverse.bind(followee)
        try reverse.bind(time)
        try reverse.bind(follower)
        try reverse.run()
        // Counting up finds out whether both have a profile; if not, the savepoint takes the edge back.
        guard try count(follower, followers: 0, following: 1, connection) else { throw .userNotFound }
        guard try count(followee, followers: 1, following: 0, connection) else { throw .userNotFound }
        return time
    }

    /// Removes the edge in both directions and counts it off; without an edge nothing changes.
    /// - Throws: `userNotFound` when there is no edge and `user` has no profile.
    private static func deleteEdge(
        _ follower: UserID, _ followee: UserID, elseRequire user: UserID, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        guard let since = try edgeTime(follower, followee, connection) else {
            guard try counts(of: user, connection) != nil else { throw .userNotFound }
            return
        }
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
        for (user, followers, following) in [(follower, Int64(0), Int64(-1)), (followee, -1, 0)] {
            guard try count(user, followers: followers, following: following, connection) else {
                throw .emptyValue(table: "follow_count", key: user.description)
            }
        }
    }

    /// Changes a user's counts; `false` when the user has none, that is no profile.
    private static func count(
        _ user: UserID, followers: Int64, following: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Bool {
        var statement = try connection.statement(
            "UPDATE follow_count SET followers = followers + ?, following = following + ? WHERE user_id = ?")
        try statement.bind(followers)
        try statement.bind(following)
        try statement.bind(user)
        try statement.run()
        return connection.changes == 1
    }

    /// Removes all edges of a user in both directions, their counts, and their share in everybody else's counts.
    static func removeFollows(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        let statements = [
            """
            UPDATE follow_count SET followers = followers - 1
            WHERE user_id IN (SELECT followee FROM following WHERE follower = ?)
            """,
            """
            UPDATE follow_count SET following = following - 1
            WHERE user_id IN (SELECT follower FROM follower WHERE followee = ?)
            """,
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

    public func relationships(
        of viewer: UserID, to targets: [UserID]
    ) async throws(RepositoryError) -> [UserID: Relationship] {
        try await read { connection throws(RepositoryError) in
            var found: [UserID: Relationship] = [:]
            for target in targets where found[target] == nil {
                guard try Self.counts(of: target, connection) != nil else { continue }
                if target == viewer {
                    found[target] = .personal(target)
                    continue
                }
                found[target] = RelationshipRecord(
                    userID: target, followTime: try Self.edgeTime(viewer, target, connection),
                    isFollowedBy: try Self.edgeTime(target, viewer, connection) != nil
                ).model()
            }
            return found
        }
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
        var statement = try connection.statement(
            "SELECT follow_time FROM following WHERE follower = ? AND followee = ?")
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
        var statement = try connection.statement("SELECT followers, following FROM follow_count WHERE user_id = ?")
        try statement.bind(user)
        guard try statement.step() else { return nil }
        guard let followers = statement.integer(0), let following = statement.integer(1), followers >= 0, following >= 0
        else { throw .corruptRow(table: "follow_count", key: user.description) }
        return FollowCounts(followers: followers, following: following)
    }
}
