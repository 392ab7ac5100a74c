import Glibc

/// This machine's monotonic clock in nanoseconds: the time base of every deadline and timer.
public enum MonotonicClock {
    /// Nanoseconds since an arbitrary start (`CLOCK_MONOTONIC`). About 20 ns through the vDSO.
    public static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
