import PulseBoardDomain

/// A result that can be kept and given again to the retry of its write.
protocol RememberedResult: Sendable {
    func encode(into writer: inout RecordFieldsWriter)
    /// `nil` when the fields are not such a result. A field that was added later must not be asked for in vain: it has a value for results of
    /// before.
    init?(_ fields: RecordFields)
    /// Reads a result in the form of before fields. Of no use any more a day after the database was brought to migration 4.
    init?(from reader: inout RecordBytesReader)
}

/// The result of a write that has nothing to tell.
struct NothingRecord: RememberedResult {
    init() {}
    func encode(into writer: inout RecordFieldsWriter) {}
    init?(_ fields: RecordFields) {}
    init?(from reader: inout RecordBytesReader) {}
}

/// Writes that were named by their callers, so that a retry is answered and not repeated.
enum RememberedRequests {
    /// Of the bytes of results; it stands in their rows.
    private enum Format: Int64 {
        case positions = 0
        case fields = 1
    }

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

    /// The first result of a write that was performed under this key; `nil` when it was not.
    static func first<Result: RememberedResult>(
        _ key: IdempotencyKey, of user: UserID, at now: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Result? {
        var statement = try connection.statement(
            "SELECT fingerprint, result, format FROM request WHERE user_id = ? AND request_id = ? AND create_time > ?")
        try statement.bind(user)
        try statement.bind(key.requestID.text)
        try statement.bind(horizon(at: now))
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

    private static func read<Result: RememberedResult>(_ bytes: [UInt8], _ format: Format) -> Result? {
        switch format {
        case .fields: return RecordFields(bytes).flatMap(Result.init)
        case .positions:
            var reader = RecordBytesReader(bytes)
            guard let result = Result(from: &reader), reader.isAtEnd else { return nil }
            return result
        }
    }

    static func remember(
        _ result: some RememberedResult, _ key: IdempotencyKey, of user: UserID, at now: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var writer = RecordFieldsWriter()
        result.encode(into: &writer)
        // A row under this key can only be an expired one that has not been removed yet.
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
        try statement.bind(now)
        try statement.bind(Format.fields.rawValue)
        try statement.run()
    }

    /// Forgets what a user has asked for, at most so much at once: what a withdrawn user wrote must not linger in results.
    /// - Returns: whether there may be more.
    static func forget(of user: UserID, limit: Int64, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var statement = try connection.statement(
            """
            DELETE FROM request WHERE (user_id, request_id) IN (
                SELECT user_id, request_id FROM request WHERE user_id = ? LIMIT ?)
            """)
        try statement.bind(user)
        try statement.bind(limit)
        try statement.run()
        return connection.changes == limit
    }
}
