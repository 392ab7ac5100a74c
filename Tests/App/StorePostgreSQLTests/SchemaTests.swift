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
