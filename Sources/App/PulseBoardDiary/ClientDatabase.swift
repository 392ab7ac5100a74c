#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDBSQLite
import PulseBoardVocabulary

/// One SQLite connection of a client, with its prepared statements. It belongs to one actor.
///
/// It is separate from the server's `StoreSQLite`, which is built for many statements on its own threads and contains the server's rules.
final class ClientDatabase {
    private let handle: OpaquePointer
    /// The turn to write. A connection takes it to write, open or close.
    private let turn: WriteTurn
    private var statements: [String: OpaquePointer] = [:]

    /// SQLite's definition of `SQLITE_TRANSIENT`, a cast that Swift does not import. With it, SQLite copies a bound value.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Opens a database. Makes it if it is missing.
    ///
    /// A commit is on the disk when it returns (`synchronous = FULL`). With the write-ahead log it takes one sync; a rollback journal takes four.
    ///
    /// Several processes may share the file. In a SQLite with the WAL-reset bug (docs/storage.md), two connections that write or checkpoint at the
    /// same time can damage it, so each must have the ``WriteTurn``. If the file system has no shared memory for the log, a rollback journal is used.
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
            throw .storeFailed(detail: Phrase(untranslated: message).after(path))
        }
        handle = opened
        sqlite3_busy_timeout(handle, 10_000)
        let journal = try rows("PRAGMA journal_mode = WAL") { $0.text(0) }.first
        if journal != "wal" { _ = try rows("PRAGMA journal_mode = TRUNCATE") { _ in } }
        for setting in [
            "synchronous = FULL", "cell_size_check = ON", "trusted_schema = OFF", "secure_delete = ON", "journal_size_limit = \(Self.keptLogBytes)",
            "cache_size = -\(Self.cachedBytes / 1_024)",
        ] {
            _ = try rows("PRAGMA \(setting)") { _ in }
        }
    }

    /// A longer log, as after a large first download, is cut to this length in bytes.
    private static let keptLogBytes = 4 << 20
    /// Pages in memory, at most: 32 MiB. A first synchronization changes the whole diary in one transaction. With SQLite's default of 2 MiB it would
    /// write and read most pages several times.
    private static let cachedBytes = 32 << 20

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        // The last connection checkpoints when it closes. If another writer does not finish, this connection stays open; the end of the process
        // closes it without a checkpoint.
        guard (try? turn.take()) != nil else { return }
        sqlite3_close_v2(handle)
        turn.give()
    }

    /// Runs a statement without rows to read.
    func run(_ sql: String, _ values: SQLValue...) throws(DiaryError) { _ = try rows(sql, values) { _ in } }

    /// Runs a statement and reads its rows. A text can have only one use at a time.
    func rows<Row>(_ sql: String, _ values: SQLValue..., read: (ClientRow) throws(DiaryError) -> Row) throws(DiaryError) -> [Row] {
        try rows(sql, values, read: read)
    }

    /// Runs a statement with a list of values, and reads its rows.
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

    /// A number that changes when another connection, of any process, has written. This connection's own writes do not change it.
    func othersVersion() throws(DiaryError) -> Int64 { try rows("PRAGMA data_version") { $0.integer(0) }.first.flatMap(\.self) ?? 0 }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs `body` as one transaction: all of it becomes durable, or nothing. Nobody else writes meanwhile.
    func transaction<Result>(_ body: () throws(DiaryError) -> Result) throws(DiaryError) -> Result {
        try turn.take()
        defer { turn.give() }
        try run("BEGIN IMMEDIATE")
        do throws(DiaryError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // It fails only if SQLite has rolled back already.
            try? run("ROLLBACK")
            throw error
        }
    }

    private func prepared(_ sql: String) throws(DiaryError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw .storeFailed(detail: Phrase(untranslated: "an empty statement")) }
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
        let code = sqlite3_extended_errcode(handle)
        return .storeFailed(detail: Phrase("SQLite error \(code): \(message)", "SQLite 오류 \(code): \(message)"))
    }
}

/// A value to bind.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// The present row of a statement. It is valid until the next row.
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

/// The turn to write to a database: only one connection of all processes has it. It is a lock on a file beside the database; the kernel releases it
/// when the process ends in any way.
private final class WriteTurn: Sendable {
    private let descriptor: CInt
    private let path: String
    /// The pause between two tries in microseconds, and the number of tries: ten seconds together.
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
        let words = Phrase("another process has been writing for ten seconds", "다른 프로세스가 10초 넘게 쓰고 있습니다")
        throw .storeFailed(detail: words.after(path))
    }

    /// Closing alone would not unlock: a child that is being started shares the descriptor until it executes.
    func give() { flock(descriptor, LOCK_UN) }
}

/// A lock on a file. The kernel releases it when the process ends in any way.
final class FileLock: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    /// Takes the lock exclusively.
    /// - Throws: `busy` if somebody else has it.
    static func take(_ path: String) throws(DiaryError) -> FileLock {
        let descriptor = try descriptor(of: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .busy
        }
        return FileLock(descriptor: descriptor)
    }

    /// Takes the lock shared. Waits while somebody has it exclusively, which is short.
    static func share(_ path: String) throws(DiaryError) -> FileLock {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .storeFailed(detail: Phrase.systemError(errno).after(path)) }
        while flock(descriptor, LOCK_SH) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                throw .storeFailed(detail: Phrase.systemError(errno).after(path))
            }
        }
        return FileLock(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Opens a file for locking. It stays empty.
    fileprivate static func descriptor(of path: String) throws(DiaryError) -> CInt {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .storeFailed(detail: Phrase.systemError(errno).after(path)) }
        return descriptor
    }

    /// Makes a directory and those above it, with access for the owner only. An existing directory must belong to the user and be closed to others.
    static func makePrivateDirectory(_ path: String) throws(DiaryError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw .storeFailed(detail: Phrase.systemError(errno).after(made)) }
        }
        var information = stat()
        guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
            throw .storeFailed(detail: Phrase("\(path) is no directory", "\(path)은(는) 디렉터리가 아닙니다"))
        }
        guard information.st_uid == geteuid(), information.st_mode & 0o077 == 0 else {
            throw .storeFailed(
                detail: Phrase(
                    "\(path) is open to others; make it yours and private (chmod 700)",
                    "다른 사용자가 \(path)에 접근할 수 있습니다. 소유자를 자신으로 하고 chmod 700을 실행하세요"))
        }
    }
}

extension DiaryError {
    /// A row of the directory's database is missing or damaged.
    static func unreadableRow(of table: String) -> DiaryError {
        .storeFailed(detail: Phrase("a row of `\(table)` cannot be read", "`\(table)`의 행을 읽을 수 없습니다"))
    }
}
