import PulseBoardDomain
import Synchronization

/// Limits how often each user does something: at most `limit` times in any `interval`.
///
/// It is kept in memory, so a restart forgets it. Beyond its capacity it forgets users who have not called lately
/// (``ClockCache``).
final class CallRateLimiter<Key: Hashable & Sendable>: Sendable {
    private let limit: Int
    private let interval: Timestamp.Interval
    private let calls: Mutex<ClockCache<Key, [Timestamp]>>

    /// - Parameter capacity: the maximum number of users. Each takes up to `limit` instants of 8 bytes.
    init(limit: Int, in interval: Timestamp.Interval, capacity: Int) {
        self.limit = limit
        self.interval = interval
        calls = Mutex(ClockCache(capacity: capacity))
    }

    /// Counts a call.
    /// - Throws: `rateLimited` with the time until it is possible again. A refused call does not count.
    func admit(_ key: Key, at now: Timestamp) throws(RepositoryError) {
        let wait: Timestamp.Interval? = calls.withLock { calls in
            // An instant that is later than now is from before the clock was set back.
            let start = now.advanced(by: Timestamp.Interval(microseconds: -interval.microseconds))
            var recent = (calls.value(for: key) ?? []).filter { $0 > start && $0 <= now }
            guard recent.count < limit else {
                return Timestamp.Interval(microseconds: recent[recent.count - limit].microseconds - start.microseconds)
            }
            recent.append(now)
            _ = calls.insert(recent, for: key)
            return nil
        }
        if let wait { throw .rateLimited(retryAfter: wait) }
    }
}

/// A rate limit for each of many keys: so many a second, and four times as many at once.
///
/// When the table is full, keys whose whole burst is available again are forgotten.
final class SignInPace<Key: Hashable & Sendable>: Sendable {
    /// The size of a burst, in seconds of the rate.
    private static var burstSeconds: Int64 { 4 }
    /// How much earlier an instant may be than one that was already counted. Threads count at the same time, and a thread may wait after it has read
    /// the clock. If it is earlier by more, the clock was set back.
    private static var disorder: Timestamp.Interval { .seconds(10) }
    /// Maximum keys. One more is refused until another key is forgotten. An event occupies its key for 1/rate seconds. So the maximum is reached only
    /// at `maximumKeys` × rate events a second.
    private static var maximumKeys: Int { 32_768 }

    /// For each key, when its whole burst will be available again.
    private let fullAt = Mutex<[Key: Timestamp]>([:])

    /// Counts one event of a key.
    /// - Throws: `rateLimited` with the time to wait. Then nothing is counted.
    func count(_ key: Key, perSecond rate: Int, at now: Timestamp) throws(RepositoryError) {
        let step = Timestamp.Interval(microseconds: max(1, 1_000_000 / Int64(max(1, rate))))
        let burst = Timestamp.Interval(microseconds: Self.burstSeconds * 1_000_000)
        let wait = fullAt.withLock { fullAt -> Timestamp.Interval? in
            if fullAt.count >= Self.maximumKeys, fullAt[key] == nil {
                fullAt = fullAt.filter { $0.value > now }
                guard fullAt.count < Self.maximumKeys else { return .seconds(1) }
            }
            var full = max(fullAt[key] ?? now, now)
            // It is much further away than a whole burst only if the clock was set back.
            if full > now.advanced(by: burst).advanced(by: Self.disorder) { full = now }
            full = full.advanced(by: step)
            let excess = full.microseconds - now.advanced(by: burst).microseconds
            guard excess <= 0 else { return Timestamp.Interval(microseconds: excess) }
            fullAt[key] = full
            return nil
        }
        if let wait { throw .rateLimited(retryAfter: wait) }
    }
}
