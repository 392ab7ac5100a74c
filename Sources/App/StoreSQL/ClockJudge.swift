import PulseBoardDomain

/// Decides whether the wall clock can be trusted, before anything is removed for good.
///
/// Otherwise a clock that was wrong for a minute would end every session. The clock is trusted while it advances like the machine's uptime. It is
/// compared with the last trusted time, also across restarts. If it is more than a day off, it is not trusted until it is back, or has kept the new
/// time for an hour.
package struct ClockJudge: Sendable {
    /// How far the clock may be off.
    package static let tolerance = Timestamp.Interval.days(1)
    /// How long a clock must stay at the time to which it jumped.
    package static let probation = Duration.seconds(3_600)
    /// How long after a suspicion another process may confirm it. A clock that is wrong for a while is usually wrong by years.
    package static let confirmation = Timestamp.Interval.days(30)

    private struct Reading: Sendable {
        let time: Timestamp
        let uptime: Duration

        /// Whether another reading is as expected from this one.
        func agrees(with other: Reading) -> Bool {
            let expected = time.advanced(by: Timestamp.Interval(other.uptime - uptime))
            let (difference, overflow) = other.time.microseconds.subtractingReportingOverflow(expected.microseconds)
            return !overflow && difference.magnitude <= tolerance.microseconds.magnitude
        }
    }

    /// The last trusted reading.
    private var believed: Reading
    /// The first reading after the clock jumped; `nil` while the clock is trusted.
    private var suspected: Reading?
    /// Whether a reading of this process was trusted.
    private var hasBelieved = false

    /// - Parameters:
    ///   - last: a trusted time, shortly before `uptime`.
    ///   - uptime: a time on any monotonic clock.
    package init(last: Timestamp, uptime: Duration) {
        believed = Reading(time: last, uptime: uptime)
    }

    /// A judge for a new process.
    ///
    /// A server that was off for more than a day may never run for an hour. So a new process trusts its clock at once in one case: an earlier process
    /// has seen the clock jump, and the clock is now between one hour and ``confirmation`` later than the time to which it jumped.
    package init(after marks: ClockMarks, now: Timestamp, uptime: Duration) {
        let hour = Timestamp.Interval(Self.probation)
        let isConfirmed = marks.suspected.map { now >= $0.advanced(by: hour) && now <= $0.advanced(by: Self.confirmation) } ?? false
        self.init(last: isConfirmed ? now : marks.trusted ?? now, uptime: uptime)
    }

    /// The jump of the clock; `nil` while the clock is trusted.
    package var doubt: ClockDoubt? { suspected.map { ClockDoubt(.jumped, expected: believed.time, shown: $0.time) } }

    /// The time to which the last trusted reading leads.
    package func expected(at uptime: Duration) -> Timestamp {
        believed.time.advanced(by: Timestamp.Interval(uptime - believed.uptime))
    }

    /// The most probable time, if a clock that is not trusted shows `stated`.
    ///
    /// A server that was off for days, or whose database was restored from a copy, finds an old trusted time at its start. Its clock is then
    /// probably right. Otherwise the last trusted time says more.
    package func likely(_ stated: Timestamp, at uptime: Duration) -> Timestamp {
        let expected = expected(at: uptime)
        return !hasBelieved && stated >= expected && stated <= expected.advanced(by: Self.confirmation) ? stated : expected
    }

    /// Whether the clock can be trusted.
    package mutating func believes(_ time: Timestamp, uptime: Duration) -> Bool {
        let reading = Reading(time: time, uptime: uptime)
        if !believed.agrees(with: reading) {
            guard let suspected, suspected.agrees(with: reading) else {
                self.suspected = reading
                return false
            }
            guard uptime - suspected.uptime >= Self.probation else { return false }
        }
        believed = reading
        suspected = nil
        hasBelieved = true
        return true
    }
}

/// A caller's time, as the judge of the clock sees it. A clock that is wrong for a while must neither end nor shorten anything for good.
package struct JudgedTime: Sendable {
    /// The caller's time. If it was read while the clock was ahead, and the clock is right now, it is the present time.
    let stated: Timestamp
    /// What the time probably is, for what stays: times of profiles and follows, and stamps of diaries. While the clock is not trusted, it is the
    /// time of ``ClockJudge/likely(_:at:)``, or the database's.
    let likely: Timestamp
    /// What ended by this time may be removed, or given to somebody else. While the clock is not trusted, it is the caller's time or the one to which
    /// the last trusted time leads, whichever is earlier.
    let end: Timestamp
    /// When a period begins that must not be too short. While the clock is not trusted, it is the later one of the two.
    let begin: Timestamp
    /// Whether the clock is trusted now.
    let isTrusted: Bool
}

extension JudgedTime {
    /// A time that was read from a trusted clock, or judged before it was stored.
    init(trusted time: Timestamp) { self.init(stated: time, likely: time, end: time, begin: time, isTrusted: true) }
}

/// What earlier processes have stored about the clock.
package struct ClockMarks: Sendable {
    private static let trustedName = "clock-believed"
    private static let suspectedName = "clock-suspected"

    /// The last time at which the clock was trusted.
    var trusted: Timestamp?
    /// The time to which the clock has jumped since, if it has.
    var suspected: Timestamp?

    /// A database without marks.
    package init() {}

    package init(_ connection: borrowing SQLConnection) throws(RepositoryError) {
        trusted = try Self.stored(Self.trustedName, connection)
        suspected = try Self.stored(Self.suspectedName, connection)
    }

    private static func stored(_ name: String, _ connection: borrowing SQLConnection) throws(RepositoryError) -> Timestamp? {
        var statement = try connection.statement("SELECT instant FROM marked_time WHERE name = ?")
        try statement.bind(name)
        return try statement.step() ? statement.time(0) : nil
    }

    /// Stores a trusted time. A suspicion ends with it.
    mutating func trust(_ time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        try Self.store(time, Self.trustedName, connection)
        trusted = time
        var removal = try connection.statement("DELETE FROM marked_time WHERE name = ?")
        try removal.bind(Self.suspectedName)
        try removal.run()
        suspected = nil
    }

    /// Stores the time to which the clock has jumped, unless the stored one leads to it.
    mutating func suspect(_ time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        if let suspected, suspected <= time, time <= suspected.advanced(by: ClockJudge.confirmation) { return }
        try Self.store(time, Self.suspectedName, connection)
        suspected = time
    }

    private static func store(_ time: Timestamp, _ name: String, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(
            "INSERT INTO marked_time (name, instant) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET instant = excluded.instant")
        try statement.bind(name)
        try statement.bind(time)
        try statement.run()
    }
}

extension Timestamp.Interval {
    /// A duration of a monotonic clock.
    package init(_ duration: Duration) { self.init(microseconds: Int64(duration / .microseconds(1))) }
}
