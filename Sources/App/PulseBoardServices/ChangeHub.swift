import PulseBoardDomain
import Synchronization

/// What can be watched.
enum WatchedTopic: Hashable, Sendable {
    /// The end of one session.
    case session(SessionID)
    /// The end of all sessions of a user.
    case sessions(of: UserID)
    case profile(of: UserID)
    case follows(of: UserID)
    case diary(of: UserID)
}

/// Wakes the watchers in this process after the store has acknowledged a change.
///
/// An announcement carries no data. A woken watcher reads the present state, or the events after a position, from the store or a cache. So
/// announcements can be merged without loss, and a slow watcher costs no memory. A watcher that subscribes before it first reads the store misses
/// nothing.
final class ChangeHub: Sendable {
    private struct State {
        var watchers: [WatchedTopic: [ObjectIdentifier: WatchSignal]] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Raises a signal at every announcement of the topics, until the signal is removed. - Throws: `shuttingDown` after ``finish()``.
    func add(_ signal: WatchSignal, to topics: [WatchedTopic]) throws(RepositoryError) {
        let isFinished = state.withLock { state in
            guard !state.isFinished else { return true }
            for topic in topics { state.watchers[topic, default: [:]][ObjectIdentifier(signal)] = signal }
            return false
        }
        if isFinished { throw .shuttingDown }
    }

    func remove(_ signal: WatchSignal, from topics: [WatchedTopic]) {
        state.withLock { state in
            for topic in topics {
                state.watchers[topic]?[ObjectIdentifier(signal)] = nil
                if state.watchers[topic]?.isEmpty == true { state.watchers[topic] = nil }
            }
        }
    }

    /// Announces a change. Call it after the store has acknowledged the change and the caches have dropped stale values.
    func announce(_ topics: WatchedTopic...) {
        announce(topics)
    }

    /// The users that at least one watcher watches.
    var watchedUsers: [UserID] { Array(Set(state.withLock { $0.watchers.keys.compactMap(\.user) })) }

    /// Wakes all watchers of these users, because only the store knows what has changed.
    func announceAll(of users: [UserID]) {
        announce(users.flatMap { [.sessions(of: $0), .profile(of: $0), .follows(of: $0), .diary(of: $0)] })
    }

    func announce(_ topics: [WatchedTopic]) {
        let woken: [(WatchedTopic, [WatchSignal])] = state.withLock { state in
            // Usually nobody watches. Then a follow costs only this check.
            guard !state.watchers.isEmpty else { return [] }
            return topics.compactMap { topic in state.watchers[topic].map { (topic, Array($0.values)) } }
        }
        guard woken.reduce(0, { $0 + $1.1.count }) > Self.wokenAtOnce else { return Self.raise(woken) }
        Task.detached { Self.raise(woken) }
    }

    /// Watchers that an announcement wakes at once. To wake one takes microseconds, so more are woken on another thread: the caller may be an event
    /// loop.
    static let wokenAtOnce = 64

    private static func raise(_ woken: [(WatchedTopic, [WatchSignal])]) {
        for (topic, signals) in woken {
            for signal in signals { signal.raise(topic.endsSessions ? .session : .change) }
        }
    }

    /// Ends every watch with `shuttingDown`. A later watch ends at once.
    func finish() {
        let watchers = state.withLock { state in
            state.isFinished = true
            defer { state.watchers = [:] }
            return state.watchers
        }
        for signals in watchers.values {
            for signal in signals.values { signal.finish() }
        }
    }

    /// The number of watched topics.
    var topicCount: Int { state.withLock { $0.watchers.count } }
}

extension WatchedTopic {
    /// The topic's user; `nil` if it names none.
    fileprivate var user: UserID? {
        switch self {
        case .sessions(let user), .profile(let user), .follows(let user), .diary(let user): user
        case .session: nil
        }
    }

    fileprivate var endsSessions: Bool {
        switch self {
        case .session, .sessions: true
        case .profile, .follows, .diary: false
        }
    }
}
