import RPCServer
import ServiceLifecycle
import SocketTransport

/// Ties the server to the process's signals: serve until a graceful shutdown is asked for, then drain.
struct ServerService: Service {
    let server: Server
    let socket: ListeningSocket
    let gracePeriod: Duration
    /// Called when the shutdown begins, to end the calls that have no end of their own.
    let stopping: @Sendable () -> Void
    /// Called once the server serves. The signals are heard by then: whoever waits for the word may send one.
    let ready: @Sendable () -> Void

    func run() async throws {
        server.start(on: socket)
        ready()
        try await gracefulShutdown()
        stopping()
        await server.shutdown(gracePeriod: gracePeriod)
    }
}
