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

    @Test("a user at the limit can delete the profile under a request id, and then begin anew")
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
}
