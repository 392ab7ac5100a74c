import Dispatch
import GRDB
import PulseBoardDomain
import Synchronization
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Group commit") struct GroupCommitTests {
    private typealias Write = @Sendable (borrowing SQLConnection) throws(RepositoryError) -> Void

    let directory: TemporaryDirectory
    let store: SQLiteStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path)
    }

    /// Performs all bodies while the writer is held back, so that they have to share a transaction.
    private func together(
        _ bodies: [Write]
    ) async -> [Result<Void, RepositoryError>] {
        let writer = await HeldWriter(of: store)
        let store = store
        let results = await withTaskGroup(of: (Int, Result<Void, RepositoryError>).self) { group in
            for (index, body) in bodies.enumerated() {
                group.addTask { (index, await Self.outcome(store, body)) }
            }
            await until { store.queuedWrites >= bodies.count }
            writer.release()
            return await group.reduce(into: [Int: Result<Void, RepositoryError>]()) { $0[$1.0] = $1.1 }
        }
        return bodies.indices.map { results[$0] ?? .success(()) }
    }

    private static func outcome(
        _ store: SQLiteStore, _ body: @escaping Write
    ) async -> Result<Void, RepositoryError> {
        do throws(RepositoryError) {
            return .success(try await store.write(body))
        } catch {
            return .failure(error)
        }
    }

    private func secrets() async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in
            try integer("SELECT count(*) FROM secret", connection)
        }
    }

    private static func insert(_ name: String) -> Write {
        { connection throws(RepositoryError) in
            var statement = try connection.statement("INSERT INTO secret (name, value) VALUES (?, x'00')")
            try statement.bind(name)
            try statement.run()
        }
    }

    private static func insertThenFail() -> Write {
        { connection throws(RepositoryError) in
            try insert("half")(connection)
            throw .userNotFound
        }
    }

    private static func rollBack() -> Write {
        { connection throws(RepositoryError) in try connection.run("ROLLBACK") }
    }

    @Test("a write that fails is undone alone, and each caller is given their own result")
    func failureIsAlone() async throws {
        let results = await together([
            Self.insert("a"),
            Self.insertThenFail(),
            Self.insert("b"),
        ])
        #expect(results.map(\.failure) == [nil, .userNotFound, nil])
        #expect(try await secrets() == 2)
    }

    /// Counts how often each body is performed.
    private func performances(_ bodies: [Write]) async -> [Int] {
        let counts = Mutex(Array(repeating: 0, count: bodies.count))
        _ = await together(bodies.enumerated().map { index, body in
            { connection throws(RepositoryError) in
                counts.withLock { $0[index] += 1 }
                try body(connection)
            }
        })
        return counts.withLock { $0 }
    }

    @Test("a write that fails before it has changed anything is not paid for by the others, one that fails later once")
    func performedAgain() async throws {
        let refused: Write = { connection throws(RepositoryError) in throw .userNotFound }
        #expect(await performances([Self.insert("a"), refused, Self.insert("b")]) == [1, 1, 1])
        // The last one in the queue may not have been performed in the first run.
        let counts = await performances([Self.insert("c"), Self.insertThenFail(), Self.insert("d"), Self.insertThenFail()])
        #expect(counts.allSatisfy { $0 <= 2 } && counts.contains(2))
        #expect(try await secrets() == 4)
    }

    @Test("an error of SQLite in one write leaves the others alone")
    func sqlErrorIsAlone() async throws {
        let results = await together([Self.insert("a"), Self.insert("a"), Self.insert("b")])
        // The scheduler decides which of the two equal names comes first.
        #expect(results.compactMap(\.failure).count == 1)
        #expect(results[2].failure == nil)
        #expect(try await secrets() == 2)
    }

    @Test("a transaction that cannot be committed fails every write in it")
    func lostTransaction() async throws {
        let results = await together([
            Self.insert("a"), Self.rollBack(), Self.insert("b"),
        ])
        #expect(results.compactMap(\.failure).count == 3)
        #expect(try await secrets() == 0)
        // The writer continues with the next transaction.
        try await store.write(Self.insert("c"))
        #expect(try await secrets() == 1)
    }

    @Test("more writes than one transaction takes are all committed")
    func manyBatches() async throws {
        let count = GroupCommit.maximumBatch * 2 + 17
        let results = await together((0..<count).map { Self.insert("\($0)") })
        #expect(results.allSatisfy { $0.failure == nil })
        #expect(try await secrets() == Int64(count))
    }

    @Test("a write is acknowledged or refused when the store closes meanwhile, and acknowledged ones are kept")
    func closing() async throws {
        let store = store
        let acknowledged = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask { await Self.outcome(store, Self.insert("\(number)")).failure == nil }
            }
            group.addTask {
                try store.close()
                return false
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let pool = try DatabaseQueue(path: store.path)
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM secret") } == acknowledged)
    }
}

extension Result where Failure == RepositoryError {
    var failure: RepositoryError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
