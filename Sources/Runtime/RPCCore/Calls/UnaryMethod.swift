import ProtobufC

/// A unary method: its handler, the steps before it, and the encoding after it.
///
/// The closures are made where the method is registered, in code that knows the message types. Their callers do not know the types, so nothing is
/// looked up by type while a call runs. (Generic code of another module is slow: docs/performance.md.)
@_documentation(visibility: internal)
public final class UnaryMethod: RegisteredMethod, @unchecked Sendable {
    /// Runs the steps of `UnaryHandling` for a request, like ``RegisteredMethod/start(_:payload:context:answer:)``.
    public typealias Start = @Sendable (CallID, RawSpan, consuming CallContext, Answer) throws(StartFailure) -> ServerCall?

    /// A ``UnaryHandling`` of the method's message types.
    @usableFromInline let handling: any Sendable
    /// Makes the start of a call behind interceptors, the first of which is the outermost.
    @usableFromInline let behind: @Sendable ([any ServerInterceptor]) -> Start
    private let body: Start

    /// - Parameter alone: the start of a call with no interceptors.
    @inlinable
    convenience init<Request: Message, Response: Message>(
        _ descriptor: MethodDescriptor<Request, Response>, _ handling: UnaryHandling<Request, Response>, alone: @escaping Start
    ) {
        self.init(descriptor, handling, alone: alone) { handling.start(behind: $0) }
    }

    @usableFromInline
    init<Request: Message, Response: Message>(
        _ descriptor: MethodDescriptor<Request, Response>, _ handling: any Sendable, alone: @escaping Start,
        behind: @escaping @Sendable ([any ServerInterceptor]) -> Start
    ) {
        self.handling = handling
        self.behind = behind
        body = alone
        super.init(descriptor)
    }

    private init(_ other: UnaryMethod, _ calls: ServedCalls) {
        handling = other.handling
        behind = other.behind
        body = calls.interceptors.isEmpty ? other.body : other.behind(calls.interceptors)
        super.init(other, calls)
    }

    /// Runs the closure that was made for the method's message types.
    public override func start(
        _ id: CallID, payload: RawSpan, context: consuming CallContext, answer: Answer
    ) throws(StartFailure) -> ServerCall? {
        try body(id, payload, context, answer)
    }

    override func served(_ calls: ServedCalls) -> RegisteredMethod { UnaryMethod(self, calls) }
}

/// The steps of a unary call: prepare the context, decode the request, then answer now or run the handler.
///
/// No step is done twice. A call that cannot be answered at once continues in a task with its context and its request.
/// (Inlinable, so that it is compiled for the message types.)
@usableFromInline
struct UnaryHandling<Request: Message, Response: Message>: Sendable {
    @usableFromInline typealias Handler = nonisolated(nonsending) @Sendable (Request, CallContext) async throws -> Response
    @usableFromInline typealias SynchronousHandler = @Sendable (Request, CallContext) throws -> Response
    /// Returns nil for a call that it cannot answer.
    @usableFromInline typealias Memory = @Sendable (Request, CallContext) throws -> PackedMessage<Response>?

    /// The answer from memory, which is tried first; nil for a method without one.
    @usableFromInline var memory: Memory?
    /// The handler, if it never waits.
    @usableFromInline let synchronous: SynchronousHandler?
    @usableFromInline let handler: Handler
    @usableFromInline var apart = ApartCalls<Request>.none

    @inlinable
    init(synchronous: SynchronousHandler? = nil, _ handler: @escaping Handler) {
        self.synchronous = synchronous
        self.handler = handler
    }

    /// The start of a call with no interceptors. (A static function of the handler, so that the compiler can inline the handler.)
    @inlinable
    static func alone(_ handler: @escaping Handler) -> UnaryMethod.Start {
        { (id, payload, context: consuming CallContext, _) throws(StartFailure) in
            if UnarySteps<Request, Response>.isLarge(payload) {
                return UnaryCall<Request, Response>.large(id, payload.withUnsafeBytes { Array($0) }, handler, nil, 0, context)
            }
            let type = UnarySteps<Request, Response>.types(context).request
            do { return UnaryCall(id, try DecodedRequest(payload, as: type), handler, nil, 0, context) } catch { throw StartFailure(error, context) }
        }
    }

    /// The same for one that never waits.
    @inlinable
    static func alone(synchronous handler: @escaping SynchronousHandler) -> UnaryMethod.Start {
        { (id, payload, context: consuming CallContext, send) throws(StartFailure) in
            if UnarySteps<Request, Response>.isLarge(payload) {
                return UnaryCall<Request, Response>.large(
                    id, payload.withUnsafeBytes { Array($0) }, { request, context in try handler(request, context) }, nil, 0, context)
            }
            do {
                let types = UnarySteps<Request, Response>.types(context)
                let request = try DecodedRequest<Request>(payload, as: types.request).request
                let response = try context.deadline.asCurrent { try handler(request, context) }
                try UnarySteps<Request, Response>.answer(response, as: types.response, context, send)
            } catch {
                throw StartFailure(error, context)
            }
            return nil
        }
    }

    /// The start of a call behind interceptors, the first of which is the outermost.
    @inlinable
    func start(behind interceptors: [any ServerInterceptor]) -> UnaryMethod.Start {
        let preparation = Preparation(interceptors)
        let count = preparation?.count ?? 0
        // An interceptor that sees messages, or the end of a call, must see those of every call.
        let answersNow = count == interceptors.count
        // Memory is asked on the loop, with the decoded request.
        let asksMemory = answersNow && memory != nil
        let steps = UnarySteps(
            preparation, apart: asksMemory && apart.areAll ? .withRequests { _ in true } : apart, Self.chain(interceptors[count...], handler))
        return start(steps, answersNow: answersNow)
    }

    /// The start for the two kinds of methods: those whose calls all run in a task, and those with answers from memory or a synchronous handler.
    /// - Parameter answersNow: whether calls may be answered without a task.
    @inlinable
    func start(_ steps: UnarySteps<Request, Response>, answersNow: Bool) -> UnaryMethod.Start {
        guard answersNow, memory != nil || synchronous != nil else {
            return { (id, payload, context: consuming CallContext, _) throws(StartFailure) in
                do {
                    switch try steps.begin(id, payload, &context) {
                    case .large(let call): return call
                    case .decoded(let decoded, let unpreparedCount): return steps.run(id, decoded, unpreparedCount, context)
                    }
                } catch {
                    throw StartFailure(error, context)
                }
            }
        }
        return { [memory, synchronous] (id, payload, context: consuming CallContext, send) throws(StartFailure) in
            do {
                switch try steps.begin(id, payload, &context) {
                case .large(let call): return call
                case .decoded(let decoded, let unpreparedCount):
                    guard unpreparedCount == 0 else { return steps.run(id, decoded, unpreparedCount, context) }
                    if let memory, let found = try steps.converting(context, { try memory(decoded.request, context) }) {
                        found.withPackable { send($0, context) }
                    } else if let synchronous, !steps.isApart(decoded.request) {
                        let response = try steps.converting(context) { try synchronous(decoded.request, context) }
                        try UnarySteps<Request, Response>.answer(response, as: steps.types.response, context, send)
                    } else {
                        return steps.run(id, decoded, unpreparedCount, context)
                    }
                    return nil
                }
            } catch {
                throw StartFailure(error, context)
            }
        }
    }

    @inlinable
    static func chain(_ interceptors: ArraySlice<any ServerInterceptor>, _ handler: @escaping Handler) -> Handler {
        guard let first = interceptors.first else { return handler }
        let rest = chain(interceptors.dropFirst(), handler)
        return if let first = first as? any ContextInterceptor { link(first, rest) } else { link(first, rest) }
    }

    /// Has two steps fewer than `interceptUnary`, and no code that is generic over the message types.
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

/// Which calls of a method are handled outside of the event loop, although their requests are not large.
@usableFromInline
enum ApartCalls<Request: Message>: Sendable {
    case none
    /// Those with certain requests. The loop decodes the requests.
    case withRequests(@Sendable (Request) -> Bool)
    /// Those whose requests have at least so many bytes on the wire. The loop does not decode them.
    case ofAtLeast(byteCount: Int)

    @inlinable static var all: Self { .ofAtLeast(byteCount: 0) }
    @inlinable var areAll: Bool { if case .ofAtLeast(0) = self { true } else { false } }

    @inlinable @inline(__always)
    func contains(_ payload: RawSpan) -> Bool {
        if case .ofAtLeast(let byteCount) = self { payload.byteCount >= byteCount } else { false }
    }
}

/// The steps of a call that are the same for all methods. (Inlined, so that the compiler sees the start of a call as one.)
@usableFromInline
struct UnarySteps<Request: Message, Response: Message>: Sendable {
    @usableFromInline let preparation: Preparation?
    /// The handler, behind the interceptors that see more of a call than its context.
    @usableFromInline let handler: UnaryHandling<Request, Response>.Handler
    @usableFromInline let apart: ApartCalls<Request>

    /// The descriptors of the method's messages.
    @usableFromInline let types = CallContext.MessageTypes(request: Request.descriptor, response: Response.descriptor)

    /// The same for a method without interceptors, from the context that the server has made. (A closure that keeps them could not have its handler
    /// inlined.)
    @inlinable @inline(__always)
    static func types(_ context: CallContext) -> CallContext.MessageTypes {
        context.target.types ?? CallContext.MessageTypes(request: Request.descriptor, response: Response.descriptor)
    }

    /// How far a call has come.
    @usableFromInline
    enum Begun {
        /// Its request is decoded. `unpreparedCount` interceptors still have to prepare its context; the first of them has to wait.
        case decoded(DecodedRequest<Request>, unpreparedCount: Int)
        /// It is handled outside of the event loop, because its request is large or its method asks for that.
        case large(ServerCall)
    }

    @inlinable
    init(_ preparation: Preparation?, apart: ApartCalls<Request>, _ handler: @escaping UnaryHandling<Request, Response>.Handler) {
        self.preparation = preparation
        self.apart = apart
        self.handler = handler
    }

    /// Prepares the context, until an interceptor has to wait, and decodes the request.
    @inlinable @inline(__always)
    func begin(_ id: CallID, _ payload: RawSpan, _ context: inout CallContext) throws -> Begun {
        var unpreparedCount = 0
        if let preparation { unpreparedCount = try context.deadline.asCurrent { try preparation.prepare(&context) } }
        if apart.contains(payload) || Self.isLarge(payload) {
            return .large(UnaryCall<Request, Response>.large(
                id, payload.withUnsafeBytes { Array($0) }, handler, preparation, unpreparedCount, context))
        }
        return .decoded(try DecodedRequest(payload, as: types.request), unpreparedCount: unpreparedCount)
    }

    /// Whether a request takes too long to decode for the event loop.
    @inlinable @inline(__always)
    static func isLarge(_ payload: RawSpan) -> Bool {
        payload.byteCount > MessageDescriptor.uncountedByteCount && !Request.descriptor.decodesByCopying(payload)
    }

    /// Runs a handler that may answer at once, and lets the interceptors convert its error.
    @inlinable @inline(__always)
    func converting<Answer>(_ context: CallContext, _ answer: () throws -> Answer) throws -> Answer {
        do { return try context.deadline.asCurrent(answer) } catch { throw preparation?.convert(error, context) ?? error }
    }

    /// Answers the call. The error of an answer that cannot be encoded is not converted, because the handler did not throw it.
    @inlinable @inline(__always)
    static func answer(_ response: Response, as type: MessageDescriptor, _ context: CallContext, _ send: UnaryMethod.Answer) throws {
        do throws(EncodingError) {
            try response.withPackable(as: type) { send($0, context) }
        } catch {
            throw RPCError.unencodableAnswer
        }
    }

    /// Whether a call that the loop has decoded is handled outside of it.
    @inlinable @inline(__always)
    func isApart(_ request: Request) -> Bool {
        if case .withRequests(let isApart) = apart { isApart(request) } else { false }
    }

    /// Makes the call whose handler is to run.
    @inlinable @inline(__always)
    func run(_ id: CallID, _ decoded: DecodedRequest<Request>, _ unpreparedCount: Int, _ context: consuming CallContext) -> ServerCall {
        isApart(decoded.request)
            ? UnaryCall<Request, Response>.apart(id, decoded, handler, preparation, unpreparedCount, context)
            : UnaryCall(id, decoded, handler, preparation, unpreparedCount, context)
    }
}
