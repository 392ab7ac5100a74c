import Glibc

/// This machine's monotonic clock in nanoseconds. Every deadline and timer uses it.
public enum MonotonicClock {
    /// Nanoseconds since an arbitrary start (`CLOCK_MONOTONIC`). It is read through the vDSO, without a system call.
    public static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
