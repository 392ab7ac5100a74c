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
        /// `golden.v1.NameService/Delete`.
        public static let delete = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Delete", shape: .unary)
        /// `golden.v1.NameService/Register`.
        public static let register = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Register", shape: .serverStreaming)
        /// `golden.v1.NameService/Init`.
        public static let init_ = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Init", shape: .clientStreaming)
        /// `golden.v1.NameService/Default`.
        public static let `default` = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Default", shape: .unary)
        /// `golden.v1.NameService/Return`.
        public static let `return` = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Return", shape: .bidirectionalStreaming)
        /// `golden.v1.NameService/Linux`.
        public static let linux = MethodDescriptor<GPNames, GPWords>(
            service: GPNameService.fullName, method: "Linux", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `golden.v1.NameService/FindName`.
        public var findName: (@Sendable (GPWords, CallContext) throws -> GPNames)?
        /// `golden.v1.NameService/Self`.
        public var self_: (@Sendable (GPHTTPThing_x, CallContext) throws -> GPHTTPThing_x)?
        /// `golden.v1.NameService/Protocol`.
        public var `protocol`: (@Sendable (GPNames, CallContext) throws -> GPWords)?
        /// `golden.v1.NameService/Delete`.
        public var delete: (@Sendable (GPNames, CallContext) throws -> GPWords)?
        /// `golden.v1.NameService/Default`.
        public var `default`: (@Sendable (GPNames, CallContext) throws -> GPWords)?
        /// `golden.v1.NameService/Linux`.
        public var linux: (@Sendable (GPNames, CallContext) throws -> GPWords)?

        /// Methods without a handler here may wait.
        public init(
            findName: (@Sendable (GPWords, CallContext) throws -> GPNames)? = nil,
            self_: (@Sendable (GPHTTPThing_x, CallContext) throws -> GPHTTPThing_x)? = nil,
            `protocol`: (@Sendable (GPNames, CallContext) throws -> GPWords)? = nil,
            delete: (@Sendable (GPNames, CallContext) throws -> GPWords)? = nil,
            `default`: (@Sendable (GPNames, CallContext) throws -> GPWords)? = nil,
            linux: (@Sendable (GPNames, CallContext) throws -> GPWords)? = nil
        ) {
            self.findName = findName
            self.self_ = self_
            self.`protocol` = `protocol`
            self.delete = delete
            self.`default` = `default`
            self.linux = linux
        }
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
    /// Words of C, for which protoc-c's own stubs would not compile.
    func delete(
        _ request: GPNames, context: CallContext
    ) async throws -> GPWords
    /// `golden.v1.NameService/Register`.
    func register(
        _ request: GPNames, responses: MessageWriter<GPWords>, context: CallContext
    ) async throws
    /// `golden.v1.NameService/Init`.
    func init_(
        _ requests: MessageStream<GPNames>, context: CallContext
    ) async throws -> GPWords
    /// `golden.v1.NameService/Default`.
    func `default`(
        _ request: GPNames, context: CallContext
    ) async throws -> GPWords
    /// `golden.v1.NameService/Return`.
    func `return`(
        _ requests: MessageStream<GPNames>, responses: MessageWriter<GPWords>, context: CallContext
    ) async throws
    /// `golden.v1.NameService/Linux`.
    func linux(
        _ request: GPNames, context: CallContext
    ) async throws -> GPWords
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: GPNameService.SynchronousHandlers { get }
}

extension GPNameServiceHandler {
    public var synchronousHandlers: GPNameService.SynchronousHandlers { GPNameService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(GPNameService.Methods.findName, synchronous: synchronous.findName) {
            try await self.findName($0, context: $1)
        }
        router.register(GPNameService.Methods.self_, synchronous: synchronous.self_) {
            try await self.self_($0, context: $1)
        }
        router.register(GPNameService.Methods.`protocol`, synchronous: synchronous.`protocol`) {
            try await self.`protocol`($0, context: $1)
        }
        router.register(GPNameService.Methods.delete, synchronous: synchronous.delete) {
            try await self.delete($0, context: $1)
        }
        router.registerServerStreaming(GPNameService.Methods.register) {
            try await self.register($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(GPNameService.Methods.init_) {
            try await self.init_($0, context: $1)
        }
        router.register(GPNameService.Methods.`default`, synchronous: synchronous.`default`) {
            try await self.`default`($0, context: $1)
        }
        router.registerBidirectionalStreaming(GPNameService.Methods.`return`) {
            try await self.`return`($0, responses: $1, context: $2)
        }
        router.register(GPNameService.Methods.linux, synchronous: synchronous.linux) {
            try await self.linux($0, context: $1)
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

    /// Words of C, for which protoc-c's own stubs would not compile.
    public func delete(
        _ request: GPNames, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPWords {
        try await channel.unary(GPNameService.Methods.delete, request, options: options)
    }

    /// `golden.v1.NameService/Register`.
    public func register(
        _ request: GPNames, options: CallOptions = CallOptions()
    ) -> ServerStream<GPWords> {
        channel.serverStream(GPNameService.Methods.register, request, options: options)
    }

    /// `golden.v1.NameService/Init`.
    public func init_(
        options: CallOptions = CallOptions()
    ) -> ClientStream<GPNames, GPWords> {
        channel.clientStream(GPNameService.Methods.init_, options: options)
    }

    /// `golden.v1.NameService/Default`.
    public func `default`(
        _ request: GPNames, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPWords {
        try await channel.unary(GPNameService.Methods.`default`, request, options: options)
    }

    /// `golden.v1.NameService/Return`.
    public func `return`(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GPNames, GPWords> {
        channel.bidirectionalStream(GPNameService.Methods.`return`, options: options)
    }

    /// `golden.v1.NameService/Linux`.
    public func linux(
        _ request: GPNames, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GPWords {
        try await channel.unary(GPNameService.Methods.linux, request, options: options)
    }
}
