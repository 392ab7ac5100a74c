import GRDB
import PulseBoardDomain
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("Events of follows") struct FollowEventTests {
    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000)

    init() throws { directory = try TemporaryDirectory() }

    private func store(keeping count: Int = 32) async throws -> SQLiteStore {
        let store = try SQLiteStore(
            directory: directory.path, followEvents: FollowEventRetention(age: .hours(1), count: count), clock: clock)
        try await store.addUser(userOne, "one")
        try await store.addUser(userTwo, "two")
        for user in [userOne, userTwo] { _ = try await store.keepFollowEvents(of: user, at: clock.now()) }
        return store
    }

    /// Makes and ends the edge, which makes two events for each side.
    private func turn(_ store: SQLiteStore) async throws {
        _ = try await store.follow(userTwo, by: userOne, at: clock.now(), idempotency: nil)
        _ = try await store.unfollow(userTwo, by: userOne, at: clock.now(), idempotency: nil)
    }

    private func rows(_ store: SQLiteStore) async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in
            try integer("SELECT count(*) FROM follow_event", connection)
        }
    }

    private func counted(_ store: SQLiteStore) async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in
            try integer("SELECT sum(event_count) FROM follow_count", connection)
        }
    }

    /// Users from the hundredth on, each with a profile.
    private func strangers(_ count: Int, _ store: SQLiteStore) async throws -> [UserID] {
        let users = (0..<count).map { UserID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0100 + UInt64($0))) }
        for (number, user) in users.enumerated() { try await store.addUser(user, "far\(number)") }
        return users
    }

    @Test("an owner keeps the newest so many, and a reader from before them is refused, not given a gap")
    func count() async throws {
        let store = try await store(keeping: 16)
        let strangers = try await strangers(19, store)
        let start = try await store.keepFollowEvents(of: userOne, at: clock.now())
        for user in strangers.prefix(18) { _ = try await store.follow(userOne, by: user, at: clock.now(), idempotency: nil) }
        let all = try await store.followEvents(of: userOne, after: start, at: clock.now(), limit: 99)
        #expect(all.count == 18)
        // More than 1/8 beyond the limit of 16.
        _ = try await store.follow(userOne, by: strangers[18], at: clock.now(), idempotency: nil)
        #expect(try await rows(store) == 16)
        #expect(try await counted(store) == 16)
        for early in [start, all[0].position, all[1].position] {
            await #expect(throws: RepositoryError.eventsForgotten) {
                try await store.followEvents(of: userOne, after: early, at: clock.now(), limit: 99)
            }
        }
        let kept = try await store.followEvents(of: userOne, after: all[2].position, at: clock.now(), limit: 99)
        #expect(kept.count == 16)
        #expect(Array(kept.prefix(15)) == Array(all.suffix(15)))
        try store.close()
    }

    @Test("a user who follows and unfollows again and again pushes out only earlier events of the same kind")
    func repeated() async throws {
        let store = try await store(keeping: 64)
        let strangers = try await strangers(2, store)
        let start = try await store.keepFollowEvents(of: userTwo, at: clock.now())
        // The first user follows the owner again and again. Before, others did, and the owner followed that user.
        _ = try await store.follow(userTwo, by: strangers[0], at: clock.now(), idempotency: nil)
        _ = try await store.follow(userOne, by: userTwo, at: clock.now(), idempotency: nil)
        for _ in 0..<400 { try await turn(store) }
        _ = try await store.follow(userTwo, by: strangers[1], at: clock.now(), idempotency: nil)
        _ = try await store.follow(userTwo, by: userOne, at: clock.now(), idempotency: nil)
        let events = try await store.followEvents(of: userTwo, after: start, at: clock.now(), limit: 999)
        #expect(events.count <= 64 + 8)
        #expect(try await counted(store) == (try await rows(store)))
        // A reader from before all of it sees what the others did, and for each user the present state last.
        let ofOthers = events.filter { $0.userID != userOne }
        #expect(ofOthers.map(\.userID) == strangers)
        let own = events.filter { $0.userID == userOne && $0.change == .followed }
        #expect(own.count == 1)
        let flapping = events.filter { $0.userID == userOne && $0.change != .followed }
        #expect(flapping.count >= FollowEventRetention.placesOfOneUser)
        #expect(flapping.last?.change == .followerGained)
        for (one, next) in zip(flapping, flapping.dropFirst()) { #expect(one.change != next.change) }
        try store.close()
    }

    @Test("of a user who follows and unfollows again and again the newest sixteen events stay")
    func newestStay() async throws {
        let store = try await store(keeping: 32)
        let start = try await store.keepFollowEvents(of: userOne, at: clock.now())
        for _ in 0..<18 { try await turn(store) }
        let all = try await store.followEvents(of: userOne, after: start, at: clock.now(), limit: 99)
        #expect(all.count == 36)
        _ = try await store.follow(userTwo, by: userOne, at: clock.now(), idempotency: nil)
        let kept = try await store.followEvents(of: userOne, after: start, at: clock.now(), limit: 99)
        #expect(kept.count == 16)
        #expect(Array(kept.prefix(15)) == Array(all.suffix(15)))
        // A reader in the middle of what was removed resumes too.
        #expect(try await store.followEvents(of: userOne, after: all[7].position, at: clock.now(), limit: 99) == kept)
        // Both sides have the same number of places.
        #expect(try await rows(store) == 32)
        #expect(try await counted(store) == 32)
        try store.close()
    }

    @Test("one transaction removes few events, however many owners have too many, and the next ones remove the rest")
    func surplusOfManyOwners() async throws {
        let store = try await store(keeping: 10_000)
        let owners = try await strangers(3, store)
        for owner in owners { _ = try await store.keepFollowEvents(of: owner, at: clock.now()) }
        // One user has followed and unfollowed each owner as often as they may have events.
        try await store.tamper(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 11250)
            INSERT INTO follow_event SELECT number, -i, 2 + 2 * (i % 2), x'00000000000040008000000000000001'
            FROM profile, n WHERE username LIKE 'far%'
            """)
        try await store.tamper(
            "UPDATE follow_count SET event_count = 11250 WHERE number IN (SELECT number FROM profile WHERE username LIKE 'far%')")
        let time = JudgedTime(trusted: clock.now())
        let (events, housekeeping) = (store.events, store.housekeeping)
        let (written, stepped) = try await store.write { connection throws(RepositoryError) in
            for owner in owners {
                guard let standing = try events.standing(of: owner, connection) else { throw .userNotFound }
                try events.append(.followerGained, to: standing, with: userOne, at: time, connection)
            }
            let written = try integer("SELECT count(*) FROM follow_event", connection)
            housekeeping.step(connection, writes: 3)
            return (written, try integer("SELECT count(*) FROM follow_event", connection))
        }
        let total: Int64 = 3 * 11_251
        #expect(try #require(written) == total)
        #expect(try #require(stepped) >= total - 2_000)
        // The rest is removed without further writes.
        try await until { try await rows(store) ?? 0 <= 30_000 }
        // In one statement, because the store may still remove rows.
        let uncounted = try await store.read { connection throws(RepositoryError) in
            try integer("SELECT (SELECT sum(event_count) FROM follow_count) - (SELECT count(*) FROM follow_event)", connection)
        }
        #expect(uncounted == 0)
        #expect(store.housekeepingFailure == nil)
        // The oldest went first, and the newest stayed.
        for owner in owners {
            let last = try await store.keptFollowEvents(of: owner, after: FollowEventPosition(time: Timestamp(microseconds: -8_000)), limit: 9_999)
            #expect(last.count == 8_000)
            #expect(last.last?.change == .followerGained)
        }
        try store.close()
    }

    @Test("old events are removed step by step, and the counts follow")
    func age() async throws {
        let store = try await store(keeping: 1_000)
        let turns = Int(Housekeeping.rowsPerStep) / 4
        for _ in 0..<(turns + 10) { try await turn(store) }
        let last = try await store.keepFollowEvents(of: userTwo, at: clock.now())
        #expect(try await rows(store) == Housekeeping.rowsPerStep + 40)
        clock.advance(.hours(2))
        try await store.tamper("SELECT 1")
        // The rows that the first step left are removed without further writes.
        try await until { try await rows(store) == 0 }
        #expect(try await counted(store) == 0)
        #expect(store.housekeepingFailure == nil)
        // A reader that had seen everything continues without a gap.
        #expect(try await store.followEvents(of: userTwo, after: last, at: clock.now(), limit: 9) == [])
        try await turn(store)
        #expect(try await store.followEvents(of: userTwo, after: last, at: clock.now(), limit: 9).count == 2)
        try store.close()
    }

    @Test("a sweep gets round to all owners, some at a time")
    func round() async throws {
        let store = try await store()
        let events = store.events
        let owners = Int(FollowEventLog.ownersPerSweep) + 1
        #expect(try await store.read { connection throws(RepositoryError) in try events.start(connection) == nil })
        try await store.tamper(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(owners))
            INSERT INTO follow_count (number, followers, following, event_count, last_event)
            SELECT 100 + i, 0, 0, 1, 5 FROM n
            """)
        try await store.tamper(
            "INSERT INTO follow_event SELECT number, 5, 1, randomblob(16) FROM follow_count WHERE event_count = 1")
        // Nobody is always the last one.
        let starts = try await store.read { connection throws(RepositoryError) in
            var starts: Set<Int64> = []
            for _ in 0..<100 {
                if let start = try events.start(connection) { starts.insert(start.rawValue) }
            }
            return starts
        }
        #expect(starts.count > 20 && starts.allSatisfy { (1..<Int64(100 + owners)).contains($0) })
        let later = Timestamp(microseconds: 2 * 3_600_000_000)
        let sweeps = try await store.write { connection throws(RepositoryError) in
            var removed: [Int64?] = []
            var cursor: UserNumber?
            for _ in 1...2 {
                let sweep = try events.sweep(after: cursor, now: later, rows: 10_000, connection)
                cursor = sweep.cursor
                removed.append(try integer("SELECT count(*) FROM follow_event", connection))
            }
            return (removed, cursor)
        }
        // The two users of the bench come first and have no events.
        let left = try #require(sweeps.0[0])
        #expect(left > 0 && left < Int64(owners))
        #expect(sweeps.0[1] == 0)
        #expect(sweeps.1 == nil)
        try store.close()
    }

    @Test("X7: withdrawal removes the user's own events from the disk, and what others were told stays")
    func withdrawal() async throws {
        let store = try await store()
        _ = try await store.follow(userTwo, by: userOne, at: clock.now(), idempotency: nil)
        #expect(try await rows(store) == 2)
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        #expect(try await rows(store) == 2)
        let own = try await store.read { connection throws(RepositoryError) in
            try integer("SELECT count(*) FROM follow_event WHERE owner NOT IN (SELECT number FROM profile)", connection)
        }
        #expect(own == 0)
        #expect(try await counted(store) == 2)
        try store.close()
    }

    @Test("X17: an event that cannot be read is reported, never passed over")
    func corrupt() async throws {
        let store = try await store()
        let start = try await store.keepFollowEvents(of: userOne, at: clock.now())
        try await turn(store)
        let time = clock.now().microseconds + 1
        for damage in ["kind = 9", "kind = 0", "other = x'0102'"] {
            try await store.tamper("UPDATE follow_event SET \(damage) WHERE event_time = \(time)")
            await #expect(throws: RepositoryError.corruptRow(table: "follow_event", key: "\(userOne) \(time)")) {
                try await store.followEvents(of: userOne, after: start, at: clock.now(), limit: 9)
            }
            try await store.tamper("UPDATE follow_event SET kind = 1, other = zeroblob(16) WHERE event_time = \(time)")
        }
        try store.close()
    }

    @Test("every kind is stored under its own number and means what it did", arguments: [
        (1, FollowEvent.Change.followed, FollowEvent.Cause.follower), (2, .followerGained, .follower),
        (3, .unfollowed, .follower), (4, .followerLost, .follower), (5, .unfollowed, .followee),
        (6, .followerLost, .followee), (7, .unfollowed, .withdrawal), (8, .followerLost, .withdrawal),
    ])
    func kinds(_ number: Int, _ change: FollowEvent.Change, _ cause: FollowEvent.Cause) throws {
        let kind = try #require(FollowEventKind(rawValue: Int64(number)))
        #expect(kind.change == change)
        #expect(kind.cause == cause)
        #expect((number % 2 == 1) == (change == .followed || change == .unfollowed))
        #expect(FollowEventKind.allCases.count == 8)
    }
}
