import PulseBoardDomain
import Synchronization

/// A cache of live sessions by token. With it, authenticating a call needs no read of the store. It keeps the caller of each session.
///
/// A session that is being ended is not in the cache, from before its end is queued until the store has acknowledged it. Meanwhile the store is
/// asked.
final class SessionCache: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let sessions: WriteFence<SessionID>.Ticket
        fileprivate let users: WriteFence<UserID>.Ticket
        fileprivate let mark: Freshness.Mark
    }

    private struct Held {
        let caller: Caller
        let mark: Freshness.Mark
    }

    private struct State {
        var callers: ClockCache<SessionToken.Key, Held>
        /// The token of each session in `callers`, so that ending a session needs no search.
        var tokens: [SessionID: SessionToken.Key] = [:]
        /// Each user's sessions in `callers`.
        var sessions: [UserID: [SessionID]] = [:]
        var endings = WriteFence<SessionID>()
        var userEndings = WriteFence<UserID>()

        /// Removes a caller who is no longer in `callers` from the other two maps.
        mutating func forgetWays(to caller: Caller) {
            tokens[caller.sessionID] = nil
            sessions[caller.userID]?.removeAll { $0 == caller.sessionID }
            if sessions[caller.userID]?.isEmpty == true { sessions[caller.userID] = nil }
        }

        mutating func forget(_ id: SessionID) {
            guard let token = tokens[id], let caller = callers.remove(token)?.caller else { return }
            forgetWays(to: caller)
        }
    }

    private let state: Mutex<State>

    private let freshness: Freshness

    init(capacity: Int, freshness: Freshness = Freshness()) {
        self.freshness = freshness
        state = Mutex(State(callers: ClockCache(capacity: capacity)))
    }

    var usage: CacheUsage { state.withLock { $0.callers.usage("sessions") } }

    func caller(_ token: SessionToken.Key, _ consistency: Consistency) -> Caller? {
        state.withLock { state in
            guard let held = state.callers.value(for: token), freshness.admits(held.caller.userID, held.mark, consistency) else { return nil }
            state.callers.countHit()
            return held.caller
        }
    }

    /// Returns a ticket. Take it before you ask the store. It counts a miss.
    func ticket() -> Ticket {
        let mark = freshness.mark
        return state.withLock { state in
            state.callers.countMiss()
            return Ticket(sessions: state.endings.ticket, users: state.userEndings.ticket, mark: mark)
        }
    }

    /// Keeps a caller from the store, unless the session is being ended or may have been ended since the ticket.
    func fill(_ caller: Caller, token: SessionToken.Key, ticket: Ticket) {
        state.withLock { state in
            guard
                state.endings.admits(caller.sessionID, ticket.sessions), state.userEndings.admits(caller.userID, ticket.users)
            else { return }
            if let evicted = state.callers.insert(Held(caller: caller, mark: ticket.mark), for: token) { state.forgetWays(to: evicted.caller) }
            guard state.tokens.updateValue(token, forKey: caller.sessionID) == nil else { return }
            state.sessions[caller.userID, default: []].append(caller.sessionID)
        }
    }

    /// Forgets sessions that are about to be ended.
    func beginEnding(_ ids: [SessionID]) {
        state.withLock { state in
            for id in ids {
                state.endings.begin(id)
                state.forget(id)
            }
        }
    }

    /// Ends the block of ``beginEnding(_:)``: the end of the sessions was acknowledged, or it failed.
    func didEnd(_ ids: [SessionID]) {
        state.withLock { state in
            for id in ids { state.endings.end(id) }
        }
    }

    /// Forgets all sessions of a user, because they are about to be ended.
    func beginEndingSessions(of user: UserID) {
        state.withLock { state in
            state.userEndings.begin(user)
            for id in state.sessions[user] ?? [] { state.forget(id) }
        }
    }

    /// Ends the block of ``beginEndingSessions(of:)``: the end of the sessions was acknowledged, or it failed.
    func didEndSessions(of user: UserID) { state.withLock { $0.userEndings.end(user) } }

    /// The present number of sessions.
    var count: Int { state.withLock { $0.callers.count } }
}

/// The sessions that a sign-in ends to make room. The store names them while it writes.
final class DisplacedSessions: Sendable {
    private let cache: SessionCache
    private let ids = Mutex<[SessionID]>([])

    init(_ cache: SessionCache) { self.cache = cache }

    /// Called before their end is durable, and again if the write is repeated.
    func begin(_ ended: [SessionID]) {
        guard !ended.isEmpty else { return }
        cache.beginEnding(ended)
        ids.withLock { $0 += ended }
    }

    /// Called after the write was acknowledged or failed.
    func end() { cache.didEnd(ids.withLock { $0 }) }
}
