import PulseBoardDomain
import PulseBoardVocabulary

/// Copies everything from one store into another: between SQLite and PostgreSQL, or between two databases of one kind.
///
/// Both have tables with the same columns, so rows are copied unchanged: in the order of the table's key, at most a thousand at a time. An
/// interrupted copy can be continued. Until the copy is complete, the target has a mark, and no server opens it.
///
/// Nobody else may write to either meanwhile; the comparison at the end detects it. Profile pictures are files and not part of a store. Sealed
/// data is copied sealed, so no key is needed.
public struct StoreTransfer: Sendable {
    /// The result for one table.
    public struct Table: Hashable, Sendable {
        public let name: String
        /// The number of rows in both.
        public let rows: Int64
        /// The sum of a hash of each row, the same in both.
        public let checksum: UInt64
    }

    /// Why a copy failed.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The target has data that is not from a copy.
        case targetInUse
        /// A table differs after the copy: somebody has written to one of the stores.
        case differs(table: String)
        case store(RepositoryError)

        /// The text for the log.
        public var description: String { phrase.english }

        /// The text for people, without a period.
        public var phrase: Phrase {
            switch self {
            case .targetInUse:
                return Phrase("the target has data already, and no unfinished copy", "대상에 이미 데이터가 있고, 끝나지 않은 복사본이 아닙니다")
            case .differs(let table):
                return Phrase(
                    "the table \(table) is not the same in both: somebody has written to one of them",
                    "테이블 \(table)이(가) 양쪽에서 다릅니다. 복사하는 동안 누군가 한쪽에 썼습니다")
            case .store(let error):
                let detail = if case .storeUnavailable(_, let detail) = error { " (\(detail))" } else { "" }
                return Phrase("a store failed: \(error)", "저장소에 오류가 발생했습니다: \(error.reason.text().korean)\(detail)")
            }
        }
    }

    private let source: SQLStore
    private let target: SQLStore

    public init(from source: SQLStore, to target: SQLStore) {
        self.source = source
        self.target = target
    }

    /// Copies the missing rows, and compares everything.
    /// - Parameters:
    ///   - time: when the copy began.
    ///   - tell: called with each table after it was compared.
    public func run(at time: Timestamp, tell: (Table) -> Void) async throws(Failure) {
        let isTaken: Bool
        do throws(RepositoryError) {
            for store in [source, target] {
                store.housekeeping.pause()
                // The lock waits for a running step, and the next one does not begin.
                try await store.write { connection throws(RepositoryError) in try connection.lock(.housekeeping) }
            }
            isTaken = try await target.write { connection throws(RepositoryError) in try Self.take(connection, time) }
            if isTaken {
                for table in CopiedTable.all { try await copy(table) }
                try await target.write { connection throws(RepositoryError) in try Self.keepNumbers(connection) }
            }
        } catch { throw .store(error) }
        guard isTaken else { throw .targetInUse }
        for table in CopiedTable.all {
            let summaries: (Table, Table)
            do throws(RepositoryError) {
                summaries = (try await Self.summary(of: table, in: source), try await Self.summary(of: table, in: target))
            } catch { throw .store(error) }
            guard summaries.0 == summaries.1 else { throw .differs(table: table.name) }
            tell(summaries.0)
        }
        do throws(RepositoryError) {
            // Removes the mark of the trusted clock too. The next server makes its own.
            try await target.write { connection throws(RepositoryError) in
                try connection.lock(.housekeeping)
                try connection.run("DELETE FROM marked_time")
            }
        } catch { throw .store(error) }
    }

    /// Marks the target as a copy, unless it has other data.
    /// - Returns: whether the target is a copy.
    private static func take(_ connection: borrowing SQLConnection, _ time: Timestamp) throws(RepositoryError) -> Bool {
        try connection.lock(.housekeeping)
        if try SQLStore.hasUnfinishedCopy(connection) {
            // A server that was started on the unfinished copy, and refused it, may have recorded its key.
            try connection.run("DELETE FROM diary_seal")
            return true
        }
        for table in CopiedTable.all {
            let any = try connection.statement("SELECT 1 FROM \(table.name) LIMIT 1")
            if try any.step() { return false }
        }
        var mark = try connection.statement("INSERT INTO marked_time (name, instant) VALUES (?, ?)")
        try mark.bind(SQLStore.copyMark)
        try mark.bind(time)
        try mark.run()
        return true
    }

    /// Ensures that used numbers of users are not given again, including those of users without a profile.
    private static func keepNumbers(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        try connection.lock(.housekeeping)
        let tables = ["profile", "follow_count", "withdrawal", "pending_withdrawal"]
        let query = try connection.statement(
            "SELECT coalesce(max(number), 0) FROM (\(tables.map { "SELECT max(number) AS number FROM \($0)" }.joined(separator: " UNION ALL "))) AS numbers"
        )
        guard try query.step(), let last = query.integer(0) else { throw .emptyValue(table: "profile", key: "number") }
        try connection.session.keepUserNumbers(upTo: last)
    }

    // MARK: One table

    private func copy(_ table: CopiedTable) async throws(RepositoryError) {
        var last = try await target.readLong { connection throws(RepositoryError) in
            try table.read(connection, after: nil, limit: 1, isBackwards: true).first
        }
        while true {
            let place = last
            let rows = try await source.readLong { connection throws(RepositoryError) in
                try table.read(connection, after: place, limit: table.rowsAtOnce)
            }
            guard let end = rows.last else { return }
            try await target.write { connection throws(RepositoryError) in
                try connection.lock(.housekeeping)
                for row in rows { try table.insert(row, connection) }
            }
            last = end
        }
    }

    private static func summary(of table: CopiedTable, in store: SQLStore) async throws(RepositoryError) -> Table {
        var last: CopiedRow?
        var count: Int64 = 0
        var checksum: UInt64 = 0
        while true {
            let place = last
            let rows = try await store.readLong { connection throws(RepositoryError) in
                try table.read(connection, after: place, limit: table.rowsAtOnce)
            }
            for row in rows { checksum &+= row.hash }
            count += Int64(rows.count)
            guard let end = rows.last else { return Table(name: table.name, rows: count, checksum: checksum) }
            last = end
        }
    }
}

extension SQLStore {
    fileprivate static let copyMark = "copy-unfinished"

    /// Whether the store is the target of an unfinished copy. Then no server should use it.
    public func hasUnfinishedCopy() async throws(RepositoryError) -> Bool {
        try await read { connection throws(RepositoryError) in try Self.hasUnfinishedCopy(connection) }
    }

    package static func hasUnfinishedCopy(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        var query = try connection.statement("SELECT 1 FROM marked_time WHERE name = ?")
        try query.bind(copyMark)
        return try query.step()
    }
}

/// A table whose rows are copied.
struct CopiedTable: Sendable {
    let name: String
    /// The columns of the primary key, then the others.
    let columns: [String]
    private let keyCount: Int

    /// Rows in one transaction. They have at most a few mebibytes.
    fileprivate let rowsAtOnce: Int

    private init(_ name: String, key: [String], _ others: [String] = [], rowsAtOnce: Int = 1_000) {
        self.name = name
        self.rowsAtOnce = rowsAtOnce
        columns = key + others
        keyCount = key.count
    }

    /// All tables that are copied. Those that belong to one database only (locks, marks, migrations) are left out.
    static let all = [
        CopiedTable("secret", key: ["name"], ["value"]),
        CopiedTable("account", key: ["issuer", "subject"], ["user_id", "create_time"]),
        CopiedTable(
            "session", key: ["user_id", "session_id"],
            ["issuer", "subject", "token_hash", "create_time", "expire_time", "device_id", "device_name", "device_platform"]),
        CopiedTable("session_token", key: ["token_hash"], ["user_id", "session_id"]),
        CopiedTable("used_id_token", key: ["token_hash"], ["request_id", "session_id", "expire_time"]),
        CopiedTable("used_nonce", key: ["nonce_hash"], ["token_hash", "expire_time"]),
        CopiedTable(
            "profile", key: ["user_id"],
            ["number", "username", "username_key"] + ProfileTextField.allCases.map(\.facts.path)
                + ["version", "create_time", "update_time", "image_id"]),
        CopiedTable("username", key: ["username_key"], ["user_id", "kind", "take_time", "expire_time", "skeleton", "likeness"]),
        CopiedTable("profile_term", key: ["term", "user_id"], ["kind"]),
        CopiedTable("follow_count", key: ["number"], ["followers", "following", "events_until", "last_event", "event_floor", "event_count"]),
        CopiedTable("following", key: ["follower", "followee"], ["follow_time"]),
        CopiedTable("follower", key: ["followee", "follow_time", "follower"]),
        CopiedTable("follow_event", key: ["owner", "event_time"], ["kind", "other"]),
        CopiedTable("image", key: ["owner", "image_id"], ["state", "expire_time"]),
        CopiedTable("withdrawal", key: ["number"], ["user_id", "withdraw_time", "followers", "following", "is_damaged", "is_over"]),
        CopiedTable("pending_withdrawal", key: ["user_id"], ["number", "profile", "request_time", "purge_time"]),
        CopiedTable(
            "diary", key: ["owner"],
            ["diary", "last_change", "floor_change", "entry_count", "row_count", "byte_count", "clock", "image_count", "image_byte_count"]),
        CopiedTable(
            "diary_entry", key: ["diary", "entry_id"],
            ["change", "is_deleted", "create_time", "entry_time", "emotion", "body", "has_conflicts", "stamps", "delete_time", "images", "sealed"],
            rowsAtOnce: 100),
        CopiedTable("diary_conflict", key: ["diary", "entry_id", "field", "stamp"], ["value"], rowsAtOnce: 100),
        CopiedTable("diary_device", key: ["diary", "device_id"], ["name", "last_mutation", "confirmed", "seen_time"]),
        CopiedTable("diary_result", key: ["diary", "device_id", "mutation"], ["fingerprint", "outcome"]),
        CopiedTable("diary_image", key: ["diary", "sha256"], ["state", "uses", "content_type", "byte_count", "expire_time"]),
        CopiedTable("diary_image_part", key: ["diary", "sha256", "part"], ["bytes", "is_sealed"], rowsAtOnce: 8),
        CopiedTable("diary_seal", key: ["key_id"], ["is_current", "place", "position"]),
        CopiedTable("discarded_diary", key: ["diary"]),
        CopiedTable("request", key: ["user_id", "request_id"], ["fingerprint", "result", "create_time", "format"]),
    ]

    private var key: [String] { Array(columns.prefix(keyCount)) }

    /// Reads rows after another one in the order of the key, or before it.
    fileprivate func read(
        _ connection: borrowing SQLConnection, after row: CopiedRow?, limit: Int, isBackwards: Bool = false
    ) throws(RepositoryError) -> [CopiedRow] {
        let places = key.map { _ in "?" }.joined(separator: ", ")
        let start = row == nil ? "" : "WHERE (\(key.joined(separator: ", "))) > (\(places))"
        let order = key.map { $0 + (isBackwards ? " DESC" : "") }.joined(separator: ", ")
        var statement = try connection.statement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(name) \(start) ORDER BY \(order) LIMIT ?")
        if let row { for value in row.values.prefix(keyCount) { try value.bind(to: &statement) } }
        try statement.bind(Int64(limit))
        var rows: [CopiedRow] = []
        while try statement.step() {
            var values: [CopiedValue] = []
            for index in columns.indices {
                // Not NULL, and yet no value: a text that is not UTF-8. As NULL it would look the same in both.
                guard let value = CopiedValue(statement, CInt(index)) else {
                    throw .corruptRow(table: name, key: "\(columns[index]) of \(statement.key(0))")
                }
                values.append(value)
            }
            rows.append(CopiedRow(values: values))
        }
        return rows
    }

    /// Inserts a row. An existing row stays.
    fileprivate func insert(_ row: CopiedRow, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        var statement = try connection.statement(
            "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places)) ON CONFLICT (\(key.joined(separator: ", "))) DO NOTHING")
        for value in row.values { try value.bind(to: &statement) }
        try statement.run()
    }
}

private struct CopiedRow: Sendable {
    let values: [CopiedValue]

    /// A hash over the kinds and bytes of all values.
    var hash: UInt64 {
        var hash = FNV1aHash()
        for value in values { value.forEachByte { hash.combine($0) } }
        return hash.value
    }
}

private enum CopiedValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// `nil` if the column cannot be read.
    init?(_ row: borrowing SQLStatement, _ column: CInt) {
        if row.isNull(column) {
            self = .null
        } else if let value = row.integer(column) {
            self = .integer(value)
        } else if let value = row.blob(column) {
            self = .bytes(value)
        } else if let value = row.text(column) {
            self = .text(value)
        } else {
            return nil
        }
    }

    func bind(to statement: inout SQLStatement) throws(RepositoryError) {
        switch self {
        case .null: try statement.bindNull()
        case .integer(let value): try statement.bind(value)
        case .text(let value): try statement.bind(value)
        case .bytes(let value): try statement.bind(value)
        }
    }

    func forEachByte(_ body: (UInt8) -> Void) {
        switch self {
        case .null: body(0)
        case .integer(let value):
            body(1)
            withUnsafeBytes(of: value.bigEndian) { $0.forEach(body) }
        case .text(let value):
            body(2)
            value.utf8.forEach(body)
            // 0xFF never occurs in UTF-8, so it marks the end.
            body(0xFF)
        case .bytes(let value):
            body(3)
            withUnsafeBytes(of: Int64(value.count).bigEndian) { $0.forEach(body) }
            value.forEach(body)
        }
    }
}
