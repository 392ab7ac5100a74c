import GRDB

@testable import StoreSQLite

/// A database of a former version of the server, with people and follows.
struct FormerDatabase {
    static let people = 600
    static let follows = 6_000

    /// - Parameter migrations: how many of the schema's migrations it has.
    static func make(at path: String, migrations: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        // The rows below are those of the first two schemas. Later migrations carry them along.
        let all = SQLiteSchema.migrator.migrations
        try SQLiteSchema.migrator.migrate(queue, upTo: all[min(migrations, 2) - 1])
        try queue.write { database in
            let number = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(people - 1))"
            let id = { (number: String) in "CAST(printf('%016d', \(number)) AS BLOB)" }
            try database.execute(
                sql: "\(number) INSERT INTO profile SELECT \(id("i")), 'u' || i, 'u' || i, '', '', 1, i, i FROM n")
            try database.execute(sql: "\(number) INSERT INTO username SELECT 'u' || i, \(id("i")) FROM n")
            let edges = "FROM n a, n b WHERE b.i < \(follows / people)"
            let followee = id("(a.i + b.i + 1) % \(people)")
            try database.execute(sql: "\(number) INSERT INTO following SELECT \(id("a.i")), \(followee), a.i \(edges)")
            try database.execute(sql: "\(number) INSERT INTO follower SELECT \(followee), a.i, \(id("a.i")) \(edges)")
            try database.execute(
                sql: "INSERT INTO follow_count (user_id, followers, following) SELECT user_id, \(follows / people), \(follows / people) FROM profile")
        }
        try SQLiteSchema.migrator.migrate(queue, upTo: all[migrations - 1])
        try queue.close()
    }

    /// How many schemas there were before today's.
    static var olderSchemas: Int { SQLiteSchema.migrator.migrations.count - 1 }

    /// The contents of a database of this version: the integrity check, the number of people, the follows in both tables, and
    /// the counts.
    static func contents(of path: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            try [
                "PRAGMA integrity_check", "SELECT count(*) FROM profile", "SELECT count(*) FROM following", "SELECT count(*) FROM follower",
                "SELECT count(*) FROM follow_count",
            ].map { try String.fetchOne(database, sql: $0) ?? "" }
        }
    }
}
