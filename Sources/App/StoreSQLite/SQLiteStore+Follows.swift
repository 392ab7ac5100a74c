import PulseBoardDomain

extension SQLiteStore {
    // MARK: Writing

    public func follow(
        _ target: UserID, by follower: UserID, at time: Timestamp, idempotency: IdempotencyKey?
    ) async throws(RepositoryError) -> Relationship {
        guard target != follower else { throw .selfFollow }
        let events = events
        let housekeeping = housekeeping
        let record = try await write { connection throws(RepositoryError) in
            try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
                connection throws(RepositoryError) in
                // Somebody who withdrew and came back, and whose former follows are not all gone yet.
                if housekeeping.mayHaveWithdrawals {
                    try housekeeping.withdrawals.settle(target, with: follower, connection)
                    try housekeeping.withdrawals.settle(follower, with: target, connection)
                }
                // Looked at before anything is changed.
                guard let gaining = try events.standing(of: target, connection),
                    let following = try events.standing(of: follower, connection)
                else { throw .userNotFound }
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
            try RememberedRequests.once(idempotency, of: follower, at: time, connection) {
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
            try RememberedRequests.once(idempotency, of: owner, at: time, connection) {
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

    public func counts(of userID: UserID) async throws(RepositoryError) -> FollowCounts {
        try await read { connection throws(RepositoryError) in
            var statement = try connection.statement(Self.countsByUser)
            try statement.bind(userID)
            guard try statement.step() else { throw .userNotFound }
            guard !statement.isNull(0) else { throw .emptyValue(table: "follow_count", key: userID.description) }
            guard let followers = statement.integer(0), let following = statement.integer(1), followers >= 0, following >= 0,
                let leaving = statement.integer(2), let left = statement.integer(3)
            else { throw .corruptRow(table: "follow_count", key: userID.description) }
            return FollowCounts(followers: max(followers - leaving, 0), following: max(following - left, 0))
        }
    }
}
