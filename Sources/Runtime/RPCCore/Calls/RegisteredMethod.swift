import Logging
import ProtobufC

/// A method with its handler, its message types erased. A ``MethodTable`` finds it by its name.
public class RegisteredMethod: @unchecked Sendable {
    // Sendable: all stored properties, here and in the final subclasses (`UnaryMethod`, `StreamingMethod`), are
    // constants of Sendable type. The compiler cannot see that through a class that is not final, hence `@unchecked`; nobody outside this
    // module can subclass it.
    /// The full name of the service, such as `greeter.v1.Greeter`.
    public let service: String
    /// The name of the method, such as `SayHello`.
    public let method: String
    /// `service/method`.
    public let path: String
    /// Which sides send streams.
    public let shape: CallShape
    /// The type of its requests: full name, fields, file. `DynamicMessage` and reflection use it.
    public let requestDescriptor: MessageDescriptor
    /// The type of its responses.
    public let responseDescriptor: MessageDescriptor
    /// Its name as bytes, for the look-up.
    let name: MethodName
    /// The values that the contexts of all its calls share.
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

    /// The same method in a server's table, with the server's logger and observers, and with interceptors around its handler.
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
            types: CallContext.MessageTypes(request: other.requestDescriptor, response: other.responseDescriptor),
            observer: calls.observers.observer(of: other, loopCount: calls.loopCount, logger: calls.logger ?? .dropping),
            limit: calls.observers.limit(of: other))
    }

    /// Takes a unary call's answer, and the call's context. (The context is a parameter, because a closure that keeps parts of it would count
    /// references to them in each call.)
    @_documentation(visibility: internal)
    public typealias Answer = (borrowing PackableMessage, CallContext) -> Void

    /// Unary: prepares the context, decodes the request, and answers the call if that needs no waiting.
    ///
    /// Runs on the connection's event loop. `payload` is borrowed: the needed bytes are copied before this returns.
    /// - Parameter answer: called with the answer, if there is one at once.
    /// - Returns: nil if the call was answered, else the call whose handler is to run.
    /// - Throws: the error that ends the call, with the context. If it is no ``RPCError``, the caller gets ``RPCError/init(handlerFailure:)``.
    @_documentation(visibility: internal)
    public func start(
        _ id: CallID, payload: RawSpan, context: consuming CallContext, answer: Answer
    ) throws(StartFailure) -> ServerCall? {
        preconditionFailure("\(path) is not unary")
    }

    /// Streaming: the server's end of a new call.
    package func makeServerEnd(link: any StreamLink, budgets: StreamBudgets) -> ServerStreamEnd {
        preconditionFailure("\(path) is unary")
    }

    /// The same method with a server's interceptors and observers.
    func served(_ calls: ServedCalls) -> RegisteredMethod {
        preconditionFailure("\(path) has no handler")
    }
}

/// The error that an interceptor or a handler of a unary call has thrown before its answer.
@_documentation(visibility: internal)
public struct StartFailure: Error {
    package let error: any Error
    /// The call's context, with what interceptors have added to it.
    package let context: CallContext

    @usableFromInline
    init(_ error: any Error, _ context: consuming CallContext) {
        self.error = error
        self.context = context
    }
}

/// The values that all methods of a server share.
struct ServedCalls {
    /// The interceptors before their handlers, the outermost first.
    var interceptors: [any ServerInterceptor]
    /// The observers and limits of their calls.
    var observers: [any CallObserver]
    /// The server's event loops.
    var loopCount: Int
    /// Nil for one that drops everything.
    var logger: Logger?
}

extension RPCError {
    /// Makes the caller's error of an error that a handler threw. An ``RPCError`` stays as it is, a cancelled task is `CANCELLED`,
    /// and any other error is `INTERNAL` without its text, which may contain private data.
    public init(handlerFailure error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case is CancellationError: self = RPCError(.cancelled, "the call was cancelled")
        default: self = RPCError(.internal, "the handler failed")
        }
    }

    /// Makes the caller's error of an error that a handler threw, and logs the type of an unexpected one. Its text is not logged, because it may
    /// contain private data.
    package init(logging error: any Error, of context: CallContext) {
        if !(error is RPCError), !(error is CancellationError) {
            context.logger.error("a handler failed", metadata: ["error.type": "\(type(of: error))"])
        }
        self.init(handlerFailure: error)
    }

    /// The error for the caller of a request that cannot be decoded.
    @usableFromInline
    package static func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError {
        RPCError(.invalidArgument, "the request is not a valid \(descriptor.fullName): \(error)")
    }

    /// The error for the caller when the answer cannot be encoded. That is the service's fault, so the code is `INTERNAL`.
    public static let unencodableAnswer = RPCError(.internal, "the answer could not be encoded")
}
