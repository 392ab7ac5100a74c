import Logging
import ProtobufC

/// A method with its handler, its message types erased: what a request's name leads to.
public class RegisteredMethod: @unchecked Sendable {
    // Sendable: all stored properties, here and in the final subclasses (`UnaryMethod`, `StreamingMethod`), are
    // constants of Sendable type. The compiler cannot see that through a class that is not final, hence `@unchecked`; nobody outside this
    // module can subclass it.
    public let service: String
    public let method: String
    /// `service/method`.
    public let path: String
    public let shape: CallShape
    /// The type of its requests: full name, fields, file. `DynamicMessage` and reflection need no more.
    public let requestDescriptor: MessageDescriptor
    /// The type of its responses.
    public let responseDescriptor: MessageDescriptor
    /// Its name as bytes, for the look-up.
    let name: MethodName
    /// What its calls' contexts share.
    package let target: CallContext.Target

    init<Request: Message, Response: Message>(_ descriptor: MethodDescriptor<Request, Response>) {
        service = descriptor.service
        method = descriptor.method
        path = descriptor.path
        shape = descriptor.shape
        requestDescriptor = Request.descriptor
        responseDescriptor = Response.descriptor
        name = MethodName(service: descriptor.service, method: descriptor.method)
        target = CallContext.Target(method: descriptor.path, shape: descriptor.shape, logger: nil)
    }

    /// The same method in a server's table: with its logger and observer, and perhaps another way to its handler.
    init(_ other: RegisteredMethod, _ calls: ServedCalls) {
        service = other.service
        method = other.method
        path = other.path
        shape = other.shape
        requestDescriptor = other.requestDescriptor
        responseDescriptor = other.responseDescriptor
        name = other.name
        target = CallContext.Target(
            method: other.path, shape: other.shape, logger: calls.logger,
            observer: calls.observers.observer(of: other, loopCount: calls.loopCount, logger: calls.logger ?? .dropping),
            limit: calls.observers.limit(of: other))
    }

    /// Unary: prepares the context, decodes the request, and answers the call if that takes no waiting.
    ///
    /// Runs on the connection's event loop. `payload` is borrowed: what is needed of it is copied before this returns.
    /// - Parameter answer: takes the answer, if there is one at once.
    /// - Returns: nil if the call was answered, else the call whose handler is to run.
    /// - Throws: what the call ends with; of what is no ``RPCError`` the caller is told ``RPCError/init(handlerFailure:)``.
    public func start(
        _ id: CallID, payload: RawSpan, context: consuming CallContext, answer: (borrowing PackableMessage) -> Void
    ) throws -> ServerCall? {
        preconditionFailure("\(path) is not unary")
    }

    /// Streaming: the server's end of a new call.
    package func makeServerEnd(link: any StreamLink, budgets: StreamBudgets) -> ServerStreamEnd {
        preconditionFailure("\(path) is unary")
    }

    /// The same method as a server has it.
    func served(_ calls: ServedCalls) -> RegisteredMethod {
        preconditionFailure("\(path) has no handler")
    }
}

/// What all methods of a server have in common.
struct ServedCalls {
    /// What stands before their handlers, the outermost first.
    var interceptors: [any ServerInterceptor]
    /// Who hears of their calls, and what limits them.
    var observers: [any CallObserver]
    /// The server's event loops.
    var loopCount: Int
    /// Nil for one that drops everything.
    var logger: Logger?
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

    /// What the caller is told of an error that a handler threw. An error that nobody foresaw is logged by its type; its text may be none of the
    /// log's business.
    package init(logging error: any Error, of context: CallContext) {
        if !(error is RPCError), !(error is CancellationError) {
            context.logger.error("a handler failed", metadata: ["error.type": "\(type(of: error))"])
        }
        self.init(handlerFailure: error)
    }

    /// What the caller is told of a request that does not decode.
    @usableFromInline
    package static func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError {
        RPCError(.invalidArgument, "the request is not a valid \(descriptor.fullName): \(error)")
    }

    /// What the caller is told of an answer that cannot be encoded: what our own service made is no fault of the caller's.
    public static let unencodableAnswer = RPCError(.internal, "the answer could not be encoded")
}
