import PulseBoardDomain
import Synchronization

/// Live sessions by token, so that an authenticated call costs a look-up and no read of the store.
final class SessionCache: Sendable {
    typealias Ticket = ClockCache<String, Session>.Ticket

    private struct State {
        var sessions: ClockCache<String, Session>
        /// The token of each session in `sessions`, so that ending one does not look at them all.
        var tokens: [SessionID: String] = [:]
    }

    private let state: Mutex<State>

    init(capacity: Int) {
        state = Mutex(State(sessions: ClockCache(capacity: capacity)))
    }

    func session(token: String) -> Session? { state.withLock { $0.sessions.value(for: token) } }

    /// To be drawn before the store is asked.
    func ticket() -> Ticket { state.withLock { $0.sessions.ticket } }

    /// Keeps what the store answered, unless a session was ended since the ticket was drawn.
    func fill(_ session: Session, token: String, ticket: Ticket) {
        state.withLock { state in
            let (isKept, evicted) = state.sessions.fill(session, for: token, ticket: ticket)
            if isKept { state.tokens[session.id] = token }
            if let evicted { state.tokens[evicted.id] = nil }
        }
    }

    /// Forgets some sessions, and refuses every fill that is under way: it may be of one of them.
    func forget(_ ids: Set<SessionID>) {
        guard !ids.isEmpty else { return }
        state.withLock { state in
            state.sessions.refuseFills()
            for id in ids {
                if let token = state.tokens.removeValue(forKey: id) { state.sessions.invalidate(token) }
            }
        }
    }

    /// Forgets all sessions of a user. Looks at every entry: withdrawing is rare, finding a session is not.
    func forgetSessions(of user: UserID) {
        state.withLock { state in
            var ended: [SessionID] = []
            state.sessions.invalidate { session in
                guard session.userID == user else { return false }
                ended.append(session.id)
                return true
            }
            for id in ended { state.tokens[id] = nil }
        }
    }
}
