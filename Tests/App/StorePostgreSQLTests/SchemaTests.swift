import Foundation
import GRDB
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL
@testable import StoreSQLite

/// One code of statements runs on both databases, so both have the same tables.
@Suite("Schema on PostgreSQL") struct SchemaTests {
    /// Tables that only one of the two needs.
    private static let ofSQLite: Set<String> = ["grdb_migrations", "sqlite_sequence", "sqlite_stat1"]
    private static let ofPostgreSQL: Set<String> = ["owner", "generation", "operation", "pulseboard_schema"]

    @Test("every table of SQLite's is there with the same columns; what is added to one is added to the other")
    func sameTables() throws {
        let database = try DatabaseQueue()
        try StoreSQLite.Schema.migrator.migrate(database)
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
