import PulseBoardDomain
import Synchronization

/// Live sessions by token, so that an authenticated call costs a look-up and no read of the store.
final class SessionCache: Sendable {
    private let cache: BoundedCache<String, Session>
    /// Tokens by session, so that signing out does not look at every entry. Only a short cut: a session that is missing here is
    /// searched for, and a token never belongs to another session, so an entry that is out of date does no harm.
    private let tokens = Mutex<[SessionID: String]>([:])

    init(capacity: Int) {
        cache = BoundedCache(capacity: capacity)
    }

    func session(token: String) -> Session? { cache.value(for: token) }

    func ticket() -> BoundedCache<String, Session>.Ticket { cache.ticket() }

    func fill(_ session: Session, token: String, ticket: BoundedCache<String, Session>.Ticket) {
        tokens.withLock { $0[session.id] = token }
        if let absent = cache.fill(session, for: token, ticket: ticket) {
            tokens.withLock { $0[absent.id] = nil }
        }
    }

    /// Forgets some sessions.
    func forget(_ ids: Set<SessionID>) {
        var unknown: Set<SessionID> = []
        for id in ids {
            if let token = tokens.withLock({ $0.removeValue(forKey: id) }) {
                cache.invalidate(token)
            } else {
                unknown.insert(id)
            }
        }
        guard !unknown.isEmpty else { return }
        cache.invalidate { unknown.contains($0.id) }
    }

    /// Forgets all sessions of a user.
    func forgetSessions(of user: UserID) {
        var ended: [SessionID] = []
        cache.invalidate { session in
            guard session.userID == user else { return false }
            ended.append(session.id)
            return true
        }
        tokens.withLock { tokens in for id in ended { tokens[id] = nil } }
    }
}
