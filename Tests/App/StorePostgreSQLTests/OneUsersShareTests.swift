import PulseBoardDomain
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL
@testable import StoreSQL

@Suite("What one user may take of a PostgreSQL database") struct OneUsersShareTests {
    private func key(_ id: String) throws -> IdempotencyKey {
        IdempotencyKey(requestID: try #require(try RequestID.parse(id)), fingerprint: [UInt8](repeating: 7, count: 32))
    }

    @Test("a user has 10,000 remembered writes and no more")
    func rememberedWrites() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address)
        try await store.addUser(1)
        let start = SystemWallClock().now()
        func write(_ id: String) async throws {
            _ = try await store.updateProfile(of: testUser(1), ProfileChange(), ifMatches: nil, at: start, idempotency: try key(id))
        }
        try await write("first")
        _ = try cluster.psql(
            address,
            """
            INSERT INTO request (user_id, request_id, fingerprint, result, create_time, format)
            SELECT user_id, 'copy' || i, fingerprint, result, create_time + i, format
            FROM request, generate_series(1, \(RememberedRequests.mostOfUser - 151)) AS i
            """)
        await #expect(throws: RepositoryError.rateLimited(retryAfter: IdempotencyKey.retention)) {
            for number in 1...1_000 { try await write("new\(number)") }
        }
        #expect(try cluster.psql(address, "SELECT count(*) FROM request") == "\(RememberedRequests.mostOfUser)")
        try await write("new1")
        try store.close()
    }

    @Test("a user who follows and unfollows again and again pushes out only earlier events of the same kind")
    func repeatedEvents() async throws {
        let store = try PostgreSQLStore(
            address: try TestCluster.shared.get().makeDatabase(), followEvents: FollowEventRetention(age: .hours(1), count: 32))
        for number in 1...3 as ClosedRange<UInt64> { try await store.addUser(number) }
        let (owner, other, friend) = (testUser(1), testUser(2), testUser(3))
        let now = SystemWallClock().now()
        let start = try await store.keepFollowEvents(of: owner, at: now)
        _ = try await store.follow(owner, by: friend, at: now, idempotency: nil)
        _ = try await store.follow(other, by: owner, at: now, idempotency: nil)
        for _ in 1...50 {
            _ = try await store.follow(owner, by: other, at: now, idempotency: nil)
            _ = try await store.unfollow(owner, by: other, at: now, idempotency: nil)
        }
        let events = try await store.followEvents(of: owner, after: start, at: now, limit: 999)
        #expect(events.count <= 36)
        #expect(events.prefix(2).map(\.change) == [.followerGained, .followed])
        #expect(events.prefix(2).map(\.userID) == [friend, other])
        #expect(events.last?.change == .followerLost)
        try store.close()
    }
}
