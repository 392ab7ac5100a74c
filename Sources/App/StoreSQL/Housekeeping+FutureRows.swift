import PulseBoardDomain

/// Corrects rows that were written while the clock was ahead. Their end would be as far in the future as the clock was.
///
/// A future row begins more than ``ClockJudge/tolerance`` after a trusted time. Where a row has no time of its beginning, its end
/// tells: it is later than any end that can be written now. Only the rows that end last are looked at, because future rows are among them.
extension Housekeeping {
    /// Corrects at most `rows` rows of each kind. Call it only while the clock is trusted.
    /// - Returns: whether there may be more.
    static func correctFutureRows(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Bool {
        let sessions = try shortenSessions(connection, now, rows: rows)
        let requests = try forgetRequestsInTime(connection, now, rows: rows)
        let withdrawals = try shortenWithdrawals(connection, now, rows: rows)
        let leases = try shorten(.leased, to: UsernamePolicy.leaseLifetime, atMost: UsernamePolicy.leaseLifetime, connection, now, rows: rows)
        // The present setting may be shorter than the one with which a name was given up. So only an end that no setting permits is corrected.
        let longest = Timestamp.Interval.days(UsernamePolicy.days.upperBound)
        let holds = try shorten(.held, to: UsernamePolicy.standard.hold, atMost: longest, connection, now, rows: rows)
        let images = try shortenImages(connection, now, rows: rows)
        let deletions = try shortenTombstones(connection, now, rows: rows)
        return [sessions, requests, withdrawals, leases, holds, images, deletions].contains { $0 >= rows }
    }

    /// Corrects the end of sessions that were opened while the clock was ahead. Otherwise such a session would never end. Afterwards it is a day old,
    /// so that it does not count as a recent sign-in.
    ///
    /// It looks at the sessions that end last, because sessions of the future are among them.
    /// - Returns: how many it has changed.
    private static func shortenSessions(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Int64 {
        let day = ClockJudge.tolerance
        var keys: [(UserID, SessionID)] = []
        do {
            var last = try connection.statement(
                """
                SELECT user_id, session_id FROM (
                    SELECT user_id, session_id, create_time FROM session ORDER BY expire_time DESC LIMIT ?) AS last
                WHERE create_time > ?
                """)
            try last.bind(rows)
            try last.bind(now.advanced(by: day))
            while try last.step() {
                guard let user = last.identifier(0, as: UserID.self), let id = last.identifier(1, as: SessionID.self) else { continue }
                keys.append((user, id))
            }
        }
        let begin = now.advanced(by: Timestamp.Interval(microseconds: -day.microseconds))
        for (user, id) in keys {
            connection.outdate(user)
            var update = try connection.statement(
                "UPDATE session SET expire_time = expire_time - create_time + ?, create_time = ? WHERE user_id = ? AND session_id = ?")
            try update.bind(begin)
            try update.bind(begin)
            try update.bind(user)
            try update.bind(id)
            try update.run()
        }
        return Int64(keys.count)
    }

    /// Remembered writes count from now on, so that they are forgotten.
    private static func forgetRequestsInTime(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Int64 {
        var update = try connection.statement(
            """
            UPDATE request SET create_time = ? WHERE (user_id, request_id) IN (
                SELECT user_id, request_id FROM request WHERE create_time > ? ORDER BY create_time DESC LIMIT ?)
            """)
        try update.bind(now)
        try update.bind(now.advanced(by: ClockJudge.tolerance))
        try update.bind(rows)
        try update.run()
        return Int64(connection.changes)
    }

    /// The time for coming back begins now.
    private static func shortenWithdrawals(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Int64 {
        var update = try connection.statement(
            """
            UPDATE pending_withdrawal SET purge_time = purge_time - request_time + ?, request_time = ? WHERE user_id IN (
                SELECT user_id FROM (SELECT user_id, request_time FROM pending_withdrawal ORDER BY purge_time DESC LIMIT ?) AS last
                WHERE request_time > ?)
            """)
        try update.bind(now)
        try update.bind(now)
        try update.bind(rows)
        try update.bind(now.advanced(by: ClockJudge.tolerance))
        try update.run()
        return Int64(connection.changes)
    }

    /// Pictures that no profile shows, and pictures of diaries that no entry names, are removed after their usual time from now. Otherwise the
    /// pictures of a user who left while the clock was ahead would stay.
    /// - Returns: how many it has changed, of the kind with more of them.
    private static func shortenImages(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Int64 {
        var most: Int64 = 0
        for (table, key, isUnused, lifetime) in [
            ("image", "owner, image_id", "state <> \(ImageState.attached.rawValue)", ImageLimits.stagedLifetime),
            ("diary_image", "diary, sha256", "uses = 0", DiaryLimits.unusedImageLifetime),
        ] {
            var update = try connection.statement(
                """
                UPDATE \(table) SET expire_time = ? WHERE (\(key)) IN (
                    SELECT \(key) FROM (SELECT \(key), expire_time FROM \(table) WHERE \(isUnused) ORDER BY expire_time DESC LIMIT ?) AS last
                    WHERE expire_time > ?)
                """)
            try update.bind(now.advanced(by: lifetime))
            try update.bind(rows)
            try update.bind(now.advanced(by: lifetime).advanced(by: ClockJudge.tolerance))
            try update.run()
            most = max(most, Int64(connection.changes))
        }
        return most
    }

    /// Diary entries that were deleted while the clock was ahead count as deleted now. Otherwise their rows would take the diary's room for ever.
    private static func shortenTombstones(
        _ connection: borrowing SQLConnection, _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Int64 {
        // With these conditions the query uses the index of tombstones.
        var update = try connection.statement(
            """
            UPDATE diary_entry SET delete_time = ? WHERE (diary, entry_id) IN (
                SELECT diary, entry_id FROM diary_entry WHERE delete_time > ? AND has_conflicts = 0 ORDER BY delete_time DESC LIMIT ?)
            """)
        try update.bind(now)
        try update.bind(now.advanced(by: ClockJudge.tolerance))
        try update.bind(rows)
        try update.run()
        return Int64(connection.changes)
    }

    /// Ends names of one kind after `lifetime` from now, if they end later than `longest` from now.
    private static func shorten(
        _ kind: ClaimedUsername.Kind, to lifetime: Timestamp.Interval, atMost longest: Timestamp.Interval, _ connection: borrowing SQLConnection,
        _ now: Timestamp, rows: Int64
    ) throws(RepositoryError) -> Int64 {
        var update = try connection.statement(
            """
            UPDATE username SET expire_time = ? WHERE username_key IN (
                SELECT username_key FROM (
                    SELECT username_key, kind, expire_time FROM username WHERE kind <> 0 ORDER BY expire_time DESC LIMIT ?) AS last
                WHERE kind = ? AND expire_time > ?)
            """)
        try update.bind(now.advanced(by: lifetime))
        try update.bind(rows)
        try update.bind(kind.rawValue)
        try update.bind(now.advanced(by: longest).advanced(by: ClockJudge.tolerance))
        try update.run()
        return Int64(connection.changes)
    }
}
