import ProtobufC

/// A unary method whose handler may wait.
final class UnaryMethod<Request: Message, Response: Message>: RegisteredMethod, @unchecked Sendable {
    typealias Handler = @Sendable (Request, CallContext) async throws -> Response
    private let descriptor: MethodDescriptor<Request, Response>
    private let handler: Handler

    init(_ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping Handler) {
        self.descriptor = descriptor
        self.handler = handler
        super.init(descriptor)
    }

    override func start(_ id: CallID, payload: RawSpan, context: CallContext, host: any CallHost) {
        let request: Request
        do throws(DecodingError) {
            request = try Request(serializedBytes: payload)
        } catch {
            return host.fail(id, .undecodable(Request.self, error), context)
        }
        let handler = handler
        host.run(id, context: context) { () async throws -> Response in try await handler(request, context) }
    }

    override func intercepted(by interceptors: [any ServerInterceptor]) -> RegisteredMethod {
        UnaryMethod(descriptor, Self.chain(interceptors[...], handler))
    }

    static func chain(_ interceptors: ArraySlice<any ServerInterceptor>, _ handler: @escaping Handler) -> Handler {
        guard let first = interceptors.first else { return handler }
        return link(first, chain(interceptors.dropFirst(), handler))
    }

    /// The interceptor's type is opened here, once for the method, and not again for each call.
    private static func link(_ interceptor: some ServerInterceptor, _ next: @escaping Handler) -> Handler {
        { request, context in try await interceptor.interceptUnary(request, context, next) }
    }
}

/// A unary method whose handler never waits: it runs to completion on the event loop, with no task at all.
final class SynchronousUnaryMethod<Request: Message, Response: Message>: RegisteredMethod, @unchecked Sendable {
    typealias Handler = @Sendable (Request, CallContext) throws -> Response
    private let descriptor: MethodDescriptor<Request, Response>
    private let handler: Handler

    init(_ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping Handler) {
        self.descriptor = descriptor
        self.handler = handler
        super.init(descriptor)
    }

    override func start(_ id: CallID, payload: RawSpan, context: CallContext, host: any CallHost) {
        let request: Request
        do throws(DecodingError) {
            request = try Request(serializedBytes: payload)
        } catch {
            return host.fail(id, .undecodable(Request.self, error), context)
        }
        do {
            host.complete(id, with: try handler(request, context), context)
        } catch {
            host.fail(id, RPCError(handlerFailure: error), context)
        }
    }

    /// Interceptors may wait, so behind them it is a method that may.
    override func intercepted(by interceptors: [any ServerInterceptor]) -> RegisteredMethod {
        let handler = handler
        return UnaryMethod(
            descriptor,
            UnaryMethod<Request, Response>.chain(interceptors[...]) { request, context in try handler(request, context) })
    }
}
