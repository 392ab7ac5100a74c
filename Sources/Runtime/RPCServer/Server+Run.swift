import Logging
import RPCCore
import SocketTransport

extension Server {
    /// Serves a socket until the process is told to stop or the calling task is cancelled, then shuts down: a server program's whole life.
    ///
    /// For a program that has more to stop than its server, there are ``start(on:)`` and ``shutdown(gracePeriod:)``.
    /// - Parameters:
    ///   - signals: what tells it to stop; empty for nothing but the task's cancellation.
    ///   - gracePeriod: how long running calls may take to finish before they are cancelled.
    ///   - whenReady: called once, when the server serves and hears the signals.
    public func run(
        on socket: ListeningSocket, until signals: Set<ProcessSignal> = [.terminate, .interrupt],
        gracePeriod: Duration = .seconds(10), whenReady: () -> Void = {}
    ) async {
        let told = await ProcessSignals(signals)
        start(on: socket)
        shared.logger.info("serving", metadata: ["socket": "\(socket.path)"])
        whenReady()
        await told.next()
        shared.logger.info("stopping")
        await shutdown(gracePeriod: gracePeriod)
        // Another signal during the shutdown does not cut it short.
        withExtendedLifetime(told) {}
    }

    /// Makes the socket at a path, for this user alone, and serves it as ``run(on:until:gracePeriod:whenReady:)`` does.
    /// - Throws: ``SocketError`` when the socket cannot be had, for example because another server holds it; nothing was served then.
    public func run(
        socketPath: String, until signals: Set<ProcessSignal> = [.terminate, .interrupt],
        gracePeriod: Duration = .seconds(10), whenReady: () -> Void = {}
    ) async throws(SocketError) {
        await run(on: try ListeningSocket(path: socketPath), until: signals, gracePeriod: gracePeriod, whenReady: whenReady)
    }
}

/// Serves services at a path while `body` runs, then shuts the server down.
///
///     try await withServer(services: [Greeter()], socketPath: "/run/greeter.sock") { server in
///         try await doSomethingElse()
///     }
///
/// For tests of a service there is `withInProcessServer` in the module `RPCTesting`, which needs no path.
/// - Parameter gracePeriod: how long running calls may take to finish before they are cancelled.
/// - Throws: ``SocketError`` when the socket cannot be had; what `body` throws.
nonisolated(nonsending) public func withServer<Result>(
    services: [any RPCService], interceptors: [any ServerInterceptor] = [], logger: Logger = Logger(label: "rpc.server"), socketPath: String,
    gracePeriod: Duration = .seconds(10), _ body: nonisolated(nonsending) (Server) async throws -> Result
) async throws -> Result {
    let server = try Server(services: services, interceptors: interceptors, logger: logger)
    do {
        server.start(on: try ListeningSocket(path: socketPath))
        let result = try await body(server)
        await server.shutdown(gracePeriod: gracePeriod)
        return result
    } catch {
        await server.shutdown(gracePeriod: gracePeriod)
        throw error
    }
}
