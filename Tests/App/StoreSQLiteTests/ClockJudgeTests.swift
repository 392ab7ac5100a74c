import PulseBoardDomain
import Synchronization
import Testing

@testable import StoreSQL
@testable import StoreSQLite

/// An uptime that a test sets.
final class SetUptime: Sendable {
    private let time = Mutex(Duration.zero)

    var reading: @Sendable () -> Duration {
        return { self.time.withLock { $0 } }
    }
    func advance(_ interval: Duration) { time.withLock { $0 += interval } }
}

/// A judge that expectations may ask.
private final class Judged {
    private var judge: ClockJudge
    init(_ judge: ClockJudge) { self.judge = judge }
    var doubt: ClockDoubt? { judge.doubt }
    func believes(_ time: Timestamp, uptime: Duration) -> Bool { judge.believes(time, uptime: uptime) }
    func likely(_ stated: Timestamp, at uptime: Duration) -> Timestamp { judge.likely(stated, at: uptime) }
}

@Suite("A clock that was wrong once") struct ClockJudgeTests {
    private static let start = Timestamp(microseconds: 1_767_484_800_000_000)
    private static let day = Duration.seconds(86_400)
    private static let century = Timestamp.Interval.days(36_500)

    private func time(_ interval: Timestamp.Interval) -> Timestamp { Self.start.advanced(by: interval) }

    @Test("it is believed while it goes on as the uptime does, give or take a day")
    func steady() {
        let judge = Judged(ClockJudge(last: Self.start, uptime: .zero))
        #expect(judge.believes(time(.days(1)), uptime: .zero))
        #expect(judge.believes(time(.days(400)), uptime: Self.day * 399))
        #expect(judge.believes(time(.days(399)), uptime: Self.day * 399))
        #expect(judge.doubt == nil)
        #expect(!judge.believes(time(.days(401)), uptime: Self.day * 399))
        #expect(judge.doubt == ClockDoubt(.jumped, expected: time(.days(399)), shown: time(.days(401))))
    }

    @Test("a jump is not believed until the clock is back, either way", arguments: [36_500, -20_000] as [Int64])
    func back(_ days: Int64) {
        let judge = Judged(ClockJudge(last: Self.start, uptime: .zero))
        for minute in 1...59 as ClosedRange<Int64> {
            let now = time(Timestamp.Interval(microseconds: Timestamp.Interval.days(days).microseconds + minute * 60_000_000))
            #expect(!judge.believes(now, uptime: .seconds(60 * minute)))
        }
        #expect(judge.believes(time(.hours(1)), uptime: .seconds(3_600)))
        #expect(judge.doubt == nil)
    }

    @Test("where it has stayed for an hour it is believed; a second jump begins a new hour")
    func stays() {
        let judge = Judged(ClockJudge(last: Self.start, uptime: .zero))
        #expect(!judge.believes(time(.days(10)), uptime: .zero))
        #expect(!judge.believes(time(.days(20)), uptime: .seconds(3_599)))
        #expect(!judge.believes(time(.days(20)), uptime: .seconds(3_600)))
        #expect(!judge.believes(time(.days(20)), uptime: .seconds(7_198)))
        #expect(judge.believes(time(.days(20)), uptime: .seconds(7_199)))
        #expect(judge.believes(time(.days(20)), uptime: .seconds(7_200)))
        #expect(judge.doubt == nil)
    }

    @Test("a later process confirms the suspicion of an earlier one, an hour to 30 days after it")
    func confirmed() {
        var marks = ClockMarks()
        marks.trusted = Self.start
        marks.suspected = time(.days(10))
        func isBelieved(_ now: Timestamp) -> Bool { Judged(ClockJudge(after: marks, now: now, uptime: .zero)).believes(now, uptime: .zero) }
        #expect(!isBelieved(time(.days(10))))
        #expect(isBelieved(time(.days(11))) && isBelieved(time(.days(40))))
        #expect(!isBelieved(time(.days(41))) && !isBelieved(time(.days(36_500))))
        #expect(isBelieved(Self.start), "the clock is back")
        marks.suspected = nil
        #expect(!isBelieved(time(.days(11))))
    }

    @Test("after days off, its time is probably right, unless it is behind or years ahead; after a jump in one process, the last trusted time is")
    func likely() {
        let judge = Judged(ClockJudge(last: Self.start, uptime: .zero))
        let hour = Duration.seconds(3_600)
        for (stated, likely) in [(3, 3), (30, 30), (36_500, 0), (-3, 0)] as [(Int64, Int64)] {
            let expected = likely == 0 ? time(.hours(1)) : time(.days(likely))
            #expect(judge.likely(time(.days(stated)), at: hour) == expected, "\(stated) days")
        }
        #expect(judge.believes(Self.start, uptime: .zero))
        #expect(judge.likely(time(.days(3)), at: hour) == time(.hours(1)))
    }

    @Test("a server that never runs for an hour, and is off for days, trusts its clock at its second start")
    func shortRuns() async throws {
        let directory = try TemporaryDirectory()
        let clock = SetClock(Self.start.microseconds)
        for (run, isTrusted) in [true, false, true, false, true].enumerated() {
            let store = try SQLiteStore(directory: directory.path, clock: clock, uptime: SetUptime().reading)
            try await store.tamper("SELECT 1")
            #expect((store.clockDoubt == nil) == isTrusted, "run \(run)")
            try store.close()
            clock.advance(.seconds(3 * 86_400))
        }
    }

    @Test("the ends of time do not trap")
    func extremes() {
        let judge = Judged(ClockJudge(last: Timestamp(microseconds: .min), uptime: .zero))
        #expect(!judge.believes(Timestamp(microseconds: .max), uptime: .zero))
        #expect(judge.believes(Timestamp(microseconds: .min), uptime: .seconds(1)))
    }

    /// A store with a session of 30 days and a remembered request.
    private func fill(_ store: SQLiteStore, _ clock: SetClock) async throws {
        try await store.addUser(userOne, "one")
        let hash = try #require(TokenHash(bytes: [UInt8](repeating: 1, count: 32)))
        let opening = SessionOpening(
            id: SessionID(bits: UUIDBits(high: 1, low: 1)), account: .unix(uid: 1), tokenHash: hash, createTime: clock.now(),
            expireTime: clock.now().advanced(by: .days(30)))
        _ = try await store.openSession(opening, newUserID: userOne, limit: 9)
        _ = try await store.updateProfile(
            of: userOne, ProfileChange(), ifMatches: nil, at: clock.now(), idempotency: try requestKey("r"))
    }

    private func rows(_ store: SQLiteStore) async throws -> [Int64?] {
        try await store.read { connection throws(RepositoryError) in
            [try integer("SELECT count(*) FROM session", connection), try integer("SELECT count(*) FROM request", connection)]
        }
    }

    @Test("nothing is removed by it, and once it is back what has expired goes as before")
    func running() async throws {
        let directory = try TemporaryDirectory()
        let clock = SetClock(Self.start.microseconds)
        let uptime = SetUptime()
        let store = try SQLiteStore(directory: directory.path, clock: clock, uptime: uptime.reading)
        try await fill(store, clock)
        clock.advance(Self.century)
        for _ in 1...59 {
            clock.advance(.seconds(60))
            uptime.advance(.seconds(60))
            try await store.tamper("SELECT 1")
        }
        #expect(try await rows(store) == [1, 1])
        #expect(store.clockDoubt?.expected.microseconds == Self.start.microseconds)
        #expect(store.housekeepingFailure == nil)
        // The clock is back, and a day has passed: the request has expired, the session has not.
        clock.advance(Timestamp.Interval(microseconds: -Self.century.microseconds))
        for time in [Timestamp.Interval.hours(12), .hours(13)] {
            clock.advance(time)
            uptime.advance(.microseconds(time.microseconds))
            try await store.tamper("SELECT 1")
        }
        #expect(store.clockDoubt == nil)
        #expect(try await rows(store) == [1, 0])
        try store.close()
    }

    @Test("nor by one that is wrong when the server starts, until it has stayed for an hour")
    func starting() async throws {
        let directory = try TemporaryDirectory()
        let clock = SetClock(Self.start.microseconds)
        let first = try SQLiteStore(directory: directory.path, clock: clock)
        try await fill(first, clock)
        try first.close()

        clock.advance(Self.century)
        let uptime = SetUptime()
        let second = try SQLiteStore(directory: directory.path, clock: clock, uptime: uptime.reading)
        try await second.tamper("SELECT 1")
        #expect(second.clockDoubt != nil)
        #expect(try await rows(second) == [1, 1])
        for minutes in [30, 30] as [Int64] {
            clock.advance(.seconds(60 * minutes))
            uptime.advance(.seconds(60 * minutes))
            try await second.tamper("SELECT 1")
        }
        #expect(second.clockDoubt == nil)
        #expect(try await rows(second) == [0, 0])
        try second.close()
    }

    @Test("beside other servers, a clock that differs from the database's ends nothing early and shortens nothing")
    func differentFromDatabase() async throws {
        let store = try SQLiteStore(directory: try TemporaryDirectory().path)
        let clock = SetClock(Self.start.advanced(by: .hours(2)).microseconds)
        let watch = ClockWatch(clock: clock, uptime: { .zero }, databaseTime: { _ throws(RepositoryError) in Self.start })
        let believes = { @Sendable () async throws in
            try await store.write { connection throws(RepositoryError) in try watch.believes(clock.now(), connection) }
        }
        #expect(try await !believes())
        #expect(watch.doubt == ClockDoubt(.differsFromDatabase, expected: Self.start, shown: clock.now()))
        let ahead = watch.judged(clock.now())
        #expect((ahead.end, ahead.begin, ahead.isTrusted) == (Self.start, clock.now(), false))
        // The first readings stay, so that the log has one line.
        clock.advance(.hours(-4))
        #expect(try await !believes())
        #expect(watch.doubt?.shown == Self.start.advanced(by: .hours(2)))
        let behind = watch.judged(clock.now())
        #expect((behind.end, behind.begin, behind.isTrusted) == (clock.now(), Self.start, false))
        clock.advance(.hours(2))
        #expect(try await believes())
        #expect(watch.doubt == nil)
        #expect(watch.judged(clock.now()).isTrusted)
        try store.close()
    }

    @Test("a clock that was away from the database's for hours, and is right again, is trusted at once")
    func backToDatabase() async throws {
        let store = try SQLiteStore(directory: try TemporaryDirectory().path)
        let database = SetClock(Self.start.microseconds), clock = SetClock(Self.start.microseconds), uptime = SetUptime()
        let watch = ClockWatch(clock: clock, uptime: uptime.reading, databaseTime: { _ throws(RepositoryError) in database.now() })
        let agrees = { @Sendable () async throws in
            try await store.write { connection throws(RepositoryError) in try watch.believes(clock.now(), connection) }
        }
        #expect(try await agrees())
        clock.advance(.days(200))
        // Before the next comparison, what cannot be undone makes one of its own.
        let judged = try await store.write { connection throws(RepositoryError) in try watch.judged(clock.now(), connection) }
        #expect((judged.end, judged.isTrusted) == (Self.start, false))
        for _ in 0..<4 {
            for each in [database, clock] { each.advance(.hours(1)) }
            uptime.advance(.seconds(3_600))
            // The expected time goes on with the uptime.
            #expect(watch.judged(clock.now()).end == database.now())
            #expect(try await !agrees())
        }
        clock.advance(.days(-200))
        #expect(watch.judged(clock.now()).begin == database.now())
        #expect(try await agrees())
        #expect(watch.judged(clock.now()).isTrusted && watch.doubt == nil)
        try store.close()
    }
}
