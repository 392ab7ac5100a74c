/// An instant in UTC, counted in microseconds since 1970-01-01T00:00:00Z.
///
/// The application makes every instant, the store keeps the integer, and only a client turns it into local time
/// (B14): an instant is never shifted to mean another zone (X9).
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Microseconds since the Unix epoch.
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// The instant `interval` later; saturates at the ends of the range rather than trapping.
    public func advanced(by interval: Interval) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(interval.microseconds)
        guard overflow else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: interval.microseconds < 0 ? .min : .max)
    }

    /// A length of time in microseconds.
    public struct Interval: Hashable, Sendable {
        /// Negative for a length back in time.
        public let microseconds: Int64
        public init(microseconds: Int64) { self.microseconds = microseconds }
        /// So many seconds.
        public static func seconds(_ count: Int64) -> Interval { Interval(microseconds: count * 1_000_000) }
        /// So many hours of 3,600 seconds.
        public static func hours(_ count: Int64) -> Interval { .seconds(count * 3_600) }
        /// So many days of 24 hours.
        public static func days(_ count: Int64) -> Interval { .hours(count * 24) }
    }
}
