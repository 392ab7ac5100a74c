import Foundation
import GRDB

extension SQLiteStore {
    /// Opens the writing connection on a database of ours, new or of any version up to this one.
    static func open(_ path: String, _ willMigrate: () -> Void) throws(StoreOpeningError) -> DatabaseQueue {
        do {
            try refuseForeign(path)
            let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.writer)
            try database.writeWithoutTransaction { try ConnectionSettings.prepareWriter($0) }
            try migrate(database, path, willMigrate)
            return database
        } catch let error as StoreOpeningError {
            throw error
        } catch {
            throw .failed(path: path, detail: "\(error)")
        }
    }

    /// Refuses a database that is not ours before anything of it is changed, its journal mode included.
    private static func refuseForeign(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let (applicationID, tables) = try queue.read { database in
            (
                try Int64.fetchOne(database, sql: "PRAGMA application_id"),
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
            )
        }
        guard applicationID == ConnectionSettings.applicationID || tables == 0 else {
            throw StoreOpeningError.foreignDatabase(path: path)
        }
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
}
