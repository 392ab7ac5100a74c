import Foundation
import GRDB
import StoreSQL
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL
@testable import StoreSQLite

/// The same statements run on both databases, so both have the same tables.
@Suite("Schema on PostgreSQL") struct SchemaTests {
    /// Tables that only one of the two needs.
    private static let ofSQLite: Set<String> = ["grdb_migrations", "sqlite_sequence", "sqlite_stat1"]
    private static let ofPostgreSQL: Set<String> = ["owner", "generation", "operation", "pulseboard_schema"]

    @Test("every table of SQLite's is there with the same columns; what is added to one is added to the other")
    func sameTables() throws {
        let database = try DatabaseQueue()
        try SQLiteSchema.migrator.migrate(database)
        let expected = try database.read { database in
            var columns: Set<String> = []
            for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            where !Self.ofSQLite.contains(table) {
                for column in try database.columns(in: table) { columns.insert("\(table).\(column.name)") }
            }
            return columns
        }
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        try PostgreSQLStore(address: address).close()
        let found = try cluster.psql(
            address, "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'")
        let columns = Set(found.split(separator: "\n").map(String.init)).filter { column in
            !Self.ofPostgreSQL.contains { column.hasPrefix($0 + ".") }
        }
        #expect(columns == expected)
    }

    @Test("each table says what its rows are distributed by: a column of its primary key and of its unique indexes, except those that are named")
    func distributionKeys() throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        try PostgreSQLStore(address: address).close()
        func rows(_ sql: String) throws -> [[String]] {
            try cluster.psql(address, sql).split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
        }
        let told = try rows(
            "SELECT relname, coalesce(obj_description(oid), '') FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        let keys = Dictionary(uniqueKeysWithValues: told.map { ($0[0], $0[1]) })
        #expect(keys.values.allSatisfy { $0.hasPrefix("distribution key: ") }, "\(keys)")
        #expect(Set(keys.keys) == Set(PostgreSQLSchema.distribution.map(\.key)))
        let indexes = try rows(
            """
            SELECT t.relname, i.relname, x.indisprimary, (SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = i.oid)
            FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
            WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace
            """)
        var across: Set<String> = []
        for index in indexes {
            let key = try #require(keys[index[0]]).dropFirst("distribution key: ".count)
            guard key != "none", !index[3].split(separator: ",").contains(key) else { continue }
            #expect(index[2] == "f", "the primary key of \(index[0]) lacks \(key)")
            across.insert(index[1])
        }
        #expect(across == Set(PostgreSQLSchema.indexesAcrossKeys))
        #expect(indexes.count { $0[2] == "t" } == keys.count)
    }

    @Test("a page of a list is read from its index in order, however many followers its owner has, and before PostgreSQL knows its tables")
    func plans() throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        try PostgreSQLStore(address: address).close()
        let settings = PostgreSQLAddress.settings.joined(separator: "; ")
        let statement = PostgreSQLCursor.numbered(SQLStore.firstPageOfFollowers)
        let plan = """
            SET plan_cache_mode = force_generic_plan; PREPARE page(bytea, bigint) AS \(statement); EXPLAIN EXECUTE page('\\x01', 37)
            """
        let rows = """
            INSERT INTO profile (user_id, number, username, username_key, display_name, status_message, version, create_time, update_time)
            SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), n, 'u' || n, 'u' || n, '', '', 1, 0, 0 FROM generate_series(1, 2000) n;
            INSERT INTO follower (followee, follow_time, follower) SELECT 1, n, n % 2000 + 1 FROM generate_series(1, 40000) n;
            INSERT INTO follower (followee, follow_time, follower) SELECT n, d, d FROM generate_series(2, 2000) n, generate_series(1, 9) d; ANALYZE
            """
        for preparation in [nil, rows] {
            if let preparation { try cluster.psql(address, preparation) }
            let found = try cluster.psql(address, "\(settings); \(plan)")
            #expect(found.contains("Scan Backward using follower_pkey"), "\(found)")
            for word in ["Sort", "Seq Scan", "Bitmap", "Hash", "Memoize"] { #expect(!found.contains(word), "\(found)") }
        }
    }

    @Test("texts are compared by their bytes everywhere")
    func collations() throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        try PostgreSQLStore(address: address).close()
        #expect(
            try cluster.psql(
                address,
                """
                SELECT table_name, column_name FROM information_schema.columns
                WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
                """) == "")
    }

    @Test(
        "parameters get PostgreSQL's form, by their place or their number",
        arguments: [
            ("a = ? AND b = ?", "a = $1 AND b = $2"), ("a = ?2 AND b = ?1", "a = $2 AND b = $1"), ("a = ?3 AND b = ?", "a = $3 AND b = $4"),
            ("a LIKE ? ESCAPE '?' AND b = ?12", "a LIKE $1 ESCAPE '?' AND b = $12"),
        ])
    func parameters(_ sql: String, _ numbered: String) { #expect(PostgreSQLCursor.numbered(sql) == numbered) }
}
