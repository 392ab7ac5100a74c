import RPCServer
import ServiceLifecycle

/// Ties a running server to the process's signals: serve until a graceful shutdown is asked for, then drain.
struct ServerService: Service {
    let server: Server
    let gracePeriod: Duration

    func run() async throws {
        try await gracefulShutdown()
        await server.shutdown(gracePeriod: gracePeriod)
    }
}
