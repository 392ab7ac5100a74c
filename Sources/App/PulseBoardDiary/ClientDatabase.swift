#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDBSQLite

/// One SQLite connection of a client, and its prepared statements. It belongs to the actor that has it.
///
/// It is small and of the client's own: the server's (`StoreSQLite`) is built for thousands of statements a second on threads of its own, and brings the
/// server's rules along.
final class ClientDatabase {
    private let handle: OpaquePointer
    /// Held by whoever writes, opens or closes.
    private let turn: WriteTurn
    private var statements: [String: OpaquePointer] = [:]

    /// SQLite's own definition of `SQLITE_TRANSIENT`, a cast that Swift's importer cannot carry over: SQLite copies what is bound.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Opens a database, or makes it.
    ///
    /// A commit is on the disk when it returns (`synchronous = FULL`), after one sync of the write-ahead log; a rollback journal takes four.
    ///
    /// Several processes may share the file. In a SQLite with the WAL-reset bug (docs/storage.md), two connections that write or copy the log at the same
    /// moment can damage it. So whoever does has ``WriteTurn``. Where the file system has no shared memory for the log, the journal is a rollback journal.
    init(path: String) throws(DiaryError) {
        let turn = try WriteTurn(path: path + "-turn")
        self.turn = turn
        try turn.take()
        defer { turn.give() }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
            sqlite3_close_v2(opened)
            throw .storeFailed(detail: "\(path): \(message)")
        }
        handle = opened
        sqlite3_busy_timeout(handle, 10_000)
        let journal = try rows("PRAGMA journal_mode = WAL") { $0.text(0) }.first
        if journal != "wal" { _ = try rows("PRAGMA journal_mode = TRUNCATE") { _ in } }
        for setting in [
            "synchronous = FULL", "cell_size_check = ON", "trusted_schema = OFF", "secure_delete = ON", "journal_size_limit = \(Self.keptLogBytes)",
        ] {
            _ = try rows("PRAGMA \(setting)") { _ in }
        }
    }

    /// A log that was longer, as after the first checkpoint of a large diary, gives the rest of its disk space back.
    private static let keptLogBytes = 4 << 20

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        // The last connection copies the log. If somebody else writes and does not end, this one stays open: the process's end closes it without that.
        guard (try? turn.take()) != nil else { return }
        sqlite3_close_v2(handle)
        turn.give()
    }

    /// Runs a statement without rows to read.
    func run(_ sql: String, _ values: SQLValue...) throws(DiaryError) { _ = try rows(sql, values) { _ in } }

    /// Runs a statement and reads its rows. One text is in use at most once at a time.
    func rows<Row>(_ sql: String, _ values: SQLValue..., read: (ClientRow) throws(DiaryError) -> Row) throws(DiaryError) -> [Row] {
        try rows(sql, values, read: read)
    }

    /// The same with the values as a list.
    func rows<Row>(_ sql: String, _ values: [SQLValue], read: (ClientRow) throws(DiaryError) -> Row) throws(DiaryError) -> [Row] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try check(bind(value, to: CInt(index) + 1, of: statement)) }
        var rows: [Row] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(try read(ClientRow(statement: statement)))
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    /// Changes when another connection has written, of this process or another; this one's own writes leave it as it is.
    func othersVersion() throws(DiaryError) -> Int64 { try rows("PRAGMA data_version") { $0.integer(0) }.first.flatMap(\.self) ?? 0 }

    /// Rows that the last change has changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs `body` as one transaction: all of it is on the disk, or nothing has happened. Nobody else writes meanwhile.
    func transaction<Result>(_ body: () throws(DiaryError) -> Result) throws(DiaryError) -> Result {
        try turn.take()
        defer { turn.give() }
        try run("BEGIN IMMEDIATE")
        do throws(DiaryError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite refuses this only where it has rolled back by itself.
            try? run("ROLLBACK")
            throw error
        }
    }

    private func prepared(_ sql: String) throws(DiaryError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw .storeFailed(detail: "an empty statement") }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLValue, to index: CInt, of statement: OpaquePointer) -> CInt {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(let text): return sqlite3_bind_text(statement, index, text, CInt(text.utf8.count), Self.copied)
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                // An empty array has no address, and a null address would bind NULL.
                $0.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.copied)
            }
        }
    }

    private func check(_ code: CInt) throws(DiaryError) {
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> DiaryError {
        let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown"
        return .storeFailed(detail: "SQLite error \(sqlite3_extended_errcode(handle)): \(message)")
    }
}

/// A value that is bound.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// The present row of a statement. Good until the next one.
struct ClientRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: CInt) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
    }

    func text(_ column: CInt) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let start = sqlite3_column_text(statement, column) else { return nil }
        return String(validating: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self)
    }

    func blob(_ column: CInt) -> [UInt8]? {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
        return [UInt8](UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))))
    }
}

/// Whose turn it is to write to a database: one connection's of all processes. A lock on a file beside the database, which the kernel releases however
/// the process ends.
private final class WriteTurn: Sendable {
    private let descriptor: CInt
    private let path: String
    /// Between two looks whether somebody else is done, microseconds, and how many: ten seconds together. A turn takes milliseconds.
    private static let pause: UInt32 = 500, mostLooks = 20_000

    init(path: String) throws(DiaryError) {
        descriptor = try FileLock.descriptor(of: path)
        self.path = path
    }

    deinit { close(descriptor) }

    func take() throws(DiaryError) {
        for _ in 0..<Self.mostLooks {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            usleep(Self.pause)
        }
        throw .storeFailed(detail: "\(path): another process has been writing for ten seconds")
    }

    /// By name, not only by closing: a program that is just being started by this one has the descriptor too, until it is itself.
    func give() { flock(descriptor, LOCK_UN) }
}

/// A lock on a file that the kernel releases however the process ends.
final class FileLock: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    /// Takes the lock. - Throws: `busy` when somebody else has it.
    static func take(_ path: String) throws(DiaryError) -> FileLock {
        let descriptor = try descriptor(of: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .busy
        }
        return FileLock(descriptor: descriptor)
    }

    /// Takes the lock together with others who share it. Waits while somebody has it alone, which is never for long.
    static func share(_ path: String) throws(DiaryError) -> FileLock {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .storeFailed(detail: "\(path): \(String(cString: strerror(errno)))") }
        while flock(descriptor, LOCK_SH) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                throw .storeFailed(detail: "\(path): \(String(cString: strerror(errno)))")
            }
        }
        return FileLock(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Opens a file to be locked; nothing is ever in it.
    fileprivate static func descriptor(of path: String) throws(DiaryError) -> CInt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .storeFailed(detail: "\(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }

    /// Makes a directory with those above it, for its owner alone. One that is there must be its owner's and closed to others.
    static func makePrivateDirectory(_ path: String) throws(DiaryError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw .storeFailed(detail: "\(made): \(String(cString: strerror(errno)))") }
        }
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
            throw .storeFailed(detail: "\(path) is no directory")
        }
        guard information.st_uid == geteuid(), information.st_mode & 0o077 == 0 else {
            throw .storeFailed(detail: "\(path) is open to others; make it yours and private (chmod 700)")
        }
    }
}
