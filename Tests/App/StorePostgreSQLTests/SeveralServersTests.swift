import Dispatch
import Foundation
import PulseBoardDomain
import RepositoryContract
import Synchronization
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// Two servers on one database.
@Suite("Several servers on one store") struct SeveralServersTests {
    private func stores() throws -> (PostgreSQLStore, PostgreSQLStore) {
        let address = try TestCluster.shared.get().makeDatabase()
        // The housekeeping must not remove what the tests' times have let expire.
        let stores = try (0..<2).map { _ in try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false) }
        return (stores[0], stores[1])
    }

    @Test("X18: follows that cross, and users who follow and unfollow each other on both servers at once, leave right counts")
    func crossing() async throws {
        let (one, two) = try stores()
        for number in 1...4 as ClosedRange<UInt64> { try await one.addUser(number) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<240 as Range<UInt64> {
                let store = number % 2 == 0 ? one : two
                let (follower, target) = (testUser(number % 4 + 1), testUser((number / 4 + number) % 4 + 1))
                guard follower != target else { continue }
                group.addTask {
                    if number % 3 == 2 {
                        _ = try await store.unfollow(target, by: follower, at: testTime(Int64(number)), idempotency: nil)
                    } else {
                        _ = try await store.follow(target, by: follower, at: testTime(Int64(number)), idempotency: nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        for number in 1...4 as ClosedRange<UInt64> {
            let user = testUser(number)
            let counts = try await two.counts(of: user, viewer: user)
            #expect(counts.followers == Int64(try await one.followers(of: user, viewer: user, after: nil, limit: 9).count))
            #expect(counts.following == Int64(try await two.following(of: user, viewer: user, after: nil, limit: 9).count))
        }
        try one.close()
        try two.close()
    }

    @Test("X13: calls with one request id on both servers at once are one write with one answer")
    func oneRequest() async throws {
        let (one, two) = try stores()
        try await one.addUser(1)
        try await one.addUser(2)
        for round in 1...20 {
            let key = IdempotencyKey(requestID: try #require(try RequestID.parse("r\(round)")), fingerprint: [UInt8](repeating: 7, count: 32))
            let answers = try await withThrowingTaskGroup(of: Relationship.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        // Each server would answer with its own time.
                        try await (number % 2 == 0 ? one : two).follow(
                            testUser(2), by: testUser(1), at: testTime(Int64(100 * round + number)), idempotency: key)
                    }
                }
                return try await group.reduce(into: Set<Relationship>()) { $0.insert($1) }
            }
            #expect(answers.count == 1)
            _ = try await two.unfollow(testUser(2), by: testUser(1), at: testTime(Int64(100 * round + 99)), idempotency: nil)
        }
        try one.close()
        try two.close()
    }

    @Test("C3: of two uses of one ID token on both servers at once, one opens a session")
    func oneToken() async throws {
        let (one, two) = try stores()
        for round in 1...10 as ClosedRange<UInt8> {
            let opened = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<6 as Range<UInt8> {
                    group.addTask {
                        guard let hash = TokenHash(bytes: [UInt8](repeating: number, count: 31) + [round]) else { return false }
                        let opening = SessionOpening(
                            id: SessionID.random(using: SystemRandomSource()), account: AccountID(issuer: "example", subject: "kim"), tokenHash: hash,
                            createTime: testTime(1), expireTime: testTime(1_000),
                            idToken: IDTokenUse(
                                hash: [UInt8](repeating: round, count: 32), expireTime: testTime(2_000), requestID: nil, nonce: nil))
                        return (try? await (number % 2 == 0 ? one : two).openSession(
                            opening, newUserID: UserID.random(using: SystemRandomSource()), limit: 100)) != nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(opened == 1)
        }
        try one.close()
        try two.close()
    }

    @Test("C4: two retries of one sign-in that wait for the user's lock on both servers both open a session, and one of these lives")
    func retries() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let one = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        let two = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        let user = testUser(1)
        let use = IDTokenUse(hash: [UInt8](repeating: 7, count: 32), expireTime: testTime(2_000), requestID: try RequestID.parse("r"), nonce: nil)
        let openings = try (1...3 as ClosedRange<UInt8>).map { number in
            SessionOpening(
                id: SessionID.random(using: SystemRandomSource()), account: AccountID(issuer: "example", subject: "kim"),
                tokenHash: try #require(TokenHash(bytes: [UInt8](repeating: number, count: 32))), createTime: testTime(1),
                expireTime: testTime(1_000), idToken: use)
        }
        _ = try await one.openSession(openings[0], newUserID: user, limit: 100)
        // Until then, the housekeeping of one waits for that of the other.
        await until { one.status.databaseBytes != 0 && two.status.databaseBytes != 0 }
        let gate = DispatchSemaphore(value: 0), entered = DispatchSemaphore(value: 0)
        let held = Task {
            try await one.write { connection throws(RepositoryError) in
                try connection.lock(user)
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
        // Both have read which session the first attempt has opened.
        let retries = [(one, openings[1]), (two, openings[2])].map { store, opening in
            Task { try await store.openSession(opening, newUserID: UserID.random(using: SystemRandomSource()), limit: 100) }
        }
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        try await until { try cluster.psql(address, waiting) == "2" }
        gate.signal()
        try await held.value
        var opened: Set<SessionID> = []
        for retry in retries { opened.insert(try await retry.value.session.id) }
        #expect(opened == [openings[1].id, openings[2].id])
        let live = try await one.sessions(of: user, endingAfter: testTime(1)).map(\.id)
        #expect(live.count == 1 && opened.isSuperset(of: live))
        try one.close()
        try two.close()
    }

    private struct ClockAhead: WallClock {
        func now() -> Timestamp { ContractCase.clock.now().advanced(by: .days(9_000)) }
    }

    @Test("a server whose clock is ahead does not remove the keys of another one's transactions")
    func clockAhead() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let one = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...5 as ClosedRange<UInt64> { try await one.addUser(number) }
        let two = try PostgreSQLStore(address: address, clock: ClockAhead(), comparesClocks: false)
        // The size is read after the keys are removed.
        await until { two.status.databaseBytes != 0 }
        #expect(try #require(Int(try cluster.psql(address, "SELECT count(*) FROM operation"))) >= 5)
        try cluster.psql(address, "UPDATE operation SET create_time = create_time - 3600000000")
        let three = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        await until { three.status.databaseBytes != 0 }
        #expect(
            try cluster.psql(address, "SELECT count(*) FROM operation WHERE create_time < extract(epoch FROM now()) * 1000000 - 3600000000")
                == "0")
        for store in [one, two, three] { try store.close() }
    }

    /// A clock that is right but for `lead`.
    private struct WrongClock: WallClock {
        let lead: Timestamp.Interval
        func now() -> Timestamp { SystemWallClock().now().advanced(by: lead) }
    }

    @Test("a server whose clock differs from the database's by more than a minute removes nothing", arguments: [-90, 90, 90_000] as [Int64])
    func differentClock(_ seconds: Int64) async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let right = try PostgreSQLStore(address: address)
        await until { right.status.databaseBytes != 0 }
        #expect(right.clockDoubt == nil)
        try right.close()
        // Expired by either clock.
        try cluster.psql(address, "INSERT INTO request VALUES ('\\x01', 'old', '\\x02', '\\x', 1, 1)")
        let wrong = try PostgreSQLStore(address: address, clock: WrongClock(lead: .seconds(seconds)))
        await until { wrong.status.databaseBytes != 0 }
        let doubt = try #require(wrong.clockDoubt)
        #expect(doubt.cause == .differsFromDatabase)
        let difference = doubt.shown.microseconds - doubt.expected.microseconds
        #expect(abs(difference - seconds * 1_000_000) < 20_000_000)
        #expect(try cluster.psql(address, "SELECT count(*) FROM request") == "1")
        #expect(try cluster.psql(address, "SELECT count(*) FROM marked_time WHERE name = 'clock-suspected'") == "0")
        try wrong.close()
        let next = try PostgreSQLStore(address: address, clock: WrongClock(lead: .seconds(30)))
        await until { next.status.databaseBytes != 0 }
        #expect(next.clockDoubt == nil)
        #expect(try cluster.psql(address, "SELECT count(*) FROM request") == "0")
        try next.close()
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    @Test("a server goes on while one of the next version changes the schema under it and serves beside it; it does not start again")
    func neighbours() async throws {
        let text = try TestCluster.shared.get().makeDatabase()
        let store = try PostgreSQLStore(address: text, clock: ContractCase.clock, comparesClocks: false)
        for number in 1...20 as ClosedRange<UInt64> { try await store.addUser(number) }
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(text, library)
        let next = PostgreSQLSchema.Migration(
            name: "of the next version",
            statements: [
                "ALTER TABLE profile ADD COLUMN mood TEXT COLLATE \"C\" NOT NULL DEFAULT ''",
                "CREATE TABLE mood (user_id BYTEA PRIMARY KEY)",
            ])
        let isChanged = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in 1...20 as ClosedRange<UInt64> {
                group.addTask {
                    // On until the schema has changed, and once more after it.
                    var isOver = false
                    repeat {
                        isOver = isChanged.value.load(ordering: .acquiring)
                        let other = testUser(one % 20 + 1)
                        _ = try await store.follow(other, by: testUser(one), at: testTime(2), idempotency: nil)
                        #expect(try await store.counts(of: testUser(one), viewer: testUser(one)).following == 1)
                        #expect(try await store.following(of: testUser(one), viewer: testUser(one), after: nil, limit: 9).map(\.user.id) == [other])
                        _ = try await store.unfollow(other, by: testUser(one), at: testTime(3), idempotency: nil)
                    } while !isOver
                }
            }
            _ = try PostgreSQLSchema.prepare(
                { () throws(PostgreSQLFailure) in try address.connect(library, silence: .seconds(5)) }, .none, clock: SystemWallClock(),
                migrations: PostgreSQLSchema.migrations + [next])
            isChanged.value.store(true, ordering: .releasing)
            try await group.waitForAll()
        }
        try await store.addUser(21)
        #expect(store.status.lastTrouble == nil)
        #expect(throws: PostgreSQLOpeningError.newerSchema(version: Int64(PostgreSQLSchema.migrations.count) + 1)) {
            try PostgreSQLStore(address: text)
        }
        try store.close()
    }
}
