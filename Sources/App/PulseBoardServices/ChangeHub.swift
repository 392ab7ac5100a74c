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
        /// The topics whose many watchers are being woken, and whether they were announced again meanwhile.
        var waking: [WatchedTopic: Bool] = [:]
        var isFinished = false
    }

    /// How long a portion of watchers may take to run before the next one is woken. A user whose event loop's work takes long delays only its own
    /// watchers.
    static let standardPatience = Duration.milliseconds(5)

    private let state = Mutex(State())
    private let patience: Duration

    init(patience: Duration = standardPatience) { self.patience = patience }

    /// Raises a signal at every announcement of the topics, until the signal is removed.
    /// - Throws: `shuttingDown` after ``finish()``.
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
    /// - Parameter prepare: reads into memory what the woken watchers will look at. It is called before many watchers are woken, because otherwise
    ///   all of them would ask the store.
    func announce(_ topics: WatchedTopic..., prepare: (@Sendable () async -> Void)? = nil) {
        announce(topics, prepare: prepare)
    }

    /// The users that at least one watcher watches.
    var watchedUsers: [UserID] { Array(Set(state.withLock { $0.watchers.keys.compactMap(\.user) })) }

    /// Wakes all watchers of these users, because only the store knows what has changed.
    func announceAll(of users: [UserID]) {
        announce(users.flatMap { [.sessions(of: $0), .profile(of: $0), .follows(of: $0), .diary(of: $0)] })
    }

    func announce(_ topics: [WatchedTopic], prepare: (@Sendable () async -> Void)? = nil) {
        let woken: [(WatchedTopic, [WatchSignal])] = state.withLock { state in
            // Usually nobody watches. Then a follow costs only this check.
            guard !state.watchers.isEmpty else { return [] }
            return topics.compactMap { topic in state.watchers[topic].map { (topic, Array($0.values)) } }
        }
        guard woken.reduce(0, { $0 + $1.1.count }) > Self.wokenAtOnce else { return Self.raise(woken) }
        Task.detached { for (topic, _) in woken { await self.wakeInPortions(topic, prepare) } }
    }

    /// Wakes the watchers of a topic in portions. Announcements may come faster. So each topic has only one such round at a time.
    private func wakeInPortions(_ topic: WatchedTopic, _ prepare: (@Sendable () async -> Void)?) async {
        let isFirst = state.withLock { state in
            state.waking.updateValue(state.waking[topic] != nil, forKey: topic) == nil
        }
        guard isFirst else { return }
        repeat {
            await prepare?()
            let signals = state.withLock { state in
                state.waking[topic] = false
                return state.watchers[topic].map { Array($0.values) } ?? []
            }
            for start in stride(from: 0, to: signals.count, by: Self.wokenAtOnce) {
                let portion = WokenPortion()
                for signal in signals[start...].prefix(Self.wokenAtOnce) { signal.raise(topic.reasons, portion) }
                await portion.waitUntilAwake(atMost: patience)
            }
        } while state.withLock { state in
            if state.waking[topic] == true { return true }
            state.waking[topic] = nil
            return false
        }
    }

    /// Watchers that an announcement wakes at once. More are woken in portions, each when the watchers of the one before run. An event loop runs
    /// resumed tasks in their order, so thousands of watchers at once would delay everybody's calls.
    static let wokenAtOnce = 64

    private static func raise(_ woken: [(WatchedTopic, [WatchSignal])]) {
        for (topic, signals) in woken {
            for signal in signals { signal.raise(topic.reasons) }
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

    /// What its watchers look at.
    fileprivate var reasons: WatchSignal.Reasons {
        switch self {
        case .session, .sessions: .session
        case .profile, .follows, .diary: .change
        }
    }
}

/// Some watchers that are woken together. It tells when all of them run.
final class WokenPortion: Sendable {
    private struct State {
        /// The watchers that were resumed and do not run yet. One more stands for the task that wakes them.
        var asleep = 1
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Counts a watcher that is about to be resumed.
    func add() { state.withLock { $0.asleep += 1 } }

    /// A watcher runs.
    func leave() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.asleep -= 1
            return state.asleep == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Waits until all of them run, or for a time. Call it once, after the last was woken.
    func waitUntilAwake(atMost patience: Duration) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiter = continuation }
            leave()
            guard state.withLock({ $0.waiter != nil }) else { return }
            Task {
                try? await Task.sleep(for: patience)
                state.withLock { $0.waiter.take() }?.resume()
            }
        }
    }
}
