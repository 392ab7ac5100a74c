import PulseBoardDomain
import Synchronization

/// Where a sign-in comes from, for counting how many do.
public enum SignInSource: Hashable, Sendable {
    /// From this process. Not counted.
    case inProcess
    /// A connection of this machine, by the uid that the kernel has proved. Those without a number are one.
    case uid(UInt32)
    /// One connection of a gateway, by its number.
    case connection(UInt64)
}

/// How often things may happen to each of many keys: so many a second, and four seconds' worth at once.
///
/// A key is forgotten once it has all its room again, so what is held are the keys of the last four seconds.
final class SignInPace<Key: Hashable & Sendable>: Sendable {
    /// What may come at once, in seconds' worth.
    private static var burstSeconds: Int64 { 4 }
    /// Most keys. One more is refused until one has all its room again. The server has fewer connections (16,384 of gateways).
    private static var maximumKeys: Int { 32_768 }

    /// For each key, the instant at which it will have all its room again.
    private let fullAt = Mutex<[Key: Timestamp]>([:])

    /// Counts one more of a key.
    /// - Throws: `rateLimited` with the time until there is room for it; nothing is counted then.
    func count(_ key: Key, perSecond rate: Int, at now: Timestamp) throws(RepositoryError) {
        let step = Timestamp.Interval(microseconds: max(1, 1_000_000 / Int64(max(1, rate))))
        let burst = Timestamp.Interval(microseconds: Self.burstSeconds * 1_000_000)
        let wait = fullAt.withLock { fullAt -> Timestamp.Interval? in
            if fullAt.count >= Self.maximumKeys, fullAt[key] == nil {
                fullAt = fullAt.filter { $0.value > now }
                guard fullAt.count < Self.maximumKeys else { return .seconds(1) }
            }
            var full = max(fullAt[key] ?? now, now)
            // Further away than a burst it is only because the clock was set back.
            if full > now.advanced(by: burst) { full = now }
            full = full.advanced(by: step)
            let excess = full.microseconds - now.advanced(by: burst).microseconds
            guard excess <= 0 else { return Timestamp.Interval(microseconds: excess) }
            fullAt[key] = full
            return nil
        }
        if let wait { throw .rateLimited(retryAfter: wait) }
    }
}
