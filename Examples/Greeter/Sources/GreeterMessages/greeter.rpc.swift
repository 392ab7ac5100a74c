// Written by protoc-gen-pulseboard-swift from greeter.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import RPCCore

/// Says hello, in each of the four shapes that a call can have.
public enum Greeter {
    /// The service's name on the wire.
    public static let fullName = "greeter.v1.Greeter"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { GreeterFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `greeter.v1.Greeter/SayHello`.
        public static let sayHello = MethodDescriptor<HelloRequest, HelloReply>(
            service: Greeter.fullName, method: "SayHello", shape: .unary)
        /// `greeter.v1.Greeter/CountDown`.
        public static let countDown = MethodDescriptor<CountDownRequest, Count>(
            service: Greeter.fullName, method: "CountDown", shape: .serverStreaming)
        /// `greeter.v1.Greeter/SayHelloToAll`.
        public static let sayHelloToAll = MethodDescriptor<HelloRequest, HelloReply>(
            service: Greeter.fullName, method: "SayHelloToAll", shape: .clientStreaming)
        /// `greeter.v1.Greeter/Chat`.
        public static let chat = MethodDescriptor<ChatLine, ChatLine>(
            service: Greeter.fullName, method: "Chat", shape: .bidirectionalStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `greeter.v1.Greeter/SayHello`.
        public var sayHello: (@Sendable (HelloRequest, CallContext) throws -> HelloReply)?

        /// Methods without a handler here may wait.
        public init(
            sayHello: (@Sendable (HelloRequest, CallContext) throws -> HelloReply)? = nil
        ) {
            self.sayHello = sayHello
        }
    }
}

/// Implements `greeter.v1.Greeter` on a server: `Server(services: […])`.
public protocol GreeterHandler: RPCService {
    /// Greets one person.
    /// Fails with INVALID_ARGUMENT when the name is empty.
    func sayHello(
        _ request: HelloRequest, context: CallContext
    ) async throws -> HelloReply
    /// Counts down to zero, as fast as the caller reads.
    func countDown(
        _ request: CountDownRequest, responses: MessageWriter<Count>, context: CallContext
    ) async throws
    /// Greets everybody at once, when all names have been sent.
    func sayHelloToAll(
        _ requests: MessageStream<HelloRequest>, context: CallContext
    ) async throws -> HelloReply
    /// Answers every line as it comes.
    func chat(
        _ requests: MessageStream<ChatLine>, responses: MessageWriter<ChatLine>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: Greeter.SynchronousHandlers { get }
}

extension GreeterHandler {
    public var synchronousHandlers: Greeter.SynchronousHandlers { Greeter.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(Greeter.Methods.sayHello, synchronous: synchronous.sayHello) {
            try await self.sayHello($0, context: $1)
        }
        router.registerServerStreaming(Greeter.Methods.countDown) {
            try await self.countDown($0, responses: $1, context: $2)
        }
        router.registerClientStreaming(Greeter.Methods.sayHelloToAll) {
            try await self.sayHelloToAll($0, context: $1)
        }
        router.registerBidirectionalStreaming(Greeter.Methods.chat) {
            try await self.chat($0, responses: $1, context: $2)
        }
    }
}

/// Calls `greeter.v1.Greeter` over any channel.
public struct GreeterClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Greets one person.
    /// Fails with INVALID_ARGUMENT when the name is empty.
    public func sayHello(
        _ request: HelloRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> HelloReply {
        try await channel.unary(Greeter.Methods.sayHello, request, options: options)
    }

    /// Counts down to zero, as fast as the caller reads.
    public func countDown(
        _ request: CountDownRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<Count> {
        channel.serverStream(Greeter.Methods.countDown, request, options: options)
    }

    /// Greets everybody at once, when all names have been sent.
    public func sayHelloToAll(
        options: CallOptions = CallOptions()
    ) -> ClientStream<HelloRequest, HelloReply> {
        channel.clientStream(Greeter.Methods.sayHelloToAll, options: options)
    }

    /// Answers every line as it comes.
    public func chat(
        options: CallOptions = CallOptions()
    ) -> BidirectionalStream<ChatLine, ChatLine> {
        channel.bidirectionalStream(Greeter.Methods.chat, options: options)
    }
}
