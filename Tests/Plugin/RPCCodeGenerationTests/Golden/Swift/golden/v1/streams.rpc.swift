// Written by protoc-gen-pulseboard-swift from golden/v1/streams.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Every shape of a call.
public enum GSShapeService {
    /// The service's name on the wire.
    public static let fullName = "golden.v1.ShapeService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { GSStreamsFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `golden.v1.ShapeService/Ask`.
        public static let ask = MethodDescriptor<GSItem, GSTotal>(
            service: GSShapeService.fullName, method: "Ask", shape: .unary)
        /// `golden.v1.ShapeService/Watch`.
        public static let watch = MethodDescriptor<GSItem, GSTotal>(
            service: GSShapeService.fullName, method: "Watch", shape: .serverStreaming)
        /// `golden.v1.ShapeService/Upload`.
        public static let upload = MethodDescriptor<GSItem, GSTotal>(
            service: GSShapeService.fullName, method: "Upload", shape: .clientStreaming)
        /// `golden.v1.ShapeService/Chat`.
        public static let chat = MethodDescriptor<GSItem, GSTotal>(
            service: GSShapeService.fullName, method: "Chat", shape: .bidirectionalStreaming)
        /// `golden.v1.ShapeService/Plain`.
        public static let plain = MethodDescriptor<GSItem, GSItem>(
            service: GSShapeService.fullName, method: "Plain", shape: .bidirectionalStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `golden.v1.ShapeService/Ask`.
        public var ask: (@Sendable (GSItem, CallContext) throws -> GSTotal)?

        /// Methods without a handler here may wait.
        public init(
            ask: (@Sendable (GSItem, CallContext) throws -> GSTotal)? = nil
        ) {
            self.ask = ask
        }
    }
}

/// Implements `golden.v1.ShapeService` on a server: `Server(services: […])`.
public protocol GSShapeServiceHandler: RPCService {
    /// One request, one response.
    func ask(
        _ request: GSItem, context: CallContext
    ) async throws -> GSTotal
    /// One request, any number of responses.
    ///
    /// Errors: none.
    func watch(
        _ request: GSItem, responses: MessageWriter<GSTotal>, context: CallContext
    ) async throws
    /// Any number of requests, one response.
    func upload(
        _ requests: MessageStream<GSItem>, context: CallContext
    ) async throws -> GSTotal
    /// Any number of both.
    func chat(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSTotal>, context: CallContext
    ) async throws
    /// `golden.v1.ShapeService/Plain`.
    func plain(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: GSShapeService.SynchronousHandlers { get }
}

extension GSShapeServiceHandler {
    public var synchronousHandlers: GSShapeService.SynchronousHandlers { GSShapeService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(GSShapeService.Methods.ask, synchronous: synchronous.ask) {
            try await self.ask($0, context: $1)
        }
        router.registerServerStreaming(GSShapeService.Methods.watch) {
            try await self.watch($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(GSShapeService.Methods.upload) {
            try await self.upload($0, context: $1)
        }
        router.registerBidirectionalStreaming(GSShapeService.Methods.chat) {
            try await self.chat($0, responses: $1, context: $2)
        }
        router.registerBidirectionalStreaming(GSShapeService.Methods.plain) {
            try await self.plain($0, responses: $1, context: $2)
        }
    }
}

/// Calls `golden.v1.ShapeService` over any channel.
public struct GSShapeServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// One request, one response.
    public func ask(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GSTotal {
        try await channel.unary(GSShapeService.Methods.ask, request, options: options)
    }

    /// One request, any number of responses.
    ///
    /// Errors: none.
    public func watch(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) -> ServerStream<GSTotal> {
        channel.serverStream(GSShapeService.Methods.watch, request, options: options)
    }

    /// Any number of requests, one response.
    public func upload(
        options: CallOptions = CallOptions()
    ) -> ClientStream<GSItem, GSTotal> {
        channel.clientStream(GSShapeService.Methods.upload, options: options)
    }

    /// Any number of both.
    public func chat(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSTotal> {
        channel.bidirectionalStream(GSShapeService.Methods.chat, options: options)
    }

    /// `golden.v1.ShapeService/Plain`.
    public func plain(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSItem> {
        channel.bidirectionalStream(GSShapeService.Methods.plain, options: options)
    }
}

/// Methods named like words of Swift.
public enum GSWordService {
    /// The service's name on the wire.
    public static let fullName = "golden.v1.WordService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { GSStreamsFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `golden.v1.WordService/In`.
        public static let `in` = MethodDescriptor<GSItem, GSItem>(
            service: GSWordService.fullName, method: "In", shape: .unary)
        /// `golden.v1.WordService/Where`.
        public static let `where` = MethodDescriptor<GSItem, GSItem>(
            service: GSWordService.fullName, method: "Where", shape: .serverStreaming)
        /// `golden.v1.WordService/Repeat`.
        public static let `repeat` = MethodDescriptor<GSItem, GSItem>(
            service: GSWordService.fullName, method: "Repeat", shape: .clientStreaming)
        /// `golden.v1.WordService/Defer`.
        public static let `defer` = MethodDescriptor<GSItem, GSItem>(
            service: GSWordService.fullName, method: "Defer", shape: .bidirectionalStreaming)
        /// `golden.v1.WordService/Self`.
        public static let self_ = MethodDescriptor<GSItem, GSItem>(
            service: GSWordService.fullName, method: "Self", shape: .bidirectionalStreaming)
        /// `golden.v1.WordService/Init_`.
        public static let init_ = MethodDescriptor<GSItem, GSItem>(
            service: GSWordService.fullName, method: "Init_", shape: .serverStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `golden.v1.WordService/In`.
        public var `in`: (@Sendable (GSItem, CallContext) throws -> GSItem)?

        /// Methods without a handler here may wait.
        public init(
            `in`: (@Sendable (GSItem, CallContext) throws -> GSItem)? = nil
        ) {
            self.`in` = `in`
        }
    }
}

/// Implements `golden.v1.WordService` on a server: `Server(services: […])`.
public protocol GSWordServiceHandler: RPCService {
    /// `golden.v1.WordService/In`.
    func `in`(
        _ request: GSItem, context: CallContext
    ) async throws -> GSItem
    /// `golden.v1.WordService/Where`.
    func `where`(
        _ request: GSItem, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.WordService/Repeat`.
    func `repeat`(
        _ requests: MessageStream<GSItem>, context: CallContext
    ) async throws -> GSItem
    /// `golden.v1.WordService/Defer`.
    func `defer`(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.WordService/Self`.
    func self_(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.WordService/Init_`.
    func init_(
        _ request: GSItem, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: GSWordService.SynchronousHandlers { get }
}

extension GSWordServiceHandler {
    public var synchronousHandlers: GSWordService.SynchronousHandlers { GSWordService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(GSWordService.Methods.`in`, synchronous: synchronous.`in`) {
            try await self.`in`($0, context: $1)
        }
        router.registerServerStreaming(GSWordService.Methods.`where`) {
            try await self.`where`($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(GSWordService.Methods.`repeat`) {
            try await self.`repeat`($0, context: $1)
        }
        router.registerBidirectionalStreaming(GSWordService.Methods.`defer`) {
            try await self.`defer`($0, responses: $1, context: $2)
        }
        router.registerBidirectionalStreaming(GSWordService.Methods.self_) {
            try await self.self_($0, responses: $1, context: $2)
        }
        router.registerServerStreaming(GSWordService.Methods.init_) {
            try await self.init_($0, responses: $1, context: $2)
        }
    }
}

/// Calls `golden.v1.WordService` over any channel.
public struct GSWordServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `golden.v1.WordService/In`.
    public func `in`(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GSItem {
        try await channel.unary(GSWordService.Methods.`in`, request, options: options)
    }

    /// `golden.v1.WordService/Where`.
    public func `where`(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) -> ServerStream<GSItem> {
        channel.serverStream(GSWordService.Methods.`where`, request, options: options)
    }

    /// `golden.v1.WordService/Repeat`.
    public func `repeat`(
        options: CallOptions = CallOptions()
    ) -> ClientStream<GSItem, GSItem> {
        channel.clientStream(GSWordService.Methods.`repeat`, options: options)
    }

    /// `golden.v1.WordService/Defer`.
    public func `defer`(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSItem> {
        channel.bidirectionalStream(GSWordService.Methods.`defer`, options: options)
    }

    /// `golden.v1.WordService/Self`.
    public func self_(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSItem> {
        channel.bidirectionalStream(GSWordService.Methods.self_, options: options)
    }

    /// `golden.v1.WordService/Init_`.
    public func init_(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) -> ServerStream<GSItem> {
        channel.serverStream(GSWordService.Methods.init_, request, options: options)
    }
}

/// Methods named like what generated code calls its own parameters and members.
public enum GSParameterService {
    /// The service's name on the wire.
    public static let fullName = "golden.v1.ParameterService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { GSStreamsFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `golden.v1.ParameterService/Request`.
        public static let request = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Request", shape: .unary)
        /// `golden.v1.ParameterService/Requests`.
        public static let requests = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Requests", shape: .clientStreaming)
        /// `golden.v1.ParameterService/Response`.
        public static let response = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Response", shape: .serverStreaming)
        /// `golden.v1.ParameterService/Responses`.
        public static let responses = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Responses", shape: .bidirectionalStreaming)
        /// `golden.v1.ParameterService/Context`.
        public static let context = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Context", shape: .serverStreaming)
        /// `golden.v1.ParameterService/Options`.
        public static let options = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Options", shape: .bidirectionalStreaming)
        /// `golden.v1.ParameterService/Register_`.
        public static let register = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Register_", shape: .bidirectionalStreaming)
        /// `golden.v1.ParameterService/Router`.
        public static let router = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Router", shape: .clientStreaming)
        /// `golden.v1.ParameterService/Channel`.
        public static let channel_ = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Channel", shape: .serverStreaming)
        /// `golden.v1.ParameterService/FullName`.
        public static let fullName = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "FullName", shape: .unary)
        /// `golden.v1.ParameterService/Methods`.
        public static let methods = MethodDescriptor<GSItem, GSItem>(
            service: GSParameterService.fullName, method: "Methods", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `golden.v1.ParameterService/Request`.
        public var request: (@Sendable (GSItem, CallContext) throws -> GSItem)?
        /// `golden.v1.ParameterService/FullName`.
        public var fullName: (@Sendable (GSItem, CallContext) throws -> GSItem)?
        /// `golden.v1.ParameterService/Methods`.
        public var methods: (@Sendable (GSItem, CallContext) throws -> GSItem)?

        /// Methods without a handler here may wait.
        public init(
            request: (@Sendable (GSItem, CallContext) throws -> GSItem)? = nil,
            fullName: (@Sendable (GSItem, CallContext) throws -> GSItem)? = nil,
            methods: (@Sendable (GSItem, CallContext) throws -> GSItem)? = nil
        ) {
            self.request = request
            self.fullName = fullName
            self.methods = methods
        }
    }
}

/// Implements `golden.v1.ParameterService` on a server: `Server(services: […])`.
public protocol GSParameterServiceHandler: RPCService {
    /// `golden.v1.ParameterService/Request`.
    func request(
        _ request: GSItem, context: CallContext
    ) async throws -> GSItem
    /// `golden.v1.ParameterService/Requests`.
    func requests(
        _ requests: MessageStream<GSItem>, context: CallContext
    ) async throws -> GSItem
    /// `golden.v1.ParameterService/Response`.
    func response(
        _ request: GSItem, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.ParameterService/Responses`.
    func responses(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.ParameterService/Context`.
    func context(
        _ request: GSItem, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.ParameterService/Options`.
    func options(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `Register` alone is a word of C, for which protoc-c's stub does not compile.
    func register(
        _ requests: MessageStream<GSItem>, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.ParameterService/Router`.
    func router(
        _ requests: MessageStream<GSItem>, context: CallContext
    ) async throws -> GSItem
    /// `golden.v1.ParameterService/Channel`.
    func channel_(
        _ request: GSItem, responses: MessageWriter<GSItem>, context: CallContext
    ) async throws
    /// `golden.v1.ParameterService/FullName`.
    func fullName(
        _ request: GSItem, context: CallContext
    ) async throws -> GSItem
    /// `golden.v1.ParameterService/Methods`.
    func methods(
        _ request: GSItem, context: CallContext
    ) async throws -> GSItem
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: GSParameterService.SynchronousHandlers { get }
}

extension GSParameterServiceHandler {
    public var synchronousHandlers: GSParameterService.SynchronousHandlers { GSParameterService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(GSParameterService.Methods.request, synchronous: synchronous.request) {
            try await self.request($0, context: $1)
        }
        router.registerClientStreaming(GSParameterService.Methods.requests) {
            try await self.requests($0, context: $1)
        }
        router.registerServerStreaming(GSParameterService.Methods.response) {
            try await self.response($0, responses: $1, context: $2)
        }
        router.registerBidirectionalStreaming(GSParameterService.Methods.responses) {
            try await self.responses($0, responses: $1, context: $2)
        }
        router.registerServerStreaming(GSParameterService.Methods.context) {
            try await self.context($0, responses: $1, context: $2)
        }
        router.registerBidirectionalStreaming(GSParameterService.Methods.options) {
            try await self.options($0, responses: $1, context: $2)
        }
        router.registerBidirectionalStreaming(GSParameterService.Methods.register) {
            try await self.register($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(GSParameterService.Methods.router) {
            try await self.router($0, context: $1)
        }
        router.registerServerStreaming(GSParameterService.Methods.channel_) {
            try await self.channel_($0, responses: $1, context: $2)
        }
        router.register(GSParameterService.Methods.fullName, synchronous: synchronous.fullName) {
            try await self.fullName($0, context: $1)
        }
        router.register(GSParameterService.Methods.methods, synchronous: synchronous.methods) {
            try await self.methods($0, context: $1)
        }
    }
}

/// Calls `golden.v1.ParameterService` over any channel.
public struct GSParameterServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `golden.v1.ParameterService/Request`.
    public func request(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GSItem {
        try await channel.unary(GSParameterService.Methods.request, request, options: options)
    }

    /// `golden.v1.ParameterService/Requests`.
    public func requests(
        options: CallOptions = CallOptions()
    ) -> ClientStream<GSItem, GSItem> {
        channel.clientStream(GSParameterService.Methods.requests, options: options)
    }

    /// `golden.v1.ParameterService/Response`.
    public func response(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) -> ServerStream<GSItem> {
        channel.serverStream(GSParameterService.Methods.response, request, options: options)
    }

    /// `golden.v1.ParameterService/Responses`.
    public func responses(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSItem> {
        channel.bidirectionalStream(GSParameterService.Methods.responses, options: options)
    }

    /// `golden.v1.ParameterService/Context`.
    public func context(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) -> ServerStream<GSItem> {
        channel.serverStream(GSParameterService.Methods.context, request, options: options)
    }

    /// `golden.v1.ParameterService/Options`.
    public func options(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSItem> {
        channel.bidirectionalStream(GSParameterService.Methods.options, options: options)
    }

    /// `Register` alone is a word of C, for which protoc-c's stub does not compile.
    public func register(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<GSItem, GSItem> {
        channel.bidirectionalStream(GSParameterService.Methods.register, options: options)
    }

    /// `golden.v1.ParameterService/Router`.
    public func router(
        options: CallOptions = CallOptions()
    ) -> ClientStream<GSItem, GSItem> {
        channel.clientStream(GSParameterService.Methods.router, options: options)
    }

    /// `golden.v1.ParameterService/Channel`.
    public func channel_(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) -> ServerStream<GSItem> {
        channel.serverStream(GSParameterService.Methods.channel_, request, options: options)
    }

    /// `golden.v1.ParameterService/FullName`.
    public func fullName(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GSItem {
        try await channel.unary(GSParameterService.Methods.fullName, request, options: options)
    }

    /// `golden.v1.ParameterService/Methods`.
    public func methods(
        _ request: GSItem, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> GSItem {
        try await channel.unary(GSParameterService.Methods.methods, request, options: options)
    }
}
