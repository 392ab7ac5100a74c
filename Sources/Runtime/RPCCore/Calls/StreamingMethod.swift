import ProtobufC

/// A method with a stream of messages on either side or both.
///
/// The handlers of all three shapes are kept in one form, with their message types erased: a function of the server's end of a call.
@usableFromInline
final class StreamingMethod: RegisteredMethod, @unchecked Sendable {
    @usableFromInline typealias Handler = @Sendable (ServerStreamEnd, CallContext) async throws -> Void
    private let handler: Handler
    private let behind: @Sendable ([any ServerInterceptor]) -> Handler

    init<Request: Message, Response: Message>(
        _ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping StreamHandling<Request, Response>.Handler
    ) {
        self.handler = StreamHandling.erased(descriptor, handler)
        behind = { interceptors in StreamHandling.erased(descriptor, StreamHandling.chain(interceptors[...], handler)) }
        super.init(descriptor)
    }

    private init(_ other: StreamingMethod, _ handler: @escaping Handler, _ calls: ServedCalls) {
        self.handler = handler
        behind = other.behind
        super.init(other, calls)
    }

    override func makeServerEnd(link: any StreamLink, budgets: StreamBudgets) -> ServerStreamEnd {
        ServerStreamEnd(shape: shape, requestDescriptor: requestDescriptor, link: link, budgets: budgets, handler: handler)
    }

    override func served(_ calls: ServedCalls) -> RegisteredMethod {
        StreamingMethod(self, behind(calls.interceptors), calls)
    }
}

/// Erases the message types of a streaming handler, and puts interceptors around it.
enum StreamHandling<Request: Message, Response: Message> {
    /// A handler with a stream of requests and a writer of responses. A server-streaming handler reads one request, a client-streaming one writes one
    /// response.
    typealias Handler = @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void

    static func erased(_ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping Handler) -> StreamingMethod.Handler {
        let (requests, responses) = (descriptor.requestCodec, descriptor.responseCodec)
        guard descriptor.shape == .clientStreaming else {
            return { end, context in
                try await handler(MessageStream(end.requests, requests), MessageWriter(end.responses, responses), context)
                try await end.responses.drain()
            }
        }
        return { end, context in
            let writer = MessageWriter<Response> { (response) throws(RPCError) in
                do throws(EncodingError) {
                    try responses.lend(response) { end.answer($0.bytes()) }
                } catch {
                    throw .unencodableAnswer
                }
            }
            try await handler(MessageStream(end.requests, requests), writer, context)
        }
    }

    static func chain(_ interceptors: ArraySlice<any ServerInterceptor>, _ handler: @escaping Handler) -> Handler {
        guard let first = interceptors.first else { return handler }
        let rest = chain(interceptors.dropFirst(), handler)
        return if let first = first as? any ContextInterceptor { link(first, rest) } else { link(first, rest) }
    }

    private static func link(_ interceptor: some ContextInterceptor, _ next: @escaping Handler) -> Handler {
        { requests, responses, context in
            try await interceptor.around(context) { context in try await next(requests, responses, context) }
        }
    }

    private static func link(_ interceptor: some ServerInterceptor, _ next: @escaping Handler) -> Handler {
        { requests, responses, context in try await interceptor.interceptStream(requests, responses, context, NextStream(next)) }
    }
}
