import ProtobufC

/// Something that stands before every handler of a server: authentication, logging, metrics, a limit.
///
/// The first interceptor of a server's list is the outermost. Each requirement has a default, so an interceptor writes only the one that
/// sees enough: ``intercept(_:_:)`` the call as a whole, the other two its messages as well. An interceptor ends a call by throwing
/// ``RPCError``; it runs where the handler runs, beginning on the connection's event loop. A server without interceptors pays nothing.
///
///     struct Timing: ServerInterceptor {
///         func intercept<Answer>(_ context: CallContext, _ next: NextCall<Answer>) async throws -> Answer {
///             let start = ContinuousClock.now
///             defer { context.logger.info("took \(ContinuousClock.now - start)") }
///             return try await next(context)
///         }
///     }
///
///     let server = try Server(services: [Greeter()], interceptors: [Timing()])
///
/// (`nonisolated(nonsending)` as for handlers: an interceptor is written with or without it, and without it costs a look for an executor.)
public protocol ServerInterceptor: Sendable {
    /// Around a call of any shape. `next` goes on with the call and returns, or throws, when its handler has ended.
    nonisolated(nonsending) func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer

    /// Around a unary call, its messages in sight. Default: ``intercept(_:_:)``.
    nonisolated(nonsending) func interceptUnary<Request: Message, Response: Message>(
        _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
    ) async throws -> Response

    /// Around a streaming call, its messages in sight. A server-streaming call has one request, a client-streaming call one
    /// response. Default: ``intercept(_:_:)``.
    nonisolated(nonsending) func interceptStream<Request: Message, Response: Message>(
        _ requests: MessageStream<Request>, _ responses: MessageWriter<Response>, _ context: CallContext,
        _ next: NextStream<Request, Response>
    ) async throws
}

extension ServerInterceptor {
    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        try await next(context)
    }

    nonisolated(nonsending) public func interceptUnary<Request: Message, Response: Message>(
        _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
    ) async throws -> Response {
        try await intercept(context, NextCall { context in try await next(request, context) })
    }

    nonisolated(nonsending) public func interceptStream<Request: Message, Response: Message>(
        _ requests: MessageStream<Request>, _ responses: MessageWriter<Response>, _ context: CallContext,
        _ next: NextStream<Request, Response>
    ) async throws {
        try await intercept(context, NextCall { context in try await next(requests, responses, context) })
    }
}
