import PulseBoardDomain
import Synchronization

/// A result that is stored, so that a retry of its write gets it again.
protocol RememberedResult: Sendable {
    func encode(into writer: inout RecordFieldsWriter)
    /// `nil` if the fields are not such a result. A field that was added later needs a default value, because earlier results lack it.
    init?(_ fields: RecordFields)
    /// Reads a result in the form from before fields. It is needed only on the first day after migration 4.
    init?(from reader: inout RecordBytesReader)
}

/// The result of a write without a result value.
struct NothingRecord: RememberedResult {
    init() {}
    func encode(into writer: inout RecordFieldsWriter) {}
    init?(_ fields: RecordFields) {}
    init?(from reader: inout RecordBytesReader) {}
}

/// Remembers writes with a request id, so that a retry is answered and not repeated.
///
/// A user has at most ``mostOfUser`` remembered writes. One more is refused until the oldest is forgotten. An older result is never dropped for a new
/// one, because its retry would perform the write twice. Writes without a request id have no such limit.
///
/// Rows are not counted at every write, because on SQLite all other writes wait for a count (docs/performance.md). A user's rows are counted after
/// the first ``writesBeforeFirstCount`` remembered writes, and then after each ``mostWritesBetweenCounts``. Near the limit, a count comes earlier. If
/// fewer than ``writesBeforeFirstCount`` writes are left, it also reads when the oldest rows were made. Each of them makes room for one write when it
/// is forgotten. For a user who has reached the limit, rows are counted once a minute at most. A write that fails costs nothing, as it adds no row.
///
/// What is known is in memory. So the limit holds exactly on one server. After a restart a user may have ``writesBeforeFirstCount`` more, and each
/// further server on the same database may add ``mostWritesBetweenCounts``.
final class RememberedRequests: Sendable {
    /// Maximum remembered writes of a user: 10,000. A row takes about 260 bytes.
    static let mostOfUser: Int64 = 10_000
    /// How many remembered writes of a user this process permits before it counts the user's rows. Most users never reach it. Near the limit there
    /// are as many between two counts.
    static let writesBeforeFirstCount: Int64 = 100
    /// Maximum remembered writes of a user between two counts.
    static let mostWritesBetweenCounts: Int64 = 1_000
    /// How long a user who is over the limit is refused without another count.
    static let refusalAge = Timestamp.Interval.seconds(60)
    /// Maximum users in memory, about 10 MB. One near the limit takes 800 bytes more.
    private static let mostUsers = 65_536

    /// What is known about a user's rows.
    private struct Standing {
        /// How many more writes may be remembered before the next count. It is 0 or less at the limit.
        var room = RememberedRequests.writesBeforeFirstCount
        /// When the user's oldest rows were made, the earliest first, if the limit is near. There is room for one more write when one is forgotten.
        var oldest: ArraySlice<Timestamp> = []
        /// When the rows were counted; `nil` if they were not.
        var countTime: Timestamp?

        /// Whether many writes are permitted before the next count. Then little is lost if it is forgotten.
        var isLight: Bool { room > RememberedRequests.writesBeforeFirstCount / 2 }

        /// Decides about a write. It changes nothing but what time alone changes.
        mutating func verdict(at now: Timestamp) -> Verdict {
            let horizon = RememberedRequests.horizon(at: now)
            while let first = oldest.first, first <= horizon {
                oldest.removeFirst()
                room += 1
            }
            guard room <= 0 else { return .admitted }
            let age = RememberedRequests.refusalAge
            guard let last = oldest.last, let countTime, now < countTime.advanced(by: age), countTime < now.advanced(by: age) else {
                return .uncounted
            }
            // Over the limit, more than one row must be forgotten.
            let row = -room < Int64(oldest.count) ? oldest[oldest.startIndex + Int(-room)] : last
            return .refused(until: row.advanced(by: IdempotencyKey.retention))
        }
    }

    /// What becomes of a write.
    private enum Verdict {
        case admitted
        case refused(until: Timestamp)
        /// The rows must be counted first.
        case uncounted
    }

    private let standings = Mutex<[UserID: Standing]>([:])

    init() {}

    /// The format of a result's bytes. It is stored in the row.
    private enum Format: Int64 {
        case positions = 0
        case fields = 1
    }

    /// Requests from this instant or before are forgotten.
    static func horizon(at now: Timestamp) -> Timestamp {
        now.advanced(by: Timestamp.Interval(microseconds: -IdempotencyKey.retention.microseconds))
    }

    /// Performs a write, or returns the first result if it was performed under this key before.
    ///
    /// The result is stored in the same transaction as the write, so both become durable or neither. A failed write is
    /// not remembered; its retry counts as a first attempt. While the clock is not trusted, nothing is forgotten early: neither what was remembered
    /// before, nor what is remembered now.
    /// - Throws: `requestIDReused` if the id belongs to a different request; `rateLimited` if the user has too many remembered writes; and what
    ///   `perform` throws.
    func once<Result: RememberedResult>(
        _ key: IdempotencyKey?, of user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection,
        _ perform: (borrowing SQLConnection) throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        guard let key else { return try perform(connection) }
        if let result: Result = try first(key, of: user, at: now, connection) {
            // Another server may have made the write a moment ago. So this answer too counts as a change, which its consistency token covers.
            connection.outdate(user)
            return result
        }
        try admit(user, at: now, connection)
        let result = try perform(connection)
        try remember(result, key, of: user, at: now, connection)
        return result
    }

    /// The first result of a write under this key; `nil` if there was none.
    func first<Result: RememberedResult>(
        _ key: IdempotencyKey, of user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Result? {
        var statement = try connection.statement(
            "SELECT fingerprint, result, format FROM request WHERE user_id = ? AND request_id = ? AND create_time > ?")
        try statement.bind(user)
        try statement.bind(key.requestID.text)
        try statement.bind(Self.horizon(at: now.end))
        guard try statement.step() else { return nil }
        guard let fingerprint = statement.blob(0), let bytes = statement.blob(1), let format = statement.integer(2).flatMap(Format.init)
        else {
            throw .corruptRow(table: "request", key: "\(user) \(key.requestID)")
        }
        guard fingerprint == key.fingerprint else { throw .requestIDReused }
        guard let result: Result = read(bytes, format) else {
            throw .corruptRow(table: "request", key: "\(user) \(key.requestID)")
        }
        return result
    }

    private func read<Result: RememberedResult>(_ bytes: [UInt8], _ format: Format) -> Result? {
        switch format {
        case .fields: return RecordFields(bytes).flatMap(Result.init)
        case .positions:
            var reader = RecordBytesReader(bytes)
            guard let result = Result(from: &reader), reader.isAtEnd else { return nil }
            return result
        }
    }

    func remember(
        _ result: some RememberedResult, _ key: IdempotencyKey, of user: UserID, at now: JudgedTime,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var writer = RecordFieldsWriter()
        result.encode(into: &writer)
        // A row with this key can only be an expired one that is not removed yet.
        var statement = try connection.statement(
            """
            INSERT INTO request (user_id, request_id, fingerprint, result, create_time, format) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id, request_id) DO UPDATE SET
                fingerprint = excluded.fingerprint, result = excluded.result, create_time = excluded.create_time,
                format = excluded.format
            """)
        try statement.bind(user)
        try statement.bind(key.requestID.text)
        try statement.bind(key.fingerprint)
        try statement.bind(writer.bytes)
        try statement.bind(now.begin)
        try statement.bind(Format.fields.rawValue)
        try statement.run()
        // A transaction that is not committed, or is repeated, only brings the next count forward.
        standings.withLock { standings in
            if standings[user] == nil, standings.count >= Self.mostUsers { Self.forgetSome(&standings) }
            standings[user, default: Standing()].room -= 1
        }
    }

    /// Forgets remembered requests of a user, at most `limit`. Results must not keep what a removed user wrote.
    /// - Returns: whether there may be more.
    func forget(of user: UserID, limit: Int64, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var statement = try connection.statement(
            """
            DELETE FROM request WHERE (user_id, request_id) IN (
                SELECT user_id, request_id FROM request WHERE user_id = ? LIMIT ?)
            """)
        try statement.bind(user)
        try statement.bind(limit)
        try statement.run()
        // The user may have room again. The next write finds out.
        standings.withLock { if $0[user] != nil { $0[user] = Standing(room: 0) } }
        return connection.changes == limit
    }

    // MARK: The limit of a user

    /// Decides whether a write may be remembered.
    /// - Throws: `rateLimited` with the time until enough of the user's remembered writes are forgotten.
    private func admit(_ user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var verdict = verdict(on: user, at: now)
        if case .uncounted = verdict {
            try count(user, at: now, connection)
            verdict = self.verdict(on: user, at: now)
        }
        if case .refused(let time) = verdict { throw Self.refusal(until: time, at: now) }
    }

    private func verdict(on user: UserID, at now: JudgedTime) -> Verdict {
        standings.withLock { $0[user]?.verdict(at: now.end) } ?? .admitted
    }

    /// Counts a user's rows, and finds the oldest ones near the limit.
    private func count(_ user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        let rows = try rows(of: user, at: now, connection)
        var standing = Standing(room: min(Self.mostOfUser - rows, Self.mostWritesBetweenCounts), countTime: now.end)
        if standing.room < Self.writesBeforeFirstCount { standing.oldest = try oldest(of: user, at: now, connection) }
        standings.withLock { $0[user] = standing }
    }

    private func rows(of user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64 {
        var statement = try connection.statement("SELECT count(*) FROM request WHERE user_id = ? AND create_time > ?")
        try statement.bind(user)
        try statement.bind(Self.horizon(at: now.end))
        guard try statement.step(), let rows = statement.integer(0) else { throw .corruptRow(table: "request", key: user.description) }
        return rows
    }

    /// When the oldest rows of a user were made.
    private func oldest(
        of user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> ArraySlice<Timestamp> {
        // The sum keeps a database from reading everybody's rows in the order of the index by time.
        var statement = try connection.statement(
            "SELECT create_time FROM request WHERE user_id = ? AND create_time > ? ORDER BY create_time + 0 LIMIT ?")
        try statement.bind(user)
        try statement.bind(Self.horizon(at: now.end))
        try statement.bind(Self.writesBeforeFirstCount)
        var times: ArraySlice<Timestamp> = []
        while try statement.step() {
            guard let time = statement.time(0) else { throw .corruptRow(table: "request", key: user.description) }
            times.append(time)
        }
        return times
    }

    private static func refusal(until time: Timestamp, at now: JudgedTime) -> RepositoryError {
        .rateLimited(retryAfter: Timestamp.Interval(microseconds: time.microseconds - now.end.microseconds))
    }

    /// Makes room in memory. Users with many writes are kept, unless there are too many of them.
    private static func forgetSome(_ standings: inout [UserID: Standing]) {
        standings = standings.filter { !$0.value.isLight }
        if standings.count >= mostUsers { standings = [:] }
    }
}
