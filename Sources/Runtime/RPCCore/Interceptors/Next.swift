import ProtobufC

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
