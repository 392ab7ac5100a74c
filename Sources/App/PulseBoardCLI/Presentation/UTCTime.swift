import Foundation

/// An instant as programs read it.
enum UTCTime {
    /// RFC 3339 in UTC, for example `2026-11-21T10:49:01Z`.
    static func text(seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
