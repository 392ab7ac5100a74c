import PulseBoardDomain
import StoreSQL
import Synchronization

/// Whether the database can be reached, as known to all connections of a server.
///
/// A silent database costs each caller five seconds, and three more to learn that a new connection is not answered either. So what one connection
/// finds out counts for all. While the database cannot be reached, one caller at a time tries to connect. All others are refused at once.
final class Reachability: Sendable {
    /// The pause between two failed tries of callers.
    private static let pause = Duration.milliseconds(250)
    /// After this many failures in a row the database counts as out of reach. A single failure may be a connection that broke.
    private static let patience = 3

    private struct State {
        /// Why the last try failed; `nil` if it succeeded.
        var failure: PostgreSQLFailure?
        var failures = 0
        var isTried = false
        var nextTry = ContinuousClock.now
    }

    /// When a write was last durable, on any connection.
    private let lastCommit = Mutex<ContinuousClock.Instant?>(nil)
    /// How long the server may be silent on a connection.
    private let silence: Duration

    private let make: @Sendable () throws(PostgreSQLFailure) -> PostgreSQLSession
    /// Whether an open connection may still be used.
    let accepts: @Sendable (PostgreSQLSession) -> Bool
    private let health: StoreHealth
    private let state = Mutex(State())

    /// - Parameters:
    ///   - health: learns of a silent server before a call is refused.
    ///   - silence: how long the server may be silent on a connection.
    ///   - accepts: whether an open connection may still be used.
    ///   - make: opens a connection.
    init(
        _ health: StoreHealth, silence: Duration = PostgreSQLStore.silence, accepts: @escaping @Sendable (PostgreSQLSession) -> Bool = { _ in true },
        _ make: @escaping @Sendable () throws(PostgreSQLFailure) -> PostgreSQLSession
    ) {
        self.health = health
        self.silence = silence
        self.accepts = accepts
        self.make = make
    }

    /// Opens a connection for calls.
    /// - Throws: at once, if the database is out of reach and another caller tries to connect, or has just tried.
    func connect() throws(PostgreSQLFailure) -> PostgreSQLSession {
        let refusal = state.withLock { state -> PostgreSQLFailure? in
            guard let failure = state.failure, state.failures >= Self.patience else { return nil }
            guard !state.isTried, state.nextTry <= .now else { return failure }
            state.isTried = true
            return nil
        }
        if let refusal { throw refusal }
        return try connectInAnyCase()
    }

    /// Opens a connection for threads without calls. They wait until the database is back.
    func connectInAnyCase() throws(PostgreSQLFailure) -> PostgreSQLSession {
        do throws(PostgreSQLFailure) {
            let made = try make()
            state.withLock { $0 = State() }
            return made
        } catch {
            state.withLock { $0 = State(failure: error, failures: $0.failures + 1, nextTry: .now + Self.pause) }
            throw error
        }
    }

    /// Notes that a write is durable.
    func noteCommit() { lastCommit.withLock { $0 = .now } }

    /// Reports that a connection was closed because the server was silent. If another connection has made a write durable meanwhile, the server is
    /// there, and only one statement took long.
    func wasSilent() {
        if let last = lastCommit.withLock({ $0 }), .now - last < silence { return }
        let failure = PostgreSQLFailure.lost(detail: "the server does not answer")
        state.withLock { state in
            if state.failures < Self.patience { state = State(failure: failure, failures: Self.patience) }
        }
        health.note(failure.error, count: 0)
    }
}

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
