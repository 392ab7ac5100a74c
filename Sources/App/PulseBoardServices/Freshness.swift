import PulseBoardDomain
import Synchronization

/// Decides whether a cached answer may be given while other servers write to the same store.
///
/// A task takes a mark before it asks the store, and keeps the mark with the answer. A later change by another server makes every answer with an
/// earlier mark stale, so no entry has to be searched and removed. If the changes by others were unknown for a second, memory gives no answers.
final class Freshness: Sendable {
    /// Proof of when a read of the store began.
    struct Mark: Sendable {
        fileprivate let time: UInt64
    }

    private struct State {
        /// Counts the calls of ``forget(_:)``.
        var time: UInt64 = 0
        /// The count at which each bucket was last forgotten.
        var forgotten = [UInt64](repeating: 0, count: UserBucket.count)
    }

    /// `nil` when no other process uses the store. Then this process knows every write.
    private let store: (any SharedStore)?
    private let state = Mutex(State())

    init(_ store: (any SharedStore)? = nil) { self.store = store }

    /// Whether no other process can use the store. Then nothing in memory is ever old.
    var isExclusive: Bool { store == nil }

    /// The present mark. Take it before you ask the store.
    var mark: Mark {
        guard store != nil else { return Mark(time: 0) }
        return Mark(time: state.withLock { $0.time })
    }

    /// Whether an answer about a user with this mark may be given.
    func admits(_ user: UserID, _ mark: Mark, _ consistency: Consistency) -> Bool {
        guard let store else { return true }
        switch consistency {
        case .bounded: break
        case .after(let token): guard store.knowsChange(token.number, inBucket: token.bucket) else { return false }
        case .latest: return false
        }
        return store.isFresh && state.withLock { $0.forgotten[UserBucket.of(user)] <= mark.time }
    }

    /// Makes a token for all writes of a user's profile and sessions that this server has acknowledged; `nil` when no other server shares the
    /// store.
    func token(after user: UserID) -> ConsistencyToken? {
        let bucket = UserBucket.of(user)
        return store.map { ConsistencyToken(bucket: bucket, number: $0.newestChange(inBucket: bucket)) }
    }

    /// Makes the answers about users in these buckets stale: other servers have changed some of them.
    func forget(_ buckets: Set<Int>) {
        state.withLock { state in
            state.time += 1
            for bucket in buckets { state.forgotten[bucket] = state.time }
        }
    }
}
