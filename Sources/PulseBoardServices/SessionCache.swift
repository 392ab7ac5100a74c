import PulseBoardDomain
import Synchronization

/// Live sessions by token, so that an authenticated call costs a look-up and no read of the store. Of each it keeps who it lets call.
final class SessionCache: Sendable {
    typealias Ticket = ClockCache<SessionToken.Key, Caller>.Ticket

    private struct State {
        var callers: ClockCache<SessionToken.Key, Caller>
        /// The token of each session in `callers`, so that ending one does not look at them all.
        var tokens: [SessionID: SessionToken.Key] = [:]
    }

    private let state: Mutex<State>

    init(capacity: Int) {
        state = Mutex(State(callers: ClockCache(capacity: capacity)))
    }

    var usage: CacheUsage { state.withLock { $0.callers.usage("sessions") } }

    func caller(_ token: SessionToken.Key) -> Caller? { state.withLock { $0.callers.value(for: token) } }

    /// To be drawn before the store is asked.
    func ticket() -> Ticket { state.withLock { $0.callers.ticket } }

    /// Keeps what the store answered, unless a session was ended since the ticket was drawn.
    func fill(_ caller: Caller, token: SessionToken.Key, ticket: Ticket) {
        state.withLock { state in
            let (isKept, evicted) = state.callers.fill(caller, for: token, ticket: ticket)
            if isKept { state.tokens[caller.sessionID] = token }
            if let evicted { state.tokens[evicted.sessionID] = nil }
        }
    }

    /// Forgets some sessions, and refuses every fill that is under way: it may be of one of them.
    func forget(_ ids: Set<SessionID>) {
        guard !ids.isEmpty else { return }
        state.withLock { state in
            state.callers.refuseFills()
            for id in ids {
                if let token = state.tokens.removeValue(forKey: id) { state.callers.invalidate(token) }
            }
        }
    }

    /// Forgets all sessions of a user. Looks at every entry: withdrawing is rare, finding a session is not.
    func forgetSessions(of user: UserID) {
        state.withLock { state in
            var ended: [SessionID] = []
            state.callers.invalidate { caller in
                guard caller.userID == user else { return false }
                ended.append(caller.sessionID)
                return true
            }
            for id in ended { state.tokens[id] = nil }
        }
    }
}
