import PulseBoardDomain
import Synchronization
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

@Suite("How changes by other servers are noticed", .timeLimit(.minutes(5))) struct ChangeFeedTests {
    /// An uptime that goes on by itself, and that a test can advance.
    private final class TestUptime: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: Duration { start.duration(to: .now) + passed.withLock { $0 } }

        func advance(_ duration: Duration) { passed.withLock { $0 += duration } }
    }

    /// How often a store has asked whom to look at, and how often it has told of changes.
    private struct Counts {
        var looks = 0
        var wakings = 0
    }

    @Test("counters that are missing are made again, memory drops what they were for, and changes are known from then on")
    func missingCounters() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address)
        let forgotten = Mutex(Set<Int>())
        store.listen(
            SharedStoreListener(
                watched: { [] }, changed: { _ in }, forget: { buckets in forgotten.withLock { $0.formUnion(buckets) } }))
        await until { store.isFresh }
        forgotten.withLock { $0 = Set<Int>() }
        try cluster.psql(address, "DELETE FROM generation WHERE bucket IN (7, 255)")
        await until { forgotten.withLock { $0.contains(7) && $0.contains(255) } }
        for bucket in [7, 255] {
            let raising = "UPDATE generation SET number = number + 1 WHERE bucket = \(bucket) RETURNING number"
            let number = try #require(Int64(try cluster.psql(address, raising)))
            await until { store.knowsChange(number, inBucket: bucket) }
        }
        #expect(try cluster.psql(address, "SELECT count(*) FROM generation") == "\(UserBucket.count)")
        #expect(store.status.changesTrouble == nil)
        try store.close()
    }

    @Test("while looks fail and calls succeed, the status says so and watchers are woken from time to time; it is over with the next look")
    func deafness() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let uptime = TestUptime()
        let store = try PostgreSQLStore(address: address, uptime: { uptime.now })
        try await store.addUser(1)
        let counts = Mutex(Counts())
        store.listen(
            SharedStoreListener(
                watched: {
                    counts.withLock { $0.looks += 1 }
                    return [testUser(1)]
                },
                changed: { _ in counts.withLock { $0.wakings += 1 } }, forget: { _ in }))
        await until { store.isFresh }
        let begin = uptime.now
        try cluster.psql(address, "ALTER TABLE generation RENAME TO hidden")
        // The first look that begins from here on has failed when another one begins.
        let looks = counts.withLock { $0.looks }
        await until { counts.withLock { $0.looks } > looks + 1 }
        let trouble = store.status.changesTrouble
        // A slow machine may have taken longer than the store is patient.
        #expect(trouble == nil || uptime.now - begin >= .seconds(5))

        let wakings = counts.withLock { $0.wakings }
        uptime.advance(.seconds(6))
        await until { counts.withLock { $0.wakings } > wakings }
        let known = try #require(store.status.changesTrouble)
        #expect(known.failure == .readOnly && known.detail.contains("generation") && known.count > 1)
        #expect(!store.isFresh)
        #expect(try await store.counts(of: testUser(1), viewer: testUser(1)).followers == 0)
        #expect(store.status.trouble == nil)
        uptime.advance(.seconds(11))
        await until { counts.withLock { $0.wakings } > wakings + 1 }

        try cluster.psql(address, "ALTER TABLE hidden RENAME TO generation")
        await until { store.status.changesTrouble == nil }
        await until { store.isFresh }
        try store.close()
    }
}
