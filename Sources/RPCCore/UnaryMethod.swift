import Logging
import ProtobufC

/// A unary method: its handler, with decoding before it and encoding after it.
///
/// The closures are made where the method is registered, in code that knows the message types; what calls them does not, so nothing is looked
/// up by type while a call runs. (Generic code of another module costs 0.2 µs a call, measured, a third of the whole.)
public final class UnaryMethod: RegisteredMethod, @unchecked Sendable {
    /// Decodes a request, runs the handler and gives its end to the host. As ``RegisteredMethod/start(_:payload:context:host:)``.
    public typealias Start = @Sendable (CallID, RawSpan, consuming CallContext, any CallHost) -> Void

    private let body: Start
    private let behind: @Sendable ([any ServerInterceptor]) -> Start

    /// - Parameter behind: the same behind interceptors; the first of them is the outermost.
    @usableFromInline
    init<Request: Message, Response: Message>(
        _ descriptor: MethodDescriptor<Request, Response>, _ body: @escaping Start,
        behind: @escaping @Sendable ([any ServerInterceptor]) -> Start
    ) {
        self.body = body
        self.behind = behind
        super.init(descriptor)
    }

    private init(_ other: UnaryMethod, _ body: @escaping Start, logger: Logger?) {
        self.body = body
        behind = other.behind
        super.init(other, logger: logger)
    }

    /// Runs the closure that was made for the method's message types.
    public override func start(_ id: CallID, payload: RawSpan, context: consuming CallContext, host: any CallHost) {
        body(id, payload, context, host)
    }

    override func served(behind interceptors: [any ServerInterceptor], logger: Logger?) -> RegisteredMethod {
        // A synchronous handler behind nothing needs no task.
        UnaryMethod(self, interceptors.isEmpty ? body : behind(interceptors), logger: logger)
    }
}

/// What surrounds a unary handler of these message types. Inlinable, so that it is compiled for them.
@usableFromInline
enum UnaryHandling<Request: Message, Response: Message> {
    @usableFromInline typealias Handler = nonisolated(nonsending) @Sendable (Request, CallContext) async throws -> Response

    /// For a handler that may wait.
    @inlinable
    static func asynchronous(_ handler: @escaping Handler) -> UnaryMethod.Start {
        { (id, payload, context: consuming CallContext, host) in
            guard let request = decode(payload, id, context, host) else { return }
            host.run(UnaryCall(id, consume request, handler, context, host, run))
        }
    }

    /// Runs the handlers of one call after another, in one loop: to enter it anew for each, and to leave it, costs as much as all else here.
    @inlinable
    static nonisolated(nonsending) func run(_ first: ServerCall, _ others: any HandlerQueue) async {
        var call = first
        while true {
            // Calls are made above, and a queue gives only what is of the class of the call before.
            guard let unary = call as? UnaryCall<Request, Response> else { preconditionFailure("a call of another method's messages") }
            await run(unary)
            guard let next = others.next(after: call) else { return }
            call = next
        }
    }

    @inlinable @inline(__always)
    static nonisolated(nonsending) func run(_ call: UnaryCall<Request, Response>) async {
        let host = call.host
        do {
            let response = try await call.context.deadline.asCurrent { try await call.handler(call.request, call.context) }
            do throws(EncodingError) {
                try response.withPackable { host.handlerEnded(call, with: $0) }
            } catch {
                host.handlerEnded(call, throwing: RPCError.unencodableAnswer)
            }
        } catch {
            host.handlerEnded(call, throwing: error)
        }
    }

    /// For a handler that never waits: it runs to completion on the event loop, with no task at all.
    @inlinable
    static func synchronous(_ handler: @escaping @Sendable (Request, CallContext) throws -> Response) -> UnaryMethod.Start {
        { id, payload, context, host in
            guard let request = decode(payload, id, context, host) else { return }
            let response: Response
            do {
                response = try handler(request, context)
            } catch {
                return host.fail(id, RPCError(handlerFailure: error), context)
            }
            do throws(EncodingError) {
                try response.withPackable { host.complete(id, with: $0, context) }
            } catch {
                host.fail(id, .unencodableAnswer, context)
            }
        }
    }

    @inlinable
    static func decode(_ payload: RawSpan, _ id: CallID, _ context: CallContext, _ host: any CallHost) -> Request? {
        do throws(DecodingError) {
            return try Request(serializedBytes: payload)
        } catch {
            host.fail(id, .undecodable(Request.descriptor, error), context)
            return nil
        }
    }

    @inlinable
    static func chain(_ interceptors: ArraySlice<any ServerInterceptor>, _ handler: @escaping Handler) -> Handler {
        guard let first = interceptors.first else { return handler }
        return link(first, chain(interceptors.dropFirst(), handler))
    }

    /// The interceptor's type is opened here, once for the method, and not again for each call.
    @inlinable
    static func link(_ interceptor: some ServerInterceptor, _ next: @escaping Handler) -> Handler {
        { request, context in try await interceptor.interceptUnary(request, context, NextUnary(next)) }
    }
}
