import Dispatch
import Foundation
import PulseBoardDomain
import Synchronization

@testable import StoreSQL
@testable import StoreSQLite

let userOne = UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0001))
let userTwo = UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0002))
let userThree = UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0003))

struct EmptyRequestID: Error {}

func requestKey(_ text: String) throws -> IdempotencyKey {
    guard let id = try RequestID.parse(text) else { throw EmptyRequestID() }
    return IdempotencyKey(requestID: id, fingerprint: [UInt8](repeating: 7, count: 32))
}

/// The first column of the first row.
func integer(_ sql: String, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Int64? {
    let statement = try connection.statement(sql)
    return try statement.step() ? statement.integer(0) : nil
}

extension SQLiteStore {
    func addUser(_ id: UserID, _ name: String) async throws {
        let draft = try ProfileDraft(username: name, texts: [.displayName: "", .statusMessage: ""], rules: UsernameRules())
        _ = try await createProfile(draft, for: id, at: Timestamp(microseconds: 1), idempotency: nil)
    }

    /// Changes rows directly, without the repositories.
    func tamper(_ sql: String) async throws {
        try await write { connection throws(RepositoryError) in try connection.run(sql) }
    }
}

/// A temporary directory. It is removed with its last reference.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let name = "pulseboard-test-\(UUID().uuidString)"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// Another process that reads a database and holds its snapshot until it ends.
final class OutsideReader {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ path: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-readonly", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // The answer proves that the snapshot was taken.
        try run("BEGIN; SELECT count(*) FROM profile;")
    }

    /// Ends the snapshot, and then the process, for which nobody waits: `waitUntilExit` may miss the end of a process beside others.
    func end() throws {
        try run("ROLLBACK;")
        try input.fileHandleForWriting.close()
    }

    /// Runs statements, and waits until they are done.
    private func run(_ statements: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(statements) SELECT 'done';\n".utf8))
        var answer = ""
        while !answer.contains("done"), let bytes = try output.fileHandleForReading.read(upToCount: 1), !bytes.isEmpty {
            answer += String(decoding: bytes, as: UTF8.self)
        }
    }
}

@testable import StoreSQL
@testable import StoreSQLite

/// Records the events of a store, in order.
final class EventRecord: Sendable {
    private let stream: AsyncStream<StoreEvent>
    private let told = Mutex<[StoreEvent]>([])

    init(_ store: SQLiteStore) {
        let (stream, continuation) = AsyncStream<StoreEvent>.makeStream()
        self.stream = stream
        store.observe { continuation.yield($0) }
    }

    init(_ health: StoreHealth) {
        let (stream, continuation) = AsyncStream<StoreEvent>.makeStream()
        self.stream = stream
        health.observe { continuation.yield($0) }
    }

    /// Waits until the store has recovered. - Returns: all events until then.
    @discardableResult
    func recovery() async -> [StoreEvent] {
        for await event in stream {
            let all = told.withLock { told in
                told.append(event)
                return told
            }
            if case .recovered = event { return all }
        }
        return []
    }
}

/// A write that holds the only writer of a store until it is released. Later writes wait in the queue.
struct HeldWriter {
    private let gate = DispatchSemaphore(value: 0)

    /// Returns when the writer is held. Its state is not enough to know that, because a store also writes by itself.
    init(of store: SQLiteStore) async {
        await withCheckedContinuation { [gate] continuation in
            // Performed once: it is alone in its transaction, and does not fail.
            Task {
                try await store.write { _ throws(RepositoryError) in
                    continuation.resume()
                    gate.wait()
                }
            }
        }
    }

    func release() { gate.signal() }
}
