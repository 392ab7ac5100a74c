import Logging
import ProtobufC

/// Collects the methods of a server, and makes a ``MethodTable`` of them.
///
/// Most programs give their services to a server and need no router. Use one to set more for a method:
///
///     var router = Router(services: [GreeterService()])
///     router.reserveCalls(for: [Greeter.Methods.sayHello.path])
///     let server = try Server(router: router, logger: logger)
public struct Router: Sendable {
    private var methods: [RegisteredMethod] = []
    private var paths: Set<String> = []
    /// Methods for whose calls a server reserves places.
    package private(set) var pathsWithReservedCalls: Set<String> = []
    /// Methods whose calls end when a server begins to shut down.
    package private(set) var pathsEndedAtShutdown: Set<String> = []
    /// Actions for the beginning of a server's shutdown.
    package private(set) var shutdownActions: [@Sendable () -> Void] = []

    /// A router without methods: every call is answered `UNIMPLEMENTED`.
    public init() {}

    /// Registers a unary method whose handler may wait. The handler runs on the connection's event loop, before and after a suspension, so it needs
    /// no change of thread. It must not block, and not compute for long: other calls of the loop wait meanwhile. (`nonisolated(nonsending)` avoids
    /// changes of executor. A closure that is written as an argument gets it automatically.)
    ///
    /// Two kinds of calls are handled apart from the loop, on another thread: those whose requests take long to decode
    /// (``ProtobufC/MessageDescriptor/decodesByCopying(_:)``), and those of ``handleApart(_:)``.
    /// - Precondition: the method is not registered yet.
    @inlinable
    public mutating func register<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: nonisolated(nonsending) @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        add(UnaryMethod(method, UnaryHandling(handler), alone: UnaryHandling.alone(handler)), .unary)
    }

    /// Registers a unary method whose handler never waits and never blocks. It runs to completion on the event loop. (For a request that takes long
    /// to decode, it runs on another thread: see ``ProtobufC/MessageDescriptor/decodesByCopying(_:)``.)
    /// - Precondition: the method is not registered yet.
    @inlinable
    public mutating func registerSynchronous<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
    ) {
        let handling = UnaryHandling(synchronous: handler) { request, context in try handler(request, context) }
        add(UnaryMethod(method, handling, alone: UnaryHandling.alone(synchronous: handler)), .unary)
    }

    /// Registers a unary method with the synchronous handler, or with the async one if that is nil. For generated code, whose services choose
    /// for each method (`synchronousHandlers`).
    /// - Precondition: the method is not registered yet.
    @inlinable
    public mutating func register<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, synchronous: (@Sendable (Request, CallContext) throws -> Response)?,
        _ handler: nonisolated(nonsending) @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        if let synchronous { registerSynchronous(method, synchronous) } else { register(method, handler) }
    }

    /// Answers a unary method's calls from memory, if possible. `answer` is called on the event loop before the handler. If it
    /// returns nil, the handler runs. An answer from memory needs no task and no encoding. The closure may throw like the handler, and must neither
    /// wait nor block.
    ///
    /// It is not called behind an interceptor that sees more than the context: only ``ContextInterceptor``s can run without the handler. A call that
    /// is answered from memory does not count as a running call.
    /// - Precondition: the method is registered, with these types.
    @inlinable
    public mutating func answerFromMemory<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ answer: @escaping @Sendable (Request, CallContext) throws -> PackedMessage<Response>?
    ) {
        change(method) { $0.memory = answer }
    }

    /// Handles a unary method's calls outside of the event loop, one step of a user at a time. Use it for a method whose answers take milliseconds to
    /// make or to encode. The answer is encoded there too. Each call costs two changes of thread. Calls that can be answered from memory
    /// (``answerFromMemory(_:_:)``) are still answered on the loop.
    /// - Precondition: the method is registered, with these types.
    @inlinable
    public mutating func handleApart<Request: Message, Response: Message>(_ method: MethodDescriptor<Request, Response>) {
        change(method) { $0.apart = .all }
    }

    /// Handles those calls of a unary method outside of the event loop whose requests ask for long answers. The request is decoded on the loop first.
    /// The other calls stay on the loop, because two changes of thread would cost more than a short answer.
    /// - Parameter isLong: whether the answer to a request may take long to make or to encode. It runs on the loop, so it must not wait.
    /// - Precondition: the method is registered, with these types.
    @inlinable
    public mutating func handleApart<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, when isLong: @escaping @Sendable (Request) -> Bool
    ) {
        change(method) { $0.apart = .withRequests(isLong) }
    }

    /// Handles those calls of a unary method outside of the event loop whose requests have at least `byteCount` bytes on the wire. The request is
    /// decoded there too, when its turn comes. So it waits as one piece of memory, and is not answered from memory
    /// (``answerFromMemory(_:_:)``). Use it for requests with many texts, each of which takes a piece of memory when it is decoded.
    /// - Precondition: the method is registered, with these types. `byteCount` is 1 or more.
    @inlinable
    public mutating func handleApart<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, ofAtLeast byteCount: Int
    ) {
        precondition(byteCount > 0, "every request has that size")
        change(method) { $0.apart = .ofAtLeast(byteCount: byteCount) }
    }

    /// Changes how a registered unary method is handled.
    @inlinable
    mutating func change<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ edit: (inout UnaryHandling<Request, Response>) -> Void
    ) {
        replace(method.path) { registered in
            guard var handling = registered.handling as? UnaryHandling<Request, Response> else {
                preconditionFailure("\(method.path) has other messages")
            }
            edit(&handling)
            return UnaryMethod(method, handling, alone: handling.start(behind: []))
        }
    }

    /// Registers a method of one request and many responses. A response is sent as soon as the handler writes it. The call ends when the handler
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
    ///   - observers: the observers of the calls.
    ///   - loopCount: the number of event loops, for the observers.
    ///   - logger: the base of the calls' loggers; nil for one that drops everything.
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

    /// Reserves some of a server's places for running calls for these methods. They are served when other calls have taken all other places. Use it
    /// for short calls that must work on a server under pressure, such as a health check, a sign-in or the operator's commands.
    /// - Parameter paths: `service/method`, as in ``MethodDescriptor/path``. A path that is not registered has no effect.
    public mutating func reserveCalls(for paths: some Sequence<String>) { pathsWithReservedCalls.formUnion(paths) }

    /// Ends running calls of these streaming methods with `UNAVAILABLE` as soon as a server shuts down, without a grace period. Use it for streams
    /// that a client may leave open without asking for anything.
    /// - Parameter paths: `service/method`, as in ``MethodDescriptor/path``. A path that is not registered has no effect.
    public mutating func endAtShutdown(_ paths: some Sequence<String>) { pathsEndedAtShutdown.formUnion(paths) }

    /// Calls `action` when a server of these methods begins to shut down, before it stops accepting connections. For services that tell their
    /// callers, or whose calls do not end by themselves.
    /// - Parameter action: must return soon. It is called again if the shutdown is requested again.
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

/// A service of a server: a value whose methods can be registered on a router.
///
/// Each generated handler protocol inherits from it. So a type implements a service by declaring its handlers:
///
///     struct GreeterService: GreeterHandler {
///         func sayHello(_ request: HelloRequest, context: CallContext) async throws -> HelloReply {
///             HelloReply(text: "Hello, \(request.name)!")
///         }
///     }
///
///     let server = try Server(services: [GreeterService()])
///
/// A type can also conform by hand, to register several services at once, or methods without a `.proto`:
///
///     struct Everything: RPCService {
///         func register(on router: inout Router) {
///             GreeterService().register(on: &router)
///             router.reserveCalls(for: [Greeter.Methods.sayHello.path])
///         }
///     }
public protocol RPCService: Sendable {
    /// Registers the service's methods.
    /// - Precondition: none of them is registered yet.
    func register(on router: inout Router)
}

extension Router {
    /// A router with the methods of services, registered in this order.
    /// - Precondition: no two of them have a method in common.
    public init(services: [any RPCService]) {
        self.init()
        for service in services { service.register(on: &self) }
    }
}
