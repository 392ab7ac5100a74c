import PulseBoardDomain
import Synchronization

/// What somebody may be watching.
enum WatchedTopic: Hashable, Sendable {
    /// Whether one session lasts.
    case session(SessionID)
    /// Whether a user's sessions last.
    case sessions(of: UserID)
    case profile(of: UserID)
    case follows(of: UserID)
    case diary(of: UserID)
    /// Everybody's follows: a withdrawal concerns more users than are worth naming.
    case allFollows
}

/// Wakes the watchers of something, in this process, after the store has acknowledged a change of it.
///
/// It carries no data. A woken watcher asks the store, or the cache, for the present state, or for the events after a position. So many announcements
/// may become one without loss, and a slow watcher costs no memory. A watcher that subscribes before its first look at the store misses nothing.
final class ChangeHub: Sendable {
    private struct State {
        var watchers: [WatchedTopic: [ObjectIdentifier: WatchSignal]] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Wakes a signal with every announcement of the topics, until it is removed. - Throws: `shuttingDown` once finished.
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

    /// To be called after the store has acknowledged the change, and after caches have forgotten what it made stale.
    func announce(_ topics: WatchedTopic...) {
        announce(topics)
    }

    /// Users of whom somebody watches something.
    var watchedUsers: [UserID] { Array(Set(state.withLock { $0.watchers.keys.compactMap(\.user) })) }

    /// Wakes everybody who watches something of these users: what it was, only the store knows.
    func announceAll(of users: [UserID]) {
        announce(users.flatMap { [.sessions(of: $0), .profile(of: $0), .follows(of: $0), .diary(of: $0)] })
    }

    func announce(_ topics: [WatchedTopic]) {
        let woken: [(WatchedTopic, [WatchSignal])] = state.withLock { state in
            // Most of the time nobody watches, and a follow pays for no more than this.
            guard !state.watchers.isEmpty else { return [] }
            return topics.compactMap { topic in state.watchers[topic].map { (topic, Array($0.values)) } }
        }
        for (topic, signals) in woken {
            for signal in signals { signal.raise(topic.endsSessions ? .session : .change) }
        }
    }

    /// Ends every watch with `shuttingDown`, and every later one at once.
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

    /// Topics that somebody watches.
    var topicCount: Int { state.withLock { $0.watchers.count } }
}

extension WatchedTopic {
    /// Whom it is about; `nil` when it names nobody.
    fileprivate var user: UserID? {
        switch self {
        case .sessions(let user), .profile(let user), .follows(let user), .diary(let user): user
        case .session, .allFollows: nil
        }
    }

    fileprivate var endsSessions: Bool {
        switch self {
        case .session, .sessions: true
        case .profile, .follows, .diary, .allFollows: false
        }
    }
}
