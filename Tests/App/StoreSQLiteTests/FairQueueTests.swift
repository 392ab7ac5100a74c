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
        let writer = await HeldWriter(of: store), done = Done()
        var tasks = (0..<1000).map { _ in Task.immediate { @Sendable [store] in try await store.write(of: userOne, done.by(userOne)) } }
        tasks.append(Task.immediate { @Sendable [store] in try await store.write(of: userTwo, done.by(userTwo)) })
        #expect(store.queuedWrites == SQLStore.writesOfUser + 1)
        writer.release()
        for task in tasks { try await task.value }
        #expect(done.count == 1001)
        #expect(try #require(done.place) == SQLStore.writesOfUser)
    }

    /// Holds the only writer, and queues calls of one user.
    /// - Returns: how many of them came into the queue of all.
    private func queued(_ count: Int, _ call: @escaping @Sendable (SQLiteStore, Int) async throws(RepositoryError) -> Void) async throws -> Int {
        let writer = await HeldWriter(of: store)
        let tasks = (0..<count).map { number in Task.immediate { @Sendable [store] in try await call(store, number) } }
        let queued = store.queuedWrites
        writer.release()
        for task in tasks { try await task.value }
        return queued
    }

    private static func opening(_ number: Int) -> SessionOpening? {
        TokenHash(bytes: [UInt8](repeating: 0, count: 30) + [UInt8(number / 256), UInt8(number % 256)]).map {
            SessionOpening(
                id: SessionID(bits: UUIDBits(high: 1, low: UInt64(number))), account: .unix(uid: 1), device: nil, tokenHash: $0,
                createTime: Timestamp(microseconds: 1), expireTime: Timestamp(microseconds: 9_000_000_000_000_000))
        }
    }

    @Test("few sign-ins to an account are in the queue at once")
    func signIns() async throws {
        let count = try await queued(1000) { store, number throws(RepositoryError) in
            guard let opening = Self.opening(number) else { return }
            _ = try await store.openSession(opening, newUserID: userOne, limit: 9)
        }
        #expect(count == SQLStore.writesOfUser / 2)
    }

    @Test("few sign-outs of a user are in the queue at once, and few of the user's other writes of an account")
    func signOuts() async throws {
        for kind in 0..<5 {
            // The session that asks for the unlinking.
            if kind == 4, let opening = Self.opening(1) { _ = try await store.openSession(opening, newUserID: userOne, limit: 9) }
            let count = try await queued(400) { store, number throws(RepositoryError) in
                do throws(RepositoryError) {
                    switch kind {
                    case 0:
                        let session = SessionID(bits: UUIDBits(high: 2, low: UInt64(number)))
                        _ = try await store.closeSession(session, of: userOne, at: Timestamp(microseconds: 1))
                    case 1: try await store.closeSessions(of: userOne)
                    case 2: try await store.cancelWithdrawal(of: userOne)
                    case 3: try await store.deleteProfile(of: userOne, at: Timestamp(microseconds: 1), idempotency: nil)
                    default:
                        _ = try await store.unlinkIdentity(
                            .unix(uid: 2), from: userOne, keeping: SessionID(bits: UUIDBits(high: 1, low: 1)), at: Timestamp(microseconds: 1),
                            idempotency: nil) { _ in }
                    }
                } catch .notWithdrawing, .profileRequired, .identityNotFound {}
            }
            #expect(count == SQLStore.writesOfUser, "kind \(kind)")
        }
    }

    /// Holds a lane in a read, until the gate is signalled.
    private func holdLane(
        _ read: @escaping @Sendable (SQLiteStore, @escaping Body) async throws(RepositoryError) -> Void
    ) async -> (held: Task<Void, any Error>, gate: DispatchSemaphore) {
        let gate = DispatchSemaphore(value: 0), entered = DispatchSemaphore(value: 0)
        let held = Task { [store] in
            try await read(store) { _ throws(RepositoryError) in
                entered.signal()
                gate.wait()
            }
        }
        await hear(entered)
        return (held, gate)
    }

    @Test("a read of a user's comes after few looks for unknown tokens")
    func unknownTokens() async throws {
        let looked = Atomic(0), found = Atomic(0)
        let (held, gate) = await holdLane { store, body throws(RepositoryError) in try await store.read(body) }
        let looks = (0..<1000).compactMap { Self.opening($0)?.tokenHash }.map { hash in
            Task.immediate { @Sendable [store] in
                let session = try await store.session(tokenHash: hash, for: .inProcess)
                #expect(session == nil)
                looked.add(1, ordering: .relaxed)
            }
        }
        let read = Task.immediate { @Sendable [store] in
            try await store.read(of: userTwo) { _ throws(RepositoryError) in found.store(looked.load(ordering: .relaxed), ordering: .relaxed) }
        }
        gate.signal()
        for look in looks { try await look.value }
        try await read.value
        try await held.value
        #expect(found.load(ordering: .relaxed) <= SQLStore.shortReadsOfUser)
    }

    @Test("a look for a token comes after few looks of another source")
    func tokensOfSources() async throws {
        let looked = Atomic(0)
        let (held, gate) = await holdLane { store, body throws(RepositoryError) in try await store.read(body) }
        let looks = (0..<1000).compactMap { Self.opening($0)?.tokenHash }.map { hash in
            Task.immediate { @Sendable [store] in
                _ = try await store.session(tokenHash: hash, for: .uid(1))
                looked.add(1, ordering: .relaxed)
            }
        }
        let look = Task.immediate { @Sendable [store] in
            let hash = try #require(Self.opening(1000)?.tokenHash)
            _ = try await store.session(tokenHash: hash, for: .uid(2))
            return looked.load(ordering: .relaxed)
        }
        gate.signal()
        let before = try await look.value
        for look in looks { try await look.value }
        try await held.value
        #expect(before <= SQLStore.shortReadsOfUser)
    }

    @Test("more looks for tokens of a source are in the queue at once than a user's reads, because many users may be behind it")
    func tokensOfSource() async throws {
        let (held, gate) = await holdLane { store, body throws(RepositoryError) in try await store.read(body) }
        let looks = (0..<1000).compactMap { Self.opening($0)?.tokenHash }.map { hash in
            Task.immediate { @Sendable [store] in _ = try await store.session(tokenHash: hash, for: .inProcess) }
        }
        // A look that is not in the queue ends with its task.
        for look in looks { look.cancel() }
        gate.signal()
        var queued = 0
        for look in looks { if case .success = await look.result { queued += 1 } }
        try await held.value
        #expect(queued == SQLStore.tokenReadsOfSource)
    }

    private typealias Read = @Sendable (SQLiteStore, UserID?, @escaping Body) async throws(RepositoryError) -> Void

    /// Holds a lane, queues a thousand reads of one user and then one of another.
    /// - Returns: how many of the first user's reads came before the other's.
    private func readsBefore(_ read: @escaping Read) async throws -> Int? {
        let done = Done()
        let (held, gate) = await holdLane { store, body throws(RepositoryError) in try await read(store, nil, body) }
        var tasks = (0..<1000).map { _ in Task.immediate { @Sendable [store] in try await read(store, userOne, done.by(userOne)) } }
        tasks.append(Task.immediate { @Sendable [store] in try await read(store, userTwo, done.by(userTwo)) })
        gate.signal()
        for task in tasks { try await task.value }
        try await held.value
        #expect(done.count == 1001)
        return done.place
    }

    @Test("a user's long read comes after one of another's, however many that one has")
    func longReads() async throws {
        let place = try await readsBefore { store, user, body throws(RepositoryError) in
            guard let user else { return try await store.readLong(body) }
            try await store.readLong(of: user, body)
        }
        #expect(place == 1)
    }

    @Test("a user's profile is read after one read of another's, however many that one has")
    func shortReads() async throws {
        let place = try await readsBefore { store, user, body throws(RepositoryError) in
            guard let user else { return try await store.read(body) }
            try await store.read(of: user, body)
        }
        #expect(place == 1)
    }

    // MARK: The queue by itself

    /// An access that is only counted.
    private struct Numbered: QueuedAccess {
        let number: Int
        func perform(_ connection: borrowing SQLConnection) -> PerformedAccess { PerformedAccess(failure: nil) { _ in } }
        func refuse(_ error: RepositoryError) {}
    }

    private func numbers(_ batch: [FairQueue.Taken]) -> [Int] { batch.compactMap { ($0.access as? Numbered)?.number } }

    /// Takes one access at a time and ends it with a duration for each user's, until nothing is left.
    private func order(_ queue: inout FairQueue, _ time: (Int) -> Duration) -> [Int] {
        var order: [Int] = []
        while queue.hasWork {
            let batch = queue.takeBatch(1, budget: .seconds(1))
            order += numbers(batch)
            queue.end(batch, times: numbers(batch).map(time))
        }
        return order
    }

    @Test("the time of a user's accesses counts, not their number: short ones of one user come while a long one of another is paid")
    func time() {
        var queue = FairQueue(lanes: 1)
        for number in 0..<3 { queue.append(Numbered(number: number), of: userOne) }
        for number in 10..<20 { queue.append(Numbered(number: number), of: userTwo) }
        let order = order(&queue) { $0 < 10 ? .milliseconds(4) : .milliseconds(1) }
        #expect(order == [0, 10, 11, 12, 13, 1, 14, 15, 16, 17, 2, 18, 19])
        #expect(queue.count == 0)
    }

    @Test("a user who comes new is next, and saves nothing up while away")
    func newcomer() {
        var queue = FairQueue(lanes: 1)
        for number in 0..<100 { queue.append(Numbered(number: number), of: userOne) }
        for _ in 0..<50 {
            let batch = queue.takeBatch(1, budget: .seconds(1))
            queue.end(batch, times: [.milliseconds(1)])
        }
        for number in 200..<204 { queue.append(Numbered(number: number), of: userTwo) }
        #expect(order(&queue) { _ in .milliseconds(1) }.prefix(8).count { $0 >= 200 } == 4)
    }

    @Test("a slow access is in no batch with others, and its user leaves one lane free")
    func lanes() {
        var queue = FairQueue(lanes: 2)
        for number in 0..<10 { queue.append(Numbered(number: number), of: userOne) }
        let first = queue.takeBatch(1, budget: .microseconds(500))
        #expect(!queue.hasWork)
        queue.append(Numbered(number: 20), of: userTwo)
        queue.append(Numbered(number: 21), of: userTwo)
        let second = queue.takeBatch(64, budget: .microseconds(500))
        #expect(numbers(second) == [20, 21])
        queue.end(first, times: [.milliseconds(9)])
        #expect(queue.hasWork)
        queue.append(Numbered(number: 30), of: nil)
        #expect(numbers(queue.takeBatch(64, budget: .microseconds(500))) == [30])
        #expect(numbers(queue.takeBatch(64, budget: .microseconds(500))) == [1])
        #expect(!queue.hasWork)
        #expect(queue.count == 8)
    }

    @Test("accesses that a lane gives back come again before the others of their user, in their order")
    func givenBack() {
        var queue = FairQueue(lanes: 1)
        for number in 0..<6 { queue.append(Numbered(number: number), of: userOne) }
        let batch = queue.takeBatch(4, budget: .seconds(1))
        #expect(numbers(batch) == [0, 1, 2, 3])
        queue.end(batch, times: [.microseconds(1)])
        #expect(queue.count == 5)
        #expect(numbers(queue.takeBatch(64, budget: .seconds(1))) == [1, 2, 3, 4, 5])
    }

    @Test("thousands of users come in their order, and are forgotten")
    func thousands() {
        var queue = FairQueue(lanes: 4)
        func user(_ number: Int) -> UserID { UserID(bits: UUIDBits(high: 7, low: UInt64(number))) }
        for round in 0..<2 {
            for number in 0..<5_000 { queue.append(Numbered(number: round * 5_000 + number), of: user(number)) }
        }
        let order = order(&queue) { _ in .microseconds(10) }
        #expect(order == Array(0..<10_000))
        for number in 0..<20_000 {
            queue.append(Numbered(number: number), of: user(10_000 + number))
            queue.end(queue.takeBatch(1, budget: .seconds(1)), times: [.microseconds(10)])
        }
        #expect(queue.rememberedUsers < 5_000)
    }

    @Test("taking, ending and queueing accesses copies no queue")
    func copies() throws {
        var queue = FairQueue(lanes: 1)
        for user in [nil, userOne] {
            for number in 0..<1_000 { queue.append(Numbered(number: number), of: user) }
            let address = try #require(queue.address(of: user))
            for number in 0..<20 {
                let batch = queue.takeBatch(1, budget: .seconds(1))
                #expect(queue.address(of: user) == address, "taken")
                queue.end(batch, times: number < 10 ? [.microseconds(1)] : [])
                #expect(queue.address(of: user) == address, "ended")
                queue.append(Numbered(number: number), of: user)
                #expect(queue.address(of: user) == address, "queued")
            }
            queue = FairQueue(lanes: 1)
        }
    }

    @Test("a user who has taken much time is not forgotten before others, and few such users are remembered")
    func debt() {
        var queue = FairQueue(lanes: 1)
        queue.append(Numbered(number: -1), of: userOne)
        queue.end(queue.takeBatch(1, budget: .seconds(1)), times: [.seconds(10)])
        func user(_ number: Int) -> UserID { UserID(bits: UUIDBits(high: 7, low: UInt64(number))) }
        for round in 0..<2 {
            for number in 0..<3_000 { queue.append(Numbered(number: round * 3_000 + number), of: user(number)) }
            if round == 0 { queue.append(Numbered(number: 9_999), of: userOne) }
        }
        #expect(order(&queue) { _ in .microseconds(10) } == Array(0..<6_000) + [9_999])
        for number in 0..<20_000 {
            queue.append(Numbered(number: number), of: user(10_000 + number))
            queue.end(queue.takeBatch(1, budget: .seconds(1)), times: [.seconds(10)])
        }
        #expect(queue.rememberedUsers <= 8_192)
    }

    @Test("a write that waits for its turn is not made for a caller that has gone")
    func cancelled() async throws {
        let writer = await HeldWriter(of: store), done = Done()
        let tasks = (0..<SQLStore.writesOfUser).map { _ in
            Task.immediate { @Sendable [store] in try await store.write(of: userOne, done.by(userOne)) }
        }
        let late = Task.immediate { @Sendable [store] in try await store.write(of: userOne, done.by(userTwo)) }
        late.cancel()
        await #expect(throws: RepositoryError.cancelled) { try await late.value }
        writer.release()
        for task in tasks { try await task.value }
        #expect(done.place == nil)
    }
}
