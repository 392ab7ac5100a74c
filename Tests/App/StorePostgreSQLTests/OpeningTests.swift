import Foundation
import PulseBoardDomain
import StoreSQL
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

@Suite("Opening a store on PostgreSQL") struct OpeningTests {
    private func failure(_ address: String) -> PostgreSQLOpeningError? {
        do throws(PostgreSQLOpeningError) {
            _ = try PostgreSQLStore(address: address)
            return nil
        } catch { return error }
    }

    @Test("a password in the address is refused, in every form of it, and never repeated")
    func password() throws {
        for address in ["postgresql://kim:secret@localhost/x", "postgresql:///x?password=secret", "postgres://localhost/x?user=a&password=secret"] {
            let error = try #require(failure(address))
            #expect(error == .passwordInAddress)
            #expect(!error.description.contains("secret"))
        }
    }

    @Test(
        "an address whose password is not written as it must be is refused without repeating a piece of it",
        arguments: [
            "postgresql://kim:sec%ret@localhost/x", "postgresql://kim:sec/ret@localhost/x", "postgresql://kim:12/sec@localhost/x",
            "postgresql://kim:secret@[::1/x", "postgresql://kim/sec@localhost/x",
            "postgresql://kim%40sec/x", "postgresql:///x?sec%ret=1",
        ])
    func malformedPassword(_ address: String) throws {
        let error = try #require(failure(address))
        guard case .addressInvalid = error else {
            Issue.record("\(error)")
            return
        }
        for piece in ["kim", "sec", "ret", "localhost", "::1"] { #expect(!error.description.contains(piece), "\(error)") }
    }

    @Test("every refusal has a text in Korean, and no English sentence in it")
    func korean() throws {
        let refused = ["host=localhost", "postgresql://kim:12/sec@localhost/x", "postgresql:///x?nonsense=1", "postgresql://kim/sec@localhost/x"]
        let errors = try refused.map { try #require(failure($0)) } + [
            .passwordInAddress, .wrongEncoding("LATIN1"), .foreignDatabase("t"), .newerSchema(version: 9), .inUse, .tooFewConnections(2),
        ]
        let copies: [StoreTransfer.Failure] = [
            .targetInUse, .differs(table: "t"), .store(.storeUnavailable(.full, detail: "SQLite error 13")),
            .store(.corruptRow(table: "t", key: "1")),
        ]
        for phrase in errors.map(\.phrase) + copies.map(\.phrase) {
            #expect(phrase.korean.contains { ("가"..."힣").contains($0) } && !phrase.korean.hasEnglishSentence, "\(phrase)")
            #expect(!phrase.korean.contains(phrase.english))
        }
    }

    @Test("an address that cannot be read, and a server that is not there, are told apart")
    func addresses() throws {
        guard case .addressInvalid = failure("host=localhost") else {
            Issue.record("another error")
            return
        }
        guard case .addressInvalid = failure("postgresql:///x?nonsense=1") else {
            Issue.record("another error")
            return
        }
        guard case .failed = failure("postgresql:///x?host=/nonexistent") else {
            Issue.record("another error")
            return
        }
    }

    @Test("a database of something else, of another encoding or of a newer version is refused, and stays as it is")
    func refused() throws {
        let cluster = try TestCluster.shared.get()
        let foreign = try cluster.makeDatabase()
        try cluster.psql(foreign, "CREATE TABLE other (x int)")
        #expect(failure(foreign) == .foreignDatabase("other"))
        #expect(try cluster.psql(foreign, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "1")
        #expect(failure(try cluster.makeDatabase(encoding: "SQL_ASCII")) == .wrongEncoding("SQL_ASCII"))
        let newer = try cluster.makeDatabase()
        try PostgreSQLStore(address: newer).close()
        try cluster.psql(newer, "INSERT INTO pulseboard_schema VALUES (9999, 'of tomorrow', 0)")
        #expect(failure(newer) == .newerSchema(version: 9_999))
    }

    private func migrate(_ text: String, _ further: [PostgreSQLSchema.Migration]) throws {
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(text, library)
        _ = try PostgreSQLSchema.prepare(
            { () throws(PostgreSQLFailure) in try address.connect(library, silence: .seconds(600)) }, .none, clock: SystemWallClock(),
            migrations: PostgreSQLSchema.migrations + further)
    }

    @Test("each migration is one transaction: those before one that fails stay")
    func ownTransactions() throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let good = PostgreSQLSchema.Migration(name: "good", statements: ["CREATE TABLE good (key BIGINT PRIMARY KEY)"])
        let bad = PostgreSQLSchema.Migration(name: "bad", statements: ["CREATE TABLE bad (key BIGINT PRIMARY KEY)", "SELECT nonsense"])
        #expect(throws: PostgreSQLOpeningError.self) { try migrate(address, [good, bad]) }
        #expect(try cluster.psql(address, "SELECT max(version) FROM pulseboard_schema") == "\(PostgreSQLSchema.migrations.count + 1)")
        #expect(try cluster.psql(address, "SELECT count(*) FROM pg_tables WHERE tablename IN ('good', 'bad')") == "1")
    }

    @Test("a migration whose lock another server holds is tried again")
    func heldLock() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address)
        let gate = DispatchSemaphore(value: 0)
        let held = Task {
            try await store.write { connection throws(RepositoryError) in
                // On a busy machine the lock may be held for long.
                try connection.run("SET LOCAL idle_in_transaction_session_timeout = 0")
                try connection.run("LOCK TABLE profile IN ACCESS SHARE MODE")
                _ = connection.changes
                gate.wait()
            }
        }
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        let holders = waits.replacing("NOT granted", with: "granted AND relation = 'profile'::regclass")
        try await until { try cluster.psql(address, holders) != "0" }
        let change = PostgreSQLSchema.Migration(name: "column", statements: ["ALTER TABLE profile ADD COLUMN mood BIGINT"])
        let migration = Task { try await onOwnThread { try migrate(address, [change]) } }
        // Once it waits, and once its time is over.
        try await until { try cluster.psql(address, waits) != "0" }
        try await until { try cluster.psql(address, waits) == "0" }
        gate.signal()
        try await held.value
        try await migration.value
        #expect(try cluster.psql(address, "SELECT max(version) FROM pulseboard_schema") == "\(PostgreSQLSchema.migrations.count + 1)")
        try store.close()
    }

    @Test("a server that starts while the housekeeping's lock is held tries again")
    func heldHousekeeping() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        try migrate(address, [])
        let holder = try holdLock(of: .housekeeping, address)
        let start = Task { try await onOwnThread { try migrate(address, []) } }
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
        // Once it waits, and once its time is over.
        try await until { try cluster.psql(address, waits) != "0" }
        try await until { try cluster.psql(address, waits) == "0" }
        holder.abandon()
        try await start.value
    }

    @Test("of many servers that start at once on an empty database, one makes the tables and all serve")
    func together() async throws {
        let address = try TestCluster.shared.get().makeDatabase()
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<6 as Range<UInt8> {
                group.addTask {
                    let store = try PostgreSQLStore(address: address)
                    defer { try? store.close() }
                    return try await store.secret(named: "one", orStore: [number, 1])
                }
            }
            // All stores have the secret of the first.
            var secrets: Set<[UInt8]> = []
            for try await secret in group { secrets.insert(secret) }
            #expect(secrets.count == 1)
        }
        #expect(try TestCluster.shared.get().psql(address, "SELECT count(*) FROM pulseboard_schema") == "\(PostgreSQLSchema.migrations.count)")
    }

    @Test("a database that allows fewer connections than a server needs is refused by number; one that allows just enough is served")
    func connectionLimits() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let limited = try cluster.makeUser(of: address, connections: ConnectionAllowance.least - 1)
        #expect(failure(limited.address) == .tooFewConnections(ConnectionAllowance.least - 1))
        try cluster.psql(address, "ALTER ROLE \(limited.name) CONNECTION LIMIT \(ConnectionAllowance.least)")
        let store = try PostgreSQLStore(address: limited.address)
        try await store.addUser(0)
        // Writes, reads and lists at once.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 as ClosedRange<UInt64> {
                group.addTask { try await store.addUser(number) }
                group.addTask { _ = try await store.profile(of: testUser(0), viewer: testUser(0)) }
                group.addTask { _ = try await store.followers(of: testUser(0), viewer: testUser(0), after: nil, limit: 5) }
            }
            try await group.waitForAll()
        }
        #expect(store.status.trouble == nil)
        try store.close()
    }

    @Test("a limit leaves at least one connection of each kind", arguments: 5...20)
    func fewerConnections(_ allowed: Int) {
        let connections = PostgreSQLStore.Connections().within(allowed)
        let each = [connections.writing, connections.reading, connections.readingLong]
        #expect(each.allSatisfy { $0 >= 1 })
        #expect(each.reduce(2, +) <= allowed)
        if allowed >= 16 { #expect(each == [8, 4, 2]) }
    }

    @Test("what the operator reads names the kind, the version and the database")
    func description() throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase())
        #expect(store.kind.hasPrefix("PostgreSQL 1"))
        #expect(store.description.contains("database test"))
        #expect(store.status.trouble == nil)
        try store.close()
    }
}
