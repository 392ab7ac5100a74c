import Synchronization

/// Limits how often the log repeats a line, so that nobody can fill the disk with it.
///
/// Each reason may be logged ``burst`` times at once and then once a second. Lines that are left out are counted. The count is in the next line of
/// that reason, or in a separate line after ``tellAfter``.
public final class LogPace: Sendable {
    /// Lines of one reason that may come at once.
    public static let burst = 10
    /// The average time between two lines of one reason.
    public static let interval = Duration.seconds(1)
    /// The longest wait before the count of left-out lines is logged.
    public static let tellAfter = Duration.seconds(10)
    /// Maximum reasons that are counted separately. All others count as one.
    static let mostReasons = 256

    private struct Reason {
        /// When the logged lines are within the average again.
        var paidAt: ContinuousClock.Instant
        var leftOut = 0
    }

    private let reasons = Mutex<[String: Reason]>([:])

    public init() {}

    /// The decision about a line.
    public enum Verdict: Sendable, Hashable {
        /// It is written. `leftOut` is how many lines of its reason were left out before it.
        case written(leftOut: Int)
        /// It is left out. `isFirst` is whether it is the first since a line was written.
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

    /// Takes the count of left-out lines of a reason that was not logged yet.
    public func takeLeftOut(_ reason: String) -> Int {
        reasons.withLock { reasons in
            guard let count = reasons[reason]?.leftOut else { return 0 }
            reasons[reason]?.leftOut = 0
            return count
        }
    }

    /// Takes the counts of all reasons.
    public func takeLeftOut() -> [(reason: String, count: Int)] {
        reasons.withLock { reasons in
            let all = reasons.filter { $0.value.leftOut > 0 }.map { (reason: $0.key, count: $0.value.leftOut) }
            for each in all { reasons[each.reason]?.leftOut = 0 }
            return all.sorted { $0.reason < $1.reason }
        }
    }
}
