import PulseBoardDomain

/// Decides whether the wall clock may be believed before something is removed for good.
///
/// Otherwise a clock that was wrong for a minute would end every session. The clock is believed as long as it advances like the machine's uptime,
/// from the last instant at which it was believed, also by an earlier process. If it is more than a day off, it is not believed until it is back, or
/// has stayed for an hour.
struct ClockJudge: Sendable {
    /// How far the clock may be off.
    static let tolerance = Timestamp.Interval.days(1)
    /// How long a clock must stay at the time to which it jumped.
    static let probation = Duration.seconds(3_600)

    private struct Reading: Sendable {
        let time: Timestamp
        let uptime: Duration

        /// Whether another reading is what this one leads to expect.
        func agrees(with other: Reading) -> Bool {
            let expected = time.advanced(by: Timestamp.Interval(microseconds: Int64((other.uptime - uptime) / .microseconds(1))))
            let (difference, overflow) = other.time.microseconds.subtractingReportingOverflow(expected.microseconds)
            return !overflow && difference.magnitude <= tolerance.microseconds.magnitude
        }
    }

    /// The last one that was believed.
    private var believed: Reading
    /// The first one after the clock jumped; `nil` while it is believed.
    private var suspected: Reading?

    /// - Parameters:
    ///   - last: an instant at which the clock was believed, shortly before `uptime`.
    ///   - uptime: on any scale that advances with time.
    init(last: Timestamp, uptime: Duration) {
        believed = Reading(time: last, uptime: uptime)
    }

    /// From when to when the clock jumped, while it is not believed.
    var jump: ClockJump? { suspected.map { ClockJump(from: believed.time, to: $0.time) } }

    /// Whether the clock may be believed.
    mutating func believes(_ time: Timestamp, uptime: Duration) -> Bool {
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
