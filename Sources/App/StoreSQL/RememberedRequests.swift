import PulseBoardDomain

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
enum RememberedRequests {
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
    /// - Throws: `requestIDReused` if the id belongs to a different request, and what `perform` throws.
    static func once<Result: RememberedResult>(
        _ key: IdempotencyKey?, of user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection,
        _ perform: (borrowing SQLConnection) throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        guard let key else { return try perform(connection) }
        if let result: Result = try first(key, of: user, at: now, connection) { return result }
        let result = try perform(connection)
        try remember(result, key, of: user, at: now, connection)
        return result
    }

    /// The first result of a write under this key; `nil` if there was none.
    static func first<Result: RememberedResult>(
        _ key: IdempotencyKey, of user: UserID, at now: JudgedTime, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> Result? {
        var statement = try connection.statement(
            "SELECT fingerprint, result, format FROM request WHERE user_id = ? AND request_id = ? AND create_time > ?")
        try statement.bind(user)
        try statement.bind(key.requestID.text)
        try statement.bind(horizon(at: now.end))
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
