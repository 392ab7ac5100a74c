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
}
