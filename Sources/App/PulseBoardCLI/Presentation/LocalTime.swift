import Foundation

/// The text of an instant in a person's time zone.
///
/// The instant is never changed (X9). The calendar computes its parts in the zone, and the offset is printed with them. So the text means the same
/// instant everywhere (B14).
struct LocalTime: Sendable {
    let timeZone: TimeZone

    /// For example `2026-11-21 19:49:01 +09:00`.
    func text(seconds: Int64) -> String {
        let instant = Date(timeIntervalSince1970: TimeInterval(seconds))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: instant)
        let offset = timeZone.secondsFromGMT(for: instant) / 60
        let sign = offset < 0 ? "-" : "+"
        return digits(parts.year, 4) + "-" + digits(parts.month, 2) + "-" + digits(parts.day, 2) + " "
            + digits(parts.hour, 2) + ":" + digits(parts.minute, 2) + ":" + digits(parts.second, 2) + " "
            + sign + digits(abs(offset) / 60, 2) + ":" + digits(abs(offset) % 60, 2)
    }

    private func digits(_ number: Int?, _ width: Int) -> String {
        let text = String(number ?? 0)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}

/// The text of an instant for programs.
enum UTCTime {
    /// RFC 3339 in UTC, for example `2026-11-21T10:49:01Z`.
    static func text(seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
