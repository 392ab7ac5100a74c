import Glibc
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardRPC
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore
import RPCServer
import SocketTransport
import Synchronization

/// What the admin service knows of this process and can ask of it.
///
/// The methods of a server are fixed before the server is made, and the admin service's are about that very server: it is
/// filled in here before it serves.
final class RunningServer: Sendable {
    /// Drains that clients ask for, each with its grace period.
    let drains: AsyncStream<Duration>
    private let drain: AsyncStream<Duration>.Continuation
    private let sockets: ServedSockets
    private let running = Mutex<Running?>(nil)
    private let startTime = SystemWallClock().now()
    private let start = ContinuousClock.now
    /// Counts all calls.
    let metrics = CallMetrics()

    private struct Running {
        let server: Server
        let store: any ServedStore
        let services: Services
        /// `nil` where the store cannot be copied.
        let backups: BackupService?
    }

    init(sockets: ServedSockets) {
        self.sockets = sockets
        (drains, drain) = AsyncStream.makeStream()
    }

    func begin(_ server: Server, _ store: any ServedStore, _ services: Services) {
        let backups = (store as? any CopyableStore).map { BackupService(store: $0, images: services.images) }
        running.withLock { $0 = Running(server: server, store: store, services: services, backups: backups) }
    }

    /// The admin service over this process, for the uids that its settings name.
    func administration(_ settings: DaemonSettings) -> AdminHandler {
        AdminHandler(
            adminUIDs: settings.adminUIDs, gracePeriod: settings.gracePeriod, report: { self.report() },
            drain: { self.drain.yield($0) }, backups: { self.running.withLock { $0?.backups } })
    }

    private func report() -> ServerReport {
        let running = running.withLock { $0 }
        let server = running?.server
        return ServerReport(
            version: pulseBoardVersion, pid: getpid(), startTime: startTime, uptime: start.duration(to: .now),
            connections: server?.connectionCount ?? 0, runningCalls: server?.runningCallCount ?? 0,
            isDraining: server?.isShuttingDown ?? false, socket: sockets.local.path, isSocketHandedOver: sockets.local.isInherited,
            remoteSocket: sockets.remote?.path, store: running?.store.kind ?? "",
            storeStatus: running?.store.status, caches: running?.services.cacheUsage ?? [],
            issuers: running?.services.identities.issuers ?? [],
            methods: metrics.current)
    }
}
