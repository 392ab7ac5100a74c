import FoundationEssentials
import Glibc
import IDTokens
import ProfileImages
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardRPC
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore
import RPCServer
import ServerLog
import SocketTransport
import Synchronization

/// The state and operations of this process for the admin service.
///
/// The methods of a server are fixed before the server exists, but the admin service's methods are about that server. So
/// the server is set here before it serves.
final class RunningServer: Sendable {
    /// Drains that clients request, each with its grace period.
    let drains: AsyncStream<Duration>
    private let drain: AsyncStream<Duration>.Continuation
    private let sockets: ServedSockets
    /// The absolute path.
    private let dataDirectory: String
    private let running = Mutex<Running?>(nil)
    private let startTime = SystemWallClock().now()
    private let start = ContinuousClock.now
    /// Counts all calls.
    let metrics = CallMetrics()
    private let log: ServerLog
    private let administrators = Mutex<Set<UInt32>>([])
    /// The settings of the start, or of the last reload.
    private let settings = Mutex<DaemonSettings?>(nil)

    private struct Running {
        let server: Server
        let store: any ServedStore
        let services: Services
        let images: ImageFolder
        let idTokens: ReplaceableIDTokens
        /// The backups; `nil` if the store cannot be copied.
        let backups: BackupService?
    }

    init(sockets: ServedSockets, dataDirectory: String, log: ServerLog) {
        self.sockets = sockets
        self.dataDirectory = dataDirectory
        self.log = log
        (drains, drain) = AsyncStream.makeStream()
    }

    func begin(_ server: Server, _ store: any ServedStore, _ services: Services, _ images: ImageFolder, _ idTokens: ReplaceableIDTokens) {
        let backups = (store as? any CopyableStore).map { BackupService(store: $0, images: services.images) }
        running.withLock { $0 = Running(server: server, store: store, services: services, images: images, idTokens: idTokens, backups: backups) }
    }

    /// Makes the admin service of this process, for the uids in the settings.
    func administration(_ settings: DaemonSettings) -> AdminHandler {
        administrators.withLock { $0 = settings.adminUIDs }
        self.settings.withLock { $0 = settings }
        return AdminHandler(
            administers: { uid in self.administrators.withLock { $0.contains(uid) } }, gracePeriod: { self.gracePeriod },
            summary: { self.summary() }, report: { self.report($0) }, drain: { self.drain.yield($0) },
            backups: { self.running.withLock { $0?.backups } },
            setLogLevel: { level in
                defer { self.log.level = level }
                return self.log.level
            })
    }

    /// How long running calls may take after a signal, or after a drain request that names no grace period.
    var gracePeriod: Duration { settings.withLock { $0?.gracePeriod } ?? .zero }

    /// Applies those of the new settings that can change while the server runs.
    /// - Returns: the names of the settings that changed.
    func reload(_ settings: DaemonSettings) -> [String] {
        log.level = settings.logLevel
        administrators.withLock { $0 = settings.adminUIDs }
        if let running = running.withLock({ $0 }) {
            running.services.auth.setTrustedUIDs(settings.services.trustedUIDs)
            running.services.setRules(usernames: settings.services.usernameRules, withdrawalGrace: settings.services.withdrawalGrace)
            running.store.setUsernamePolicy(settings.usernames)
            running.server.setLimits(settings.limits)
            // It is replaced even if its file has not changed, so that the key files are read again.
            running.idTokens.replace(by: settings.idTokens)
        }
        return self.settings.withLock { former in
            defer { former = settings }
            return former.map { settings.changes(since: $0, isReloadable: true) } ?? []
        }
    }

    /// The server's metrics as OpenMetrics text. Making it may wait for the disk of the database, so an event loop must not.
    func openMetrics() -> String { OpenMetricsText.text(of: report(summary())) }

    /// The present load. All of it is in memory.
    private func summary() -> ServerSummary {
        let running = running.withLock { $0 }
        return ServerSummary(
            version: pulseBoardVersion, pid: getpid(), store: running?.store.kind ?? "", connections: running?.server.connectionCount ?? 0,
            runningCalls: running?.server.runningCallCount ?? 0, methods: metrics.current)
    }

    /// Completes a summary. Of all disks it asks only that of the database. Those of the pictures, of the archive and of the issuers' keys may be
    /// elsewhere, and hang while the store works. What is known of them is in memory.
    private func report(_ summary: ServerSummary) -> ServerReport {
        let running = running.withLock { $0 }
        let server = running?.server
        var report = ServerReport(
            summary, startTime: startTime, uptime: start.duration(to: .now), isDraining: server?.isShuttingDown ?? false,
            socket: sockets.local.path, isSocketHandedOver: sockets.local.isInherited, remoteSocket: sockets.remote?.path,
            storeStatus: running?.store.status, caches: running?.services.cacheUsage ?? [],
            issuers: running?.services.identities.issuers ?? [], clientMemoryBytes: server?.heldByteCount ?? 0,
            process: ProcessFigures(startTime: startTime))
        report.users = server?.users ?? []
        report.refusals = server?.refusals ?? []
        report.loopTurns = server?.loopTurns ?? []
        report.uid = geteuid()
        report.dataDirectory = dataDirectory
        report.images = running?.images.status
        return report
    }
}

extension ProcessFigures {
    /// Reads the figures of this process.
    fileprivate init(startTime: Timestamp) {
        self.init()
        self.startTime = startTime
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            let times = [usage.ru_utime, usage.ru_stime].map { Int64($0.tv_sec) * 1_000_000 + Int64($0.tv_usec) }
            cpuTime = Timestamp.Interval(microseconds: times.reduce(0, +))
        }
        residentBytes = Int64(ProcessMemory.residentByteCount)
        openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { descriptorLimit = Int(clamping: limit.rlim_cur) }
    }
}
