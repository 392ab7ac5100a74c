import Dispatch
import Foundation
import GRDB
import PulseBoardDomain
import RepositoryContract
import Synchronization
import RepositoryContract
import TestHarness
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// User one has 2,600 followers and follows 1,500 of them, which is more than four steps. Events are kept for the first and last of the
/// crowd.
@Suite("A withdrawal of many follows") struct WithdrawalTests {
    private static let followers: Int64 = 2_600
    private static let followed: Int64 = 1_500

    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000_000)
    let store: SQLiteStore
    private let steps = Steps()

    init() async throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path, clock: clock)
        try await store.addUser(userOne, "one")
        for sql in Self.crowd { try await store.tamper(sql) }
        for number in [1, Self.followers] { _ = try await store.keepFollowEvents(of: member(number), at: clock.now()) }
        // The first turn of the housekeeping ends before anybody withdraws.
        try await store.tamper("SELECT 1")
        let steps = steps
        store.onFollowsEnded { _ in steps.pause() }
    }

    /// One of the crowd, from 1 on.
    private func member(_ number: Int64) -> UserID {
        let text = "\(number)"
        let bytes = Array("crowd".utf8) + Array(String(repeating: "0", count: 11 - text.utf8.count).utf8) + Array(text.utf8)
        guard let bits = UUIDBits(bytes: bytes) else { preconditionFailure("sixteen bytes") }
        return UserID(bits: bits)
    }

    private static let crowd = [
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(followers))
        INSERT INTO profile (user_id, username, username_key, display_name, status_message, version, create_time, update_time)
        SELECT CAST(printf('crowd%011d', i) AS BLOB), 'c' || i, 'c' || i, '', '', 1, i, i FROM n
        """,
        """
        INSERT INTO username (username_key, user_id, kind, take_time, expire_time, skeleton, likeness)
        SELECT username_key, user_id, 0, 0, 0, username_key, 0 FROM profile WHERE number > 1
        """,
        "INSERT INTO following SELECT number, 1, number * 10 FROM profile WHERE number > 1",
        "INSERT INTO follower SELECT 1, number * 10, number FROM profile WHERE number > 1",
        "INSERT INTO following SELECT 1, number, number * 10 FROM profile WHERE number BETWEEN 2 AND \(followed + 1)",
        "INSERT INTO follower SELECT number, number * 10, 1 FROM profile WHERE number BETWEEN 2 AND \(followed + 1)",
        "INSERT INTO follow_count (number, followers, following) SELECT number, number <= \(followed + 1), 1 FROM profile WHERE number > 1",
        "UPDATE follow_count SET followers = \(followers), following = \(followed) WHERE number = 1",
    ]

    /// Holds the writer's thread after each step until it may continue.
    private final class Steps: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let isOpen = Atomic(false)
        private let taken = AsyncStream.makeStream(of: Void.self)

        /// Called on the writer's thread.
        func pause() {
            taken.continuation.yield()
            if !isOpen.load(ordering: .acquiring) { gate.wait() }
        }

        /// Returns after the next step.
        func next() async {
            var iterator = taken.stream.makeAsyncIterator()
            _ = await iterator.next()
        }

        func goOn() { gate.signal() }

        /// Ends all pauses.
        func open() {
            isOpen.store(true, ordering: .releasing)
            gate.signal()
        }
    }

    /// Checks that nobody sees any trace of user one.
    private func expectGone(_ store: SQLiteStore) async throws {
        await #expect(throws: RepositoryError.userNotFound) { try await store.profile(of: userOne) }
        await #expect(throws: RepositoryError.userNotFound) { try await store.profile(usernameKey: "one") }
        #expect(try await store.owner(ofKey: "one") == nil)
        #expect(try await store.searchProfiles(NameSearch("o"), after: nil, limit: 9) == [])
        await #expect(throws: RepositoryError.userNotFound) { try await store.counts(of: userOne) }
        await #expect(throws: RepositoryError.userNotFound) { try await store.followers(of: userOne, after: nil, limit: 9) }
        for number in stride(from: 1, through: Self.followers, by: 97) {
            let user = member(number)
            #expect(try await store.following(of: user, after: nil, limit: 9) == [])
            #expect(try await store.followers(of: user, after: nil, limit: 9) == [])
            #expect(try await store.counts(of: user) == FollowCounts(followers: 0, following: 0))
            #expect(try await store.relationships(of: user, to: [userOne]) == [:])
        }
    }

    private func rows(_ store: SQLiteStore, _ table: String) async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in try integer("SELECT count(*) FROM \(table)", connection) }
    }

    private func expectFinished(_ store: SQLiteStore) async throws {
        await until { !store.housekeeping.mayHaveWithdrawals }
        for table in ["withdrawal", "following", "follower", "follow_event WHERE owner = 1"] { #expect(try await rows(store, table) == 0) }
        try await expectGone(store)
        let raw = try await store.read { connection throws(RepositoryError) in
            try integer("SELECT sum(followers) + sum(following) FROM follow_count", connection)
        }
        #expect(raw == 0)
        #expect(store.housekeepingFailure == nil)
    }

    @Test("a list behind many users who are leaving is read in parts: each has a place to continue, and none of the others is missing")
    func listBehindLeavers() async throws {
        let leavers = "number BETWEEN 100 AND 2550"
        try await store.tamper(
            """
            INSERT INTO pending_withdrawal (user_id, number, profile, request_time, purge_time)
            SELECT user_id, number, NULL, 0, \(Int64.max) FROM profile WHERE \(leavers)
            """)
        try await store.tamper("DELETE FROM profile WHERE \(leavers)")
        let rest = try await store.followers(of: userOne, viewer: userOne, after: nil, limit: 3_000)
        #expect(rest.count == 51 + 98 && rest == rest.sorted { $0.cursor > $1.cursor })
        var listed: [FollowListEntry] = [], emptyParts = 0
        var cursor: FollowCursor?
        repeat {
            let part = try await store.followers(of: userOne, viewer: userOne, after: cursor, limit: 21, last: .proof)
            if part.entries.isEmpty { emptyParts += 1 }
            listed += part.entries.prefix(20)
            cursor = part.entries.count > 20 ? part.entries[19].cursor : part.continuation
        } while cursor != nil
        #expect(listed == rest)
        #expect(emptyParts == 1)
        // Nobody is told less for that: the list ends where the table does.
        let following = try await store.following(of: userOne, viewer: userOne, after: nil, limit: 3_000)
        #expect(following.count == 98)
    }

    @Test("the user is gone for everybody from the first instant on, and after every step")
    func hidden() async throws {
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        var left = Self.followers + Self.followed
        for _ in 1...4 {
            await steps.next()
            left -= Tombstones.rowsPerStep
            #expect(try await rows(store, "following") == left)
            #expect(try await rows(store, "follower") == left)
            try await expectGone(store)
            steps.goOn()
        }
        steps.open()
        try await expectFinished(store)
        try store.close()
    }

    @Test("beside other writers, a step locks all users that it changes at once: nobody can wait for it while it waits for them")
    func locksAtOnce() throws {
        try store.close()
        let tombstones = store.housekeeping.tombstones
        try removeBesideOthers { session, database in
            let connection = SQLConnection(session)
            let now = store.housekeeping.judged(clock.now())
            for user in [userOne, member(1), member(2)] { try tombstones.begin(user, at: now, connection) }
            var hasMore = true
            while hasMore {
                session.locked = []
                hasMore = try tombstones.step(connection).hasMore
                #expect(session.locked.count == 1)
                #expect(Set(session.locked[0]).count <= 2 * Tombstones.rowsPerStep)
            }
        }
    }

    @Test("a follow that ends while a step waits for its locks does not end the removal early")
    func edgeGoneMeanwhile() throws {
        try store.close()
        let tombstones = store.housekeeping.tombstones
        try removeBesideOthers { session, database in
            let connection = SQLConnection(session)
            try tombstones.begin(userOne, at: store.housekeeping.judged(clock.now()), connection)
            let number = try Int64.fetchOne(database, sql: "SELECT number FROM withdrawal") ?? 0
            // Another writer removes the first edge of each direction, as a follow of a returned user does.
            session.whileWaiting = {
                for (column, table, sides) in [("following", "following", "followee, follower"), ("followers", "follower", "follower, followee")] {
                    let (other, own) = (sides.split(separator: ", ")[0], sides.split(separator: ", ")[1])
                    guard let first = try Int64.fetchOne(
                        database, sql: "SELECT \(other) FROM \(table) WHERE \(own) = ? ORDER BY 1 LIMIT 1", arguments: [number])
                    else { continue }
                    for table in ["following", "follower"] {
                        try database.execute(
                            sql: "DELETE FROM \(table) WHERE \(own) = ? AND \(other) = ?", arguments: [number, first])
                    }
                    try database.execute(sql: "UPDATE withdrawal SET \(column) = \(column) - 1 WHERE number = ?", arguments: [number])
                }
            }
            while try tombstones.step(connection).hasMore {}
        }
    }

    @Test("beside other writers, a damaged id of the other side does not stop the removal")
    func lockOfDamagedUser() async throws {
        steps.open()
        try await store.tamper("UPDATE profile SET user_id = x'0102' WHERE username_key = 'c1'")
        try store.close()
        try expectRemoval()
    }

    /// Removes the follows of the first user beside other writers.
    private func expectRemoval() throws {
        let tombstones = store.housekeeping.tombstones
        try removeBesideOthers { session, _ in
            let connection = SQLConnection(session)
            try tombstones.begin(userOne, at: store.housekeeping.judged(clock.now()), connection)
            while try tombstones.step(connection).hasMore {}
        }
    }

    /// Runs steps in a transaction that has other writers, on the closed store's file. At the end nothing may be left.
    private func removeBesideOthers(_ steps: (SharedSession, Database) throws -> Void) throws {
        let database = try DatabaseQueue(path: directory.path + "/pulseboard.sqlite", configuration: ConnectionSettings.writer)
        try database.write { database in
            try steps(SharedSession(SQLiteSession(database)), database)
            for table in ["following", "follower", "withdrawal"] {
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") == 0)
            }
        }
        try database.close()
    }

    /// A session of SQLite's that has other writers, and notes whom it locks.
    private final class SharedSession: SQLSession {
        private let base: SQLiteSession
        var locked: [[UserID]] = []
        /// What another writer does while this one waits for its locks.
        var whileWaiting: (() throws -> Void)?

        init(_ base: SQLiteSession) { self.base = base }

        func cursor(_ query: Query) throws(RepositoryError) -> any SQLCursor { try base.cursor(query) }
        func cursor(_ sql: String) throws(RepositoryError) -> any SQLCursor { try base.cursor(sql) }
        var changes: Int { base.changes }
        var isInTransaction: Bool { base.isInTransaction }
        func lock(_ owners: [UserID]) throws(RepositoryError) {
            locked.append(owners)
            do { try whileWaiting?() } catch { throw .storeUnavailable(detail: "\(error)") }
        }
        func forgetLock(of owner: UserID) {}
        func outdate(_ user: UserID) {}
        func keepUserNumbers(upTo last: Int64) throws(RepositoryError) { try base.keepUserNumbers(upTo: last) }
        var hasOtherWriters: Bool { true }
        func startAgain() -> RepositoryError { base.startAgain() }
    }

    @Test("a crash between two steps resumes when the store is opened", arguments: 1...4)
    func crash(_ step: Int) async throws {
        let (first, last) = (member(1), member(Self.followers))
        let starts = [try await store.keepFollowEvents(of: first, at: clock.now()), try await store.keepFollowEvents(of: last, at: clock.now())]
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        for number in 1...step {
            await steps.next()
            if number < step { steps.goOn() }
        }
        // The writer waits, so these files are as after a crash.
        let copy = try TemporaryDirectory()
        for name in ["pulseboard.sqlite", "pulseboard.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: directory.path + "/" + name, toPath: copy.path + "/" + name)
        }
        let resumed = try SQLiteStore(directory: copy.path, clock: clock)
        try await expectGone(resumed)
        try await expectFinished(resumed)
        // Every follower gets the event once, before the crash or after it.
        let expected: [(UserID, FollowEventPosition, [FollowEvent.Change])] = [
            (first, starts[0], [.followerLost, .unfollowed]), (last, starts[1], [.unfollowed]),
        ]
        for (user, start, changes) in expected {
            let told = try await resumed.followEvents(of: user, after: start, at: clock.now(), limit: 9)
            #expect(told.map(\.change) == changes)
            #expect(told.allSatisfy { $0.cause == .withdrawal && $0.userID == userOne })
        }
        try resumed.close()
        steps.open()
        try await expectFinished(store)
        try store.close()
    }

    @Test("C24: a clock that is wrong for a moment purges nobody, and removes no picture")
    func wrongClock() async throws {
        let end = clock.now().advanced(by: .days(30))
        _ = try await store.requestWithdrawal(of: userOne, at: clock.now(), purging: end)
        // No housekeeping step comes between the jump and the look.
        clock.advance(.days(31))
        #expect(try await store.dueWithdrawals(at: clock.now(), limit: 9).isEmpty)
        await #expect(throws: RepositoryError.notWithdrawing) { try await store.purge(userOne, at: clock.now()) }
        clock.advance(.days(-31))
        // A purge before its time is refused too.
        await #expect(throws: RepositoryError.notWithdrawing) { try await store.purge(userOne, at: clock.now()) }
        try await store.cancelWithdrawal(of: userOne)
        #expect(try await store.profile(of: userOne).username.text == "one")
        steps.open()
        try store.close()
    }

    @Test("C25: a purge goes in steps, and a write that comes meanwhile waits for one of them at most")
    func purge() async throws {
        let (first, last) = (member(1), member(Self.followers))
        _ = try await store.requestWithdrawal(of: userOne, at: clock.now(), purging: clock.now())
        #expect(try await rows(store, "following") == Self.followers + Self.followed)
        let store = store
        let clock = clock
        let purge = Task { try await store.purge(userOne, at: clock.now()) }
        var left = Self.followers + Self.followed
        // The writer is held after each step, and another user's write is queued.
        for number in 1...5 as ClosedRange<Int64> {
            await steps.next()
            left -= Tombstones.rowsPerStep
            #expect(try await rows(store, "following") == left)
            let time = Timestamp(microseconds: clock.now().microseconds + number)
            let writing = Task { () throws(RepositoryError) in
                number % 2 == 1
                    ? try await store.follow(last, by: first, at: time, idempotency: nil)
                    : try await store.unfollow(last, by: first, at: time, idempotency: nil)
            }
            await until { store.queuedWrites > 0 }
            steps.goOn()
            _ = try await writing.value
            // It did not wait for the remaining steps: its own transaction took at most one more.
            left += number % 2 == 1 ? 1 : -1
            #expect(try #require(await rows(store, "following")) >= left - Tombstones.rowsPerStep)
            #expect(try await rows(store, "withdrawal") == 1)
        }
        steps.open()
        try await purge.value
        await until { !store.housekeeping.mayHaveWithdrawals }
        #expect(try await rows(store, "withdrawal") == 0)
        #expect(try await rows(store, "following") == 1)
        await #expect(throws: RepositoryError.userNotFound) { try await store.profile(of: userOne) }
        try store.close()
    }

    @Test("whoever withdrew can come back before the steps are over, and is told apart from before")
    func comingBack() async throws {
        let last = member(Self.followers)
        let start = try await store.keepFollowEvents(of: last, at: clock.now())
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        let store = store
        let clock = clock
        // While the writer is held after a step, the next write is queued. Its transaction takes the next step.
        func perform(_ write: @escaping @Sendable () async throws -> Void) async throws {
            await steps.next()
            let writing = Task { try await write() }
            await until { store.queuedWrites > 0 }
            steps.goOn()
            try await writing.value
        }
        try await perform { try await store.addUser(userOne, "one") }
        #expect(try await store.counts(of: userOne) == FollowCounts(followers: 0, following: 0))
        #expect(try await store.followers(of: userOne, after: nil, limit: 9) == [])
        #expect(try await store.relationships(of: userOne, to: [last])[last]?.isFollowedBy == false)
        let time = Timestamp(microseconds: clock.now().microseconds + 5)
        try await perform { _ = try await store.follow(userOne, by: last, at: time, idempotency: nil) }
        #expect(try await rows(store, "withdrawal") == 1)
        // The old edge ended before the new one began, although its step has not come yet.
        let told = try await store.followEvents(of: last, after: start, at: clock.now(), limit: 9)
        #expect(told.map(\.change) == [.unfollowed, .followed])
        #expect(told.map(\.cause) == [.withdrawal, .follower])
        #expect(try await store.following(of: last, after: nil, limit: 9).map(\.followTime) == [time])
        #expect(try await store.counts(of: last) == FollowCounts(followers: 0, following: 1))
        #expect(try await store.counts(of: userOne) == FollowCounts(followers: 1, following: 0))
        steps.open()
        await until { !store.housekeeping.mayHaveWithdrawals }
        for table in ["following", "follower"] { #expect(try await rows(store, table) == 1) }
        #expect(try await rows(store, "withdrawal") == 0)
        #expect(try await store.followEvents(of: last, after: start, at: clock.now(), limit: 9) == told)
        #expect(try await store.counts(of: userOne) == FollowCounts(followers: 1, following: 0))
        try store.close()
    }

    @Test("two who follow each other withdraw one after the other, and nothing is left of either")
    func both() async throws {
        steps.open()
        let last = member(Self.followers)
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        try await store.deleteProfile(of: last, at: clock.now(), idempotency: nil)
        await until { !store.housekeeping.mayHaveWithdrawals }
        for table in ["withdrawal", "following", "follower"] { #expect(try await rows(store, table) == 0) }
        try store.close()
    }

    @Test("remembered requests of a user who has many go in steps too, and the withdrawal's own stays")
    func manyRequests() async throws {
        steps.open()
        let limit = SQLiteStore.requestsForgottenAtOnce
        let owner = member(5)
        try await store.tamper(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(2 * limit + 5))
            INSERT INTO request SELECT p.user_id, 'r' || i, zeroblob(32), x'', \(clock.now().microseconds), 1
            FROM n CROSS JOIN profile p WHERE p.username_key = 'c5'
            """)
        #expect(try await rows(store, "request") == 2 * limit + 5)
        let key = try requestKey("w")
        for _ in 1...2 { try await store.deleteProfile(of: owner, at: clock.now(), idempotency: key) }
        #expect(try await rows(store, "request") == 1)
        await #expect(throws: RepositoryError.profileRequired) { try await store.deleteProfile(of: owner, at: clock.now(), idempotency: nil) }
        try store.close()
    }
}
