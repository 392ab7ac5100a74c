// Written by protoc-gen-pulseboard-swift from golden/v1/names.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// A service with a prefix.
public enum GPNameService {
    /// The service's name on the wire.
    public static let fullName = "golden.v1.NameService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { GPNamesFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `golden.v1.NameService/FindName`.
        public static let findName = MethodDescriptor<GPWords, GPNames>(
            service: GPNameService.fullName, method: "FindName", shape: .unary)
        /// `golden.v1.NameService/Self`.
        public static let self_ = MethodDescriptor<GPHTTPThing_x, GPHTTPThing_x>(
            service: GPNameService.fullName, method: "Self", shape: .unary)
        /// `golden.v1.NameService/Protocol`.
        public static let `protocol` = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Protocol", shape: .unary)
    }
}

/// Implements `golden.v1.NameService` on a server: `Server(services: […])`.
public protocol GPNameServiceHandler: RPCService {
    /// Finds a name.
    ///
    /// Errors: none.
    func findName(
        _ request: GPWords, context: CallContext
    ) async throws -> GPNames
    /// `golden.v1.NameService/Self`.
    func self_(
        _ request: GPHTTPThing_x, context: CallContext
    ) async throws -> GPHTTPThing_x
    /// `golden.v1.NameService/Protocol`.
    func `protocol`(
        _ request: GPNames, context: CallContext
    ) async throws -> GPWords
}

extension GPNameServiceHandler {
    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        router.register(GPNameService.Methods.findName) {
            try await self.findName($0, context: $1)
        }
        router.register(GPNameService.Methods.self_) {
            try await self.self_($0, context: $1)
        }
        router.register(GPNameService.Methods.`protocol`) {
            try await self.`protocol`($0, context: $1)
        }
    }
}

/// Calls `golden.v1.NameService` over any channel.
public struct GPNameServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Finds a name.
    ///
    /// Errors: none.
    public func findName(
        _ request: GPWords, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPNames {
        try await channel.unary(GPNameService.Methods.findName, request, options: options)
    }

    /// `golden.v1.NameService/Self`.
    public func self_(
        _ request: GPHTTPThing_x, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPHTTPThing_x {
        try await channel.unary(GPNameService.Methods.self_, request, options: options)
    }

    /// `golden.v1.NameService/Protocol`.
    public func `protocol`(
        _ request: GPNames, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPWords {
        try await channel.unary(GPNameService.Methods.`protocol`, request, options: options)
    }
}
