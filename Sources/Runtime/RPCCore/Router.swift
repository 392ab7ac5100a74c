import Logging
import ProtobufC

/// Collects the methods that a server offers, then gives them as a ``MethodTable``.
///
/// Most programs give their services to a server and never see a router. One that says more of a method does it here:
///
///     var router = Router(services: [Greeter()])
///     router.keepPlaces(for: [GreeterService.Methods.sayHello.path])
///     let server = try Server(router: router, logger: logger)
public struct Router: Sendable {
    private var methods: [RegisteredMethod] = []
    private var paths: Set<String> = []
    /// Methods for whose calls a server keeps places.
    package private(set) var pathsWithKeptPlaces: Set<String> = []
    /// What is to happen when a server of these methods begins to shut down.
    package private(set) var shutdownActions: [@Sendable () -> Void] = []

    /// A router without methods: every call is answered `UNIMPLEMENTED`.
    public init() {}

    /// Registers a unary method whose handler may wait. It starts on the connection's event loop, so what it does before its
    /// first suspension costs no thread change; blocking work must suspend. (`nonisolated(nonsending)` keeps it from looking for another executor
    /// at each step; a closure needs no more than to be written here.)
    /// - Precondition: the method is not registered yet: two handlers for one method are a mistake in the program.
    @inlinable
    public mutating func register<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: nonisolated(nonsending) @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        add(UnaryMethod(method, UnaryHandling(handler), alone: UnaryHandling.alone(handler)), .unary)
    }

    /// Registers a unary method whose handler never waits and never blocks: it runs to completion on the event loop. (Of a request that takes long to
    /// decode, elsewhere: see ``ProtobufC/MessageDescriptor/decodesByCopying(_:)``.)
    /// - Precondition: the method is not registered yet.
    @inlinable
    public mutating func registerSynchronous<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
    ) {
        let handling = UnaryHandling(synchronous: handler) { request, context in try handler(request, context) }
        add(UnaryMethod(method, handling, alone: UnaryHandling.alone(synchronous: handler)), .unary)
    }

    /// Registers a unary method with the synchronous handler, or where there is none with the other one. For generated code, whose services choose
    /// it method by method (`synchronousHandlers`).
    /// - Precondition: the method is not registered yet.
    @inlinable
    public mutating func register<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, synchronous: (@Sendable (Request, CallContext) throws -> Response)?,
        _ handler: nonisolated(nonsending) @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        if let synchronous { registerSynchronous(method, synchronous) } else { register(method, handler) }
    }

    /// Has a unary method's calls answered from memory where that can be done at once: `answer` is tried on the event loop before the handler, and
    /// gives nil for a call that is the handler's. It costs such a call neither a task nor the packing of its answer; the others pay for the
    /// trial. It may throw as the handler would, and must neither wait nor block.
    ///
    /// Behind an interceptor that sees more than contexts it is not tried: only ``ContextInterceptor``s are called without the handler. A call that is
    /// answered so takes no place among those that the server runs.
    /// - Precondition: the method is registered, with these types.
    @inlinable
    public mutating func answerFromMemory<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ answer: @escaping @Sendable (Request, CallContext) throws -> PackedMessage<Response>?
    ) {
        replace(method.path) { registered in
            guard let handling = registered.handling as? UnaryHandling<Request, Response> else {
                preconditionFailure("\(method.path) has other messages")
            }
            let remembering = UnaryHandling(memory: answer, synchronous: handling.synchronous, handling.handler)
            return UnaryMethod(method, remembering, alone: remembering.start(behind: []))
        }
    }

    /// Registers a method of one request and many responses. What the handler writes goes out as it is written; the call ends when it
    /// returns or throws.
    /// - Precondition: the method is not registered yet, and its descriptor says server-streaming.
    public mutating func registerServerStreaming<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (Request, MessageWriter<Response>, CallContext) async throws -> Void
    ) {
        add(StreamingMethod(method) { requests, responses, context in
            var iterator = requests.makeAsyncIterator()
            guard let request = try await iterator.next() else {
                throw RPCError(.invalidArgument, "the call ended without its request")
            }
            try await handler(request, responses, context)
        }, .serverStreaming)
    }

    /// Registers a method of many requests and one response.
    /// - Precondition: the method is not registered yet, and its descriptor says client-streaming.
    public mutating func registerClientStreaming<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (MessageStream<Request>, CallContext) async throws -> Response
    ) {
        add(StreamingMethod(method) { requests, responses, context in
            try await responses.write(try await handler(requests, context))
        }, .clientStreaming)
    }

    /// Registers a method of many requests and many responses, each side at its own pace.
    /// - Precondition: the method is not registered yet, and its descriptor says bidirectional.
    public mutating func registerBidirectionalStreaming<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void
    ) {
        add(StreamingMethod(method, handler), .bidirectionalStreaming)
    }

    /// The registered methods behind interceptors, ready for look-up. The first interceptor is the outermost.
    /// - Parameters:
    ///   - observers: who hears of the calls.
    ///   - loopCount: how many event loops the observers are told of.
    ///   - logger: what the loggers of the calls are made from; nil for one that drops everything.
    public func methodTable(
        interceptors: [any ServerInterceptor] = [], observers: [any CallObserver] = [], loopCount: Int = 1, logger: Logger? = nil
    ) -> MethodTable {
        let calls = ServedCalls(interceptors: interceptors, observers: observers, loopCount: loopCount, logger: logger)
        return MethodTable(methods.map { $0.served(calls) })
    }

    /// Full names of the services whose methods are registered, in the order of their first method.
    public var serviceNames: [String] {
        var seen: Set<String> = []
        return methods.map(\.service).filter { seen.insert($0).inserted }
    }

    /// Keeps some of a server's places for running calls for these methods: they are served when others have taken all the rest. For what must answer
    /// on a server under pressure, such as a health check, a sign-in or the operator's commands. Their calls are to be short.
    /// - Parameter paths: `service/method`, as in ``MethodDescriptor/path``. One that is not registered has no effect.
    public mutating func keepPlaces(for paths: some Sequence<String>) { pathsWithKeptPlaces.formUnion(paths) }

    /// Has `action` called when a server of these methods begins to shut down, before it stops to accept: for services that tell their
    /// callers, or whose calls have no end of their own.
    /// - Parameter action: returns soon; may be called again, when the shutdown is asked for again.
    public mutating func onShutdown(_ action: @escaping @Sendable () -> Void) { shutdownActions.append(action) }

    @usableFromInline
    mutating func add(_ method: RegisteredMethod, _ shape: CallShape) {
        precondition(method.shape == shape, "\(method.path) is \(method.shape), not \(shape)")
        precondition(paths.insert(method.path).inserted, "\(method.path) is registered twice")
        methods.append(method)
    }

    @usableFromInline
    mutating func replace(_ path: String, _ make: (UnaryMethod) -> UnaryMethod) {
        guard let index = methods.firstIndex(where: { $0.path == path }), let method = methods[index] as? UnaryMethod else {
            preconditionFailure("\(path) is no registered unary method")
        }
        methods[index] = make(method)
    }
}
