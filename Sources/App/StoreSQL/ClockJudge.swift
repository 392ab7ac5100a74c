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

    private struct Reading: Sendable {
        let time: Timestamp
        let uptime: Duration

        /// Whether another reading is as expected from this one.
        func agrees(with other: Reading) -> Bool {
            let expected = time.advanced(by: Timestamp.Interval(microseconds: Int64((other.uptime - uptime) / .microseconds(1))))
            let (difference, overflow) = other.time.microseconds.subtractingReportingOverflow(expected.microseconds)
            return !overflow && difference.magnitude <= tolerance.microseconds.magnitude
        }
    }

    /// The last trusted reading.
    private var believed: Reading
    /// The first reading after the clock jumped; `nil` while the clock is trusted.
    private var suspected: Reading?

    /// - Parameters:
    ///   - last: a trusted time, shortly before `uptime`.
    ///   - uptime: a time on any monotonic clock.
    package init(last: Timestamp, uptime: Duration) {
        believed = Reading(time: last, uptime: uptime)
    }

    /// The jump of the clock; `nil` while the clock is trusted.
    package var jump: ClockJump? { suspected.map { ClockJump(from: believed.time, to: $0.time) } }

    /// The time to which the last trusted reading leads.
    package func expected(at uptime: Duration) -> Timestamp {
        believed.time.advanced(by: Timestamp.Interval(microseconds: Int64((uptime - believed.uptime) / .microseconds(1))))
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
        return true
    }
}

/// A caller's time, as the judge of the clock sees it. A clock that is wrong for a while must neither end nor shorten anything for good.
package struct JudgedTime: Sendable {
    /// The caller's time. It is what rows record.
    let stated: Timestamp
    /// What ended by this time may be removed, or given to somebody else. While the clock is not trusted, it is the caller's time or the one to which
    /// the last trusted time leads, whichever is earlier.
    let end: Timestamp
    /// When a period begins that must not be too short. While the clock is not trusted, it is the later one of the two.
    let begin: Timestamp
    /// Whether the clock is trusted now.
    let isTrusted: Bool
}
