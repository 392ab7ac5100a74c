import PulseBoardDomain
import Synchronization

/// Knows whether new connections are refused while others work, as when PostgreSQL has none left.
///
/// Then calls without a connection are refused, but the database can be reached, and health must not say otherwise. libpq does not tell this refusal
/// from others: its text is in the language of the server. So the proof is a transaction that began after the refusal and was made durable on an
/// older connection. A lost connection ends the proof, because the database may be gone now.
final class ConnectionShortage: Sendable {
    private struct State {
        /// The first refusal since a connection was made or lost.
        var refusal: ContinuousClock.Instant?
        var isProven = false
    }

    private let state = Mutex(State())

    /// Whether a refused connection says nothing about the database.
    var isProven: Bool { state.withLock { $0.isProven } }

    /// Records that a connection could not be made.
    func refused() { state.withLock { $0.refusal = $0.refusal ?? .now } }

    /// Records that a connection was lost.
    func lost() { state.withLock { $0 = State() } }

    /// Records a durable transaction.
    /// - Parameter begin: when it began.
    func worked(_ session: PostgreSQLSession, since begin: ContinuousClock.Instant) {
        let made = session.made
        state.withLock { state in
            guard let refusal = state.refusal else { return }
            if made > refusal { state = State() } else if begin > refusal { state.isProven = true }
        }
    }

    /// The error for health: a failure of a single call, if the database can be reached.
    func judged(_ error: RepositoryError) -> RepositoryError {
        guard case .storeUnavailable(.unreachable, let detail) = error, isProven else { return error }
        return .storeUnavailable(detail: detail)
    }
}
