#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
