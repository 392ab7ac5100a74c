import Foundation
import ProtobufC

/// Instants in a person's time zone, by the proleptic Gregorian calendar of RFC 3339, which every other client uses too.
///
/// An instant is never changed (X9). Its parts are those of the zone, and the offset is printed with them. So the text means the same
/// instant everywhere (B14). Foundation knows the offsets of the zone; its calendar is Julian before 15 October 1582, so it is not used.
struct LocalTime: Sendable {
    let timeZone: TimeZone

    /// For example `2026-11-21 19:49:01 +09:00`. An instant outside the years 1 to 9999 becomes the nearest one inside.
    func text(seconds: Int64) -> String {
        let (days, second) = local(seconds)
        let date = CivilTime.date(daysSince1970: days)
        let offset = offset(at: seconds.inTimestamps) / 60
        let sign = offset < 0 ? "-" : "+"
        return digits(date.year, 4) + "-" + digits(date.month, 2) + "-" + digits(date.day, 2) + " "
            + digits(second / 3600, 2) + ":" + digits(second / 60 % 60, 2) + ":" + digits(second % 60, 2) + " "
            + sign + digits(abs(offset) / 60, 2) + ":" + digits(abs(offset) % 60, 2)
    }

    /// The local day of an instant, in days since 1970-01-01, and the seconds since its midnight.
    func local(_ seconds: Int64) -> (days: Int, second: Int) {
        let seconds = seconds.inTimestamps
        let local = Int(seconds) + offset(at: seconds)
        let second = (local % 86_400 + 86_400) % 86_400
        return ((local - second) / 86_400, second)
    }

    /// The instant of a local time, seconds since 1970; the earlier one if the clock shows the time twice, `nil` if it skips the time.
    func instant(days: Int, second: Int) -> Int64? {
        let local = Int64(days * 86_400 + second)
        let (before, after) = offsets(around: local)
        return [before, after].map { local - Int64($0) }.filter { $0 + Int64(offset(at: $0)) == local }.min()
    }

    /// The first instant of a local day, seconds since 1970.
    func start(ofDay days: Int) -> Int64 {
        if let midnight = instant(days: days, second: 0) { return midnight }
        // The clock skips midnight. The day begins where the offset changes.
        let local = Int64(days * 86_400)
        let (before, after) = offsets(around: local)
        var (last, first) = (local - Int64(after), local - Int64(before))
        while first - last > 1 {
            let middle = last + (first - last) / 2
            if offset(at: middle) == before { last = middle } else { first = middle }
        }
        return first
    }

    /// The offsets that a local time may have. No zone is more than 16 hours from UTC.
    private func offsets(around local: Int64) -> (before: Int, after: Int) { (offset(at: local - 57_600), offset(at: local + 57_600)) }

    private func offset(at seconds: Int64) -> Int { timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))) }

    private func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// The text of an instant for programs.
enum UTCTime {
    /// RFC 3339 in UTC, for example `2026-11-21T10:49:01Z`. An instant outside the years 1 to 9999 becomes the nearest one inside.
    static func text(seconds: Int64) -> String { CivilTime.timestampText(seconds: seconds.inTimestamps, nanos: 0) ?? "" }
}

extension Int64 {
    /// The nearest second that a `google.protobuf.Timestamp` may have.
    fileprivate var inTimestamps: Int64 { Swift.min(Swift.max(self, CivilTime.timestampSeconds.lowerBound), CivilTime.timestampSeconds.upperBound) }
}
