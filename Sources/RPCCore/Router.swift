import ProtobufC

/// Collects the methods that a server offers, then gives them as a ``MethodTable``.
public struct Router: Sendable {
    private var methods: [RegisteredMethod] = []
    private var paths: Set<String> = []

    /// A router without methods: every call is answered `UNIMPLEMENTED`.
    public init() {}

    /// Registers a unary method whose handler may wait. It starts on the connection's event loop, so what it does before its
    /// first suspension costs no thread change; blocking work must suspend.
    /// - Precondition: the method is not registered yet: two handlers for one method are a mistake in the program.
    public mutating func register<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        add(UnaryMethod(method, handler))
    }

    /// Registers a unary method whose handler never waits and never blocks: it runs to completion on the event loop.
    /// - Precondition: the method is not registered yet.
    public mutating func registerSynchronous<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>,
        _ handler: @escaping @Sendable (Request, CallContext) throws -> Response
    ) {
        add(SynchronousUnaryMethod(method, handler))
    }

    /// The registered methods, ready for look-up.
    public func methodTable() -> MethodTable { MethodTable(methods) }

    private mutating func add(_ method: RegisteredMethod) {
        precondition(paths.insert(method.path).inserted, "\(method.path) is registered twice")
        methods.append(method)
    }
}
