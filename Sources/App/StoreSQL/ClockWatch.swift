import PulseBoardDomain
import Synchronization

/// Decides whether a store's clock is trusted. While it is not, nothing that has expired is removed, and no period begins too early.
///
/// The clock is compared with the machine's uptime and with the last trusted time (``ClockJudge``). Where several servers use one database, it is
/// also compared with the database's clock. Otherwise a server whose clock is ahead would remove what the others still show.
package final class ClockWatch: Sendable {
    /// How far a server's clock may differ from the database's. Clocks that are set over the network differ by less than a second.
    static let tolerance = Timestamp.Interval.seconds(60)
    /// How long the stored trusted time is kept before a newer one replaces it.
    private static let markAge = Timestamp.Interval.hours(1)

    private struct State {
        var judge: ClockJudge?
        /// What is stored about the clock; `nil` if it must be read again.
        var marks: ClockMarks?
        /// The database's time and the uptime when they were last read, if the clock differed too much.
        var database: (time: Timestamp, uptime: Duration)?
        /// The first readings that differed too much.
        var difference: ClockDoubt?
    }

    let clock: any WallClock
    private let uptime: @Sendable () -> Duration
    private let databaseTime: (@Sendable (borrowing SQLConnection) throws(RepositoryError) -> Timestamp)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - uptime: a monotonic clock.
    ///   - marks: what earlier processes have stored about the clock.
    ///   - databaseTime: reads the database's clock; `nil` if the clock needs no comparison with it.
    package init(
        clock: any WallClock, uptime: @escaping @Sendable () -> Duration, marks: ClockMarks = ClockMarks(),
        databaseTime: (@Sendable (borrowing SQLConnection) throws(RepositoryError) -> Timestamp)? = nil
    ) {
        self.clock = clock
        self.uptime = uptime
        self.databaseTime = databaseTime
        state = Mutex(State(marks: marks))
    }

    /// Why the clock is not trusted; `nil` while it is.
    var doubt: ClockDoubt? { state.withLock { $0.judge?.doubt ?? $0.difference } }

    /// Called when a transaction has failed, because it may have stored marks.
    func forgetMarks() { state.withLock { $0.marks = nil } }

    /// Whether the clock is trusted, so that expired rows may be removed. Stores the time for the next process.
    /// - Parameter now: the clock's time, a moment ago.
    func believes(_ now: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        // A mark would mislead the other servers, whose clocks are right.
        guard try agreesWithDatabase(now, connection) else { return false }
        let isTrusted = trusts(now)
        let known = state.withLock { $0.marks }
        var marks = if let known { known } else { try ClockMarks(connection) }
        if !isTrusted {
            try marks.suspect(now, connection)
        } else if marks.suspected != nil || marks.trusted.map({ now >= $0.advanced(by: Self.markAge) || now < $0 }) ?? true {
            try marks.trust(now, connection)
        }
        state.withLock { $0.marks = marks }
        return isTrusted
    }

    /// Whether the clock agrees with the database's now, or needs no comparison.
    package func agreesWithDatabase(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        try agreesWithDatabase(clock.now(), connection)
    }

    private func agreesWithDatabase(_ before: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Bool {
        guard let databaseTime else { return true }
        let there = try databaseTime(connection)
        let uptime = uptime()
        // The answer may have taken a while. Then the database's clock was read at any time between the two.
        let after = max(before, clock.now())
        let here = min(max(there, before), after)
        let agrees = (there.microseconds - here.microseconds).magnitude <= Self.tolerance.microseconds.magnitude
        state.withLock { state in
            state.database = agrees ? nil : (there, uptime)
            state.difference = agrees ? nil : state.difference ?? ClockDoubt(.differsFromDatabase, expected: there, shown: here)
        }
        return agrees
    }

    /// Whether the clock agrees with uptime and the last trusted time now. The judgement of the last step may be a minute old, and the clock may have
    /// jumped since. It stores nothing.
    private func trusts(_ now: Timestamp) -> Bool {
        let uptime = uptime()
        return state.withLock { state in
            var judge = state.judge ?? ClockJudge(after: state.marks ?? ClockMarks(), now: now, uptime: uptime)
            defer { state.judge = judge }
            return judge.believes(now, uptime: uptime)
        }
    }

    /// Judges a caller's time for what cannot be undone: first the clock is compared with the database's.
    func judged(_ time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) -> JudgedTime {
        _ = try agreesWithDatabase(connection)
        return judged(time)
    }

    /// Judges a caller's time, for a decision about something that ends.
    ///
    /// If the clock is ahead, something would end too early and for good. If it is behind, a period that begins now would be over once the clock is
    /// right again. The caller has read its time a moment ago: if the clock was ahead then and is right now, the present time counts.
    func judged(_ time: Timestamp) -> JudgedTime {
        let now = clock.now()
        let database = state.withLock { $0.database }
        // A clock that differs from the database's is not shown to the judge, who would get used to it.
        if database == nil, trusts(now) {
            return JudgedTime(trusted: time <= now.advanced(by: ClockJudge.tolerance) ? time : now)
        }
        let uptime = uptime()
        let judge = state.withLock { $0.judge }
        let there = database.map { $0.time.advanced(by: Timestamp.Interval(uptime - $0.uptime)) }
        let expected = there ?? judge?.expected(at: uptime) ?? time
        let likely = there ?? judge?.likely(time, at: uptime) ?? time
        return JudgedTime(stated: time, likely: likely, end: min(time, expected), begin: max(time, expected), isTrusted: false)
    }
}
