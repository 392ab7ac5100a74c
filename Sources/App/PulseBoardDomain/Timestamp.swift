#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An instant in UTC, counted in microseconds since 1970-01-01T00:00:00Z.
///
/// The application makes every instant and the store keeps the integer. Only a client converts it to local time (B14).
/// An instant is never shifted to another time zone (X9).
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Microseconds since the Unix epoch.
    public let microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// The instant `interval` later. At the ends of the range it saturates.
    public func advanced(by interval: Interval) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(interval.microseconds)
        guard overflow else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: interval.microseconds < 0 ? .min : .max)
    }

    /// A length of time in microseconds.
    public struct Interval: Hashable, Sendable {
        /// The length in microseconds. A negative length goes back in time.
        public let microseconds: Int64
        public init(microseconds: Int64) { self.microseconds = microseconds }
        /// `count` seconds.
        public static func seconds(_ count: Int64) -> Interval { Interval(microseconds: count * 1_000_000) }
        /// `count` hours of 3,600 seconds.
        public static func hours(_ count: Int64) -> Interval { .seconds(count * 3_600) }
        /// `count` days of 24 hours.
        public static func days(_ count: Int64) -> Interval { .hours(count * 24) }
    }
}

/// The time of day. It is injected, so that a test decides what time it is.
public protocol WallClock: Sendable {
    /// The present instant in UTC.
    func now() -> Timestamp
}

/// The machine's own clock (`CLOCK_REALTIME`).
public struct SystemWallClock: WallClock {
    /// The earliest time that the clock returns, 2026-01-01T00:00:00Z. A machine with an empty clock battery starts in 1970, and rows would keep that
    /// time.
    public static let earliest = Timestamp(microseconds: 1_767_225_600_000_000)

    public init() {}

    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Self.instant(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// Converts a clock's reading to an instant, never before ``earliest``.
    static func instant(seconds: Int64, nanoseconds: Int64) -> Timestamp {
        max(Timestamp(microseconds: seconds * 1_000_000 + nanoseconds / 1_000), earliest)
    }
}
