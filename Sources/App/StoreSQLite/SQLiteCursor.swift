#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL

/// A prepared statement of SQLite. It uses SQLite's own calls for binding, stepping and reading, because GRDB's values for arguments and rows would
/// cost more than a short statement itself.
final class SQLiteCursor: SQLCursor {
    /// GRDB's statement, which owns the handle.
    private let statement: Statement
    private let handle: OpaquePointer
    private var nextParameter: CInt = 1

    /// With it, SQLite copies a bound value before the call returns, so no Swift memory has to outlive the call. The
    /// value -1 is SQLite's definition of `SQLITE_TRANSIENT`, a cast that Swift does not import.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    init(_ statement: Statement) {
        self.statement = statement
        handle = statement.sqliteStatement
    }

    func reset() {
        // The result repeats the last step's error, which has been thrown already.
        sqlite3_reset(handle)
        nextParameter = 1
    }

    // MARK: Binding

    func bind(_ value: Int64) throws(RepositoryError) { try check(sqlite3_bind_int64(handle, nextParameter, value)) }

    func bind(_ bits: UUIDBits) throws(RepositoryError) {
        try check(bits.withBytes { sqlite3_bind_blob(handle, nextParameter, $0.baseAddress, 16, Self.copied) })
    }

    func bind(_ bytes: [UInt8]) throws(RepositoryError) {
        let code = bytes.withUnsafeBytes {
            // An empty array has no address, and a null address would bind NULL.
            $0.isEmpty
                ? sqlite3_bind_zeroblob(handle, nextParameter, 0)
                : sqlite3_bind_blob64(handle, nextParameter, $0.baseAddress, UInt64($0.count), Self.copied)
        }
        try check(code)
    }

    func bind(_ text: String) throws(RepositoryError) {
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
    }

    func bindNull() throws(RepositoryError) { try check(sqlite3_bind_null(handle, nextParameter)) }

    private func check(_ code: CInt) throws(RepositoryError) {
        guard code == SQLITE_OK else { throw failure(code) }
        nextParameter += 1
    }

    // MARK: Stepping

    func step() throws(RepositoryError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    func run() throws(RepositoryError) {
        while try step() {}
    }

    // MARK: Reading

    func isNull(_ column: CInt) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func integer(_ column: CInt) -> Int64? {
        guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(handle, column)
    }

    func text(_ column: CInt) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT, let start = sqlite3_column_text(handle, column) else {
            return nil
        }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(column: bytes.span)
    }

    func repairedText(_ column: CInt) -> String? {
        guard sqlite3_column_type(handle, column) == SQLITE_TEXT else { return nil }
        return String(decoding: columnBytes(column), as: UTF8.self)
    }

    func bits(_ column: CInt) -> UUIDBits? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        return UUIDBits(bytes: columnBytes(column))
    }

    func bytes(_ column: CInt) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        return [UInt8](columnBytes(column))
    }

    /// Memory of SQLite. It is valid until the next step.
    private func columnBytes(_ column: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }

    private func failure(_ code: CInt) -> RepositoryError {
        let cause = errno
        let connection = sqlite3_db_handle(handle)
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown"
        return .sqlite(code, systemError: SystemCause(code, known: sqlite3_system_errno(connection), present: cause).number, message: message)
    }
}
