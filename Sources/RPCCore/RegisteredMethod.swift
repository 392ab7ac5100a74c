import ProtobufC

/// A method with its handler, its message types erased: what a request's name leads to.
public class RegisteredMethod: @unchecked Sendable {
    // Sendable: all stored properties, here and in the two final subclasses below, are constants of Sendable type. The
    // compiler cannot see that through an open class, hence `@unchecked`; nobody outside this file can subclass it.
    public let service: String
    public let method: String
    /// `service/method`.
    public let path: String
    public let shape: CallShape

    fileprivate init<Request, Response>(_ descriptor: MethodDescriptor<Request, Response>) {
        service = descriptor.service
        method = descriptor.method
        path = descriptor.path
        shape = descriptor.shape
    }

    /// Decodes the request and hands it to the handler; the answer goes to `host` under `id`, now or later.
    ///
    /// Runs on the host's event loop. `payload` is borrowed: what is needed of it is copied before this returns.
    public func start(_ id: CallID, payload: RawSpan, context: CallContext, host: any CallHost) {}

    /// Decodes the request, answering `INVALID_ARGUMENT` with the offending field where it does not decode.
    fileprivate func decode<Request: Message>(_ payload: RawSpan, _ id: CallID, _ host: any CallHost) -> Request? {
        do {
            return try Request(serializedBytes: payload)
        } catch {
            host.fail(id, RPCError(.invalidArgument, "the request is not a valid \(Request.descriptor.fullName): \(error)"))
            return nil
        }
    }
}

/// A unary method whose handler may wait.
final class UnaryMethod<Request: Message, Response: Message>: RegisteredMethod, @unchecked Sendable {
    typealias Handler = @Sendable (Request, CallContext) async throws -> Response
    private let handler: Handler

    init(_ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping Handler) {
        self.handler = handler
        super.init(descriptor)
    }

    override func start(_ id: CallID, payload: RawSpan, context: CallContext, host: any CallHost) {
        guard let request: Request = decode(payload, id, host) else { return }
        let handler = handler
        host.run(id, context: context) { () async throws -> Response in try await handler(request, context) }
    }
}

/// A unary method whose handler never waits: it runs to completion on the event loop, with no task at all.
final class SynchronousUnaryMethod<Request: Message, Response: Message>: RegisteredMethod, @unchecked Sendable {
    typealias Handler = @Sendable (Request, CallContext) throws -> Response
    private let handler: Handler

    init(_ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping Handler) {
        self.handler = handler
        super.init(descriptor)
    }

    override func start(_ id: CallID, payload: RawSpan, context: CallContext, host: any CallHost) {
        guard let request: Request = decode(payload, id, host) else { return }
        do {
            host.complete(id, with: try handler(request, context), deadline: context.deadline)
        } catch {
            host.fail(id, RPCError(handlerFailure: error))
        }
    }
}

extension RPCError {
    /// What the caller is told of an error that a handler threw: an ``RPCError`` as it is, a cancelled task as `CANCELLED`,
    /// anything else as `INTERNAL` without its text, which may hold what is none of the caller's business.
    public init(handlerFailure error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case is CancellationError: self = RPCError(.cancelled, "the call was cancelled")
        default: self = RPCError(.internal, "the handler failed")
        }
    }
}
