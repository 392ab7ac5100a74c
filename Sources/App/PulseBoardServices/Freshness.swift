import PulseBoardDomain
import Synchronization

/// Decides whether an answer in memory may be given while other servers write to the same store.
///
/// Whoever keeps an answer draws a mark before the store is asked. What others change afterwards makes every answer with an earlier mark a thing of the
/// past, so nothing has to be looked for and removed. When it is not known what others have changed for a second, memory answers nobody.
final class Freshness: Sendable {
    /// Proof of when a read of the store began.
    struct Mark: Sendable {
        fileprivate let time: UInt64
    }

    private struct State {
        /// Counts the times that something was forgotten.
        var time: UInt64 = 0
        /// When each bucket last was.
        var forgotten = [UInt64](repeating: 0, count: UserBucket.count)
    }

    /// `nil` when this process has the store for itself: then every write is known here.
    private let store: (any SharedStore)?
    private let state = Mutex(State())

    init(_ store: (any SharedStore)? = nil) { self.store = store }

    /// To be drawn before the store is asked.
    var mark: Mark {
        guard store != nil else { return Mark(time: 0) }
        return Mark(time: state.withLock { $0.time })
    }

    /// Whether an answer about a user may be given that was asked for when the mark was drawn.
    func admits(_ user: UserID, _ mark: Mark, _ consistency: Consistency) -> Bool {
        guard let store else { return true }
        switch consistency {
        case .bounded: break
        case .after(let token): guard store.knowsChange(token.number, inBucket: token.bucket) else { return false }
        case .latest: return false
        }
        return store.isFresh && state.withLock { $0.forgotten[UserBucket.of(user)] <= mark.time }
    }

    /// Stands for every write of a user's profile and sessions that this server has acknowledged; `nil` where no other server could lack one.
    func token(after user: UserID) -> ConsistencyToken? {
        let bucket = UserBucket.of(user)
        return store.map { ConsistencyToken(bucket: bucket, number: $0.newestChange(inBucket: bucket)) }
    }

    /// Others have changed something of all users in these buckets.
    func forget(_ buckets: Set<Int>) {
        state.withLock { state in
            state.time += 1
            for bucket in buckets { state.forgotten[bucket] = state.time }
        }
    }
}
