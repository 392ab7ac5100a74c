import PulseBoardDomain

/// Removes the follows of users who are gone in steps, so that a user with a million followers delays no other write. The deletion of a profile and
/// the purge of a user both begin here.
///
/// The first write leaves a tombstone with the user's number, which the edges still contain. From then on the user is gone for everybody: lists and
/// counts leave out rows of a number with a tombstone, and a user who returns has another number. Each step removes the next rows and appends events
/// for the other sides, in one transaction. After a crash, the tombstone shows that there is more to do. Damaged rows are removed like others.
struct Tombstones: Sendable {
    let events: FollowEventLog
    let usernames: Usernames

    /// Maximum edges and events that one step removes. A write that comes during a step waits for it (docs/performance.md, Withdrawals).
    static let rowsPerStep: Int64 = 250
    /// How many rows a user without follows counts as.
    private static let rowsOfTombstone: Int64 = 10

    /// A user who is gone.
    struct Tombstone {
        let user: UserID
        let number: UserNumber
        let time: Timestamp
    }

    // MARK: Beginning

    /// Removes everything that shows a user, and leaves the tombstone. The follows are removed in steps.
    /// - Throws: `profileRequired`.
    func begin(_ user: UserID, at time: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        guard let number = try SQLStore.number(of: user, connection) else {
            throw try SQLStore.missingProfile(of: user, connection)
        }
        try begin(user, number, Self.tombstoneOfProfile, at: time, connection)
    }

    private static let tombstoneOfProfile = Query(tombstone(of: "profile"))
    /// For a user who has asked to leave, and whose former profile may be damaged.
    static let tombstoneOfLeaver = Query(tombstone(of: "pending_withdrawal"))

    // A LEFT JOIN, so that a user without counts can withdraw too. The counts are the number of edges to remove.
    private static func tombstone(of table: String) -> String {
        """
        INSERT INTO withdrawal (number, user_id, withdraw_time, followers, following, is_damaged, is_over)
        SELECT p.number, p.user_id, ?2, coalesce(c.followers, 0), coalesce(c.following, 0), CASE WHEN c.number IS NULL THEN 1 ELSE 0 END, 0
        FROM \(table) p LEFT JOIN follow_count c ON c.number = p.number WHERE p.number = ?1
        """
    }

    /// The same for a user whose number is known.
    /// - Parameter insertion: inserts the tombstone.
    func begin(
        _ user: UserID, _ number: UserNumber, _ insertion: Query, at time: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var tombstone = try connection.statement(insertion)
        try tombstone.bind(number)
        // It is the time of the events, which a clock that is ahead would not keep.
        try tombstone.bind(time.end)
        try tombstone.run()
        try usernames.giveUpAll(of: user, at: time.begin, connection)
        try SQLStore.removeTerms(of: user, connection)
        try SQLStore.discardImages(of: user, at: time.end, connection)
        try DiaryRecord.discard(of: user, connection)
        for sql in ["DELETE FROM profile WHERE number = ?", "DELETE FROM follow_count WHERE number = ?"] {
            var deletion = try connection.statement(sql)
            try deletion.bind(number)
            try deletion.run()
        }
        try SQLStore.closeSessions(of: user, connection)
    }

    // MARK: Removing the follows

    /// The result of a step.
    struct Step: Sendable {
        /// Whether there may be more to do.
        var hasMore = false
        /// The other sides that have an event of it. They are at most as many as ``rowsPerStep``.
        var told: [UserID] = []
    }

    /// Removes the next rows.
    ///
    /// Where there are other writers, a step handles one user only. For a second user, further users would be locked after those of the first. Two
    /// writers that lock users one after another could deadlock.
    func step(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Step {
        var step = Step()
        var room = Self.rowsPerStep
        while let tombstone = try next(connection) {
            step.hasMore = true
            guard room > 0 else { return step }
            if connection.hasOtherWriters, room < Self.rowsPerStep { return step }
            // Other writers may remove rows while this one waits for the locks. Then more rows would fit, of users who are not locked. They are for
            // the next step.
            let ends = try Ends(of: tombstone, limit: room, connection)
            if connection.hasOtherWriters { try lockOthers(of: tombstone, limit: room, connection) }
            room -= try remove(.following, of: tombstone, upTo: ends.following, &step.told, connection)
            guard room > 0, ends.following == Ends.ofAllRows.following else { return step }
            let followers = try Self.endOfFollowers(of: tombstone, limit: room, connection)
            room -= try remove(.followers, of: tombstone, upTo: followers < ends.followers ? followers : ends.followers, &step.told, connection)
            guard room > 0, ends.followers == Ends.ofAllRows.followers else { return step }
            room -= try removeEvents(of: tombstone, limit: room, connection)
            guard room > 0 else { return step }
            room -= Self.rowsOfTombstone
            try finish(tombstone, connection)
            step.hasMore = false
        }
        guard let damage = try damage(connection) else { return step }
        // The error would undo what this step has removed. So the next step throws it.
        guard room < Self.rowsPerStep else { throw damage }
        step.hasMore = true
        return step
    }

    /// The tombstone whose turn it is. Damaged ones do not stop the others.
    func next(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Tombstone? {
        let statement = try connection.statement(
            "SELECT user_id, number, withdraw_time FROM withdrawal WHERE is_over = 0 AND length(user_id) = 16 ORDER BY number LIMIT 1")
        guard try statement.step() else { return nil }
        guard let user = statement.identifier(0, as: UserID.self), let number = statement.userNumber(1), let time = statement.time(2)
        else { throw .corruptRow(table: "withdrawal", key: statement.key(1)) }
        return Tombstone(user: user, number: number, time: time)
    }

    /// The first tombstone whose user's id is damaged, as an error; `nil` if there is none.
    func damage(_ connection: borrowing SQLConnection) throws(RepositoryError) -> RepositoryError? {
        let statement = try connection.statement(
            "SELECT number FROM withdrawal WHERE is_over = 0 AND length(user_id) <> 16 ORDER BY number LIMIT 1")
        return try statement.step() ? RepositoryError.corruptRow(table: "withdrawal", key: statement.key(0)) : nil
    }

    /// The rows of a tombstone's edges in one direction, and what their removal changes for the other sides.
    private struct Rows {
        /// Selects the other sides. The parameter ?1 is the tombstone's number; ?5 and ?6 are the end of the rows.
        let others: String
        /// Deletes the rows in the table that lists the other side, and the rows of the same edges in the other table.
        let deletion: String
        let reverseDeletion: String
        /// The column of the other side's count that changes, and the kind of its event.
        let othersColumn: String
        let kind: FollowEventKind
        /// The tombstone's column that counts these edges.
        let column: String

        static let following = Rows(
            others: "SELECT followee FROM following WHERE follower = ?1 AND followee <= ?5 AND ?6 = 0",
            deletion: "DELETE FROM following WHERE follower = ?1 AND followee <= ?5 AND ?6 = 0",
            reverseDeletion: """
                DELETE FROM follower WHERE (followee, follow_time, follower) IN (
                    SELECT followee, follow_time, follower FROM following WHERE follower = ?1 AND followee <= ?5 AND ?6 = 0)
                """,
            othersColumn: "followers", kind: FollowEventKind.end(.withdrawal).followee, column: "following")
        static let followers = Rows(
            others: "SELECT follower FROM follower WHERE followee = ?1 AND (follow_time, follower) <= (?5, ?6)",
            deletion: "DELETE FROM follower WHERE followee = ?1 AND (follow_time, follower) <= (?5, ?6)",
            reverseDeletion: """
                DELETE FROM following WHERE (follower, followee) IN (
                    SELECT follower, followee FROM follower WHERE followee = ?1 AND (follow_time, follower) <= (?5, ?6))
                """,
            othersColumn: "following", kind: FollowEventKind.end(.withdrawal).follower, column: "followers")
    }

    /// The last rows of a step in each direction.
    private struct Ends {
        let following: (Int64, Int64)
        let followers: (Int64, Int64)

        static let ofAllRows = Ends(following: (.max, 0), followers: (.max, .max))

        private init(following: (Int64, Int64), followers: (Int64, Int64)) {
            self.following = following
            self.followers = followers
        }

        init(of tombstone: Tombstone, limit: Int64, _ connection: borrowing SQLConnection) throws(RepositoryError) {
            following = try Tombstones.endOfFollowing(of: tombstone, limit: limit, connection)
            followers = try Tombstones.endOfFollowers(of: tombstone, limit: limit, connection)
        }
    }

    /// The last row of a step. If fewer rows are left, it is behind all of them.
    private static func endOfFollowing(
        of tombstone: Tombstone, limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (Int64, Int64) {
        var statement = try connection.statement("SELECT followee FROM following WHERE follower = ? ORDER BY followee LIMIT 1 OFFSET ?")
        try statement.bind(tombstone.number)
        try statement.bind(limit - 1)
        guard try statement.step(), let followee = statement.integer(0) else { return Ends.ofAllRows.following }
        return (followee, 0)
    }

    private static func endOfFollowers(
        of tombstone: Tombstone, limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> (Int64, Int64) {
        var statement = try connection.statement(
            "SELECT follow_time, follower FROM follower WHERE followee = ? ORDER BY follow_time, follower LIMIT 1 OFFSET ?")
        try statement.bind(tombstone.number)
        try statement.bind(limit - 1)
        guard try statement.step(), let time = statement.integer(0), let follower = statement.integer(1) else { return Ends.ofAllRows.followers }
        return (time, follower)
    }

    /// Removes rows and the other rows of the same edges, updates the other sides' counts, and appends their events.
    /// - Parameter told: takes the other sides whose events are kept.
    /// - Returns: how many edges were removed.
    private func remove(
        _ rows: Rows, of tombstone: Tombstone, upTo last: (Int64, Int64), _ told: inout [UserID], _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Int64 {
        /// Every statement uses ?6, so it takes all of these parameters.
        func run(_ sql: String, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64 {
            var statement = try connection.statement(sql)
            try statement.bind(tombstone.number)
            try statement.bind(tombstone.time)
            try statement.bind(rows.kind.rawValue)
            try statement.bind(tombstone.user)
            try statement.bind(last.0)
            try statement.bind(last.1)
            try statement.run()
            return Int64(connection.changes)
        }
        // A damaged count does not become negative.
        _ = try run(
            """
            UPDATE follow_count SET \(rows.othersColumn) = CASE WHEN \(rows.othersColumn) > 1 THEN \(rows.othersColumn) - 1 ELSE 0 END,
                \(FollowEventLog.counting)
            WHERE number IN (\(rows.others))
            """, connection)
        _ = try run(
            """
            INSERT INTO follow_event (owner, event_time, kind, other)
            SELECT number, last_event, ?3, ?4 FROM follow_count WHERE events_until > ?2 AND number IN (\(rows.others))
            ON CONFLICT (owner, event_time) DO NOTHING
            """, connection)
        told += try watched(rows, of: tombstone, upTo: last, connection)
        // The other side may have withdrawn too.
        _ = try run(
            "UPDATE withdrawal SET \(rows.othersColumn) = \(rows.othersColumn) - 1 WHERE number IN (\(rows.others))", connection)
        let reverse = try run(rows.reverseDeletion, connection)
        let count = try run(rows.deletion, connection)
        guard count > 0 else { return 0 }
        var counted = try connection.statement(
            "UPDATE withdrawal SET \(rows.column) = \(rows.column) - ?2, is_damaged = CASE WHEN ?3 = 1 THEN 1 ELSE is_damaged END WHERE number = ?1")
        try counted.bind(tombstone.number)
        try counted.bind(count)
        try counted.bind(reverse == count ? 0 : 1)
        try counted.run()
        return count
    }

    /// Locks the other sides of the next edges in both directions at once, because their counts and events change. Those who are leaving may come
    /// back meanwhile, so they are locked too.
    private func lockOthers(of tombstone: Tombstone, limit: Int64, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(
            """
            WITH others AS (
                SELECT number FROM (SELECT followee AS number FROM following WHERE follower = ?1 ORDER BY followee LIMIT ?2) AS followed
                UNION SELECT number FROM (
                    SELECT follower AS number FROM follower WHERE followee = ?1 ORDER BY follow_time, follower LIMIT ?2) AS fans)
            SELECT user_id FROM profile WHERE number IN (SELECT number FROM others)
            UNION SELECT user_id FROM pending_withdrawal WHERE number IN (SELECT number FROM others)
            """)
        try statement.bind(tombstone.number)
        try statement.bind(limit)
        var others: [UserID] = []
        // A damaged row is passed over, because it must not stop the removal. No call finds its user, so no other writer changes the user's rows.
        while try statement.step() { if let other = statement.identifier(0, as: UserID.self) { others.append(other) } }
        try connection.lockOrYield(others)
    }

    /// The other sides whose events are kept. Nobody watches the others.
    private func watched(
        _ rows: Rows, of tombstone: Tombstone, upTo last: (Int64, Int64), _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [UserID] {
        var statement = try connection.statement(
            """
            SELECT p.user_id FROM profile p JOIN follow_count c ON c.number = p.number
            WHERE c.events_until > ?2 AND p.number IN (\(rows.others))
            """)
        try statement.bind(tombstone.number)
        try statement.bind(tombstone.time)
        // ?3 and ?4 are not used here.
        for value in [0, 0, last.0, last.1] { try statement.bind(value) }
        var others: [UserID] = []
        // A damaged row is passed over, because it must not stop the removal.
        while try statement.step() { if let other = statement.identifier(0, as: UserID.self) { others.append(other) } }
        return others
    }

    private func removeEvents(
        of tombstone: Tombstone, limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Int64 {
        var statement = try connection.statement(
            """
            DELETE FROM follow_event WHERE (owner, event_time) IN (
                SELECT owner, event_time FROM follow_event WHERE owner = ? ORDER BY event_time LIMIT ?)
            """)
        try statement.bind(tombstone.number)
        try statement.bind(limit)
        try statement.run()
        return Int64(connection.changes)
    }

    /// Removes the tombstone of a user without further rows. If rows and counts disagree, the other sides may have rows that cannot be found. Then
    /// the tombstone stays and hides them.
    private func finish(_ tombstone: Tombstone, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        for sql in [
            "DELETE FROM withdrawal WHERE number = ? AND followers = 0 AND following = 0 AND is_damaged = 0",
            "UPDATE withdrawal SET is_over = 1 WHERE number = ?",
        ] {
            var statement = try connection.statement(sql)
            try statement.bind(tombstone.number)
            try statement.run()
        }
    }

    // MARK: Meanwhile

    /// Removes at once the old edges between two users who are about to follow each other. So the other side gets the event of the withdrawal before
    /// that of the follow.
    func settle(_ user: UserID, with other: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        let tombstones = try tombstones(of: user, connection)
        guard !tombstones.isEmpty, let otherNumber = try SQLStore.number(of: other, connection) else { return }
        let kinds = FollowEventKind.end(.withdrawal)
        for tombstone in tombstones {
            for (edge, kind, column) in [
                (FollowEdge(follower: tombstone.number, followee: otherNumber), kinds.followee, "following"),
                (FollowEdge(follower: otherNumber, followee: tombstone.number), kinds.follower, "followers"),
            ] {
                guard try edge.delete(connection), let standing = try events.standing(of: other, connection) else { continue }
                try events.append(kind, to: standing, with: user, at: JudgedTime(trusted: tombstone.time), connection)
                var counted = try connection.statement("UPDATE withdrawal SET \(column) = \(column) - 1 WHERE number = ?")
                try counted.bind(tombstone.number)
                try counted.run()
            }
        }
    }

    private func tombstones(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> [Tombstone] {
        var statement = try connection.statement("SELECT number, withdraw_time FROM withdrawal WHERE user_id = ? AND is_over = 0")
        try statement.bind(user)
        var found: [Tombstone] = []
        while try statement.step() {
            guard let number = statement.userNumber(0), let time = statement.time(1) else {
                throw .corruptRow(table: "withdrawal", key: user.description)
            }
            found.append(Tombstone(user: user, number: number, time: time))
        }
        return found
    }
}
