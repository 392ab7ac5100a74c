#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import DiarySealing
import GRDB
import GRDBSQLite
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

/// A PulseBoard database of this version: its writing connection, and the lock of its file.
struct OpenedDatabase: ~Copyable {
    let writer: DatabaseQueue
    let files: StoreFiles
    let lock: DatabaseLock
}

extension SQLiteStore {
    /// Opens the writing connection. The database may be new, or of any version up to this one.
    ///
    /// It works whenever an earlier process was killed. A new database gets its name only when it is complete (``NewDatabase``), and a migration is
    /// one transaction with the row that records it.
    /// - Parameters:
    ///   - mayBeNew: whether a missing database is made. If the directory has had one, it is lost.
    ///   - isArchived: whether the log is archived. Then nothing leaves it here, also if this fails.
    static func open(
        _ path: String, mayBeNew: Bool, isArchived: Bool, _ willMigrate: () -> Void
    ) throws(StoreOpeningError) -> OpenedDatabase {
        do {
            let lock = try lockDatabase(path, mayBeNew: mayBeNew)
            if !ForeignDatabases.isOurs(header: lock.firstBytes(ForeignDatabases.headerLength)) { try ForeignDatabases.refuse(path) }
            let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.writer)
            do {
                try database.writeWithoutTransaction { try ConnectionSettings.prepareWriter($0, checkpoints: !isArchived) }
                try migrate(database, path, willMigrate)
                DatabaseCopying.removeLeftovers(of: path)
                return OpenedDatabase(writer: database, files: try StoreFiles(path, database: lock.file), lock: lock)
            } catch {
                if isArchived { closeKeepingLog(database, path) }
                throw error
            }
        } catch {
            throw StoreOpeningError(thrown: error, path: path)
        }
    }

    /// Closes the writing connection of a store that does not open. The last connection of a database would copy the log into it and delete the log.
    /// So a connection that can only read is the last one. If there is none, as without a free descriptor, the log is not kept.
    static func closeKeepingLog(_ database: DatabaseQueue, _ path: String) {
        let reader = try? DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
        // It takes part only after a read.
        _ = try? reader?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        try? database.close()
        try? reader?.close()
    }

    /// Locks the database file. Makes the database if it is missing and may be new.
    private static func lockDatabase(_ path: String, mayBeNew: Bool) throws -> DatabaseLock {
        let directory = String(path.dropLast(fileName.count + 1))
        guard !StoreRestoration.isInterrupted(in: directory) else { throw StoreOpeningError.restoreInterrupted(path: directory) }
        guard try byteCount(path) == 0 else { return try DatabaseLock(path) }
        // A log without its database contains acknowledged writes. SQLite would delete it beside a new database.
        let logByteCount = try byteCount(path + "-wal")
        guard logByteCount == 0 else { throw StoreOpeningError.databaseMissing(path: path, walBytes: logByteCount) }
        guard mayBeNew else { throw StoreOpeningError.databaseLost(path: path, note: directory + "/" + DirectoryLock.fileName) }
        return try NewDatabase(path).make()
    }

    /// Whether a directory has had a database that is missing or empty now.
    public static func isDatabaseLost(in directory: String) -> Bool {
        guard let count = try? byteCount(directory + "/" + fileName) else { return false }
        return count == 0 && DirectoryLock.hasMark(directory + "/" + DirectoryLock.fileName)
    }

    /// The size of a file; 0 if it does not exist. A file that cannot be looked at, or a link that leads nowhere, is an error. A new database would
    /// replace it.
    private static func byteCount(_ path: String) throws(StoreOpeningError) -> Int64 {
        var status = stat()
        if stat(path, &status) == 0 { return Int64(status.st_size) }
        let cause = errno
        guard cause == ENOENT, lstat(path, &status) != 0, errno == ENOENT else { throw .failed(path: path, detail: .systemError(cause)) }
        return 0
    }

    private static func migrate(_ database: DatabaseQueue, _ path: String, _ willMigrate: () -> Void) throws {
        let migrator = SQLiteSchema.migrator
        let isEarlier = try database.read { database in
            guard try !migrator.hasBeenSuperseded(database) else { throw StoreOpeningError.newerSchema(path: path) }
            return try !migrator.appliedIdentifiers(database).isEmpty && !migrator.hasCompletedMigrations(database)
        }
        guard isEarlier else { return try migrator.migrate(database) }
        willMigrate()
        // Statement journals can be large only in migrations: they contain every page of a dropped table.
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = FILE") }
        do {
            try migrator.migrate(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            guard let row = try database.read(SQLiteSchema.rowWithoutProfile) else { throw error }
            throw StoreOpeningError.damaged(path: path, table: row.table, missingUser: row.user)
        }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
    }

    /// The default directory of a server's database: `$XDG_DATA_HOME/pulseboard`, else `/var/lib/pulseboard` for root and
    /// `~/.local/share/pulseboard` for others.
    public static func defaultDirectory(environment: [String: String], uid: UInt32) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/pulseboard" }
        if uid != 0, let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/.local/share/pulseboard" }
        return "/var/lib/pulseboard"
    }

    /// Makes a directory and those above it, with access for the owner only. Existing directories stay as they are.
    static func makeDirectory(_ path: String) throws(StoreOpeningError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            if mkdir(made, 0o700) == 0 {
                syncParent(of: made)
                continue
            }
            guard errno != EEXIST else { continue }
            let cause = errno
            var information = stat()
            // `mkdir` may fail for an existing directory above, such as on a read-only file system.
            if stat(made, &information) == 0, information.st_mode & S_IFMT == S_IFDIR { continue }
            throw .directoryUnusable(path: path, detail: .systemError(cause))
        }
    }
}

extension SQLiteStore {
    /// The pause between two tries for the directory.
    private static let pause = Duration.milliseconds(10)

    /// Opens the store of a directory. Waits for a process that is about to release the directory.
    ///
    /// Only one process at a time can use the directory, so a server that takes over waits for the other's last write. The lock is polled, because a
    /// waiting `flock` has no time limit.
    /// - Parameters:
    ///   - directory: as for `init`.
    ///   - patience: how long to wait for a directory in use. Only the pauses count.
    ///   - usernames: as for `init`.
    ///   - diaryKeys: as for `init`.
    ///   - willMigrate: as for `init`.
    ///   - willWait: called once, before the first pause, with the id of the process that uses the directory, if it is known.
    /// - Throws: `StoreOpeningError.locked` if the directory is still in use at the end; every other failure at once.
    public static func open(
        directory: String, patience: Duration, usernames: UsernamePolicy = .standard, diaryKeys: DiaryKeys = .none,
        archive: LogArchiveSettings? = nil,
        willMigrate: () -> Void = {},
        willWait: (_ holder: Int32?) -> Void = { _ in }
    ) async throws(StoreOpeningError) -> SQLiteStore {
        try await open(
            directory: directory, patience: patience, usernames: usernames, diaryKeys: diaryKeys, archive: archive, willMigrate: willMigrate,
            willWait: willWait
        ) {
            try? await Task.sleep(for: $0)
        }
    }

    /// Opens the store with a given pause, for tests.
    static func open(
        directory: String, patience: Duration, usernames: UsernamePolicy = .standard, diaryKeys: DiaryKeys = .none,
        archive: LogArchiveSettings? = nil,
        willMigrate: () -> Void = {},
        willWait: (_ holder: Int32?) -> Void = { _ in }, pausing: (Duration) async -> Void
    ) async throws(StoreOpeningError) -> SQLiteStore {
        var left = patience
        while true {
            do throws(StoreOpeningError) {
                return try SQLiteStore(directory: directory, usernames: usernames, diaryKeys: diaryKeys, archive: archive, willMigrate: willMigrate)
            } catch {
                guard case .locked(_, let holder) = error, left > .zero, !Task.isCancelled else { throw error }
                if left == patience { willWait(holder) }
            }
            await pausing(Self.pause)
            left -= Self.pause
        }
    }
}

/// Why a data directory could not be opened. Each case names the path.
public enum StoreOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The directory cannot be created or used.
    case directoryUnusable(path: String, detail: Phrase)
    /// Another process uses the directory or the database. `holder` is its process id, if known.
    case locked(path: String, holder: Int32?)
    /// A newer version of PulseBoard has changed the schema. This version would misread it.
    case newerSchema(path: String)
    /// There is no database, but a write-ahead log of `walBytes` bytes with acknowledged writes. A new database would lose them.
    case databaseMissing(path: String, walBytes: Int64)
    /// The database is missing or empty, and the file `note` says that there was one. A new database would hide the loss.
    case databaseLost(path: String, note: String)
    /// The file is a database of another program.
    case foreignDatabase(path: String)
    /// A row of the table names a user without a profile, so this database of an earlier version cannot be migrated. It stays unchanged.
    case damaged(path: String, table: String, missingUser: String)
    /// There is a database already, which the backup would replace.
    case occupied(path: String)
    /// A restoration was interrupted while files were moved. Restore the backup again.
    case restoreInterrupted(path: String)
    /// SQLite reported an error.
    case failed(path: String, detail: Phrase)

    /// The text for the log.
    public var description: String { phrase.english }

    /// The text for people, without a period.
    public var phrase: Phrase {
        switch self {
        case .directoryUnusable(let path, let detail):
            Phrase("cannot use the data directory \(path): \(detail.english)", "데이터 디렉터리 \(path)을(를) 사용할 수 없습니다: \(detail.korean)")
        case .locked(let path, let holder?):
            Phrase("the data directory \(path) is in use by process \(holder)", "데이터 디렉터리 \(path)을(를) 프로세스 \(holder)이(가) 사용 중입니다")
        case .locked(let path, nil):
            path.hasSuffix("/" + SQLiteStore.fileName)
                ? Phrase("\(path) is in use by another process", "\(path)을(를) 다른 프로세스가 사용 중입니다")
                : Phrase("the data directory \(path) is in use by another process", "데이터 디렉터리 \(path)을(를) 다른 프로세스가 사용 중입니다")
        case .newerSchema(let path):
            Phrase("\(path) was written by a newer version of PulseBoard", "\(path)은(는) 더 새로운 버전의 PulseBoard가 쓴 것입니다")
        case .databaseMissing(let path, let bytes):
            Phrase(
                "\(path) is missing, but its write-ahead log \(path)-wal is there with \(bytes) bytes of it",
                "\(path)이(가) 없는데, 그 로그 \(path)-wal에는 \(bytes)바이트가 남아 있습니다")
        case .databaseLost(let path, let note):
            Phrase(
                "\(path) is lost: it is missing or empty, and there was a database before. Restore a backup, or remove \(note) to begin with an empty one",
                "\(path)이(가) 없거나 비어 있습니다. 전에는 데이터베이스가 있었습니다. 백업을 복원하거나, 빈 데이터베이스로 시작하려면 \(note)을(를) 지우세요")
        case .foreignDatabase(let path):
            Phrase("\(path) is not a PulseBoard database", "\(path)은(는) PulseBoard의 데이터베이스가 아닙니다")
        case .damaged(let path, let table, let user):
            Phrase(
                "\(path) is damaged: a row of `\(table)` names the user \(user), who has no profile",
                "\(path)이(가) 손상되었습니다: `\(table)`의 행에 프로필이 없는 사용자 \(user)이(가) 있습니다")
        case .occupied(let path):
            Phrase("there is a database in \(path) already", "\(path)에 이미 데이터베이스가 있습니다")
        case .restoreInterrupted(let path):
            Phrase(
                "the restore of a backup into \(path) was interrupted; restore it again",
                "\(path)에 백업을 복원하다가 중단되었습니다. 백업을 다시 복원하세요")
        case .failed(let path, let detail):
            Phrase("cannot open \(path): \(detail.english)", "\(path)을(를) 열 수 없습니다: \(detail.korean)")
        }
    }
}
