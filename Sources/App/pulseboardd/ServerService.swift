import RPCServer
import ServiceLifecycle
import SocketTransport

/// Ties the server to the process's signals: serve until a graceful shutdown is asked for, then drain.
struct ServerService: Service {
    let server: Server
    let sockets: ServedSockets
    /// Whom the socket for a gateway lets in.
    let remoteRole: ListenerRole
    let gracePeriod: Duration
    /// Drains that clients have asked for, each with its grace period.
    let requestedDrains: AsyncStream<Duration>
    /// Called when the server serves. Signals are handled by then, so a process that waits for the ready line may send one.
    let ready: @Sendable () -> Void

    /// What the service waits for.
    private enum Event: Sendable {
        /// Somebody wants the server to end, with this grace period.
        case endAskedFor(Duration, byClient: Bool)
        case ended
        /// The wait was called off, because the server has ended.
        case nothing
    }

    func run() async throws {
        server.start(on: sockets.local)
        if let remote = sockets.remote { server.start(on: remote, as: remoteRole) }
        ready()
        // Several may ask for the end; the one that comes first counts.
        await withTaskGroup(of: Event.self) { events in
            events.addTask { await signal() }
            events.addTask { await drainRequest() }
            for await event in events {
                switch event {
                case .endAskedFor(let period, let byClient):
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
        return .endAskedFor(gracePeriod, byClient: false)
    }

    private func drainRequest() async -> Event {
        guard let period = await requestedDrains.first(where: { _ in true }) else { return .nothing }
        return .endAskedFor(period, byClient: true)
    }
}
