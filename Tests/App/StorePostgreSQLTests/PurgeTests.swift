import PulseBoardDomain
import RepositoryContract
import StoreSQL
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

@Suite("What a purge leaves on PostgreSQL", .timeLimit(.minutes(5))) struct PurgeTests {
    @Test("C24: after the purge no row but those of others' events and answers holds the user's id")
    func purge() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...2 as ClosedRange<UInt64> { try await store.addUser(number) }
        let (leaving, staying) = (testUser(1), testUser(2))
        for user in [leaving, staying] { _ = try await store.keepFollowEvents(of: user, at: testTime(1)) }
        let key = IdempotencyKey(requestID: try #require(try RequestID.parse("r")), fingerprint: [UInt8](repeating: 7, count: 32))
        _ = try await store.follow(staying, by: leaving, at: testTime(2), idempotency: key)
        _ = try await store.follow(leaving, by: staying, at: testTime(2), idempotency: nil)
        let hash = try #require(TokenHash(bytes: [UInt8](repeating: 1, count: 32)))
        _ = try await store.openSession(
            SessionOpening(
                id: SessionID.random(using: SystemRandomSource()), account: .unix(uid: 1), tokenHash: hash, createTime: testTime(3),
                expireTime: testTime(4)), newUserID: leaving, limit: 9)
        _ = try await store.createDiaryEntry(
            DiaryEntryID.random(using: SystemRandomSource()), try DiaryContent(entryTime: testTime(1), emotion: "calm", text: "bye"), of: leaving,
            at: testTime(5))
        _ = try await store.requestWithdrawal(of: leaving, at: testTime(6), purging: testTime(6))
        try await store.purge(leaving, at: testTime(6))
        try store.close()

        let columns = try cluster.psql(
            address, "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'bytea'")
        var found: Set<String> = []
        let id = leaving.description.filter { $0 != "-" }
        for column in columns.split(separator: "\n") {
            let parts = column.split(separator: ".")
            let count = try cluster.psql(
                address, "SELECT count(*) FROM \(parts[0]) WHERE position(decode('\(id)', 'hex') IN \(parts[1])) > 0")
            if count != "0" { found.insert(String(column)) }
        }
        #expect(found == ["follow_event.other"])
    }

    @Test("C24: a write that is repeated after the purge of the user whom it names makes a lock of that user again, and the housekeeping removes it")
    func repeatedWrite() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...2 as ClosedRange<UInt64> { try await store.addUser(number) }
        let (leaving, staying) = (testUser(1), testUser(2))
        let key = IdempotencyKey(requestID: try #require(try RequestID.parse("r")), fingerprint: [UInt8](repeating: 7, count: 32))
        let first = try await store.follow(leaving, by: staying, at: testTime(2), idempotency: key)
        _ = try await store.requestWithdrawal(of: leaving, at: testTime(6), purging: testTime(6))
        try await store.purge(leaving, at: testTime(6))
        // The size is read at the end of the housekeeping. The next one is a minute away.
        await until { store.status.databaseBytes != 0 }
        func locks(of user: UserID) throws -> String {
            let id = user.description.filter { $0 != "-" }
            return try cluster.psql(address, "SELECT count(*) FROM owner WHERE user_id = decode('\(id)', 'hex')")
        }
        #expect(try locks(of: leaving) == "0")
        #expect(try await store.follow(leaving, by: staying, at: testTime(7), idempotency: key) == first)
        #expect(try locks(of: leaving) == "1")
        // Whoever leaves is not gone yet.
        _ = try await store.requestWithdrawal(of: staying, at: testTime(8), purging: testTime(9_000))
        try store.close()

        let next = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        try await until { try locks(of: leaving) == "0" }
        #expect(try locks(of: staying) == "1")
        try await next.cancelWithdrawal(of: staying)
        try next.close()
    }

    @Test("C24: the housekeeping keeps the lock of a user who appears while it waits for that lock")
    func userWhoAppears() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false).close()
        let id = "decode('\(testUser(1).description.filter { $0 != "-" })', 'hex')"
        try cluster.psql(address, "INSERT INTO owner (user_id, last_change) VALUES (\(id), 1)")
        // Another server's transaction holds the lock, and makes an account once the housekeeping waits for it.
        let holder = try holdLock(of: testUser(1), address)
        // With so much patience the housekeeping waits for 36 s before it gives way, also on a busy machine.
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false, silence: .seconds(600))
        let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
        try await until { try cluster.psql(address, waits) != "0" }
        try SQLConnection(holder).run("INSERT INTO account (issuer, subject, user_id, create_time) VALUES ('unix', '7', \(id), 1)")
        guard case .committed = holder.end() else {
            Issue.record("the account is not made")
            return
        }
        // The size is read after the removal of locks.
        await until { store.status.databaseBytes != 0 }
        #expect(try cluster.psql(address, "SELECT count(*) FROM owner WHERE user_id = \(id)") == "1")
        try store.close()
    }
}
