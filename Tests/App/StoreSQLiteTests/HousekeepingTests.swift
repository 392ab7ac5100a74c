import DiarySealing
import GRDB
import PulseBoardDomain
import Synchronization
import TestHarness
import Testing

@testable import StoreSQL
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

    private func username(_ text: String) throws -> Username {
        try ProfileDraft(username: text, texts: [.displayName: "", .statusMessage: ""], rules: UsernameRules()).username
    }

    private func count(_ table: String) async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in
            try integer("SELECT count(*) FROM \(table)", connection)
        }
    }

    @Test("remembered requests go after 24 hours, though nobody writes once they have begun to")
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
        // The rows that the first step left are removed, even if nobody writes.
        try await until { try await count("request") == 0 }
        #expect(store.housekeepingFailure == nil)
    }

    @Test("a step removes 200 rows of a kind, or twice as many as its transaction has writes")
    func rate() async throws {
        let directory = try TemporaryDirectory()
        // By its own clock nothing has expired.
        let store = try SQLiteStore(directory: directory.path, clock: clock)
        try await store.tamper(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO request SELECT zeroblob(16), 'r' || i, zeroblob(32), x'', 1000, 1 FROM n
            """)
        let later = SetClock(1_000_000 + IdempotencyKey.retention.microseconds)
        let events = FollowEventLog(retention: .standard)
        let left = try await store.write { connection throws(RepositoryError) in
            let housekeeping = Housekeeping(
                watch: ClockWatch(clock: later, uptime: { .zero }), events: events, usernames: Usernames(policy: .standard),
                vault: DiaryVault(seal: DiarySeal(.none), missingKeys: []))
            var left: [Int64?] = []
            for writes in [0, 1, 100, 101, 256] {
                housekeeping.step(connection, writes: writes)
                left.append(try integer("SELECT count(*) FROM request", connection))
            }
            return left
        }
        #expect(left == [800, 600, 400, 198, 0])
        try store.close()
    }

    @Test("what expires while nobody writes is removed all the same")
    func idle() async throws {
        let directory = try TemporaryDirectory()
        let timer = TickTimer()
        let store = try SQLiteStore(directory: directory.path, clock: clock, timer: timer)
        await timer.somebodySleeps()
        try await store.addUser(userOne, "one")
        _ = try await store.updateProfile(
            of: userOne, ProfileChange(), ifMatches: nil, at: clock.now(), idempotency: try requestKey("r"))
        clock.advance(IdempotencyKey.retention)
        timer.tick()
        // When the housekeeping sleeps again, it has given the writer a turn.
        await timer.somebodySleeps()
        try store.close()
        let queue = try DatabaseQueue(path: store.path)
        #expect(try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM request") } == 0)
        #expect(timer.sleeps == [.seconds(60), .seconds(60)])
        try queue.close()
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
        #expect(try await store.session(tokenHash: hash, for: .inProcess) != nil)
    }

    @Test("a session that was opened by a clock far ahead ends in its own time once the clock is back")
    func sessionOfTheFuture() async throws {
        let hashes = try (1...2 as ClosedRange<UInt8>).map { try #require(TokenHash(bytes: [UInt8](repeating: $0, count: 32))) }
        let now = clock.now()
        for (number, create) in [now.advanced(by: .days(100_000)), now.advanced(by: .hours(23))].enumerated() {
            let opening = SessionOpening(
                id: SessionID(bits: UUIDBits(high: 1, low: UInt64(number))), account: .unix(uid: 1), tokenHash: hashes[number], createTime: create,
                expireTime: create.advanced(by: .days(30)))
            _ = try await store.openSession(opening, newUserID: userOne, limit: 9)
        }
        clock.advance(.seconds(61))
        try await store.tamper("SELECT 1")
        #expect(store.housekeepingFailure == nil)
        let ahead = try #require(try await store.session(tokenHash: hashes[0], for: .inProcess))
        #expect((now.advanced(by: .days(-1))...clock.now().advanced(by: .days(-1))).contains(ahead.createTime))
        #expect(ahead.expireTime == ahead.createTime.advanced(by: .days(30)))
        let right = try #require(try await store.session(tokenHash: hashes[1], for: .inProcess))
        #expect(right.createTime == now.advanced(by: .hours(23)), "a clock may be off by a day")
    }

    @Test("what was written by a clock far ahead ends in its own time once the clock is back")
    func futureRows() async throws {
        let (now, ahead) = (clock.now(), Timestamp.Interval.days(29_219))
        for (user, name) in [(userOne, "one"), (userTwo, "two"), (userThree, "three")] { try await store.addUser(user, name) }
        clock.advance(ahead)
        _ = try await store.reserveUsername(try username("golden"), for: userOne, at: clock.now())
        _ = try await store.updateProfile(
            of: userTwo, ProfileChange(username: try username("zwei")), ifMatches: nil, at: clock.now(), idempotency: try requestKey("r"))
        _ = try await store.requestWithdrawal(of: userThree, at: clock.now(), purging: clock.now().advanced(by: .days(30)))
        clock.advance(Timestamp.Interval(microseconds: -ahead.microseconds))
        clock.advance(.seconds(61))
        try await store.tamper("SELECT 1")
        #expect(store.housekeepingFailure == nil)
        let bound = now.advanced(by: .days(61)).microseconds
        let late = "SELECT (SELECT count(*) FROM username WHERE kind <> 0 AND expire_time > \(bound)) + "
            + "(SELECT count(*) FROM pending_withdrawal WHERE purge_time > \(bound) OR request_time > \(bound)) + "
            + "(SELECT count(*) FROM request WHERE create_time > \(bound))"
        #expect(try await store.read { connection throws(RepositoryError) in try integer(late, connection) } == 0)
        clock.advance(UsernamePolicy.leaseLifetime)
        _ = try await store.reserveUsername(try username("golden"), for: userTwo, at: clock.now())
        await #expect(throws: RepositoryError.usernameDuplicated) {
            try await store.reserveUsername(try username("two"), for: userOne, at: clock.now())
        }
    }

    @Test("a damaged row of one kind keeps no expired row of another, and is reported")
    func damagedRow() async throws {
        try await store.addUser(userOne, "one")
        _ = try await store.updateProfile(of: userOne, ProfileChange(), ifMatches: nil, at: clock.now(), idempotency: try requestKey("r"))
        try await store.tamper("INSERT INTO discarded_diary VALUES (x'0a')")
        clock.advance(IdempotencyKey.retention)
        try await store.tamper("SELECT 1")
        #expect(try await count("request") == 0)
        #expect(store.housekeepingFailure == RepositoryError.corruptRow(table: "discarded_diary", key: "0a"))
        try await store.tamper("DELETE FROM discarded_diary")
        clock.advance(.seconds(61))
        try await store.tamper("SELECT 1")
        #expect(store.housekeepingFailure == nil)
    }

    /// Transactions that are parts of one.
    private struct Parts: OwnTransactions {
        let session: any SQLSession

        func perform<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) throws(RepositoryError) -> Result {
            let connection = SQLConnection(session)
            return try body(connection)
        }
    }

    @Test("beside other servers, a damaged row ends its own step only, and is reported")
    func damagedRowOfRound() async throws {
        let clock = SetClock(1_000_000)
        let (time, failure) = try await store.write { connection throws(RepositoryError) in
            try connection.run("INSERT INTO discarded_diary VALUES (x'0a')")
            try connection.run("INSERT INTO request VALUES (zeroblob(16), 'r', zeroblob(32), x'', \(Int64.max / 2), 1)")
            let housekeeping = Housekeeping(
                watch: ClockWatch(clock: clock, uptime: { .zero }), events: FollowEventLog(retention: .standard),
                usernames: Usernames(policy: .standard), vault: DiaryVault(seal: DiarySeal(.none), missingKeys: []), hasOthers: true)
            var transactions = Parts(session: connection.session)
            _ = housekeeping.round(&transactions)
            return (try integer("SELECT create_time FROM request", connection), housekeeping.failure)
        }
        // A request of the future is corrected by a later step than that of diaries.
        #expect(time == clock.now().microseconds)
        #expect(failure == RepositoryError.corruptRow(table: "discarded_diary", key: "0a"))
    }

    /// Transactions before each of which two days pass, and another server remembers a request.
    private struct SlowTransactions: OwnTransactions {
        let session: any SQLSession
        let clock: SetClock

        func perform<Result: Sendable>(_ body: @escaping QueuedBody<Result>.Body) throws(RepositoryError) -> Result {
            let connection = SQLConnection(session)
            clock.advance(.days(2))
            let now = clock.now().microseconds
            try connection.run("INSERT INTO request VALUES (zeroblob(16), 'r\(now)', zeroblob(32), x'', \(now), 1)")
            return try body(connection)
        }
    }

    @Test("a step judges by the time at which its own transaction has begun, so what others wrote since the step before is not of the future")
    func slowRound() async throws {
        let (clock, start) = (SetClock(1_000_000), Timestamp(microseconds: 1_000_000))
        let uptime = { @Sendable in Duration.microseconds(clock.now().microseconds - start.microseconds) }
        let (rows, changed) = try await store.write { connection throws(RepositoryError) in
            let housekeeping = Housekeeping(
                watch: ClockWatch(clock: clock, uptime: uptime), events: FollowEventLog(retention: .standard),
                usernames: Usernames(policy: .standard), vault: DiaryVault(seal: DiarySeal(.none), missingKeys: []), hasOthers: true)
            var transactions = SlowTransactions(session: connection.session, clock: clock)
            _ = housekeeping.round(&transactions)
            if let failure = housekeeping.failure { throw failure }
            let changed = "SELECT count(*) FROM request WHERE request_id <> 'r' || create_time"
            return (try integer("SELECT count(*) FROM request", connection), try integer(changed, connection))
        }
        #expect(clock.now() > start.advanced(by: .days(12)))
        // Those of the first transactions are older than a day when the second removes them.
        #expect(try #require(rows) >= 5)
        #expect(changed == 0)
    }

    @Test("pictures that were put aside by a clock far ahead are removed once the clock is back")
    func picturesOfTheFuture() async throws {
        let picture = ImageID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0009))
        try await store.addUser(userOne, "one")
        try await store.beginImage(picture, of: userOne, expiring: clock.now().advanced(by: ImageLimits.uploadLifetime))
        try await store.stageImage(
            picture, of: userOne, at: clock.now(), expiring: clock.now().advanced(by: ImageLimits.stagedLifetime))
        let unused = [UInt8](repeating: 9, count: 32), ahead = Timestamp.Interval.days(29_219)
        clock.advance(ahead)
        // Who leaves leaves no picture behind.
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: nil)
        let expireTime = clock.now().advanced(by: DiaryLimits.unusedImageLifetime)
        try await store.write { connection throws(RepositoryError) in
            var row = try connection.statement(
                "INSERT INTO diary_image (diary, sha256, state, uses, content_type, byte_count, expire_time) VALUES (?, ?, 1, 0, 'image/png', 1, ?)")
            try row.bind(userOne)
            try row.bind(unused)
            try row.bind(expireTime)
            try row.run()
        }
        clock.advance(Timestamp.Interval(microseconds: -ahead.microseconds))
        clock.advance(.seconds(61))
        try await store.tamper("SELECT 1")
        #expect(store.housekeepingFailure == nil)
        clock.advance(ImageLimits.stagedLifetime)
        #expect(try await store.discardedImages(at: clock.now(), limit: 9) == [DiscardedImage(id: picture, owner: userOne)])
        clock.advance(.hours(23))
        try await store.tamper("SELECT 1")
        #expect(try await count("diary_image") == 0)
        #expect(store.housekeepingFailure == nil)
    }

    @Test("a clock that is behind for a moment shortens neither the time for coming back nor the hold of a name")
    func clockBehind() async throws {
        clock.advance(.days(20_000))
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path, clock: clock)
        try await store.addUser(userOne, "one")
        try await store.addUser(userTwo, "two")
        let now = clock.now()
        clock.advance(.days(-70))
        let purge = try await store.requestWithdrawal(of: userOne, at: clock.now(), purging: clock.now().advanced(by: .days(30)))
        _ = try await store.updateProfile(
            of: userTwo, ProfileChange(username: try username("zwei")), ifMatches: nil, at: clock.now(), idempotency: nil)
        clock.advance(.days(70))
        #expect(purge >= now.advanced(by: .days(30)))
        #expect(try await store.dueWithdrawals(at: clock.now(), limit: 9).isEmpty)
        await #expect(throws: RepositoryError.usernameDuplicated) {
            try await store.reserveUsername(try username("two"), for: userThree, at: clock.now())
        }
    }

    @Test("nothing is removed from an unfinished copy", arguments: [false, true])
    func unfinishedCopy(isUnfinished: Bool) async throws {
        try store.close()
        let database = try DatabaseQueue(path: directory.path + "/" + SQLiteStore.fileName)
        try await database.write { database in
            if isUnfinished { try database.execute(sql: "INSERT INTO marked_time VALUES ('copy-unfinished', 0)") }
            try database.execute(sql: "INSERT INTO request VALUES (x'01', 'r', x'', x'', -99000000000, 1)")
        }
        try database.close()
        let opened = try SQLiteStore(directory: directory.path, clock: clock)
        try await opened.tamper("SELECT 1")
        let rows = try await opened.read { connection throws(RepositoryError) in try integer("SELECT count(*) FROM request", connection) }
        #expect(rows == (isUnfinished ? 1 : 0))
        #expect(opened.housekeepingFailure == nil)
    }

    @Test("an entry that is deleted while the clock is behind or ahead is remembered for its time once the clock is right", arguments: [-200, 29_219])
    func deletionsByAWrongClock(days: Int64) async throws {
        clock.advance(.days(20_000))
        let directory = try TemporaryDirectory()
        // Only the uptime of the right clock goes on.
        let wrong = Mutex(Int64(0))
        let store = try SQLiteStore(
            directory: directory.path, clock: clock,
            uptime: { [clock] in .microseconds(clock.now().microseconds - wrong.withLock { Timestamp.Interval.days($0) }.microseconds) })
        try await store.addUser(userOne, "one")
        let id = DiaryEntryID(bits: UUIDBits(high: 0xEE, low: 1))
        let content = try DiaryContent(entryTime: clock.now(), emotion: "", text: "text")
        _ = try await store.createDiaryEntry(id, content, of: userOne, at: clock.now())
        clock.advance(.days(days))
        wrong.withLock { $0 = days }
        try await store.deleteDiaryEntry(id, of: userOne, at: clock.now())
        clock.advance(.days(-days))
        wrong.withLock { $0 = 0 }
        for (days, left) in [(0, 1), (88, 1), (3, 0)] as [(Int64, Int64)] {
            clock.advance(.days(days))
            clock.advance(.seconds(61))
            try await store.tamper("SELECT 1")
            let rows = try await store.read { connection throws(RepositoryError) in try integer("SELECT count(*) FROM diary_entry", connection) }
            #expect(rows == left, "after \(days) days")
        }
        #expect(store.housekeepingFailure == nil)
    }

    @Test("used ID tokens and nonces go a day after they have expired, so that a clock some hours ahead permits no second use")
    func usedTokens() async throws {
        for number in 1...2 as ClosedRange<UInt8> {
            let hash = [UInt8](repeating: number, count: 32)
            let expireTime = clock.now().advanced(by: .hours(Int64(number)))
            let opening = SessionOpening(
                id: SessionID(bits: UUIDBits(high: 1, low: UInt64(number))), account: AccountID(issuer: "https://id.example", subject: "s"),
                tokenHash: try #require(TokenHash(bytes: hash)), createTime: clock.now(), expireTime: clock.now().advanced(by: .days(3)),
                idToken: IDTokenUse(
                    hash: hash, expireTime: expireTime, requestID: nil, nonce: IDTokenUse.NonceUse(hash: hash, expireTime: expireTime)))
            _ = try await store.openSession(opening, newUserID: userOne, limit: 9)
        }
        for (hours, left) in [(2, 2), (23, 1), (1, 0)] as [(Int64, Int64)] {
            clock.advance(.hours(hours))
            try await store.tamper("SELECT 1")
            #expect(try await count("used_id_token") == left)
            #expect(try await count("used_nonce") == left)
        }
        #expect(try await count("session") == 2)
        #expect(store.housekeepingFailure == nil)
    }
}
