import PulseBoardDomain
import RepositoryContract
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

@Suite("The housekeeping beside damaged rows on PostgreSQL", .timeLimit(.minutes(5))) struct DamagedRowTests {
    private static let damage = "UPDATE profile SET user_id = substring(user_id FROM 1 FOR 15) WHERE username = 'user1'"

    @Test("B6: a damaged id of the other side stops neither the removal of a user who leaves, nor that of later ones")
    func otherSide() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...3 as ClosedRange<UInt64> { try await store.addUser(number) }
        let (damaged, leaving, later) = (testUser(1), testUser(2), testUser(3))
        for follower in [damaged, later] { _ = try await store.follow(leaving, by: follower, at: testTime(1), idempotency: nil) }
        _ = try await store.follow(damaged, by: leaving, at: testTime(1), idempotency: nil)
        try cluster.psql(address, Self.damage)
        for user in [leaving, later] { try await store.deleteProfile(of: user, at: testTime(2), idempotency: nil) }
        try await until { try cluster.psql(address, "SELECT count(*) FROM withdrawal") == "0" }
        for table in ["following", "follower"] { #expect(try cluster.psql(address, "SELECT count(*) FROM \(table)") == "0") }
        #expect(try cluster.psql(address, "SELECT followers + following FROM follow_count") == "0")
        #expect(store.housekeepingFailure == nil)
        try store.close()
    }

    @Test("a tombstone whose own id is damaged is reported, and stops no other")
    func tombstone() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...2 as ClosedRange<UInt64> { try await store.addUser(number) }
        _ = try await store.follow(testUser(2), by: testUser(1), at: testTime(1), idempotency: nil)
        try cluster.psql(
            address,
            """
            INSERT INTO withdrawal (number, user_id, withdraw_time, followers, following, is_damaged, is_over)
            VALUES (0, decode('0a', 'hex'), 1, 0, 0, 0, 0)
            """)
        try await store.deleteProfile(of: testUser(2), at: testTime(2), idempotency: nil)
        try await until { try cluster.psql(address, "SELECT number FROM withdrawal") == "0" }
        await until { store.housekeepingFailure == RepositoryError.corruptRow(table: "withdrawal", key: "0") }
        #expect(try cluster.psql(address, "SELECT count(*) FROM following") == "0")
        try store.close()
    }

    @Test("a damaged id of an owner keeps no old events, neither of that owner nor of others")
    func ownerOfEvents() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let retention = FollowEventRetention(age: .hours(1), count: 32)
        let store = try PostgreSQLStore(address: address, followEvents: retention, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...2 as ClosedRange<UInt64> { try await store.addUser(number) }
        for number in 1...2 as ClosedRange<UInt64> { _ = try await store.keepFollowEvents(of: testUser(number), at: testTime(1)) }
        _ = try await store.follow(testUser(2), by: testUser(1), at: testTime(2), idempotency: nil)
        try store.close()
        #expect(try cluster.psql(address, "SELECT count(*) FROM follow_event") == "2")
        try cluster.psql(address, "UPDATE follow_event SET event_time = event_time - 7200000000")
        try cluster.psql(address, Self.damage)

        let next = try PostgreSQLStore(address: address, followEvents: retention, clock: ContractCase.clock, comparesClocks: false)
        try await until { try cluster.psql(address, "SELECT count(*) FROM follow_event") == "0" }
        #expect(next.housekeepingFailure == nil)
        try next.close()
    }
}
