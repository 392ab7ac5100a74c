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
/// Rows are not counted at every write. The database counts a user's rows after a number of the user's writes, which is kept in memory. So the limit
/// holds exactly on one server. After a restart a user may have ``writesBeforeFirstCount`` more, and each further server on the same database may add
/// ``mostWritesBetweenCounts``.
final class RememberedRequests: Sendable {
    /// Maximum remembered writes of a user: 10,000. A row takes about 260 bytes.
    static let mostOfUser: Int64 = 10_000
    /// How many remembered writes of a user this process permits before it counts the user's rows. Most users never reach it.
    static let writesBeforeFirstCount: Int64 = 100
    /// Maximum remembered writes of a user between two counts.
    static let mostWritesBetweenCounts: Int64 = 1_000
    /// How long a user who is over the limit is refused without another count.
    static let refusalAge = Timestamp.Interval.seconds(60)
    /// Maximum users in memory, about 6 MB.
    private static let mostUsers = 65_536

    /// What is known about a user's rows.
    private enum Standing {
        /// How many more writes may be remembered before the next count.
        case room(Int64)
        /// The limit was reached when the rows were counted, until a row expires.
        case full(countTime: Timestamp, until: Timestamp)

        /// Whether many writes are permitted before the next count. Then little is lost if it is forgotten.
        var isLight: Bool { if case .room(let room) = self { room > RememberedRequests.writesBeforeFirstCount / 2 } else { false } }
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
        if let result: Result = try first(key, of: user, at: now, connection) { return result }
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
    }

    /// Forgets remembered requests of a user, at most `limit`. Results must not keep what a withdrawn user wrote.
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
        standings.withLock { if $0[user] != nil { $0[user] = .room(0) } }
        return connection.changes == limit
    }

    // MARK: The limit of a user

    /// Counts a write that will be remembered. A write that fails, or is performed a second time, only brings the next count forward.
    /// - Throws: `rateLimited` with the time until the user's oldest remembered write is forgotten.
    private func admit(_ user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        let verdict: Verdict = standings.withLock { standings in
            switch standings[user] {
            case .room(let room)? where room > 0:
                standings[user] = .room(room - 1)
                return .admitted
            case .full(let countTime, let until)? where countTime <= now.end && now.end < min(until, countTime.advanced(by: Self.refusalAge)):
                return .refused(until: until)
            case .room?, .full?:
                return .uncounted
            case nil:
                if standings.count >= Self.mostUsers { Self.forgetSome(&standings) }
                standings[user] = .room(Self.writesBeforeFirstCount - 1)
                return .admitted
            }
        }
        switch verdict {
        case .admitted: break
        case .refused(let time): throw Self.refusal(until: time, at: now)
        case .uncounted: try count(user, at: now, connection)
        }
    }

    /// Counts a user's rows, and decides about one write and how many may follow it.
    private func count(_ user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement("SELECT count(*), min(create_time) FROM request WHERE user_id = ? AND create_time > ?")
        try statement.bind(user)
        try statement.bind(Self.horizon(at: now.end))
        guard try statement.step(), let rows = statement.integer(0) else { throw .corruptRow(table: "request", key: user.description) }
        guard rows >= Self.mostOfUser, let oldest = statement.time(1) else {
            let room = min(Self.mostOfUser - rows, Self.mostWritesBetweenCounts)
            standings.withLock { $0[user] = .room(room - 1) }
            return
        }
        let until = oldest.advanced(by: IdempotencyKey.retention)
        standings.withLock { $0[user] = .full(countTime: now.end, until: until) }
        throw Self.refusal(until: until, at: now)
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
