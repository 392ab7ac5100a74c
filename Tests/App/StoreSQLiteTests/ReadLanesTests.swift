import Dispatch
import GRDB
import PulseBoardDomain
import Synchronization
import RepositoryContract
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// A counter for several tasks.
private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    @discardableResult func increase() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

@Suite("Read lanes", .timeLimit(.minutes(5))) struct ReadLanesTests {
    private typealias Read = @Sendable (borrowing SQLConnection) throws(RepositoryError) -> Int64

    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/numbers.sqlite"
        let database = try DatabaseQueue(path: path, configuration: ConnectionSettings.writer)
        try database.writeWithoutTransaction { try ConnectionSettings.prepareWriter($0) }
        try database.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER); INSERT INTO number VALUES (7)") }
    }

    private func lanes(_ count: Int) -> ReadLanes {
        let path = path
        return ReadLanes("test", laneCount: count, health: StoreHealth(clock: SystemWallClock())) {
            try DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
        }
    }

    private static let number: Read = { connection throws(RepositoryError) in
        let isInTransaction = connection.isInTransaction
        #expect(isInTransaction)
        return try integer("SELECT value FROM number", connection) ?? 0
    }

    private static func outcome(_ lanes: ReadLanes, _ body: @escaping Read) async -> Result<Int64, RepositoryError> {
        do throws(RepositoryError) { return .success(try await lanes.read(body)) } catch { return .failure(error) }
    }

    /// Performs reads while the only lane is held back, so that they have to share a batch.
    private func together(_ lanes: ReadLanes, _ bodies: [Read]) async -> [Result<Int64, RepositoryError>] {
        let gate = DispatchSemaphore(value: 0)
        async let held = Self.outcome(lanes) { connection throws(RepositoryError) in
            gate.wait()
            return 0
        }
        await until { lanes.startedLanes > 0 && lanes.queuedReads == 0 }
        let results = await withTaskGroup(of: (Int, Result<Int64, RepositoryError>).self) { group in
            for (index, body) in bodies.enumerated() {
                group.addTask { (index, await Self.outcome(lanes, body)) }
                await until { lanes.queuedReads > index }
            }
            gate.signal()
            return await group.reduce(into: [Int: Result<Int64, RepositoryError>]()) { $0[$1.0] = $1.1 }
        }
        _ = await held
        return bodies.indices.compactMap { results[$0] }
    }

    @Test("more reads than one batch takes are all answered, each in a transaction")
    func manyBatches() async throws {
        let lanes = lanes(1)
        let results = await together(lanes, Array(repeating: Self.number, count: ReadLanes.maximumBatch * 2 + 5))
        #expect(results.count == ReadLanes.maximumBatch * 2 + 5)
        #expect(results.allSatisfy { $0 == .success(7) })
        lanes.close()
    }

    @Test("a read that fails fails alone")
    func failureIsAlone() async throws {
        let lanes = lanes(1)
        let refused: Read = { connection throws(RepositoryError) in throw .userNotFound }
        let broken: Read = { connection throws(RepositoryError) in try integer("SELECT nothing", connection) ?? 0 }
        let results = await together(lanes, [
            Self.number, refused, broken, Self.number,
        ])
        #expect(results[0] == .success(7))
        #expect(results[1] == .failure(.userNotFound))
        #expect(results[2].isUnavailable)
        #expect(results[3] == .success(7))
        lanes.close()
    }

    @Test("what a lane cannot do in its time goes back to the queue, and is performed once, in order")
    func givesBack() async throws {
        let lanes = lanes(1)
        let seen = Mutex<[Int64]>([])
        func noting(_ number: Int64) -> Read {
            { connection throws(RepositoryError) in
                seen.withLock { $0.append(number) }
                return number
            }
        }
        let slow: Read = { connection throws(RepositoryError) in
            let begin = ContinuousClock.now
            while begin.duration(to: .now) <= ReadLanes.longestBatch {}
            return 0
        }
        let results = await together(lanes, [slow, noting(1), slow, noting(2), noting(3)])
        #expect(results == [.success(0), .success(1), .success(0), .success(2), .success(3)])
        #expect(seen.withLock { $0 } == [1, 2, 3])
        lanes.close()
    }

    @Test("a read whose transaction SQLite has given up does not take the others' snapshot with it")
    func lostTransaction() async throws {
        let lanes = lanes(1)
        let rollBack: Read = { connection throws(RepositoryError) in
            try connection.run("ROLLBACK")
            return 0
        }
        let results = await together(lanes, [Self.number, rollBack, Self.number])
        #expect(results == [.success(7), .success(0), .success(7)])
        lanes.close()
    }

    @Test("a lane that is held up holds nobody else up")
    func heldUp() async throws {
        let lanes = lanes(2)
        let gate = DispatchSemaphore(value: 0)
        let answered = Count()
        async let held = Self.outcome(lanes) { connection throws(RepositoryError) in
            gate.wait()
            return 1
        }
        await until { lanes.startedLanes > 0 && lanes.queuedReads == 0 }
        await withTaskGroup(of: Void.self) { group in
            // After a while the lane counts as slow, and the next read gets the second lane.
            while answered.value == 0 {
                group.addTask {
                    #expect(await Self.outcome(lanes, Self.number) == .success(7))
                    answered.increase()
                }
                await Task.yield()
            }
            #expect(lanes.startedLanes == 2)
        }
        gate.signal()
        #expect(await held == .success(1))
        lanes.close()
    }

    @Test("a read that is queued right after a long one began is performed by another lane, though no further read comes")
    func queuedRightAfter() async throws {
        for _ in 0..<20 {
            let lanes = lanes(2)
            let gate = DispatchSemaphore(value: 0)
            let begun = Atomic(false)
            async let held = Self.outcome(lanes) { connection throws(RepositoryError) in
                begun.store(true, ordering: .relaxed)
                gate.wait()
                return 1
            }
            await until { begun.load(ordering: .relaxed) }
            #expect(await Self.outcome(lanes, Self.number) == .success(7))
            gate.signal()
            #expect(await held == .success(1))
            lanes.close()
        }
    }

    @Test("a connection that cannot be opened fails the reads that wait for it, and the next read tries again")
    func opening() async throws {
        let path = path
        let attempts = Count()
        let lanes = ReadLanes("test", laneCount: 1, health: StoreHealth(clock: SystemWallClock())) {
            if attempts.increase() == 1 { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
            return try DatabaseQueue(path: path, configuration: ConnectionSettings.reader)
        }
        #expect(await Self.outcome(lanes, Self.number).isUnavailable)
        #expect(await Self.outcome(lanes, Self.number) == .success(7))
        lanes.close()
    }

    @Test("closing answers what is queued, and refuses what comes later")
    func closing() async throws {
        let lanes = lanes(2)
        let outcomes = await withTaskGroup(of: Result<Int64, RepositoryError>?.self) { group in
            for _ in 0..<200 { group.addTask { await Self.outcome(lanes, Self.number) } }
            group.addTask {
                lanes.close()
                return nil
            }
            return await group.reduce(into: [Result<Int64, RepositoryError>]()) { if let outcome = $1 { $0.append(outcome) } }
        }
        #expect(outcomes.allSatisfy { $0 == .success(7) || $0 == .failure(.storeClosed) })
        #expect(await Self.outcome(lanes, Self.number) == .failure(.storeClosed))
    }

    @Test("long reads that fill their lanes leave the short ones alone")
    func kindsApart() async throws {
        let store = try SQLiteStore(directory: directory.path)
        let gate = DispatchSemaphore(value: 0)
        let begun = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await store.readLong { connection throws(RepositoryError) in
                        begun.increase()
                        gate.wait()
                    }
                }
            }
            await until { begun.value != 0 }
            #expect(try await store.owner(ofKey: "nobody") == nil)
            for _ in 0..<8 { gate.signal() }
            try await group.waitForAll()
        }
        try store.close()
    }
}

extension Result where Failure == RepositoryError {
    fileprivate var isUnavailable: Bool {
        if case .failure(.storeUnavailable) = self { true } else { false }
    }
}
