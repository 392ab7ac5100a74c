import PulseBoardDomain

/// A result that can be kept and given again to the retry of its write.
protocol RememberedResult: Sendable {
    func encode(into writer: inout RecordBytesWriter)
    /// `nil` when the bytes are not such a result.
    init?(from reader: inout RecordBytesReader)
}

/// The result of a write that has nothing to tell.
struct NothingRecord: RememberedResult {
    init() {}
    func encode(into writer: inout RecordBytesWriter) {}
    init?(from reader: inout RecordBytesReader) {}
}

/// Writes that were named by their callers, so that a retry is answered and not repeated.
enum RememberedRequests {
    /// Requests made at or before this instant are forgotten.
    static func horizon(at now: Timestamp) -> Timestamp {
        now.advanced(by: Timestamp.Interval(microseconds: -IdempotencyKey.retention.microseconds))
    }

    /// Performs a write, unless it was performed before under this key; then its first result is given.
    ///
    /// The result is kept in the same transaction as the write: both are durable or neither. A write that failed is not
    /// remembered, and its retry is a first attempt.
    /// - Throws: `requestIDReused` when the id stands for a different request, and what `perform` throws.
    static func once<Result: RememberedResult>(
        _ key: IdempotencyKey?, of user: UserID, at now: Timestamp, _ connection: borrowing SQLConnection,
        _ perform: (borrowing SQLConnection) throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        guard let key else { return try perform(connection) }
        if let result: Result = try first(key, of: user, at: now, connection) { return result }
        let result = try perform(connection)
        try remember(result, key, of: user, at: now, connection)
        return result
    }

    private static func first<Result: RememberedResult>(
        _ key: IdempotencyKey, of user: UserID, at now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Result? {
        var statement = try connection.statement(
            "SELECT fingerprint, result FROM request WHERE user_id = ? AND request_id = ? AND create_time > ?")
        try statement.bind(user)
        try statement.bind(key.requestID.text)
        try statement.bind(horizon(at: now))
        guard try statement.step() else { return nil }
        guard let fingerprint = statement.blob(0), let bytes = statement.blob(1) else {
            throw .corruptRow(table: "request", key: "\(user) \(key.requestID)")
        }
        guard fingerprint == key.fingerprint else { throw .requestIDReused }
        var reader = RecordBytesReader(bytes)
        guard let result = Result(from: &reader), reader.isAtEnd else {
            throw .corruptRow(table: "request", key: "\(user) \(key.requestID)")
        }
        return result
    }

    private static func remember(
        _ result: some RememberedResult, _ key: IdempotencyKey, of user: UserID, at now: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var writer = RecordBytesWriter()
        result.encode(into: &writer)
        // A row under this key can only be an expired one that has not been removed yet.
        var statement = try connection.statement(
            """
            INSERT INTO request (user_id, request_id, fingerprint, result, create_time) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (user_id, request_id) DO UPDATE SET
                fingerprint = excluded.fingerprint, result = excluded.result, create_time = excluded.create_time
            """)
        try statement.bind(user)
        try statement.bind(key.requestID.text)
        try statement.bind(key.fingerprint)
        try statement.bind(writer.bytes)
        try statement.bind(now)
        try statement.run()
    }

    /// Forgets everything a user has asked for: what a withdrawn user wrote must not linger in results.
    static func forgetAll(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement("DELETE FROM request WHERE user_id = ?")
        try statement.bind(user)
        try statement.run()
    }
}
