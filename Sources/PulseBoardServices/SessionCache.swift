import PulseBoardDomain

/// Live sessions by token, so that an authenticated call costs a look-up and no read of the store.
final class SessionCache: Sendable {
    private let cache: BoundedCache<String, Session>

    init(capacity: Int) {
        cache = BoundedCache(capacity: capacity)
    }

    func session(token: String) -> Session? { cache.value(for: token) }

    func ticket() -> BoundedCache<String, Session>.Ticket { cache.ticket() }

    func fill(_ session: Session, token: String, ticket: BoundedCache<String, Session>.Ticket) {
        cache.fill(session, for: token, ticket: ticket)
    }

    /// Forgets some sessions. Looks at every entry: ending a session is rare, finding one is not.
    func forget(_ ids: Set<SessionID>) {
        guard !ids.isEmpty else { return }
        cache.invalidate { ids.contains($0.id) }
    }

    /// Forgets all sessions of a user.
    func forgetSessions(of user: UserID) {
        cache.invalidate { $0.userID == user }
    }
}
