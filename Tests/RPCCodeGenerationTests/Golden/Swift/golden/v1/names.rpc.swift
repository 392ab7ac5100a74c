// Written by protoc-gen-pulseboard-swift from golden/v1/names.proto. Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// A service with a prefix.
public enum GPNameService {
    /// The service's name on the wire.
    public static let fullName = "golden.v1.NameService"

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `golden.v1.NameService/FindName`.
        public static let findName = MethodDescriptor<GPWords, GPNames>(
            service: fullName, method: "FindName", shape: .unary)
        /// `golden.v1.NameService/Init`.
        public static let init_ = MethodDescriptor<GPHTTPThing_x, GPHTTPThing_x>(
            service: fullName, method: "Init", shape: .unary)
        /// `golden.v1.NameService/Register`.
        public static let register_ = MethodDescriptor<GPNames, GPWords>(
            service: fullName, method: "Register", shape: .unary)
    }
}

/// Implements `golden.v1.NameService` on a server; ``register(on:)`` offers it.
public protocol GPNameServiceHandler: Sendable {
    /// Finds a name.
    ///
    /// Errors: none.
    func findName(
        _ request: GPWords, context: CallContext
    ) async throws -> GPNames
    /// `golden.v1.NameService/Init`.
    func init_(
        _ request: GPHTTPThing_x, context: CallContext
    ) async throws -> GPHTTPThing_x
    /// `golden.v1.NameService/Register`.
    func register_(
        _ request: GPNames, context: CallContext
    ) async throws -> GPWords
}

extension GPNameServiceHandler {
    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        router.register(GPNameService.Methods.findName) { try await self.findName($0, context: $1) }
        router.register(GPNameService.Methods.init_) { try await self.init_($0, context: $1) }
        router.register(GPNameService.Methods.register_) { try await self.register_($0, context: $1) }
    }
}

/// Calls `golden.v1.NameService` over any channel.
public struct GPNameServiceClient: Sendable {
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

    /// `golden.v1.NameService/Init`.
    public func init_(
        _ request: GPHTTPThing_x, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPHTTPThing_x {
        try await channel.unary(GPNameService.Methods.init_, request, options: options)
    }

    /// `golden.v1.NameService/Register`.
    public func register_(
        _ request: GPNames, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPWords {
        try await channel.unary(GPNameService.Methods.register_, request, options: options)
    }
}
