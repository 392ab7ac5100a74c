#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells the time of day; injected, so that a test decides what time it is.
public protocol WallClock: Sendable {
    /// The present instant in UTC.
    func now() -> Timestamp
}

/// The machine's own clock (`CLOCK_REALTIME`).
public struct SystemWallClock: WallClock {
    public init() {}

    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
