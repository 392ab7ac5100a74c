#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDBSQLite
import PulseBoardDomain

/// A prepared statement during one use: bound from left to right, stepped, read, and reset when it goes.
struct SQLStatement: ~Copyable {
    private let handle: OpaquePointer
    private var nextParameter: CInt = 1

    /// SQLite copies what is bound before the call returns, so that no Swift memory needs to outlive it. The value -1 is
    /// SQLite's own definition of `SQLITE_TRANSIENT`, a cast that Swift's importer cannot carry over.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    init(handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        // The result repeats the last step's error, which has been thrown already.
        sqlite3_reset(handle)
    }

    // MARK: Binding

    mutating func bind(_ value: Int64) throws(RepositoryError) {
        try check(sqlite3_bind_int64(handle, nextParameter, value))
        nextParameter += 1
    }

    mutating func bind(_ time: Timestamp) throws(RepositoryError) {
        try bind(time.microseconds)
    }

    mutating func bind(_ id: some UUIDIdentifier) throws(RepositoryError) {
        let code = id.bits.withBytes { sqlite3_bind_blob(handle, nextParameter, $0.baseAddress, 16, Self.copied) }
        try check(code)
        nextParameter += 1
    }

    /// Binds an identifier, or NULL.
    mutating func bind(_ id: (some UUIDIdentifier)?) throws(RepositoryError) {
        if let id { try bind(id) } else { try bindNull() }
    }

    mutating func bind(_ bytes: [UInt8]) throws(RepositoryError) {
        let code = bytes.withUnsafeBytes {
            // An empty array has no address, and a null address would bind NULL.
            $0.isEmpty
                ? sqlite3_bind_zeroblob(handle, nextParameter, 0)
                : sqlite3_bind_blob64(handle, nextParameter, $0.baseAddress, UInt64($0.count), Self.copied)
        }
        try check(code)
        nextParameter += 1
    }

    mutating func bind(_ text: String) throws(RepositoryError) {
        var text = text
        let code = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                $0.isEmpty
                    ? sqlite3_bind_text(handle, nextParameter, "", 0, Self.copied)
                    : sqlite3_bind_text64(
                        handle, nextParameter, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
            }
        }
        try check(code)
        nextParameter += 1
    }

    /// Binds NULL.
    mutating func bindNull() throws(RepositoryError) {
        try check(sqlite3_bind_null(handle, nextParameter))
        nextParameter += 1
    }

    /// Binds a text, or NULL.
    mutating func bind(orNull text: String?) throws(RepositoryError) {
        if let text { try bind(text) } else { try bindNull() }
    }

    // MARK: Stepping

    /// Goes to the next row; `false` after the last.
    func step() throws(RepositoryError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Runs a statement that has no rows to read.
    func run() throws(RepositoryError) {
        while try step() {}
    }

    // MARK: Reading a column of the present row; `nil` when it does not hold what is asked for.

    func isNull(_ column: CInt) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: CInt) -> Int64? {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, column)
    }

    func time(_ column: CInt) -> Timestamp? {
        integer(column).map(Timestamp.init(microseconds:))
    }

    func text(_ column: CInt) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT, let start = sqlite3_column_text(handle, column) else {
            return nil
        }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(validating: bytes, as: UTF8.self)
    }

    func identifier<ID: UUIDIdentifier>(_ column: CInt, as type: ID.Type = ID.self) -> ID? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        return UUIDBits(bytes: columnBytes(column)).map(ID.init(bits:))
    }

    func blob(_ column: CInt) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        return [UInt8](columnBytes(column))
    }

    /// The column as a log shows a key: identifiers as UUIDs, other bytes in hexadecimal digits, text as it is.
    func key(_ column: CInt) -> String {
        if let id = identifier(column, as: UserID.self) { return id.description }
        if let bytes = blob(column) { return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        return text(column) ?? integer(column).map(String.init) ?? "NULL"
    }

    /// SQLite's own memory, valid until the next step.
    private func columnBytes(_ column: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }

    // MARK: Failures

    private func check(_ code: CInt) throws(RepositoryError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: CInt) -> RepositoryError {
        let cause = errno
        let connection = sqlite3_db_handle(handle)
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown"
        return .sqlite(code, systemError: SystemCause(code, known: sqlite3_system_errno(connection), present: cause).number, message: message)
    }
}
