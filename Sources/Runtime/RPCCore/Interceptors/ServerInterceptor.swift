import ProtobufC

/// An interceptor of every call of a server: authentication, logging, metrics, a limit.
///
/// The first interceptor of a server's list is the outermost. Each requirement has a default, so an interceptor implements only the one that it
/// needs: ``intercept(_:_:)`` sees the call as a whole, the other two also see its messages. An interceptor ends a call by throwing
/// ``RPCError``. It runs in the handler's task. That task starts on the connection's event loop, or on another thread if the call is handled apart
/// from the loop: ``Router/register(_:_:)``. A server without interceptors pays nothing.
///
///     struct Timing: ServerInterceptor {
///         func intercept<Answer>(_ context: CallContext, _ next: NextCall<Answer>) async throws -> Answer {
///             let start = ContinuousClock.now
///             defer { context.logger.info("took \(ContinuousClock.now - start)") }
///             return try await next(context)
///         }
///     }
///
///     let server = try Server(services: [GreeterService()], interceptors: [Timing()])
///
/// (`nonisolated(nonsending)` as for handlers: an interceptor may be written without it, and then costs a change of executor.)
public protocol ServerInterceptor: Sendable {
    /// Runs around a call of any shape. `next` continues the call and returns, or throws, when its handler has ended.
    nonisolated(nonsending) func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer

    /// Runs around a unary call, and sees its messages. Default: ``intercept(_:_:)``.
    nonisolated(nonsending) func interceptUnary<Request: Message, Response: Message>(
        _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
    ) async throws -> Response

    /// Runs around a streaming call, and sees its messages. A server-streaming call has one request, a client-streaming call one
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

// The rest of a call behind an interceptor, as separate types. A plain function type would mean something else in a module with another default
// isolation (`NonisolatedNonsendingByDefault`). An interceptor written there would then not match the requirement, and the default
// implementation would run instead. So an authentication could be skipped without notice.

/// The rest of a call of any shape, for ``ServerInterceptor/intercept(_:_:)``. Called like a function, once.
public struct NextCall<Answer>: Sendable {
    private let body: nonisolated(nonsending) @Sendable (CallContext) async throws -> Answer

    /// For calling an interceptor without a server, in a test of it.
    public init(_ body: nonisolated(nonsending) @escaping @Sendable (CallContext) async throws -> Answer) { self.body = body }

    /// Continues the call; returns, or throws, when its handler has ended.
    nonisolated(nonsending) public func callAsFunction(_ context: CallContext) async throws -> Answer { try await body(context) }
}

/// The rest of a unary call, for ``ServerInterceptor/interceptUnary(_:_:_:)``. Called like a function, once.
public struct NextUnary<Request: Message, Response: Message>: Sendable {
    @usableFromInline let body: nonisolated(nonsending) @Sendable (Request, CallContext) async throws -> Response

    /// For calling an interceptor without a server, in a test of it.
    @inlinable
    public init(_ body: nonisolated(nonsending) @escaping @Sendable (Request, CallContext) async throws -> Response) {
        self.body = body
    }

    /// Continues the call and returns the handler's response, or throws the handler's error.
    @inlinable
    nonisolated(nonsending) public func callAsFunction(_ request: Request, _ context: CallContext) async throws -> Response {
        try await body(request, context)
    }
}

/// The rest of a streaming call, for ``ServerInterceptor/interceptStream(_:_:_:_:)``. Called like a function, once.
public struct NextStream<Request: Message, Response: Message>: Sendable {
    private let body: @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void

    /// For calling an interceptor without a server, in a test of it.
    public init(_ body: @escaping @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void) {
        self.body = body
    }

    /// Continues the call; returns, or throws, when its handler has ended.
    public func callAsFunction(
        _ requests: MessageStream<Request>, _ responses: MessageWriter<Response>, _ context: CallContext
    ) async throws {
        try await body(requests, responses, context)
    }
}
