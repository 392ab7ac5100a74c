import Dispatch
import PulseBoardDomain
import Synchronization
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// A user with thousands of calls under way does not keep the store from the others.
@Suite("Fair queues of the store", .timeLimit(.minutes(5))) struct FairQueueTests {
    private typealias Body = @Sendable (borrowing SQLConnection) throws(RepositoryError) -> Void

    /// Whose work was done, in its order.
    private final class Done: Sendable {
        private let users = Mutex<[UserID]>([])
        func by(_ user: UserID) -> Body { { [self] _ throws(RepositoryError) in users.withLock { $0.append(user) } } }
        var place: Int? { users.withLock { $0.firstIndex(of: userTwo) } }
        var count: Int { users.withLock { $0.count } }
    }

    private func hear(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    let directory: TemporaryDirectory
    let store: SQLiteStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path, readerCount: 2)
    }

    @Test("a user's write comes after few of another's")
    func writes() async throws {
        let gate = DispatchSemaphore(value: 0), done = Done()
        let held = Task { [store] in try await store.write { _ throws(RepositoryError) in gate.wait() } }
        while !store.isWriting { await Task.yield() }
        var tasks = (0..<1000).map { _ in Task.immediate { @Sendable [store] in try await store.write(of: userOne, done.by(userOne)) } }
        tasks.append(Task.immediate { @Sendable [store] in try await store.write(of: userTwo, done.by(userTwo)) })
        #expect(store.queuedWrites == SQLStore.writesOfUser + 1)
        gate.signal()
        for task in tasks { try await task.value }
        try await held.value
        #expect(done.count == 1001)
        #expect(try #require(done.place) == SQLStore.writesOfUser)
    }

    private typealias Read = @Sendable (SQLiteStore, UserID?, @escaping Body) async throws(RepositoryError) -> Void

    /// Holds a lane, queues a thousand reads of one user and then one of another.
    /// - Returns: how many of the first user's reads came before the other's.
    private func readsBefore(_ read: @escaping Read) async throws -> Int? {
        let gate = DispatchSemaphore(value: 0), entered = DispatchSemaphore(value: 0), done = Done()
        let held = Task { [store] in
            try await read(store, nil) { _ throws(RepositoryError) in
                entered.signal()
                gate.wait()
            }
        }
        await hear(entered)
        var tasks = (0..<1000).map { _ in Task.immediate { @Sendable [store] in try await read(store, userOne, done.by(userOne)) } }
        tasks.append(Task.immediate { @Sendable [store] in try await read(store, userTwo, done.by(userTwo)) })
        gate.signal()
        for task in tasks { try await task.value }
        try await held.value
        #expect(done.count == 1001)
        return done.place
    }

    @Test("a user's long read comes after few of another's")
    func longReads() async throws {
        let place = try await readsBefore { store, user, body throws(RepositoryError) in
            guard let user else { return try await store.readLong(body) }
            try await store.readLong(of: user, body)
        }
        #expect(place == SQLStore.longReadsOfUser)
    }

    @Test("a user's profile is read after few reads of another's")
    func shortReads() async throws {
        let place = try await readsBefore { store, user, body throws(RepositoryError) in
            guard let user else { return try await store.read(body) }
            try await store.read(of: user, body)
        }
        #expect(place == SQLStore.shortReadsOfUser)
    }

    @Test("a write that waits for its turn is not made for a caller that has gone")
    func cancelled() async throws {
        let gate = DispatchSemaphore(value: 0), done = Done()
        let held = Task { [store] in try await store.write { _ throws(RepositoryError) in gate.wait() } }
        while !store.isWriting { await Task.yield() }
        let tasks = (0..<SQLStore.writesOfUser).map { _ in
            Task.immediate { @Sendable [store] in try await store.write(of: userOne, done.by(userOne)) }
        }
        let late = Task.immediate { @Sendable [store] in try await store.write(of: userOne, done.by(userTwo)) }
        late.cancel()
        await #expect(throws: RepositoryError.cancelled) { try await late.value }
        gate.signal()
        for task in tasks { try await task.value }
        try await held.value
        #expect(done.place == nil)
    }
}
