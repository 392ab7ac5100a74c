import Foundation
import PulseBoardDomain
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// Callers get correct answers, whenever a connection ends.
@Suite("Lost connections") struct LostConnectionTests {
    @Test("connections that the server has ended are made again, and no call fails for it")
    func idleConnections() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address)
        try await store.addUser(1)
        for number in 2...6 as ClosedRange<UInt64> {
            try cluster.psql(address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            #expect(try await store.profile(of: testUser(1), viewer: testUser(1)).id == testUser(1))
            try await store.addUser(number)
        }
        #expect(store.status.trouble == nil)
        try store.close()
    }

    @Test(
        "whichever piece of the conversation is lost, COMMIT and its answer too, the write is made once and acknowledged",
        arguments: [CuttingProxy.Direction.toServer, .toClient])
    func everyPiece(_ direction: CuttingProxy.Direction) async throws {
        let cluster = try TestCluster.shared.get()
        let real = try cluster.makeDatabase()
        let proxy = try CuttingProxy(real)
        let store = try PostgreSQLStore(address: proxy.address, connections: .one)
        for number in 1...40 as ClosedRange<UInt64> { try await store.addUser(number) }
        var cuts = 0
        for piece in 1...39 {
            let (one, other) = (testUser(UInt64(piece)), testUser(UInt64(piece) + 1))
            _ = try await store.keepFollowEvents(of: other, at: testTime(1))
            try proxy.cut(piece, direction)
            _ = try await store.follow(other, by: one, at: testTime(2), idempotency: nil)
            if proxy.hasCut { cuts += 1 }
            // A second write would change nothing, but the events show how often it was performed.
            #expect(try await store.keptFollowEvents(of: other, after: nil, limit: 9).map(\.change) == [.followerGained], "piece \(piece)")
            #expect(try await store.counts(of: other, viewer: other).followers == 1, "piece \(piece)")
        }
        // A write has at least: its start, its questions and its COMMIT.
        #expect(cuts >= 3)
        #expect(store.status.trouble == nil)
        try store.close()
        try proxy.end()
    }

    @Test("when the server is gone, calls are refused with STORE_UNREACHABLE, health knows, and it is over by itself")
    func gone() async throws {
        let proxyAddress = try TestCluster.shared.get().makeDatabase()
        let proxy = try CuttingProxy(proxyAddress)
        let store = try PostgreSQLStore(address: proxy.address, probePauses: .milliseconds(10)...(.milliseconds(20)), patience: .milliseconds(50))
        try await store.addUser(1)
        let (events, told) = AsyncStream<StoreEvent>.makeStream()
        store.observe { told.yield($0) }
        proxy.suspend()
        do throws(RepositoryError) {
            _ = try await store.profile(of: testUser(1), viewer: testUser(1))
            Issue.record("read from nowhere")
        } catch {
            guard case .storeUnavailable(.unreachable, _) = error else {
            Issue.record("\(error)")
            return
        }
        }
        var next = events.makeAsyncIterator()
        guard case .failing(let trouble)? = await next.next() else {
            Issue.record("no trouble")
            return
        }
        #expect(trouble.failure == .unreachable)
        try proxy.resume()
        while let event = await next.next() {
            if case .recovered = event { break }
        }
        #expect(try await store.profile(of: testUser(1), viewer: testUser(1)).id == testUser(1))
        try store.close()
        try proxy.end()
    }
}
