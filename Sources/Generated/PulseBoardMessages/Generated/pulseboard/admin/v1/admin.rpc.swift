// Written by protoc-gen-pulseboard-swift from pulseboard/admin/v1/admin.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Looks at the server and ends it.
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
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.admin.v1.AdminService/GetServerInfo`.
        public var getServerInfo: (@Sendable (PBGetServerInfoRequest, CallContext) throws -> PBServerInfo)?
        /// `pulseboard.admin.v1.AdminService/Drain`.
        public var drain: (@Sendable (PBDrainRequest, CallContext) throws -> PBDrainResponse)?

        /// Methods without a handler here may wait.
        public init(
            getServerInfo: (@Sendable (PBGetServerInfoRequest, CallContext) throws -> PBServerInfo)? = nil,
            drain: (@Sendable (PBDrainRequest, CallContext) throws -> PBDrainResponse)? = nil
        ) {
            self.getServerInfo = getServerInfo
            self.drain = drain
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
}
