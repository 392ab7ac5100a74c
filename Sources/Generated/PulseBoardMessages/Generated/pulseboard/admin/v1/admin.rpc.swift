// Written by protoc-gen-pulseboard-swift from pulseboard/admin/v1/admin.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Looks at the server, copies what it stores, and ends it.
///
/// Only administrators may call it: root, the server's own uid, and those that its configuration names (`--admin-uid`). The kernel says who
/// calls; no session is needed, and nobody who calls through a gateway may.
public enum PBAdminService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.admin.v1.AdminService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBAdminFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.admin.v1.AdminService/GetServerInfo`.
        public static let getServerInfo = MethodDescriptor<PBGetServerInfoRequest, PBServerInfo>(
            service: PBAdminService.fullName, method: "GetServerInfo", shape: .unary)
        /// `pulseboard.admin.v1.AdminService/Drain`.
        public static let drain = MethodDescriptor<PBDrainRequest, PBDrainResponse>(
            service: PBAdminService.fullName, method: "Drain", shape: .unary)
        /// `pulseboard.admin.v1.AdminService/Backup`.
        public static let backup = MethodDescriptor<PBBackupRequest, PBBackupResponse>(
            service: PBAdminService.fullName, method: "Backup", shape: .serverStreaming)
        /// `pulseboard.admin.v1.AdminService/GetMetrics`.
        public static let getMetrics = MethodDescriptor<PBGetMetricsRequest, PBGetMetricsResponse>(
            service: PBAdminService.fullName, method: "GetMetrics", shape: .unary)
        /// `pulseboard.admin.v1.AdminService/SetLogLevel`.
        public static let setLogLevel = MethodDescriptor<PBSetLogLevelRequest, PBSetLogLevelResponse>(
            service: PBAdminService.fullName, method: "SetLogLevel", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.admin.v1.AdminService/GetServerInfo`.
        public var getServerInfo: (@Sendable (PBGetServerInfoRequest, CallContext) throws -> PBServerInfo)?
        /// `pulseboard.admin.v1.AdminService/Drain`.
        public var drain: (@Sendable (PBDrainRequest, CallContext) throws -> PBDrainResponse)?
        /// `pulseboard.admin.v1.AdminService/GetMetrics`.
        public var getMetrics: (@Sendable (PBGetMetricsRequest, CallContext) throws -> PBGetMetricsResponse)?
        /// `pulseboard.admin.v1.AdminService/SetLogLevel`.
        public var setLogLevel: (@Sendable (PBSetLogLevelRequest, CallContext) throws -> PBSetLogLevelResponse)?

        /// Methods without a handler here may wait.
        public init(
            getServerInfo: (@Sendable (PBGetServerInfoRequest, CallContext) throws -> PBServerInfo)? = nil,
            drain: (@Sendable (PBDrainRequest, CallContext) throws -> PBDrainResponse)? = nil,
            getMetrics: (@Sendable (PBGetMetricsRequest, CallContext) throws -> PBGetMetricsResponse)? = nil,
            setLogLevel: (@Sendable (PBSetLogLevelRequest, CallContext) throws -> PBSetLogLevelResponse)? = nil
        ) {
            self.getServerInfo = getServerInfo
            self.drain = drain
            self.getMetrics = getMetrics
            self.setLogLevel = setLogLevel
        }
    }
}

/// Implements `pulseboard.admin.v1.AdminService` on a server: `Server(services: […])`.
public protocol PBAdminServiceHandler: RPCService {
    /// How the server is.
    ///
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED).
    func getServerInfo(
        _ request: PBGetServerInfoRequest, context: CallContext
    ) async throws -> PBServerInfo
    /// Begins the same orderly end as SIGTERM, once this answer is on its way: no connection is accepted any more, running calls
    /// may finish for the grace period, what then still runs is cancelled, and the process exits with 0.
    ///
    /// Called again, or followed by SIGTERM, the end that comes first counts.
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED); INVALID_ARGUMENT (GRACE_PERIOD_INVALID).
    func drain(
        _ request: PBDrainRequest, context: CallContext
    ) async throws -> PBDrainResponse
    /// Copies everything that the server stores, as it is at one instant, while the server goes on with its work: first the database, then each
    /// picture, then the manifest. A stream that ends without a manifest is no backup.
    ///
    /// One backup runs at a time. The server keeps its copy of the database beside the database until it is sent, so there must be room for it.
    /// The stream has hashes of session tokens, and keys: keep it as private as the database.
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED); INVALID_ARGUMENT (BACKUP_RATE_INVALID); RESOURCE_EXHAUSTED (RATE_LIMITED) while another backup runs;
    /// UNAVAILABLE (STORE_FULL) without room for the copy; DATA_LOSS (STORE_CORRUPT) when the copy is damaged, as its original then is;
    /// UNIMPLEMENTED where the store cannot be copied this way.
    func backup(
        _ request: PBBackupRequest, responses: MessageWriter<PBBackupResponse>, context: CallContext
    ) async throws
    /// The server's figures as OpenMetrics text, which Prometheus and others read.
    ///
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED).
    func getMetrics(
        _ request: PBGetMetricsRequest, context: CallContext
    ) async throws -> PBGetMetricsResponse
    /// Logs more or less from now on, until the server ends or reads its configuration again.
    ///
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED); INVALID_ARGUMENT (LOG_LEVEL_INVALID).
    func setLogLevel(
        _ request: PBSetLogLevelRequest, context: CallContext
    ) async throws -> PBSetLogLevelResponse
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBAdminService.SynchronousHandlers { get }
}

extension PBAdminServiceHandler {
    public var synchronousHandlers: PBAdminService.SynchronousHandlers { PBAdminService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(PBAdminService.Methods.getServerInfo, synchronous: synchronous.getServerInfo) {
            try await self.getServerInfo($0, context: $1)
        }
        router.register(PBAdminService.Methods.drain, synchronous: synchronous.drain) {
            try await self.drain($0, context: $1)
        }
        router.registerServerStreaming(PBAdminService.Methods.backup) {
            try await self.backup($0, responses: $1, context: $2)
        }
        router.register(PBAdminService.Methods.getMetrics, synchronous: synchronous.getMetrics) {
            try await self.getMetrics($0, context: $1)
        }
        router.register(PBAdminService.Methods.setLogLevel, synchronous: synchronous.setLogLevel) {
            try await self.setLogLevel($0, context: $1)
        }
    }
}

/// Calls `pulseboard.admin.v1.AdminService` over any channel.
public struct PBAdminServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// How the server is.
    ///
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED).
    public func getServerInfo(
        _ request: PBGetServerInfoRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBServerInfo {
        try await channel.unary(PBAdminService.Methods.getServerInfo, request, options: options)
    }

    /// Begins the same orderly end as SIGTERM, once this answer is on its way: no connection is accepted any more, running calls
    /// may finish for the grace period, what then still runs is cancelled, and the process exits with 0.
    ///
    /// Called again, or followed by SIGTERM, the end that comes first counts.
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED); INVALID_ARGUMENT (GRACE_PERIOD_INVALID).
    public func drain(
        _ request: PBDrainRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBDrainResponse {
        try await channel.unary(PBAdminService.Methods.drain, request, options: options)
    }

    /// Copies everything that the server stores, as it is at one instant, while the server goes on with its work: first the database, then each
    /// picture, then the manifest. A stream that ends without a manifest is no backup.
    ///
    /// One backup runs at a time. The server keeps its copy of the database beside the database until it is sent, so there must be room for it.
    /// The stream has hashes of session tokens, and keys: keep it as private as the database.
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED); INVALID_ARGUMENT (BACKUP_RATE_INVALID); RESOURCE_EXHAUSTED (RATE_LIMITED) while another backup runs;
    /// UNAVAILABLE (STORE_FULL) without room for the copy; DATA_LOSS (STORE_CORRUPT) when the copy is damaged, as its original then is;
    /// UNIMPLEMENTED where the store cannot be copied this way.
    public func backup(
        _ request: PBBackupRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBBackupResponse> {
        channel.serverStream(PBAdminService.Methods.backup, request, options: options)
    }

    /// The server's figures as OpenMetrics text, which Prometheus and others read.
    ///
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED).
    public func getMetrics(
        _ request: PBGetMetricsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBGetMetricsResponse {
        try await channel.unary(PBAdminService.Methods.getMetrics, request, options: options)
    }

    /// Logs more or less from now on, until the server ends or reads its configuration again.
    ///
    /// Errors: PERMISSION_DENIED (NOT_TRUSTED); INVALID_ARGUMENT (LOG_LEVEL_INVALID).
    public func setLogLevel(
        _ request: PBSetLogLevelRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBSetLogLevelResponse {
        try await channel.unary(PBAdminService.Methods.setLogLevel, request, options: options)
    }
}
