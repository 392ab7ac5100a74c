import PulseBoardDomain
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// Reads whose statements are sent together.
@Suite("Gathered reads") struct GatheredReadTests {
    /// Makes users 1 to 9. Each follows all users with greater numbers.
    private func makeUsers(_ store: PostgreSQLStore) async throws {
        for number in 1...9 as ClosedRange<UInt64> { try await store.addUser(number) }
        for one in 1...8 as ClosedRange<UInt64> {
            for other in (one + 1)...9 {
                _ = try await store.follow(testUser(other), by: testUser(one), at: testTime(Int64(other)), idempotency: nil)
            }
        }
    }

    /// Makes every read about a user. The user exists if the number is at most 9.
    private func check(_ number: UInt64, _ store: PostgreSQLStore) async throws {
        let user = testUser(number)
        guard number <= 9 else {
            await #expect(throws: RepositoryError.userNotFound) { try await store.profile(of: user, viewer: testUser(1)) }
            await #expect(throws: RepositoryError.userNotFound) { try await store.profile(usernameKey: "user\(number)", viewer: testUser(1)) }
            await #expect(throws: RepositoryError.userNotFound) { try await store.followers(of: user, viewer: testUser(1), after: nil, limit: 3) }
            return
        }
        #expect(try await store.profile(of: user, viewer: user).username.text == "user\(number)")
        #expect(try await store.profile(usernameKey: "user\(number)", viewer: user).id == user)
        #expect(try await store.counts(of: user, viewer: user) == FollowCounts(followers: Int64(number) - 1, following: 9 - Int64(number)))
        let seen = try await store.relationships(of: user, to: [testUser(5)])
        switch number {
        case 5: #expect(seen[testUser(5)] == .personal(testUser(5)))
        case ..<5: #expect(seen[testUser(5)]?.state == .followed(since: testTime(5)))
        default: #expect(seen[testUser(5)]?.state == .unfollowed && seen[testUser(5)]?.isFollowedBy == true)
        }
        let listed = try await store.followers(of: user, viewer: user, after: nil, limit: 20).map(\.user.id)
        #expect(Set(listed) == Set((1..<number).map(testUser)))
        // This read has more statements than reads make together.
        let all = try await store.profiles(of: (1...12).map(testUser), viewer: user)
        #expect(Set(all.keys) == Set((1...9).map(testUser)))
    }

    @Test("each has its own answer, whatever it shares the way with, and however long its own is")
    func answers() async throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase(), connections: .one)
        try await makeUsers(store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<120 as Range<UInt64> { group.addTask { try await check(number % 11 + 1, store) } }
            try await group.waitForAll()
        }
        #expect(store.status.trouble == nil)
        try store.close()
    }

    @Test("whichever piece of the way is lost, all are answered")
    func lostPieces() async throws {
        let proxy = try CuttingProxy(try TestCluster.shared.get().makeDatabase())
        let store = try PostgreSQLStore(address: proxy.address, connections: .one)
        try await makeUsers(store)
        for piece in 1...12 {
            try proxy.cut(piece, piece % 2 == 0 ? .toServer : .toClient)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<22 as Range<UInt64> { group.addTask { try await check(number % 11 + 1, store) } }
                try await group.waitForAll()
            }
        }
        #expect(store.status.trouble == nil)
        try store.close()
        try proxy.end()
    }

    @Test("a statement that fails is its own read's failure")
    func failures() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, connections: .one)
        try await makeUsers(store)
        try cluster.psql(address, "ALTER TABLE following RENAME TO elsewhere")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<60 as Range<UInt64> {
                group.addTask {
                    if number % 3 == 0 {
                        await #expect(throws: RepositoryError.self) { try await store.relationships(of: testUser(1), to: [testUser(2)]) }
                    } else {
                        let user = testUser(number % 9 + 1)
                        #expect((try? await store.profile(of: user, viewer: user).id) == user)
                    }
                }
            }
        }
        try store.close()
    }
}
