import Foundation
import GRDB

/// Recognizes databases of other programs before anything in them is changed, the journal mode included.
enum ForeignDatabases {
    /// How much of a file ``isOurs(header:)`` wants: SQLite's header.
    static let headerLength = 100
    /// Most that is copied to look into it, bytes of database and journal each: a first start that was interrupted leaves a page or two.
    private static let longestCopy = 1 << 20

    /// Whether the file's first bytes say that it is PulseBoard's. They do in every database that was made under another name first, or whose log was
    /// emptied into it once.
    static func isOurs(header: [UInt8]) -> Bool {
        guard header.count == headerLength, header.starts(with: "SQLite format 3\0".utf8) else { return false }
        return header[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) } == ConnectionSettings.applicationID
    }

    /// Refuses a database of another program. This one's header does not say whose it is. Its log may say it. Or the database is empty, because a
    /// first start of an earlier version was interrupted.
    static func refuse(_ path: String) throws {
        let isOurs: Bool
        do {
            isOurs = try look(path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY || error.resultCode == .SQLITE_CANTOPEN {
            // A journal that must be rolled back, which a look cannot do.
            isOurs = try lookAtCopy(path)
        }
        guard isOurs else { throw StoreOpeningError.foreignDatabase(path: path) }
    }

    /// Whether a database is PulseBoard's or empty.
    private static func look(_ path: String, canWrite: Bool = false) throws -> Bool {
        var configuration = Configuration()
        configuration.readonly = !canWrite
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            if try Int64.fetchOne(database, sql: "PRAGMA application_id") == ConnectionSettings.applicationID { return true }
            let tables = try String.fetchAll(database, sql: "SELECT tbl_name FROM sqlite_schema")
            guard !tables.isEmpty else { return true }
            // What an interrupted first start of an earlier version may have got to.
            guard tables.allSatisfy({ $0 == "grdb_migrations" }) else { return false }
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM grdb_migrations") == 0
        }
    }

    private static func lookAtCopy(_ path: String) throws -> Bool {
        let copy = path + ".look"
        let removeCopies = { for suffix in ["", "-journal", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        removeCopies()
        defer { removeCopies() }
        for suffix in ["", "-journal", "-wal"] {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix) else { continue }
            guard let size = attributes[.size] as? NSNumber, size.intValue <= longestCopy else { return false }
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        return try look(copy, canWrite: true)
    }
}
