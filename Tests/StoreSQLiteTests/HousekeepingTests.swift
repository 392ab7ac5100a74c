import PulseBoardDomain
import Synchronization
import Testing

@testable import StoreSQLite

/// A clock that a test sets.
final class SetClock: WallClock {
    private let time: Mutex<Timestamp>

    init(_ microseconds: Int64) { time = Mutex(Timestamp(microseconds: microseconds)) }

    func now() -> Timestamp { time.withLock { $0 } }
    func advance(_ interval: Timestamp.Interval) { time.withLock { $0 = $0.advanced(by: interval) } }
}

@Suite("Housekeeping") struct HousekeepingTests {
    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000)
    let store: SQLiteStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path, clock: clock)
    }

    private func count(_ table: String) async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in
            try integer("SELECT count(*) FROM \(table)", connection)
        }
    }

    @Test("remembered requests go after 24 hours, at most one step's worth per transaction")
    func requests() async throws {
        try await store.addUser(userOne, "one")
        let step = Int(Housekeeping.rowsPerStep)
        for number in 0..<(step + 50) {
            _ = try await store.updateProfile(
                of: userOne, ProfileChange(), ifMatches: nil, at: clock.now(), idempotency: try requestKey("r\(number)"))
        }
        #expect(try await count("request") == Int64(step + 50))
        clock.advance(IdempotencyKey.retention)
        try await store.tamper("SELECT 1")
        #expect(try await count("request") == 50)
        try await store.tamper("SELECT 1")
        #expect(try await count("request") == 0)
        #expect(store.housekeepingFailure == nil)
    }

    @Test("ended sessions go with their tokens, and live ones stay")
    func sessions() async throws {
        for number in 1...2 as ClosedRange<UInt8> {
            let hash = try #require(TokenHash(bytes: [UInt8](repeating: number, count: 32)))
            let opening = SessionOpening(
                id: SessionID(bits: UUIDBits(high: 1, low: UInt64(number))), account: .unix(uid: 1), tokenHash: hash,
                createTime: clock.now(), expireTime: clock.now().advanced(by: .hours(Int64(number))))
            _ = try await store.openSession(opening, newUserID: userOne, limit: 9)
        }
        clock.advance(.hours(1))
        try await store.tamper("SELECT 1")
        #expect(try await count("session") == 1)
        #expect(try await count("session_token") == 1)
        let hash = try #require(TokenHash(bytes: [UInt8](repeating: 2, count: 32)))
        #expect(try await store.session(tokenHash: hash) != nil)
    }
}
