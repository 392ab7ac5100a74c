import Logging
import ProtobufC

/// A unary method: its handler, with decoding before it and encoding after it.
///
/// The closures are made where the method is registered, in code that knows the message types; what calls them does not, so nothing is looked
/// up by type while a call runs. (Generic code of another module costs 0.2 µs a call, measured, a third of the whole.)
public final class UnaryMethod: RegisteredMethod, @unchecked Sendable {
    /// Decodes a request, runs the handler and gives its end to the host. As ``RegisteredMethod/start(_:payload:context:host:)``.
    public typealias Start = @Sendable (CallID, RawSpan, consuming CallContext, any CallHost) -> Void

    /// Makes the call of a large request, from its bytes. As `makeLargeCall`.
    public typealias MakeLarge = @Sendable (CallID, [UInt8], consuming CallContext, any CallHost) -> ServerCall

    @usableFromInline let body: Start
    @usableFromInline let behind: @Sendable ([any ServerInterceptor]) -> Start
    /// The handler of large requests, behind interceptors, which may be none.
    @usableFromInline let large: @Sendable ([any ServerInterceptor]) -> MakeLarge
    private let makeLarge: MakeLarge
    @usableFromInline let messageTypes: [ObjectIdentifier]

    /// - Parameter behind: the same behind interceptors; the first of them is the outermost.
    @usableFromInline
    init<Request: Message, Response: Message>(
        _ descriptor: MethodDescriptor<Request, Response>, _ body: @escaping Start,
        large: @escaping @Sendable ([any ServerInterceptor]) -> MakeLarge, behind: @escaping @Sendable ([any ServerInterceptor]) -> Start
    ) {
        self.body = body
        self.behind = behind
        self.large = large
        makeLarge = large([])
        messageTypes = UnaryHandling<Request, Response>.messageTypes
        super.init(descriptor)
    }

    private init(_ other: UnaryMethod, _ body: @escaping Start, _ makeLarge: @escaping MakeLarge, _ calls: ServedCalls) {
        self.body = body
        self.makeLarge = makeLarge
        behind = other.behind
        large = other.large
        messageTypes = other.messageTypes
        super.init(other, calls)
    }

    /// The same method with an answer that may be found before its handler is run.
    @inlinable
    convenience init<Request: Message, Response: Message>(
        _ descriptor: MethodDescriptor<Request, Response>, _ other: UnaryMethod,
        fromMemory answer: @escaping UnaryHandling<Request, Response>.MemoryAnswer
    ) {
        precondition(
            descriptor.shape == .unary && other.messageTypes == UnaryHandling<Request, Response>.messageTypes,
            "\(other.path) has other messages")
        self.init(descriptor, UnaryHandling.fromMemory(answer, behind: [], or: other.body), large: other.large) { interceptors in
            UnaryHandling.fromMemory(answer, behind: interceptors, or: other.behind(interceptors))
        }
    }

    /// Runs the closure that was made for the method's message types.
    public override func start(_ id: CallID, payload: RawSpan, context: consuming CallContext, host: any CallHost) {
        body(id, payload, context, host)
    }

    override func served(_ calls: ServedCalls) -> RegisteredMethod {
        // A synchronous handler behind nothing needs no task.
        UnaryMethod(self, calls.interceptors.isEmpty ? body : behind(calls.interceptors), large(calls.interceptors), calls)
    }

    package override func makeLargeCall(
        _ id: CallID, _ payload: [UInt8], _ context: consuming CallContext, host: any CallHost
    ) -> ServerCall { makeLarge(id, payload, context, host) }

    package override func decodesByCopying(_ payload: RawSpan) -> Bool { requestDescriptor.decodesByCopying(payload) }
}

/// A handler has answered with what cannot be encoded: no error of its own, so nobody converts it.
@usableFromInline
struct UnencodableAnswer: Error {
    @usableFromInline init() {}
}

/// What surrounds a unary handler of these message types. Inlinable, so that it is compiled for them.
@usableFromInline
enum UnaryHandling<Request: Message, Response: Message> {
    @usableFromInline typealias Handler = nonisolated(nonsending) @Sendable (Request, CallContext) async throws -> Response
    @usableFromInline typealias MemoryAnswer = @Sendable (Request, CallContext) throws -> PackedMessage<Response>?

    /// What tells methods of these types from others.
    @usableFromInline static var messageTypes: [ObjectIdentifier] { [ObjectIdentifier(Request.self), ObjectIdentifier(Response.self)] }

    /// For a request that is large: it is decoded where its handler runs, and let go of there.
    @inlinable
    static func large(_ handler: @escaping Handler) -> @Sendable ([any ServerInterceptor]) -> UnaryMethod.MakeLarge {
        { interceptors in
            let handler = chain(interceptors[...], handler)
            return { (id, payload, context: consuming CallContext, host) in
                ServerCall(id, context, host, nil) { (call: consuming ServerCall, _) in
                    let request: Request
                    do throws(DecodingError) {
                        request = try Request(serializedBytes: payload.span.bytes)
                    } catch {
                        call.host.handlerEnded(call, throwing: RPCError.undecodable(Request.descriptor, error))
                        return nil
                    }
                    await answer(call, request, handler)
                    return nil
                }
            }
        }
    }

    /// For a handler that may wait.
    @inlinable
    static func asynchronous(_ handler: @escaping Handler) -> UnaryMethod.Start {
        { (id, payload, context: consuming CallContext, host) in
            guard let request = decode(payload, id, context, host) else { return }
            host.run(UnaryCall(id, consume request, handler, context, host, run))
        }
    }

    /// Runs the handlers of one call after another, and waits for more, in one loop: to enter it again for each, and to leave it, costs as much as
    /// all else here.
    @inlinable
    static nonisolated(nonsending) func run(_ first: consuming ServerCall, _ queue: any HandlerQueue) async -> ServerCall? {
        var next: ServerCall? = consume first
        while true {
            while let call = next.take() {
                guard let unary = call as? UnaryCall<Request, Response> else { return call }
                await run(unary)
                next = queue.next()
            }
            next = await withUnsafeContinuation { queue.waitForCall($0) }
            if next == nil { return nil }
        }
    }

    @inlinable @inline(__always)
    static nonisolated(nonsending) func run(_ call: UnaryCall<Request, Response>) async { await answer(call, call.request, call.handler) }

    @inlinable @inline(__always)
    static nonisolated(nonsending) func answer(_ call: ServerCall, _ request: Request, _ handler: Handler) async {
        let host = call.host
        do {
            let response = try await call.context.deadline.asCurrent { try await handler(request, call.context) }
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
                response = try context.deadline.asCurrent { try handler(request, context) }
            } catch {
                return host.fail(id, throwing: error, context)
            }
            do throws(EncodingError) {
                try response.withPackable { host.complete(id, with: $0, context) }
            } catch {
                host.fail(id, .unencodableAnswer, context)
            }
        }
    }

    /// Tries an answer from memory; where there is none, the call begins again with `start`.
    @inlinable
    static func fromMemory(
        _ answer: @escaping MemoryAnswer, behind interceptors: [any ServerInterceptor], or start: @escaping UnaryMethod.Start
    ) -> UnaryMethod.Start {
        atOnce(behind: interceptors, or: start) { request, context, send in
            guard let response = try answer(request, context) else { return false }
            response.withPackable(send)
            return true
        }
    }

    /// For a handler that never waits, behind interceptors that may.
    @inlinable
    static func synchronous(
        _ handler: @escaping @Sendable (Request, CallContext) throws -> Response, behind interceptors: [any ServerInterceptor]
    ) -> UnaryMethod.Start {
        let waiting = asynchronous(chain(interceptors[...]) { request, context in try handler(request, context) })
        return atOnce(behind: interceptors, or: waiting) { request, context, send in
            let response = try handler(request, context)
            do throws(EncodingError) { try response.withPackable(send) } catch { throw UnencodableAnswer() }
            return true
        }
    }

    /// Tries to answer a call with no task at all; where an interceptor has to wait, or `answer` says that it has none, the call begins again with
    /// `start`.
    @inlinable
    static func atOnce(
        behind interceptors: [any ServerInterceptor], or start: @escaping UnaryMethod.Start,
        _ answer: @escaping @Sendable (Request, CallContext, _ send: (borrowing PackableMessage) -> Void) throws -> Bool
    ) -> UnaryMethod.Start {
        // One that is to see the messages, or the call's end, sees those of every call.
        guard let interceptors = ContextInterceptors(interceptors) else { return start }
        return { (id, payload, context: consuming CallContext, host) in
            guard let request = decode(payload, id, context, host) else { return }
            // What interceptors may change: less than a copy of the context, of which each reference is counted.
            let (metadata, newestValue) = (context.metadata, context.newestValue)
            do {
                let isAnswered = try context.deadline.asCurrent {
                    guard try interceptors.prepare(&context) else { return false }
                    do {
                        return try answer(request, context) { host.complete(id, with: $0, context) }
                    } catch let error where !(error is UnencodableAnswer) {
                        throw interceptors.convert(error, context)
                    }
                }
                if isAnswered { return }
            } catch is UnencodableAnswer {
                return host.fail(id, .unencodableAnswer, context)
            } catch {
                return host.fail(id, throwing: error, context)
            }
            (context.metadata, context.newestValue) = (metadata, newestValue)
            start(id, payload, context, host)
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
        let rest = chain(interceptors.dropFirst(), handler)
        return if let first = first as? any ContextInterceptor { link(first, rest) } else { link(first, rest) }
    }

    /// Two steps fewer than by way of `interceptUnary`, and nothing that is generic over the messages' types.
    @inlinable
    static func link(_ interceptor: some ContextInterceptor, _ next: @escaping Handler) -> Handler {
        { request, context in try await interceptor.around(context) { context in try await next(request, context) } }
    }

    /// The interceptor's type is opened here, once for the method, and not again for each call.
    @inlinable
    static func link(_ interceptor: some ServerInterceptor, _ next: @escaping Handler) -> Handler {
        { request, context in try await interceptor.interceptUnary(request, context, NextUnary(next)) }
    }
}
