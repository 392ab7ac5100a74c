import RPCServer
import ServiceLifecycle
import SocketTransport

/// Runs the server until a graceful shutdown is requested, then drains it.
struct ServerService: Service {
    let server: Server
    let sockets: ServedSockets
    /// The role of the gateway's socket.
    let remoteRole: ListenerRole
    /// Returns the present grace period of a signal.
    let gracePeriod: @Sendable () -> Duration
    /// Drains that clients have requested, each with its grace period.
    let requestedDrains: AsyncStream<Duration>
    /// Called when the end is requested, before the server waits for its running calls, with the time that they may take. It is called again for
    /// another request.
    let willEnd: @Sendable (Duration) -> Void
    /// Called when the server serves. Signals are handled by then, so a process that waits for the ready line may send a
    /// signal.
    let ready: @Sendable () -> Void

    /// An event that the service waits for.
    private enum Event: Sendable {
        /// A shutdown was requested, with this grace period.
        case endAskedFor(Duration, byClient: Bool)
        case ended
        /// The wait was cancelled, because the server has ended.
        case nothing
    }

    func run() async throws {
        server.start(on: sockets.local)
        if let remote = sockets.remote { server.start(on: remote, as: remoteRole) }
        ready()
        // There may be several requests to end. The earliest end counts, as in `Server.shutdown`.
        await withTaskGroup(of: Event.self) { events in
            events.addTask { await signal() }
            events.addTask { await drainRequest() }
            var end: ContinuousClock.Instant?
            for await event in events {
                switch event {
                case .endAskedFor(let period, let byClient):
                    let left = end.map { min(period, max(.zero, ContinuousClock.now.duration(to: $0))) } ?? period
                    end = ContinuousClock.now + left
                    willEnd(left)
                    events.addTask {
                        await server.shutdown(gracePeriod: period)
                        return .ended
                    }
                    if byClient { events.addTask { await drainRequest() } }
                case .ended: events.cancelAll()
                case .nothing: break
                }
            }
        }
    }

    private func signal() async -> Event {
        guard (try? await gracefulShutdown()) != nil else { return .nothing }
        return .endAskedFor(gracePeriod(), byClient: false)
    }

    private func drainRequest() async -> Event {
        guard let period = await requestedDrains.first(where: { _ in true }) else { return .nothing }
        return .endAskedFor(period, byClient: true)
    }
}

/// The sockets that this process serves.
struct ServedSockets: Sendable {
    /// The socket for local processes.
    let local: ListeningSocket
    /// The socket for a gateway.
    let remote: ListeningSocket?

    /// Takes the sockets that were handed over, and makes the other ones of the settings.
    /// - Throws: ``SocketError``, or the argument parser's `ValidationError` for options that contradict a socket that was handed over.
    init(_ settings: DaemonSettings, environment: [String: String]) throws {
        let handedOver = try ListeningSocket.handedOver(environment: environment)
        if let handedOver { try settings.check(agreesWith: handedOver) }
        let local = try handedOver?.local ?? ListeningSocket(path: settings.socketPath, mode: settings.socketMode)
        do {
            remote = try handedOver?.remote
                ?? settings.remoteSocketPath.map { try ListeningSocket(path: $0, mode: settings.chosenRemoteSocketMode ?? 0o600) }
        } catch {
            local.close()
            throw error
        }
        self.local = local
    }

    /// Whether another process holds one of the sockets. That process may have started this server before the former one has ended.
    var areInherited: Bool { local.isInherited || remote?.isInherited == true }

    /// Closes the sockets if no server has taken them.
    func close() {
        local.close()
        remote?.close()
    }

    /// The sockets in the ready line.
    var description: String {
        func text(_ socket: ListeningSocket) -> String { "socket \(socket.path)\(socket.isInherited ? " (handed over)" : "")" }
        return text(local) + (remote.map { ", remote \(text($0))" } ?? "")
    }
}
