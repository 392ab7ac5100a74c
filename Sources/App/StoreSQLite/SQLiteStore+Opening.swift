#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB
import GRDBSQLite

/// A database of ours on its writing connection, brought to this version, and the lock of its file.
struct OpenedDatabase: ~Copyable {
    let writer: DatabaseQueue
    let files: StoreFiles
    let lock: DatabaseLock
}

extension SQLiteStore {
    /// Opens the writing connection on a database of ours, new or of any version up to this one.
    ///
    /// Whatever instant a process before this one died at, this finds a database to go on with: a new one gets its name when it is
    /// complete (``NewDatabase``), and a migration is one transaction with the row that says it was made.
    static func open(_ path: String, _ willMigrate: () -> Void) throws(StoreOpeningError) -> OpenedDatabase {
        do {
            let lock = try lockDatabase(path)
            if !ForeignDatabases.isOurs(header: lock.firstBytes(ForeignDatabases.headerLength)) { try ForeignDatabases.refuse(path) }
            let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.writer)
            try database.writeWithoutTransaction { try ConnectionSettings.prepareWriter($0) }
            try migrate(database, path, willMigrate)
            return OpenedDatabase(writer: database, files: try StoreFiles(path, database: lock.file), lock: lock)
        } catch {
            throw StoreOpeningError(thrown: error, path: path)
        }
    }

    /// Locks the database's file, making the database where there is none.
    private static func lockDatabase(_ path: String) throws -> DatabaseLock {
        var information = stat()
        guard stat(path, &information) != 0 || information.st_size == 0 else { return try DatabaseLock(path) }
        // A log without its database holds what was acknowledged; SQLite would delete it beside a new one.
        var log = stat()
        guard stat(path + "-wal", &log) != 0 || log.st_size == 0 else {
            throw StoreOpeningError.databaseMissing(path: path, walBytes: Int64(log.st_size))
        }
        return try NewDatabase(path).make()
    }

    private static func migrate(_ database: DatabaseQueue, _ path: String, _ willMigrate: () -> Void) throws {
        let migrator = Schema.migrator
        let isEarlier = try database.read { database in
            guard try !migrator.hasBeenSuperseded(database) else { throw StoreOpeningError.newerSchema(path: path) }
            return try !migrator.appliedIdentifiers(database).isEmpty && !migrator.hasCompletedMigrations(database)
        }
        guard isEarlier else { return try migrator.migrate(database) }
        willMigrate()
        // Here alone statement journals may be large: of a table that is dropped they hold every page (600 MB for ten million follows).
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = FILE") }
        do {
            try migrator.migrate(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            guard let row = try database.read(Schema.rowWithoutProfile) else { throw error }
            throw StoreOpeningError.damaged(path: path, table: row.table, missingUser: row.user)
        }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
    }

    /// Makes a directory, with those above it, for its owner alone. One that is there stays as it is.
    static func makeDirectory(_ path: String) throws(StoreOpeningError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let cause = errno
            var information = stat()
            // Above the directory there may be some that nobody can make, such as on a file system that may not be written.
            if stat(made, &information) == 0, information.st_mode & S_IFMT == S_IFDIR { continue }
            throw .directoryUnusable(path: path, detail: String(cString: strerror(cause)))
        }
    }
}
