// Written by protoc-gen-pulseboard-swift from kubelet/deviceplugin.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// `v1beta1.Registration`.
public enum V1beta1_Registration {
    /// The service's name on the wire.
    public static let fullName = "v1beta1.Registration"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { V1beta1_DevicepluginFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `v1beta1.Registration/Register`.
        public static let register = MethodDescriptor<V1beta1_RegisterRequest, V1beta1_Empty>(
            service: V1beta1_Registration.fullName, method: "Register", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `v1beta1.Registration/Register`.
        public var register: (@Sendable (V1beta1_RegisterRequest, CallContext) throws -> V1beta1_Empty)?

        /// Methods without a handler here may wait.
        public init(
            register: (@Sendable (V1beta1_RegisterRequest, CallContext) throws -> V1beta1_Empty)? = nil
        ) {
            self.register = register
        }
    }
}

/// Implements `v1beta1.Registration` on a server: `Server(services: […])`.
public protocol V1beta1_RegistrationHandler: RPCService {
    /// `v1beta1.Registration/Register`.
    func register(
        _ request: V1beta1_RegisterRequest, context: CallContext
    ) async throws -> V1beta1_Empty
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: V1beta1_Registration.SynchronousHandlers { get }
}

extension V1beta1_RegistrationHandler {
    public var synchronousHandlers: V1beta1_Registration.SynchronousHandlers { V1beta1_Registration.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(V1beta1_Registration.Methods.register, synchronous: synchronous.register) {
            try await self.register($0, context: $1)
        }
    }
}

/// Calls `v1beta1.Registration` over any channel.
public struct V1beta1_RegistrationClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `v1beta1.Registration/Register`.
    public func register(
        _ request: V1beta1_RegisterRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> V1beta1_Empty {
        try await channel.unary(V1beta1_Registration.Methods.register, request, options: options)
    }
}

/// `v1beta1.DevicePlugin`.
public enum V1beta1_DevicePlugin {
    /// The service's name on the wire.
    public static let fullName = "v1beta1.DevicePlugin"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { V1beta1_DevicepluginFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `v1beta1.DevicePlugin/GetDevicePluginOptions`.
        public static let getDevicePluginOptions = MethodDescriptor<V1beta1_Empty, V1beta1_DevicePluginOptions>(
            service: V1beta1_DevicePlugin.fullName, method: "GetDevicePluginOptions", shape: .unary)
        /// `v1beta1.DevicePlugin/ListAndWatch`.
        public static let listAndWatch = MethodDescriptor<V1beta1_Empty, V1beta1_ListAndWatchResponse>(
            service: V1beta1_DevicePlugin.fullName, method: "ListAndWatch", shape: .serverStreaming)
        /// `v1beta1.DevicePlugin/GetPreferredAllocation`.
        public static let getPreferredAllocation = MethodDescriptor<V1beta1_PreferredAllocationRequest, V1beta1_PreferredAllocationResponse>(
            service: V1beta1_DevicePlugin.fullName, method: "GetPreferredAllocation", shape: .unary)
        /// `v1beta1.DevicePlugin/Allocate`.
        public static let allocate = MethodDescriptor<V1beta1_AllocateRequest, V1beta1_AllocateResponse>(
            service: V1beta1_DevicePlugin.fullName, method: "Allocate", shape: .unary)
        /// `v1beta1.DevicePlugin/PreStartContainer`.
        public static let preStartContainer = MethodDescriptor<V1beta1_PreStartContainerRequest, V1beta1_PreStartContainerResponse>(
            service: V1beta1_DevicePlugin.fullName, method: "PreStartContainer", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `v1beta1.DevicePlugin/GetDevicePluginOptions`.
        public var getDevicePluginOptions: (@Sendable (V1beta1_Empty, CallContext) throws -> V1beta1_DevicePluginOptions)?
        /// `v1beta1.DevicePlugin/GetPreferredAllocation`.
        public var getPreferredAllocation: (@Sendable (V1beta1_PreferredAllocationRequest, CallContext) throws -> V1beta1_PreferredAllocationResponse)?
        /// `v1beta1.DevicePlugin/Allocate`.
        public var allocate: (@Sendable (V1beta1_AllocateRequest, CallContext) throws -> V1beta1_AllocateResponse)?
        /// `v1beta1.DevicePlugin/PreStartContainer`.
        public var preStartContainer: (@Sendable (V1beta1_PreStartContainerRequest, CallContext) throws -> V1beta1_PreStartContainerResponse)?

        /// Methods without a handler here may wait.
        public init(
            getDevicePluginOptions: (@Sendable (V1beta1_Empty, CallContext) throws -> V1beta1_DevicePluginOptions)? = nil,
            getPreferredAllocation: (@Sendable (V1beta1_PreferredAllocationRequest, CallContext) throws -> V1beta1_PreferredAllocationResponse)? = nil,
            allocate: (@Sendable (V1beta1_AllocateRequest, CallContext) throws -> V1beta1_AllocateResponse)? = nil,
            preStartContainer: (@Sendable (V1beta1_PreStartContainerRequest, CallContext) throws -> V1beta1_PreStartContainerResponse)? = nil
        ) {
            self.getDevicePluginOptions = getDevicePluginOptions
            self.getPreferredAllocation = getPreferredAllocation
            self.allocate = allocate
            self.preStartContainer = preStartContainer
        }
    }
}

/// Implements `v1beta1.DevicePlugin` on a server: `Server(services: […])`.
public protocol V1beta1_DevicePluginHandler: RPCService {
    /// `v1beta1.DevicePlugin/GetDevicePluginOptions`.
    func getDevicePluginOptions(
        _ request: V1beta1_Empty, context: CallContext
    ) async throws -> V1beta1_DevicePluginOptions
    /// `v1beta1.DevicePlugin/ListAndWatch`.
    func listAndWatch(
        _ request: V1beta1_Empty, responses: MessageWriter<V1beta1_ListAndWatchResponse>, context: CallContext
    ) async throws
    /// `v1beta1.DevicePlugin/GetPreferredAllocation`.
    func getPreferredAllocation(
        _ request: V1beta1_PreferredAllocationRequest, context: CallContext
    ) async throws -> V1beta1_PreferredAllocationResponse
    /// `v1beta1.DevicePlugin/Allocate`.
    func allocate(
        _ request: V1beta1_AllocateRequest, context: CallContext
    ) async throws -> V1beta1_AllocateResponse
    /// `v1beta1.DevicePlugin/PreStartContainer`.
    func preStartContainer(
        _ request: V1beta1_PreStartContainerRequest, context: CallContext
    ) async throws -> V1beta1_PreStartContainerResponse
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: V1beta1_DevicePlugin.SynchronousHandlers { get }
}

extension V1beta1_DevicePluginHandler {
    public var synchronousHandlers: V1beta1_DevicePlugin.SynchronousHandlers { V1beta1_DevicePlugin.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(V1beta1_DevicePlugin.Methods.getDevicePluginOptions, synchronous: synchronous.getDevicePluginOptions) {
            try await self.getDevicePluginOptions($0, context: $1)
        }
        router.registerServerStreaming(V1beta1_DevicePlugin.Methods.listAndWatch) {
            try await self.listAndWatch($0, responses: $1, context: $2)
        }
        router.register(V1beta1_DevicePlugin.Methods.getPreferredAllocation, synchronous: synchronous.getPreferredAllocation) {
            try await self.getPreferredAllocation($0, context: $1)
        }
        router.register(V1beta1_DevicePlugin.Methods.allocate, synchronous: synchronous.allocate) {
            try await self.allocate($0, context: $1)
        }
        router.register(V1beta1_DevicePlugin.Methods.preStartContainer, synchronous: synchronous.preStartContainer) {
            try await self.preStartContainer($0, context: $1)
        }
    }
}

/// Calls `v1beta1.DevicePlugin` over any channel.
public struct V1beta1_DevicePluginClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `v1beta1.DevicePlugin/GetDevicePluginOptions`.
    public func getDevicePluginOptions(
        _ request: V1beta1_Empty, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> V1beta1_DevicePluginOptions {
        try await channel.unary(V1beta1_DevicePlugin.Methods.getDevicePluginOptions, request, options: options)
    }

    /// `v1beta1.DevicePlugin/ListAndWatch`.
    public func listAndWatch(
        _ request: V1beta1_Empty, options: CallOptions = CallOptions()
    ) -> ServerStream<V1beta1_ListAndWatchResponse> {
        channel.serverStream(V1beta1_DevicePlugin.Methods.listAndWatch, request, options: options)
    }

    /// `v1beta1.DevicePlugin/GetPreferredAllocation`.
    public func getPreferredAllocation(
        _ request: V1beta1_PreferredAllocationRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> V1beta1_PreferredAllocationResponse {
        try await channel.unary(V1beta1_DevicePlugin.Methods.getPreferredAllocation, request, options: options)
    }

    /// `v1beta1.DevicePlugin/Allocate`.
    public func allocate(
        _ request: V1beta1_AllocateRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> V1beta1_AllocateResponse {
        try await channel.unary(V1beta1_DevicePlugin.Methods.allocate, request, options: options)
    }

    /// `v1beta1.DevicePlugin/PreStartContainer`.
    public func preStartContainer(
        _ request: V1beta1_PreStartContainerRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> V1beta1_PreStartContainerResponse {
        try await channel.unary(V1beta1_DevicePlugin.Methods.preStartContainer, request, options: options)
    }
}
