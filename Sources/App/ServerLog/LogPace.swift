import Synchronization

/// How often the log may say the same thing, so that nobody can fill the disk with one line.
///
/// Each reason may be said ``burst`` times at once and then once a second. What is left out is counted. The next line of that reason says the count,
/// or a line of its own after ``tellAfter``.
public final class LogPace: Sendable {
    /// Lines of one reason that may come at once.
    public static let burst = 10
    /// Between two lines of one reason in the long run.
    public static let interval = Duration.seconds(1)
    /// The longest wait before the count of left-out lines is said.
    public static let tellAfter = Duration.seconds(10)
    /// Reasons that are counted apart; what comes beyond them counts as one.
    static let mostReasons = 256

    private struct Reason {
        /// When the lines that it has had are paid for.
        var paidAt: ContinuousClock.Instant
        var leftOut = 0
    }

    private let reasons = Mutex<[String: Reason]>([:])

    public init() {}

    /// What becomes of a line.
    public enum Verdict: Sendable, Hashable {
        /// It is written, with how many like it were left out before it.
        case written(leftOut: Int)
        /// It is left out; `isFirst` for the first since the last one was written.
        case leftOut(isFirst: Bool)
    }

    /// Counts a line.
    public func line(_ reason: String, at now: ContinuousClock.Instant) -> Verdict {
        reasons.withLock { reasons in
            if reasons[reason] == nil, reasons.count >= Self.mostReasons {
                reasons = reasons.filter { $0.value.leftOut > 0 || $0.value.paidAt > now }
            }
            let key = reasons[reason] != nil || reasons.count < Self.mostReasons ? reason : ""
            var entry = reasons[key] ?? Reason(paidAt: now)
            defer { reasons[key] = entry }
            guard entry.paidAt <= now.advanced(by: Self.interval * (Self.burst - 1)) else {
                entry.leftOut += 1
                return .leftOut(isFirst: entry.leftOut == 1)
            }
            defer { entry.leftOut = 0 }
            entry.paidAt = max(entry.paidAt, now).advanced(by: Self.interval)
            return .written(leftOut: entry.leftOut)
        }
    }

    /// How many lines of a reason were left out and not said yet; they count as said from now on.
    public func takeLeftOut(_ reason: String) -> Int {
        reasons.withLock { reasons in
            guard let count = reasons[reason]?.leftOut else { return 0 }
            reasons[reason]?.leftOut = 0
            return count
        }
    }

    /// The same for all reasons.
    public func takeLeftOut() -> [(reason: String, count: Int)] {
        reasons.withLock { reasons in
            let all = reasons.filter { $0.value.leftOut > 0 }.map { (reason: $0.key, count: $0.value.leftOut) }
            for each in all { reasons[each.reason]?.leftOut = 0 }
            return all.sorted { $0.reason < $1.reason }
        }
    }
}
