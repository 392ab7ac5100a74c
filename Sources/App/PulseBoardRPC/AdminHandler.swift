import Logging
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore
import RPCServer
import SocketTransport

/// The part of a ``ServerReport`` that is in memory: which process serves, and its load. Making it waits for nothing, so an event loop may.
public struct ServerSummary: Sendable {
    /// The program's version.
    public var version: String
    /// The process id.
    public var pid: Int32
    /// Kind and version of the store.
    public var store: String
    /// Open connections.
    public var connections: Int
    /// Calls whose handlers are running, including the call that asks.
    public var runningCalls: Int
    /// The figures of each method that was called, by `service/method`.
    public var methods: [String: CallMetrics.Figures]

    public init(version: String, pid: Int32, store: String, connections: Int, runningCalls: Int, methods: [String: CallMetrics.Figures]) {
        self.version = version
        self.pid = pid
        self.store = store
        self.connections = connections
        self.runningCalls = runningCalls
        self.methods = methods
    }
}

/// The state of the server's process at one instant. ``AdminHandler`` sends it.
public struct ServerReport: Sendable {
    public var summary: ServerSummary
    /// When the process began to serve.
    public var startTime: Timestamp
    /// The time since `startTime`, by a monotonic clock.
    public var uptime: Duration
    public var isDraining: Bool
    /// Path of the socket that is served.
    public var socket: String
    /// Where the server keeps its files, absolute.
    public var dataDirectory = ""
    public var isSocketHandedOver: Bool
    /// Path of the socket for a gateway; nil without one.
    public var remoteSocket: String?
    /// The status of the store; `nil` while it is unknown.
    public var storeStatus: StoreStatus?
    /// The status of the directory of pictures; `nil` without one.
    public var images: ImageDirectoryStatus?
    /// How the services' caches are used.
    public var caches: [CacheUsage]
    /// The state of the keys of the issuers of ID tokens.
    public var issuers: [IssuerStatus]
    /// Memory that the server holds for all clients, in bytes.
    public var clientMemoryBytes: Int
    /// What the process uses of the machine.
    public var process: ProcessFigures
    /// What each user uses and has used.
    public var users: [UserUsage] = []
    /// How often each limit refused calls.
    public var refusals: [LimitRefusals] = []
    /// How long the turns of each event loop took.
    public var loopTurns: [LoopTurns] = []
    /// The uid that the server runs as.
    public var uid: UInt32 = 0

    public init(
        _ summary: ServerSummary, startTime: Timestamp, uptime: Duration, isDraining: Bool, socket: String, isSocketHandedOver: Bool,
        remoteSocket: String? = nil, storeStatus: StoreStatus?, caches: [CacheUsage], issuers: [IssuerStatus] = [], clientMemoryBytes: Int = 0,
        process: ProcessFigures = ProcessFigures()
    ) {
        self.summary = summary
        self.startTime = startTime
        self.uptime = uptime
        self.isDraining = isDraining
        self.socket = socket
        self.isSocketHandedOver = isSocketHandedOver
        self.remoteSocket = remoteSocket
        self.storeStatus = storeStatus
        self.caches = caches
        self.issuers = issuers
        self.clientMemoryBytes = clientMemoryBytes
        self.process = process
    }
}

/// What a process uses of the machine.
public struct ProcessFigures: Sendable, Hashable {
    /// When the process began.
    public var startTime = Timestamp(microseconds: 0)
    /// Processor time of all threads.
    public var cpuTime = Timestamp.Interval(microseconds: 0)
    /// Memory in RAM, bytes.
    public var residentBytes: Int64 = 0
    /// Open descriptors.
    public var openDescriptors = 0
    /// Maximum open descriptors.
    public var descriptorLimit = 0

    public init() {}
}

/// Serves `pulseboard.admin.v1.AdminService` for the server's own process.
///
/// `Drain` and `SetLogLevel` answer without waiting, and so do the interceptors for an administrator. So the answer to `Drain` is in the
/// connection's output before the event loop begins the shutdown, and a shutdown still writes pending output. They are registered as
/// asynchronous all the same, so that each call counts as a running one.
///
/// `GetServerInfo` and `GetMetrics` wait for a report. It asks file systems, which may be slow or hang, so it is made on threads of its own.
public struct AdminHandler: PBAdminServiceHandler {
    /// The longest grace period that a request may name, in seconds.
    private static let longestGracePeriod = 86_400
    /// Maximum calls that wait for a report. Over it: `RESOURCE_EXHAUSTED`. While a file system hangs, more calls would only fill the memory.
    package static let mostReports = 16

    private let administers: @Sendable (UInt32) -> Bool
    private let gracePeriod: @Sendable () -> Duration
    private let summary: @Sendable () -> ServerSummary
    private let report: @Sendable (ServerSummary) -> ServerReport
    /// Makes the reports, two at a time.
    private let reporters = BlockingTaskExecutor(label: "admin.reports", threads: 2)
    private let places = ConcurrencyLimit(limit: AdminHandler.mostReports)
    private let drain: @Sendable (Duration) -> Void
    private let backups: @Sendable () -> BackupService?
    private let setLogLevel: @Sendable (Logger.Level) -> Logger.Level

    /// - Parameters:
    ///   - administers: whether a uid, as the kernel reports it, may call. No caller behind a gateway may.
    ///   - gracePeriod: returns the present grace period, for a drain request that names none.
    ///   - summary: returns the present load. It is called on event loops, so it must not block.
    ///   - report: completes a summary to a report. It may block.
    ///   - drain: starts the shutdown with a grace period. It must return at once and leave the shutdown to another task.
    ///   - backups: returns the service that makes backups, or `nil` if the store cannot be copied.
    ///   - setLogLevel: sets the log level and returns the former one.
    public init(
        administers: @escaping @Sendable (UInt32) -> Bool, gracePeriod: @escaping @Sendable () -> Duration,
        summary: @escaping @Sendable () -> ServerSummary, report: @escaping @Sendable (ServerSummary) -> ServerReport,
        drain: @escaping @Sendable (Duration) -> Void, backups: @escaping @Sendable () -> BackupService? = { nil },
        setLogLevel: @escaping @Sendable (Logger.Level) -> Logger.Level
    ) {
        self.administers = administers
        self.setLogLevel = setLogLevel
        self.gracePeriod = gracePeriod
        self.summary = summary
        self.report = report
        self.drain = drain
        self.backups = backups
    }

    /// Returns the state of the server.
    public func getServerInfo(_ request: PBGetServerInfoRequest, context: CallContext) async throws -> PBServerInfo {
        try checkAdministrator(context)
        return try await reporting { PBServerInfo($0) }
    }

    /// Makes a report, and an answer of it.
    private func reporting<Answer: Sendable>(_ answer: @escaping @Sendable (ServerReport) -> Answer) async throws -> Answer {
        try places.takePlace()
        defer { places.returnPlace() }
        // Made before the wait, so that this call is not among the handlers that wait.
        let summary = summary()
        return try await reporters.run { [report] () throws -> Answer in
            // Its caller may have gone while earlier reports hung.
            try Task.checkCancellation()
            return answer(report(summary))
        }
    }

    /// Begins the server's shutdown.
    public func drain(_ request: PBDrainRequest, context: CallContext) throws -> PBDrainResponse {
        try checkAdministrator(context)
        var period = gracePeriod()
        if let asked = request.gracePeriod {
            guard let asked = Duration(asked), (.zero...(.seconds(Self.longestGracePeriod))).contains(asked) else {
                let violation = FieldViolation(
                    field: "grace_period", reason: .gracePeriodInvalid, limit: Self.longestGracePeriod)
                throw RPCError(.invalid(ValidationError([violation])), in: context.language)
            }
            period = asked
        }
        let summary = summary()
        drain(period)
        return PBDrainResponse(
            pid: summary.pid, gracePeriod: Google_Protobuf_Duration(period), connections: Int32(clamping: summary.connections),
            runningCalls: Self.others(summary.runningCalls))
    }

    /// Returns the server's figures as OpenMetrics text.
    public func getMetrics(_ request: PBGetMetricsRequest, context: CallContext) async throws -> PBGetMetricsResponse {
        try checkAdministrator(context)
        return try await reporting { PBGetMetricsResponse(text: OpenMetricsText.text(of: $0)) }
    }

    /// Sets the log level.
    public func setLogLevel(_ request: PBSetLogLevelRequest, context: CallContext) throws -> PBSetLogLevelResponse {
        try checkAdministrator(context)
        guard let level = Logger.Level.allCases.first(where: { $0.rawValue.hasSameBytes(as: request.level) }) else {
            throw RPCError(.invalid("level", .logLevelInvalid), in: context.language)
        }
        let former = setLogLevel(level)
        // A higher level would hide its own line.
        if level > .notice { _ = setLogLevel(former) }
        context.logger.notice("the log level was set", metadata: ["log.level": "\(level)", "log.former_level": "\(former)"])
        if level > .notice { _ = setLogLevel(level) }
        return PBSetLogLevelResponse(level: level.rawValue, formerLevel: former.rawValue)
    }

    /// Streams a backup of everything that is stored.
    public func backup(
        _ request: PBBackupRequest, responses: MessageWriter<PBBackupResponse>, context: CallContext
    ) async throws {
        try checkAdministrator(context)
        guard let backups = backups() else { throw RPCError(.unimplemented, "this server's store is backed up with its own tools") }
        let summary = summary()
        try await backups.run(bytesPerSecond: request.bytesPerSecond) { part in
            if case .unreadable(let path, let detail) = part {
                context.logger.error("a backup lacks a picture that cannot be read", metadata: ["image.path": "\(path)", "image.error": "\(detail)"])
            }
            guard let part = PBBackupResponse.OneOf_Part(part, of: summary) else { return }
            try await responses.write(PBBackupResponse(part: part))
        }
    }

    /// The number of running calls without the one that asks.
    fileprivate static func others(_ runningCalls: Int) -> Int32 { Int32(clamping: max(0, runningCalls - 1)) }

    private func checkAdministrator(_ context: CallContext) throws(RPCError) {
        guard let peer = context.peer, administers(peer.uid) else {
            throw RPCError(.permissionDenied, .notTrusted, in: context.language)
        }
    }
}

extension PBServerInfo {
    /// Maximum users in one answer.
    private static let mostUsers = 1_024

    fileprivate init(_ report: ServerReport) {
        self.init(
            version: report.summary.version, pid: report.summary.pid,
            startTime: Google_Protobuf_Timestamp(microsecondsSinceEpoch: report.startTime.microseconds),
            uptime: Google_Protobuf_Duration(report.uptime), connections: Int32(clamping: report.summary.connections),
            runningCalls: AdminHandler.others(report.summary.runningCalls), draining: report.isDraining, socket: report.socket,
            socketHandedOver: report.isSocketHandedOver, store: report.summary.store, storeStatus: report.storeStatus.map(PBStoreStatus.init),
            caches: report.caches.map(PBCacheStatus.init), remoteSocket: report.remoteSocket ?? "",
            issuers: report.issuers.map(PBIssuerStatus.init),
            methods: report.summary.methods.sorted { $0.key < $1.key }.map { PBMethodStatus($0.key, $0.value) }, users: Self.users(report),
            refusals: report.refusals.map {
                PBLimitRefusals(limit: $0.limit.rawValue, userClass: $0.userClass.rawValue, count: Int64($0.count))
            },
            loops: report.loopTurns.map { PBLoopStatus(turns: Int64($0.count), busyTime: Google_Protobuf_Duration(.nanoseconds($0.nanoseconds))) },
            uid: report.uid, dataDirectory: report.dataDirectory, imageDirectory: report.images.map(PBImageDirectoryStatus.init))
    }

    /// The users with the most calls come first.
    private static func users(_ report: ServerReport) -> [PBUserStatus] {
        report.users.sorted { ($0.runningCalls, $0.calls, $0.connections) > ($1.runningCalls, $1.calls, $1.connections) }.prefix(mostUsers).map(
            PBUserStatus.init)
    }
}

extension PBImageDirectoryStatus {
    fileprivate init(_ status: ImageDirectoryStatus) {
        self.init(path: status.path, freeBytes: status.freeBytes ?? 0, trouble: status.trouble.map(PBStoreTrouble.init))
    }
}

extension PBUserStatus {
    fileprivate init(_ usage: UserUsage) {
        self.init(
            connections: Int64(usage.connections), runningCalls: Int64(usage.runningCalls), memoryBytes: Int64(usage.heldByteCount),
            calls: Int64(usage.calls), failedCalls: Int64(usage.failedCalls), requestBytes: Int64(usage.requestByteCount),
            responseBytes: Int64(usage.responseByteCount))
        switch usage.principal {
        case .uid(let uid): self.uid = uid
        case .listener(let number): gateway = Int32(clamping: number)
        case nil: break
        }
    }
}

extension PBMethodStatus {
    fileprivate init(_ method: String, _ figures: CallMetrics.Figures) {
        let ended = figures.ended.sorted { $0.key.rawValue < $1.key.rawValue }
        self.init(
            method: method, running: Int64(figures.waitingHandlers),
            ended: ended.map { PBCodeCount(code: $0.key.rawValue, count: Int64($0.value)) },
            requestBytes: Int64(figures.requestByteCount), responseBytes: Int64(figures.responseByteCount),
            totalTime: Google_Protobuf_Duration(figures.totalDuration),
            latencies: figures.latencies.buckets.map { bucket in
                PBLatencyBucket(upperBound: bucket.upperBound.map { Google_Protobuf_Duration($0) }, count: Int64(bucket.count))
            })
    }
}

extension PBBackupResponse.OneOf_Part {
    /// `nil` for an event that only the log reports.
    fileprivate init?(_ part: BackupPart, of server: ServerSummary) {
        switch part {
        case .unreadable: return nil
        case .progress(.copying(let done, let total)):
            self = .progress(PBBackupProgress(stage: .copying, doneBytes: done, totalBytes: total))
        case .progress(.checking(let total)):
            self = .progress(PBBackupProgress(stage: .checking, doneBytes: total, totalBytes: total))
        case .file(let file): self = .file(PBBackupFile(path: file.path, byteCount: file.byteCount, sha256: file.sha256))
        case .data(let bytes): self = .data(bytes)
        case .total(let total):
            self = .manifest(
                PBBackupManifest(
                    version: server.version, time: Google_Protobuf_Timestamp(total.time), store: server.store, schema: total.schema,
                    counts: total.counts.map { PBBackupCount(table: $0.table, rows: $0.rows) }, files: total.files, bytes: total.bytes,
                    missingFiles: total.missingFiles, archivePosition: total.archivePosition ?? "", unreadableFiles: total.unreadableFiles))
        }
    }
}
