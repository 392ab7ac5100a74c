/// The JSON texts of `google.protobuf.Timestamp` and `Duration`, and the proleptic Gregorian calendar of RFC 3339 that they use.
package enum CivilTime {
    /// 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 1970-01-01T00:00:00Z.
    package static let timestampSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// About ±10,000 years, in seconds.
    static let durationSeconds: ClosedRange<Int64> = -315_576_000_000...315_576_000_000
    private static let nanosPerSecond: Int32 = 1_000_000_000

    /// `2026-01-31T12:00:00.500Z`; `nil` outside the years 1 to 9999, or for nanoseconds outside a second.
    package static func timestampText(seconds: Int64, nanos: Int32) -> String? {
        guard timestampSeconds.contains(seconds), (0..<nanosPerSecond).contains(nanos) else { return nil }
        let second = (Int(seconds) % 86_400 + 86_400) % 86_400
        let day = (Int(seconds) - second) / 86_400
        let (year, month, dayOfMonth) = date(daysSince1970: day)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        let time = "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(date)T\(time)\(fractionText(nanos))Z"
    }

    /// `-1.500s`; `nil` beyond 10,000 years, for mixed signs, or for nanoseconds outside a second.
    static func durationText(seconds: Int64, nanos: Int32) -> String? {
        guard isDuration(seconds: seconds, nanos: nanos) else { return nil }
        let sign = seconds < 0 || nanos < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude)\(fractionText(abs(nanos)))s"
    }

    static func isDuration(seconds: Int64, nanos: Int32) -> Bool {
        durationSeconds.contains(seconds) && (-nanosPerSecond + 1..<nanosPerSecond).contains(nanos)
            && (seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0))
    }

    /// Reads RFC 3339 with capital `T` and `Z`, a fraction of up to 9 digits, and any offset; `nil` for anything else.
    static func timestamp(_ text: String) -> (seconds: Int64, nanos: Int32)? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), scanner.take("-"),
            let day = scanner.number(2), scanner.take("T"), let hour = scanner.number(2), scanner.take(":"),
            let minute = scanner.number(2), scanner.take(":"), let second = scanner.number(2),
            let nanos = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd,
            year >= 1, (1...12).contains(month), day >= 1, day <= daysIn(month: month, of: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
        guard timestampSeconds.contains(seconds) else { return nil }
        return (seconds, nanos)
    }

    /// Reads seconds with `s`, a sign and a fraction of up to 9 digits; `nil` for anything else.
    static func duration(_ text: String) -> (seconds: Int64, nanos: Int32)? {
        var scanner = DigitScanner(text)
        let isNegative = scanner.take("-")
        guard let seconds = scanner.number(), let nanos = scanner.fraction(), scanner.take("s"), scanner.isAtEnd else {
            return nil
        }
        let result = isNegative ? (-Int64(seconds), -nanos) : (Int64(seconds), nanos)
        return isDuration(seconds: result.0, nanos: result.1) ? result : nil
    }

    /// A fraction with 0, 3, 6 or 9 digits, as few as possible.
    private static func fractionText(_ nanos: Int32) -> String {
        if nanos == 0 { return "" }
        if nanos % 1_000_000 == 0 { return "." + padded(Int(nanos) / 1_000_000, 3) }
        if nanos % 1_000 == 0 { return "." + padded(Int(nanos) / 1_000, 6) }
        return "." + padded(Int(nanos), 9)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The days of a month, 1 to 12.
    package static func daysIn(month: Int, of year: Int) -> Int {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days of the years 1 to `year` − 1 of the proleptic Gregorian calendar.
    private static func daysBefore(year: Int) -> Int {
        let past = year - 1
        return past * 365 + past / 4 - past / 100 + past / 400
    }

    private static let daysBefore1970 = daysBefore(year: 1970)

    /// The days from 1970-01-01 to a date of the year 1 or later.
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let monthDays = (1..<month).reduce(0) { $0 + daysIn(month: $1, of: year) }
        return daysBefore(year: year) + monthDays + day - 1 - daysBefore1970
    }

    /// The date of a day. Years before 1 are 0, -1 and so on.
    package static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        // The calendar repeats every 400 years.
        let sinceYear1 = days + daysBefore1970
        let era = (sinceYear1 - (sinceYear1 < 0 ? daysOfEra - 1 : 0)) / daysOfEra
        let day = sinceYear1 - era * daysOfEra
        // The mean year is 365.2425 days, so the estimate is at most one year off.
        var year = max(1, day * 400 / daysOfEra)
        while daysBefore(year: year + 1) <= day { year += 1 }
        var rest = day - daysBefore(year: year)
        var month = 1
        while rest >= daysIn(month: month, of: year) {
            rest -= daysIn(month: month, of: year)
            month += 1
        }
        return (year + era * 400, month, rest + 1)
    }

    /// The days of 400 years.
    private static let daysOfEra = 146_097
}

/// Reads digits and marks of a fixed text form.
private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of exactly `width` digits, or of 1 to 12 when no width is given.
    mutating func number(_ width: Int? = nil) -> Int? {
        let digits = rest.prefix(width ?? 13).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.count == width ?? min(max(digits.count, 1), 12) else { return nil }
        rest.removeFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Nanoseconds: none without a point, else from 1 to 9 digits.
    mutating func fraction() -> Int32? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...9).contains(digits.count), let value = number(digits.count) else { return nil }
        return Int32((digits.count..<9).reduce(value) { scaled, _ in scaled * 10 })
    }

    /// Seconds east of UTC: `Z`, `+HH:MM` or `-HH:MM`.
    mutating func offset() -> Int? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
