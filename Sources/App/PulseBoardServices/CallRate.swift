import PulseBoardDomain
import Synchronization

/// Limits how often each user does something: at most `limit` times in any `interval`.
///
/// It is kept in memory, so a restart forgets it. Beyond its capacity it forgets users who have not called lately
/// (``ClockCache``).
final class CallRate<Key: Hashable & Sendable>: Sendable {
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
            // A later instant is from before the clock was set back.
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
