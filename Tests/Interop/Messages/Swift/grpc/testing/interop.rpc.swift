// Written by protoc-gen-pulseboard-swift from grpc/testing/interop.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// `grpc.testing.TestService`.
public enum Grpc_Testing_TestService {
    /// The service's name on the wire.
    public static let fullName = "grpc.testing.TestService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { Grpc_Testing_InteropFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `grpc.testing.TestService/EmptyCall`.
        public static let emptyCall = MethodDescriptor<Grpc_Testing_Empty, Grpc_Testing_Empty>(
            service: Grpc_Testing_TestService.fullName, method: "EmptyCall", shape: .unary)
        /// `grpc.testing.TestService/UnaryCall`.
        public static let unaryCall = MethodDescriptor<Grpc_Testing_SimpleRequest, Grpc_Testing_SimpleResponse>(
            service: Grpc_Testing_TestService.fullName, method: "UnaryCall", shape: .unary)
        /// `grpc.testing.TestService/StreamingOutputCall`.
        public static let streamingOutputCall = MethodDescriptor<Grpc_Testing_StreamingOutputCallRequest, Grpc_Testing_StreamingOutputCallResponse>(
            service: Grpc_Testing_TestService.fullName, method: "StreamingOutputCall", shape: .serverStreaming)
        /// `grpc.testing.TestService/StreamingInputCall`.
        public static let streamingInputCall = MethodDescriptor<Grpc_Testing_StreamingInputCallRequest, Grpc_Testing_StreamingInputCallResponse>(
            service: Grpc_Testing_TestService.fullName, method: "StreamingInputCall", shape: .clientStreaming)
        /// `grpc.testing.TestService/FullDuplexCall`.
        public static let fullDuplexCall = MethodDescriptor<Grpc_Testing_StreamingOutputCallRequest, Grpc_Testing_StreamingOutputCallResponse>(
            service: Grpc_Testing_TestService.fullName, method: "FullDuplexCall", shape: .bidirectionalStreaming)
        /// `grpc.testing.TestService/HalfDuplexCall`.
        public static let halfDuplexCall = MethodDescriptor<Grpc_Testing_StreamingOutputCallRequest, Grpc_Testing_StreamingOutputCallResponse>(
            service: Grpc_Testing_TestService.fullName, method: "HalfDuplexCall", shape: .bidirectionalStreaming)
        /// `grpc.testing.TestService/UnimplementedCall`.
        public static let unimplementedCall = MethodDescriptor<Grpc_Testing_Empty, Grpc_Testing_Empty>(
            service: Grpc_Testing_TestService.fullName, method: "UnimplementedCall", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `grpc.testing.TestService/EmptyCall`.
        public var emptyCall: (@Sendable (Grpc_Testing_Empty, CallContext) throws -> Grpc_Testing_Empty)?
        /// `grpc.testing.TestService/UnaryCall`.
        public var unaryCall: (@Sendable (Grpc_Testing_SimpleRequest, CallContext) throws -> Grpc_Testing_SimpleResponse)?
        /// `grpc.testing.TestService/UnimplementedCall`.
        public var unimplementedCall: (@Sendable (Grpc_Testing_Empty, CallContext) throws -> Grpc_Testing_Empty)?

        /// Methods without a handler here may wait.
        public init(
            emptyCall: (@Sendable (Grpc_Testing_Empty, CallContext) throws -> Grpc_Testing_Empty)? = nil,
            unaryCall: (@Sendable (Grpc_Testing_SimpleRequest, CallContext) throws -> Grpc_Testing_SimpleResponse)? = nil,
            unimplementedCall: (@Sendable (Grpc_Testing_Empty, CallContext) throws -> Grpc_Testing_Empty)? = nil
        ) {
            self.emptyCall = emptyCall
            self.unaryCall = unaryCall
            self.unimplementedCall = unimplementedCall
        }
    }
}

/// Implements `grpc.testing.TestService` on a server: `Server(services: […])`.
public protocol Grpc_Testing_TestServiceHandler: RPCService {
    /// `grpc.testing.TestService/EmptyCall`.
    func emptyCall(
        _ request: Grpc_Testing_Empty, context: CallContext
    ) async throws -> Grpc_Testing_Empty
    /// `grpc.testing.TestService/UnaryCall`.
    func unaryCall(
        _ request: Grpc_Testing_SimpleRequest, context: CallContext
    ) async throws -> Grpc_Testing_SimpleResponse
    /// `grpc.testing.TestService/StreamingOutputCall`.
    func streamingOutputCall(
        _ request: Grpc_Testing_StreamingOutputCallRequest, responses: MessageWriter<Grpc_Testing_StreamingOutputCallResponse>, context: CallContext
    ) async throws
    /// `grpc.testing.TestService/StreamingInputCall`.
    func streamingInputCall(
        _ requests: MessageStream<Grpc_Testing_StreamingInputCallRequest>, context: CallContext
    ) async throws -> Grpc_Testing_StreamingInputCallResponse
    /// `grpc.testing.TestService/FullDuplexCall`.
    func fullDuplexCall(
        _ requests: MessageStream<Grpc_Testing_StreamingOutputCallRequest>, responses: MessageWriter<Grpc_Testing_StreamingOutputCallResponse>, context: CallContext
    ) async throws
    /// Answers after the last request.
    func halfDuplexCall(
        _ requests: MessageStream<Grpc_Testing_StreamingOutputCallRequest>, responses: MessageWriter<Grpc_Testing_StreamingOutputCallResponse>, context: CallContext
    ) async throws
    /// Nobody implements it.
    func unimplementedCall(
        _ request: Grpc_Testing_Empty, context: CallContext
    ) async throws -> Grpc_Testing_Empty
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: Grpc_Testing_TestService.SynchronousHandlers { get }
}

extension Grpc_Testing_TestServiceHandler {
    public var synchronousHandlers: Grpc_Testing_TestService.SynchronousHandlers { Grpc_Testing_TestService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(Grpc_Testing_TestService.Methods.emptyCall, synchronous: synchronous.emptyCall) {
            try await self.emptyCall($0, context: $1)
        }
        router.register(Grpc_Testing_TestService.Methods.unaryCall, synchronous: synchronous.unaryCall) {
            try await self.unaryCall($0, context: $1)
        }
        router.registerServerStreaming(Grpc_Testing_TestService.Methods.streamingOutputCall) {
            try await self.streamingOutputCall($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(Grpc_Testing_TestService.Methods.streamingInputCall) {
            try await self.streamingInputCall($0, context: $1)
        }
        router.registerBidirectionalStreaming(Grpc_Testing_TestService.Methods.fullDuplexCall) {
            try await self.fullDuplexCall($0, responses: $1, context: $2)
        }
        router.registerBidirectionalStreaming(Grpc_Testing_TestService.Methods.halfDuplexCall) {
            try await self.halfDuplexCall($0, responses: $1, context: $2)
        }
        router.register(Grpc_Testing_TestService.Methods.unimplementedCall, synchronous: synchronous.unimplementedCall) {
            try await self.unimplementedCall($0, context: $1)
        }
    }
}

/// Calls `grpc.testing.TestService` over any channel.
public struct Grpc_Testing_TestServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `grpc.testing.TestService/EmptyCall`.
    public func emptyCall(
        _ request: Grpc_Testing_Empty, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Grpc_Testing_Empty {
        try await channel.unary(Grpc_Testing_TestService.Methods.emptyCall, request, options: options)
    }

    /// `grpc.testing.TestService/UnaryCall`.
    public func unaryCall(
        _ request: Grpc_Testing_SimpleRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Grpc_Testing_SimpleResponse {
        try await channel.unary(Grpc_Testing_TestService.Methods.unaryCall, request, options: options)
    }

    /// `grpc.testing.TestService/StreamingOutputCall`.
    public func streamingOutputCall(
        _ request: Grpc_Testing_StreamingOutputCallRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<Grpc_Testing_StreamingOutputCallResponse> {
        channel.serverStream(Grpc_Testing_TestService.Methods.streamingOutputCall, request, options: options)
    }

    /// `grpc.testing.TestService/StreamingInputCall`.
    public func streamingInputCall(
        options: CallOptions = CallOptions()
    ) -> ClientStream<Grpc_Testing_StreamingInputCallRequest, Grpc_Testing_StreamingInputCallResponse> {
        channel.clientStream(Grpc_Testing_TestService.Methods.streamingInputCall, options: options)
    }

    /// `grpc.testing.TestService/FullDuplexCall`.
    public func fullDuplexCall(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<Grpc_Testing_StreamingOutputCallRequest, Grpc_Testing_StreamingOutputCallResponse> {
        channel.bidirectionalStream(Grpc_Testing_TestService.Methods.fullDuplexCall, options: options)
    }

    /// Answers after the last request.
    public func halfDuplexCall(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<Grpc_Testing_StreamingOutputCallRequest, Grpc_Testing_StreamingOutputCallResponse> {
        channel.bidirectionalStream(Grpc_Testing_TestService.Methods.halfDuplexCall, options: options)
    }

    /// Nobody implements it.
    public func unimplementedCall(
        _ request: Grpc_Testing_Empty, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Grpc_Testing_Empty {
        try await channel.unary(Grpc_Testing_TestService.Methods.unimplementedCall, request, options: options)
    }
}

/// Nobody serves it.
public enum Grpc_Testing_UnimplementedService {
    /// The service's name on the wire.
    public static let fullName = "grpc.testing.UnimplementedService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { Grpc_Testing_InteropFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `grpc.testing.UnimplementedService/UnimplementedCall`.
        public static let unimplementedCall = MethodDescriptor<Grpc_Testing_Empty, Grpc_Testing_Empty>(
            service: Grpc_Testing_UnimplementedService.fullName, method: "UnimplementedCall", shape: .unary)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `grpc.testing.UnimplementedService/UnimplementedCall`.
        public var unimplementedCall: (@Sendable (Grpc_Testing_Empty, CallContext) throws -> Grpc_Testing_Empty)?

        /// Methods without a handler here may wait.
        public init(
            unimplementedCall: (@Sendable (Grpc_Testing_Empty, CallContext) throws -> Grpc_Testing_Empty)? = nil
        ) {
            self.unimplementedCall = unimplementedCall
        }
    }
}

/// Implements `grpc.testing.UnimplementedService` on a server: `Server(services: […])`.
public protocol Grpc_Testing_UnimplementedServiceHandler: RPCService {
    /// `grpc.testing.UnimplementedService/UnimplementedCall`.
    func unimplementedCall(
        _ request: Grpc_Testing_Empty, context: CallContext
    ) async throws -> Grpc_Testing_Empty
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: Grpc_Testing_UnimplementedService.SynchronousHandlers { get }
}

extension Grpc_Testing_UnimplementedServiceHandler {
    public var synchronousHandlers: Grpc_Testing_UnimplementedService.SynchronousHandlers { Grpc_Testing_UnimplementedService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(Grpc_Testing_UnimplementedService.Methods.unimplementedCall, synchronous: synchronous.unimplementedCall) {
            try await self.unimplementedCall($0, context: $1)
        }
    }
}

/// Calls `grpc.testing.UnimplementedService` over any channel.
public struct Grpc_Testing_UnimplementedServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// `grpc.testing.UnimplementedService/UnimplementedCall`.
    public func unimplementedCall(
        _ request: Grpc_Testing_Empty, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> Grpc_Testing_Empty {
        try await channel.unary(Grpc_Testing_UnimplementedService.Methods.unimplementedCall, request, options: options)
    }
}
