import GRDB
import PulseBoardDomain
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// The figures that `docs/storage.md` gives are those of the code.
@Suite struct StoreFactTests {
    @Test("docs/storage.md gives the sizes of batches and steps")
    func sizes() throws {
        let page = try Page("docs/storage.md")
        let documented: [(String, [String])] = [
            ("## Group commit", ["\(GroupCommit.maximumBatch) at most"]),
            ("## Reads", ["up to \(ReadLanes.maximumBatch) reads"]),
            ("## Housekeeping", ["A step removes \(Housekeeping.rowsPerStep) rows of each kind"]),
            (
                "## Removing a user",
                ["at most \(Tombstones.rowsPerStep) edges", "\(Written.count(SQLiteStore.requestsForgottenAtOnce)) in each write"]
            ),
            (
                "## Events of follows",
                [
                    "the newest \(Written.count(FollowEventRetention.standard.count))",
                    "A sweep of \(FollowEventLog.ownersPerSweep) owners a minute",
                ]
            ),
            (
                "## The log's length",
                ["longer than \(Written.bytes(ConnectionSettings.checkpointPages * 4096))", "above \(Written.bytes(WALBound.limit))"]
            ),
            (
                "## When the store cannot do its work",
                [
                    "after \(Written.seconds(StoreHealth.standardPauses.lowerBound))",
                    "\(Written.seconds(StoreHealth.standardPauses.upperBound)) at most",
                ]
            ),
            (
                "## Settings",
                [
                    "`wal_autocheckpoint = \(ConnectionSettings.checkpointPages)` pages",
                    "`busy_timeout` \(Int(ConnectionSettings.busyTimeoutSeconds)) s",
                ]
            ),
        ]
        for (heading, texts) in documented {
            let section = try page.text(heading)
            for text in texts { #expect(section.contains(text), "'\(heading)' does not say '\(text)'") }
        }
    }

    @Test("docs/storage.md lists every table, and none besides")
    func tables() throws {
        let rows = try Page("docs/storage.md").rows("## Tables")
        let documented = Set(rows.flatMap { Page.code(in: $0[0]) })
        let database = try DatabaseQueue()
        try SQLiteSchema.migrator.migrate(database)
        let made = try database.read { database in
            try String.fetchSet(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        }
        #expect(documented == made.subtracting(["grdb_migrations"]))
    }
}
