import ProtobufC

/// An interceptor of every call of a channel: credentials, logging, metrics, a retry.
///
/// The first of the list is the outermost. Each requirement has a default, so an interceptor writes only what it needs;
/// ``options(_:for:)`` alone is enough to send metadata or a timeout with every call.
///
///     struct SendToken: ClientInterceptor {
///         let token: String
///
///         func options(_ options: CallOptions, for method: String) -> CallOptions {
///             var options = options
///             options.metadata.set("Bearer \(token)", for: "authorization")
///             return options
///         }
///     }
///
///     let greeter = GreeterClient(channel: channel).intercepted(by: [SendToken(token: token)])
public protocol ClientInterceptor: Sendable {
    /// The options for a call of `method` (`service/method`). Default: the caller's options.
    func options(_ options: CallOptions, for method: String) -> CallOptions

    /// Runs around a unary call. `next` makes the call, and may be called more than once. Default: once.
    func interceptUnary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions,
        _ next: NextRequest<Request, Response>
    ) async throws(RPCError) -> Response

    /// Wraps the writer of a streaming call's requests. Default: unchanged.
    func requests<Request: Message>(_ requests: MessageWriter<Request>, of method: String) -> MessageWriter<Request>

    /// Wraps the stream of a streaming call's responses, with its end. A client-streaming call has one response, and then its end. Default:
    /// unchanged.
    func responses<Response: Message>(_ responses: MessageStream<Response>, of method: String) -> MessageStream<Response>
}

extension ClientInterceptor {
    /// Changes nothing.
    public func options(_ options: CallOptions, for method: String) -> CallOptions { options }

    /// Goes on with the call.
    public func interceptUnary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions,
        _ next: NextRequest<Request, Response>
    ) async throws(RPCError) -> Response {
        try await next(request, options)
    }

    /// Changes nothing.
    public func requests<Request: Message>(_ requests: MessageWriter<Request>, of method: String) -> MessageWriter<Request> {
        requests
    }

    /// Changes nothing.
    public func responses<Response: Message>(
        _ responses: MessageStream<Response>, of method: String
    ) -> MessageStream<Response> {
        responses
    }
}

// A separate type, for the reason that ServerInterceptor.swift gives.

/// Makes a unary call, for ``ClientInterceptor/interceptUnary(_:_:_:_:)``. Called like a function, any number of times.
public struct NextRequest<Request: Message, Response: Message>: Sendable {
    private let body: @Sendable (Request, CallOptions) async throws(RPCError) -> Response

    /// For calling an interceptor without a channel, in a test of it.
    public init(_ body: @escaping @Sendable (Request, CallOptions) async throws(RPCError) -> Response) { self.body = body }

    /// Makes the call and returns its response.
    public func callAsFunction(_ request: Request, _ options: CallOptions) async throws(RPCError) -> Response {
        try await body(request, options)
    }
}
