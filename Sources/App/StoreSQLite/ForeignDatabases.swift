import Foundation
import GRDB

/// Recognises databases of other programs before anything in them changes, including the journal mode.
enum ForeignDatabases {
    /// How many bytes ``isOurs(header:)`` needs: SQLite's header.
    static let headerLength = 100
    /// Maximum bytes of database and journal that are copied to inspect them. An interrupted first start leaves only a page or two.
    private static let longestCopy = 1 << 20

    /// Whether the header says that the database is PulseBoard's. It does in every database that was made by ``NewDatabase``, or whose log was once
    /// copied into it.
    static func isOurs(header: [UInt8]) -> Bool {
        guard header.count == headerLength, header.starts(with: "SQLite format 3\0".utf8) else { return false }
        return header[68..<72].reduce(Int64(0)) { $0 << 8 | Int64($1) } == ConnectionSettings.applicationID
    }

    /// Refuses a database of another program. The header does not say that this database is PulseBoard's, but its log may. Or the database is
    /// empty, because a first start of an earlier version was interrupted.
    static func refuse(_ path: String) throws {
        let isOurs: Bool
        do {
            isOurs = try look(path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY || error.resultCode == .SQLITE_CANTOPEN {
            // There is a journal to roll back, which a read-only connection cannot do.
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
            // An interrupted first start of an earlier version may have made this table.
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
