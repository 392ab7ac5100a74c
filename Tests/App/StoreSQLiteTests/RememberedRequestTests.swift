import PulseBoardDomain
import Testing

@testable import StoreSQL
@testable import StoreSQLite

@Suite("The limit of remembered writes") struct RememberedRequestTests {
    let directory: TemporaryDirectory
    let clock = SetClock(1_000_000)
    let store: SQLiteStore

    init() async throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(directory: directory.path, clock: clock)
        try await store.addUser(userOne, "one")
    }

    /// Writes under a request id, or under none.
    private func write(_ id: String?, of user: UserID = userOne, _ store: SQLiteStore? = nil) async throws -> Profile {
        try await (store ?? self.store).updateProfile(
            of: user, ProfileChange(), ifMatches: nil, at: clock.now(), idempotency: try id.map { try requestKey($0) })
    }

    private func rows() async throws -> Int64? {
        try await store.read { connection throws(RepositoryError) in try integer("SELECT count(*) FROM request", connection) }
    }

    /// Makes the first write, and remembers it so many times under other ids, each a microsecond later.
    private func fill(_ count: Int64) async throws {
        _ = try await write("first")
        try await store.tamper(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1))
            INSERT INTO request (user_id, request_id, fingerprint, result, create_time, format)
            SELECT user_id, 'copy' || i, fingerprint, result, create_time + i, format FROM request, n
            """)
    }

    /// Writes under new ids until one is refused.
    /// - Returns: how many were not refused, and how long to wait.
    private func writeUntilRefused(_ name: String, _ store: SQLiteStore? = nil) async throws -> (written: Int64, wait: Timestamp.Interval?) {
        for number in 0..<2_000 as Range<Int64> {
            do {
                _ = try await write("\(name)\(number)", store)
            } catch RepositoryError.rateLimited(let wait) {
                return (number, wait)
            }
        }
        return (2_000, nil)
    }

    @Test("a user has 10,000 remembered writes and no more, until the oldest is forgotten")
    func limit() async throws {
        // The first count comes before the limit is reached.
        try await fill(RememberedRequests.mostOfUser - 150)
        clock.advance(.hours(1))
        let refusal = try await writeUntilRefused("new")
        #expect(refusal.written == 150 && refusal.wait == .hours(23))
        #expect(try await rows() == RememberedRequests.mostOfUser)
        // A retry gets its first answer, and a write without an id has no such limit, nor has another user.
        #expect(try await write("first").id == userOne)
        #expect(try await write("new1").id == userOne)
        _ = try await write(nil)
        try await store.addUser(userTwo, "two")
        _ = try await write("other", of: userTwo)
        // Nothing is written twice, nor half.
        await #expect(throws: RepositoryError.rateLimited(retryAfter: .hours(23))) { try await write("late") }
        #expect(try await rows() == RememberedRequests.mostOfUser + 1)
        clock.advance(.hours(1))
        await #expect(throws: RepositoryError.rateLimited(retryAfter: .hours(22))) { try await write("late") }
        // One row expires each microsecond, and each makes room for one write.
        clock.advance(Timestamp.Interval(microseconds: Timestamp.Interval.hours(22).microseconds + 1))
        _ = try await write("late1")
        _ = try await write("late2")
        await #expect(throws: RepositoryError.rateLimited(retryAfter: Timestamp.Interval(microseconds: 1))) { try await write("late3") }
    }

    @Test("a restart gives a user a hundred more at most")
    func restart() async throws {
        try await fill(RememberedRequests.mostOfUser)
        try store.close()
        let again = try SQLiteStore(directory: directory.path, clock: clock)
        #expect(try await writeUntilRefused("again", again).written == RememberedRequests.writesBeforeFirstCount)
        try again.close()
    }

    @Test("a user at the limit can delete the profile under a request id, and then begin again")
    func deletion() async throws {
        try await fill(RememberedRequests.mostOfUser - 150)
        #expect(try await writeUntilRefused("new").wait != nil)
        try await store.deleteProfile(of: userOne, at: clock.now(), idempotency: try requestKey("deletion"))
        #expect(try await rows() == 1)
        let draft = try ProfileDraft(username: "uno", texts: ProfileTexts(), rules: UsernameRules())
        _ = try await store.createProfile(draft, for: userOne, at: clock.now(), idempotency: try requestKey("creation"))
    }

    @Test("many users' writes are all remembered")
    func manyUsers() async throws {
        try await store.addUser(userTwo, "two")
        for number in 1...150 {
            _ = try await write("r\(number)")
            _ = try await write("r\(number)", of: userTwo)
        }
        #expect(try await rows() == 300)
    }

    // MARK: How often the rows are counted

    /// Performs writes of the user in one transaction.
    /// - Parameter times: when each is made.
    /// - Returns: how often the user's rows were counted.
    private func counts(_ name: String, at times: [Timestamp], failing isFailing: Bool) async throws -> Int {
        let keys = try times.indices.map { try requestKey("\(name)\($0)") }
        let requests = store.requests
        return try await store.write { connection throws(RepositoryError) in
            let session = CountingSession(connection.session)
            for (key, time) in zip(keys, times) {
                do throws(RepositoryError) {
                    _ = try requests.once(key, of: userOne, at: JudgedTime(trusted: time), SQLConnection(session)) {
                        _ throws(RepositoryError) -> NothingRecord in
                        guard !isFailing else { throw .userNotFound }
                        return NothingRecord()
                    }
                } catch {
                    guard isFailing, error == .userNotFound else { throw error }
                }
            }
            return session.counts
        }
    }

    @Test("a user below the limit whose writes fail has the rows counted once, and one more write after all of them")
    func failingWrites() async throws {
        try await fill(RememberedRequests.mostOfUser - RememberedRequests.writesBeforeFirstCount - 1)
        let now = clock.now()
        for number in 0..<RememberedRequests.writesBeforeFirstCount { _ = try await write("early\(number)") }
        #expect(try await rows() == RememberedRequests.mostOfUser - 1)
        #expect(try await counts("failing", at: Array(repeating: now, count: 300), failing: true) <= 1)
        #expect(try await writeUntilRefused("new").written == 1)
        #expect(try await rows() == RememberedRequests.mostOfUser)
    }

    @Test("a user at the limit has the rows counted once for a hundred writes, each of which waits until a row is forgotten")
    func writesAtTheLimit() async throws {
        try await fill(RememberedRequests.mostOfUser - RememberedRequests.writesBeforeFirstCount)
        let end = clock.now().advanced(by: IdempotencyKey.retention)
        clock.advance(.hours(1))
        for number in 0..<RememberedRequests.writesBeforeFirstCount { _ = try await write("early\(number)") }
        #expect(try await writeUntilRefused("late").written == 0)
        // One more row is forgotten in each microsecond.
        let times = (0..<200).map { end.advanced(by: Timestamp.Interval(microseconds: $0)) }
        #expect(try await counts("paced", at: times, failing: false) <= 3)
        #expect(try await rows() == RememberedRequests.mostOfUser + 200)
        await #expect(throws: RepositoryError.rateLimited(retryAfter: Timestamp.Interval(microseconds: 1))) {
            try await counts("over", at: [times[199]], failing: false)
        }
    }
}

/// A session that notes how often rows are counted.
private final class CountingSession: SQLSession {
    private let session: any SQLSession
    private(set) var counts = 0

    init(_ session: any SQLSession) { self.session = session }

    func cursor(_ query: Query) throws(RepositoryError) -> any SQLCursor {
        note(query.sql)
        return try session.cursor(query)
    }

    func cursor(_ sql: String) throws(RepositoryError) -> any SQLCursor {
        note(sql)
        return try session.cursor(sql)
    }

    private func note(_ sql: String) { if sql.contains("count(*)") { counts += 1 } }

    var changes: Int { session.changes }
    var isInTransaction: Bool { session.isInTransaction }
    func lock(_ owners: [UserID]) throws(RepositoryError) { try session.lock(owners) }
    func forgetLock(of owner: UserID) throws(RepositoryError) { try session.forgetLock(of: owner) }
    func outdate(_ user: UserID) { session.outdate(user) }
    func keepUserNumbers(upTo last: Int64) throws(RepositoryError) { try session.keepUserNumbers(upTo: last) }
    var hasOtherWriters: Bool { session.hasOtherWriters }
    func startAgain() -> RepositoryError { session.startAgain() }
}
