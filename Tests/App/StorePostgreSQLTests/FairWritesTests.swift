import Dispatch
import PulseBoardDomain
import StoreSQL
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

@Suite("Writes of many users", .timeLimit(.minutes(5))) struct FairWritesTests {
    @Test("a user whose writes are held up keeps few connections, and another user's write is made meanwhile")
    func others() async throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase())
        for number in 1...2 as ClosedRange<UInt64> { try await store.addUser(number) }
        let gate = DispatchSemaphore(value: 0)
        let writes = 100
        let held = (0..<writes).map { _ in
            Task.immediate { @Sendable in
                try await store.write(of: testUser(1)) { connection throws(RepositoryError) in
                    try connection.lock(testUser(1))
                    gate.wait()
                }
            }
        }
        try await store.write(of: testUser(2)) { connection throws(RepositoryError) in try connection.lock(testUser(2)) }
        for _ in 0..<writes { gate.signal() }
        for task in held { try await task.value }
        try store.close()
    }

    @Test("many followers of one user whose row is held keep few connections, and another user's write is made meanwhile")
    func followers() async throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase())
        let followers = 100 as UInt64
        for number in 1...followers + 2 { try await store.addUser(number) }
        let (celebrity, other) = (testUser(followers + 1), testUser(followers + 2))
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let held = Task.immediate { @Sendable in
            try await store.write(of: celebrity) { connection throws(RepositoryError) in
                try connection.lock(celebrity)
                _ = connection.changes
                entered.signal()
                gate.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                entered.wait()
                continuation.resume()
            }
        }
        let follows = (1...followers).map { number in
            Task.immediate { @Sendable in
                _ = try await store.follow(celebrity, by: testUser(number), at: testTime(Int64(number)), idempotency: nil)
            }
        }
        #expect(store.queuedWrites <= PostgreSQLStore.writesOnOneUser)
        try await store.write(of: other) { connection throws(RepositoryError) in try connection.lock(other) }
        gate.signal()
        try await held.value
        for task in follows { try await task.value }
        #expect(try await store.counts(of: celebrity, viewer: celebrity).followers == Int64(followers))
        try store.close()
    }
}
