import ProtobufC

/// A channel for calls: a socket channel, or a replacement in a test. Generated clients use it.
///
/// A replacement that answers with one message, without its three functions for streams:
///
///     struct OneAnswer<Answer: Message>: CallChannel {
///         let answer: Answer
///         func unary<Request: Message, Response: Message>(
///             _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
///         ) async throws(RPCError) -> Response {
///             guard let answer = answer as? Response else { throw RPCError(.unimplemented, method.path) }
///             return answer
///         }
///     }
public protocol CallChannel: Sendable {
    /// Sends one request and waits for its one answer.
    ///
    /// Cancelling the calling task ends the call with ``StatusCode/cancelled``, on the server too.
    /// - Throws: ``RPCError``: the server's status; `UNAVAILABLE` without a connection, or when it was lost; `DEADLINE_EXCEEDED` when
    ///   `options.timeout` ran out; `INTERNAL` when the answer could not be decoded; `INVALID_ARGUMENT` when the request or its metadata cannot be
    ///   sent; `RESOURCE_EXHAUSTED` when the request, its headers or the answer are over a limit; `CANCELLED`.
    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response

    /// Sends one request. The answers come on the stream, and so does the error that ends the call, as of ``unary(_:_:options:)``.
    func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response>

    /// Opens a call of many requests and one answer. The stream's methods throw the same errors as ``unary(_:_:options:)``.
    func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response>

    /// Opens a call of many requests and many answers. The stream's methods throw the same errors as ``unary(_:_:options:)``.
    func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response>
}

/// A generated client: a service's calls over any channel.
///
/// The clients of several services may share a channel:
///
///     let channel = try Channel(socketPath: "/run/greeter.sock")
///     let greeter = GreeterClient(channel: channel).intercepted(by: [TracePropagation()])
///     let health = Grpc_Health_V1_HealthClient(channel: channel)      // of the module `StandardServiceMessages`
///     print(try await greeter.sayHello(HelloRequest(name: "world")).text)
///     print(try await health.check(Grpc_Health_V1_HealthCheckRequest()).status == .serving)
///
/// A test gives a client a replacement of the channel, as ``CallChannel`` shows.
public protocol ServiceClient: Sendable {
    /// The channel of the calls.
    var channel: any CallChannel { get }

    /// A client whose calls go over `channel`.
    init(channel: any CallChannel)
}

extension ServiceClient {
    /// Makes a unary call and returns its answer with the metadata. If you need only the message, call the client's own method.
    ///
    ///     let response = try await greeter.response(from: Greeter.Methods.sayHello, to: HelloRequest(name: "world"))
    ///     print(response.message.text, response.metadata["x-served-by"] ?? "")
    /// - Throws: ``RPCError`` as ``CallChannel/unary(_:_:options:)``.
    public func response<Request: Message, Response: Message>(
        from method: MethodDescriptor<Request, Response>, to request: Request, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> CallResponse<Response> {
        try await channel.response(from: method, to: request, options: options)
    }

    /// The same client with interceptors before every call; the first of them is the outermost.
    public func intercepted(by interceptors: [any ClientInterceptor]) -> Self {
        Self(channel: channel.intercepted(by: interceptors))
    }
}
