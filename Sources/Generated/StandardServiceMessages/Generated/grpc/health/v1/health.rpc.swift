// Written by protoc-gen-pulseboard-swift from grpc/health/v1/health.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import RPCCore

/// Says whether a service takes calls.
public enum Grpc_Health_V1_Health {
    /// The service's name on the wire.
    public static let fullName = "grpc.health.v1.Health"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { Grpc_Health_V1_HealthFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `grpc.health.v1.Health/Check`.
        public static let check = MethodDescriptor<Grpc_Health_V1_HealthCheckRequest, Grpc_Health_V1_HealthCheckResponse>(
            service: Grpc_Health_V1_Health.fullName, method: "Check", shape: .unary)
        /// `grpc.health.v1.Health/List`.
        public static let list = MethodDescriptor<Grpc_Health_V1_HealthListRequest, Grpc_Health_V1_HealthListResponse>(
            service: Grpc_Health_V1_Health.fullName, method: "List", shape: .unary)
        /// `grpc.health.v1.Health/Watch`.
        public static let watch = MethodDescriptor<Grpc_Health_V1_HealthCheckRequest, Grpc_Health_V1_HealthCheckResponse>(
            service: Grpc_Health_V1_Health.fullName, method: "Watch", shape: .serverStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `grpc.health.v1.Health/Check`.
        public var check: (@Sendable (Grpc_Health_V1_HealthCheckRequest, CallContext) throws -> Grpc_Health_V1_HealthCheckResponse)?
        /// `grpc.health.v1.Health/List`.
        public var list: (@Sendable (Grpc_Health_V1_HealthListRequest, CallContext) throws -> Grpc_Health_V1_HealthListResponse)?

        /// Methods without a handler here may wait.
        public init(
            check: (@Sendable (Grpc_Health_V1_HealthCheckRequest, CallContext) throws -> Grpc_Health_V1_HealthCheckResponse)? = nil,
            list: (@Sendable (Grpc_Health_V1_HealthListRequest, CallContext) throws -> Grpc_Health_V1_HealthListResponse)? = nil
        ) {
            self.check = check
            self.list = list
        }
    }
}

/// Implements `grpc.health.v1.Health` on a server: `Server(services: […])`.
public protocol Grpc_Health_V1_HealthHandler: RPCService {
    /// How a service is now.
    ///
    /// Errors: NOT_FOUND for a name that the server does not know.
    func check(
        _ request: Grpc_Health_V1_HealthCheckRequest, context: CallContext
    ) async throws -> Grpc_Health_V1_HealthCheckResponse
    /// How every service is now.
    ///
    /// Errors: RESOURCE_EXHAUSTED when the server has more than 100.
    func list(
        _ request: Grpc_Health_V1_HealthListRequest, context: CallContext
    ) async throws -> Grpc_Health_V1_HealthListResponse
    /// How a service is now, and again whenever that changes. A name that the server does not know is SERVICE_UNKNOWN, and may become
    /// known.
    ///
    /// Errors: UNAVAILABLE when the server ends, after a last NOT_SERVING.
    func watch(
        _ request: Grpc_Health_V1_HealthCheckRequest, responses: MessageWriter<Grpc_Health_V1_HealthCheckResponse>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: Grpc_Health_V1_Health.SynchronousHandlers { get }
}

extension Grpc_Health_V1_HealthHandler {
    public var synchronousHandlers: Grpc_Health_V1_Health.SynchronousHandlers { Grpc_Health_V1_Health.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(Grpc_Health_V1_Health.Methods.check, synchronous: synchronous.check) {
            try await self.check($0, context: $1)
        }
        router.register(Grpc_Health_V1_Health.Methods.list, synchronous: synchronous.list) {
            try await self.list($0, context: $1)
        }
        router.registerServerStreaming(Grpc_Health_V1_Health.Methods.watch) {
            try await self.watch($0, responses: $1, context: $2)
        }
    }
}

/// Calls `grpc.health.v1.Health` over any channel.
public struct Grpc_Health_V1_HealthClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// How a service is now.
    ///
    /// Errors: NOT_FOUND for a name that the server does not know.
    public func check(
        _ request: Grpc_Health_V1_HealthCheckRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Grpc_Health_V1_HealthCheckResponse {
        try await channel.unary(Grpc_Health_V1_Health.Methods.check, request, options: options)
    }

    /// How every service is now.
    ///
    /// Errors: RESOURCE_EXHAUSTED when the server has more than 100.
    public func list(
        _ request: Grpc_Health_V1_HealthListRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Grpc_Health_V1_HealthListResponse {
        try await channel.unary(Grpc_Health_V1_Health.Methods.list, request, options: options)
    }

    /// How a service is now, and again whenever that changes. A name that the server does not know is SERVICE_UNKNOWN, and may become
    /// known.
    ///
    /// Errors: UNAVAILABLE when the server ends, after a last NOT_SERVING.
    public func watch(
        _ request: Grpc_Health_V1_HealthCheckRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<Grpc_Health_V1_HealthCheckResponse> {
        channel.serverStream(Grpc_Health_V1_Health.Methods.watch, request, options: options)
    }
}
