import Foundation
import PulseBoardDomain
import RepositoryContract
import Synchronization
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("The write-ahead log's length", .serialized) struct WALBoundTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The results of a load of readers and a writer.
    private struct Outcome {
        /// The maximum length of the log in bytes.
        var longest: Int64 = 0
        /// Whether the log was ever shorter than before, or than the written data.
        var hasBegunAgain = false
        /// The durations of all reads, sorted.
        var reads: [Duration] = []

        /// A percentile of the reads' durations.
        func percentile(_ share: Double) -> Duration { reads[min(reads.count - 1, Int(Double(reads.count) * share / 100))] }
    }

    /// Whether the writer is done.
    private final class End: Sendable {
        private let isOver = Atomic(false)

        var isReached: Bool { isOver.load(ordering: .relaxed) }
        func reach() { isOver.store(true, ordering: .relaxed) }
    }

    /// A read such as services make.
    private static func light(_ store: SQLiteStore, _ reader: Int) async throws {
        if reader % 2 == 0 {
            _ = try await store.profile(of: UserID(bits: UUIDBits(high: 0x4000, low: UInt64(reader))))
        } else {
            _ = try await store.followers(of: UserID(bits: UUIDBits(high: 0x4000, low: UInt64(reader))), after: nil, limit: 50)
        }
    }

    /// A read that holds its snapshot for a millisecond or two, so that those of several lanes always overlap.
    private static func heavy(_ store: SQLiteStore, _ reader: Int) async throws {
        let sql = """
            WITH RECURSIVE n (i) AS (SELECT (SELECT count(*) FROM profile) UNION ALL SELECT i + 1 FROM n WHERE i < 4000) SELECT sum(i) FROM n
            """
        if reader % 2 == 0 {
            _ = try await store.read { connection throws(RepositoryError) in try integer(sql, connection) }
        } else {
            _ = try await store.readLong { connection throws(RepositoryError) in try integer(sql, connection) }
        }
    }

    /// Runs readers and a writer without pauses, until the writer has made `writes` writes.
    /// - Parameter untilBegunAgain: whether to end earlier, when the log has begun again.
    private func load(
        _ store: SQLiteStore, readers: Int, writes: Int, bytes: Int, untilBegunAgain: Bool = false, until end: ContinuousClock.Instant? = nil,
        read: @escaping @Sendable (SQLiteStore, Int) async throws -> Void = WALBoundTests.light
    ) async throws -> Outcome {
        for number in 0..<64 { try await store.addUser(UserID(bits: UUIDBits(high: 0x4000, low: UInt64(number))), "u\(number)") }
        let writing = End()
        return try await withThrowingTaskGroup(of: Outcome.self) { group in
            for reader in 0..<readers {
                group.addTask {
                    var outcome = Outcome()
                    while !writing.isReached {
                        let begin = ContinuousClock.now
                        try await read(store, reader)
                        outcome.reads.append(begin.duration(to: .now))
                    }
                    return outcome
                }
            }
            group.addTask {
                var outcome = Outcome()
                var number = 0
                while number < writes || end.map({ $0 > .now }) ?? false {
                    if untilBegunAgain, outcome.hasBegunAgain { break }
                    number += 1
                    // Eight at once, so that transactions follow each other without a gap.
                    await withTaskGroup { group in
                        for part in 0..<8 {
                            let (name, value) = ("\(number % 512) \(part)", UInt8(truncatingIfNeeded: number))
                            group.addTask {
                                try? await store.write { connection throws(RepositoryError) in
                                    var statement = try connection.statement("INSERT OR REPLACE INTO secret (name, value) VALUES (?, ?)")
                                    try statement.bind(name)
                                    try statement.bind([UInt8](repeating: value, count: bytes))
                                    try statement.run()
                                }
                            }
                        }
                    }
                    let length = store.status.walBytes
                    // A log that has never begun again contains everything that was written. It is cut only beyond 64 MiB.
                    if length < outcome.longest || length < Int64(number * 8 * bytes) { outcome.hasBegunAgain = true }
                    outcome.longest = max(outcome.longest, length)
                }
                writing.reach()
                return outcome
            }
            var all = Outcome()
            for try await part in group {
                all.longest = max(all.longest, part.longest)
                all.hasBegunAgain = all.hasBegunAgain || part.hasBegunAgain
                all.reads += part.reads
            }
            all.reads.sort()
            return all
        }
    }

    @Test("readers that follow each other without a gap do not keep the log from beginning again")
    func bounded() async throws {
        // Without the limit, such a load never lets the log begin again (`figures` shows that). On a slow machine the lanes may pause in time only at
        // a later attempt, so the load goes up to 250 MiB.
        let limit: Int64 = 1 << 20
        let store = try SQLiteStore(directory: directory.path, readerCount: 8, walLimit: limit)
        let outcome = try await load(store, readers: 16, writes: 4_000, bytes: 8_000, untilBegunAgain: true)
        #expect(outcome.longest > limit, "the load is enough")
        #expect(outcome.hasBegunAgain)
        #expect(store.status.trouble == nil)
        try store.close()
    }

    @Test("a reader outside this process is not waited for, and the log grows meanwhile")
    func outsideReader() async throws {
        let limit: Int64 = 1 << 20
        let store = try SQLiteStore(directory: directory.path, readerCount: 4, walLimit: limit)
        try await store.addUser(userOne, "name")
        let reader = try OutsideReader(store.path)
        let outcome = try await load(store, readers: 4, writes: 50, bytes: 8_000)
        #expect(outcome.longest > 2 * limit)
        #expect(store.status.trouble == nil, "that is no failure")
        try reader.end()
        try store.close()
    }

    /// PULSEBOARD_TEST_WAL_SECONDS=60 swift test --filter WALBoundTests. Twice as many readers as lanes, so that each lane has another read when one
    /// ends.
    @Test("8 saturated readers and a saturated writer: length and the reads' 99th percentile, with and without the bound",
        .enabled(if: ProcessInfo.processInfo.environment["PULSEBOARD_TEST_WAL_SECONDS"] != nil))
    func figures() async throws {
        let seconds = try #require(Int(ProcessInfo.processInfo.environment["PULSEBOARD_TEST_WAL_SECONDS"] ?? ""))
        var unbounded = Outcome()
        for limit in [Int64.max, WALBound.limit] {
            let directory = try TemporaryDirectory()
            let store = try SQLiteStore(directory: directory.path, readerCount: 8, walLimit: limit)
            let outcome = try await load(store, readers: 16, writes: 0, bytes: 8_000, until: .now + .seconds(seconds), read: Self.heavy)
            print(
                "limit \(limit): longest \(outcome.longest >> 20) MiB, \(outcome.reads.count) reads,",
                "p50 \(outcome.percentile(50)), p99 \(outcome.percentile(99)), p99.9 \(outcome.percentile(99.9)), most \(outcome.percentile(100))")
            try store.close()
            if limit == .max {
                unbounded = outcome
                #expect(outcome.longest > 96 << 20, "the load is enough")
            } else {
                #expect(outcome.longest <= 96 << 20)
                #expect(outcome.percentile(99) <= unbounded.percentile(99) * 2)
            }
        }
    }
}
