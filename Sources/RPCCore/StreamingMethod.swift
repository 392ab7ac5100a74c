import ProtobufC
import Synchronization

/// A method with a stream of messages on either side or both.
///
/// Its handler is kept in one form for all three shapes: requests in, responses out. A server-streaming handler is given its one request, a
/// client-streaming one gives its one response.
final class StreamingMethod<Request: Message, Response: Message>: RegisteredMethod, @unchecked Sendable {
    typealias Handler = @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void
    private let descriptor: MethodDescriptor<Request, Response>
    private let handler: Handler

    init(_ descriptor: MethodDescriptor<Request, Response>, _ handler: @escaping Handler) {
        self.descriptor = descriptor
        self.handler = handler
        super.init(descriptor)
    }

    override func makeServerEnd(link: any StreamLink, budgets: StreamBudgets) -> any ServerStreamEnd {
        TypedServerStreamEnd<Request, Response>(
            shape: shape,
            requests: InboundMessages(
                limit: budgets.streamByteCount, reportEvery: budgets.reportEvery, connection: budgets.connection, link: link),
            responses: OutboundMessages(link: link), handler: handler)
    }

    override func intercepted(by interceptors: [any ServerInterceptor]) -> RegisteredMethod {
        StreamingMethod(descriptor, Self.chain(interceptors[...], handler))
    }

    private static func chain(_ interceptors: ArraySlice<any ServerInterceptor>, _ handler: @escaping Handler) -> Handler {
        guard let first = interceptors.first else { return handler }
        return link(first, chain(interceptors.dropFirst(), handler))
    }

    private static func link(_ interceptor: some ServerInterceptor, _ next: @escaping Handler) -> Handler {
        { requests, responses, context in try await interceptor.interceptStream(requests, responses, context, NextStream(next)) }
    }
}

/// How much a stream may keep of what its reader has not taken.
package struct StreamBudgets: Sendable {
    let streamByteCount: Int
    let reportEvery: Int
    let connection: InboundBudget

    /// - Parameters:
    ///   - streamByteCount: bytes that one stream may queue before it fails.
    ///   - reportEvery: wire bytes after which the wire protocol hears that messages were taken.
    ///   - connection: what all streams of the connection share.
    package init(streamByteCount: Int, reportEvery: Int, connection: InboundBudget) {
        self.streamByteCount = streamByteCount
        self.reportEvery = reportEvery
        self.connection = connection
    }
}

/// The server's end of one streaming call, its message types erased. All but ``run(_:)`` is called on the call's event loop.
package protocol ServerStreamEnd: AnyObject, Sendable {
    /// Decodes a request and queues it for the handler; gives the error that is to end the call, if any.
    func receive(_ payload: RawSpan, byteCount: Int) -> RPCError?

    /// No more requests are coming.
    func halfClose()

    /// The call has ended: whatever the handler still reads or writes fails with this.
    func end(_ error: RPCError)

    /// The peer takes responses again.
    func resume()

    /// Runs the handler, and returns when it has ended and all that it wrote has been handed over.
    func run(_ context: CallContext) async throws

    /// Ends the call on the wire, after ``run(_:)`` returned.
    func finish(_ id: CallID, on wire: any ServerWireProtocol, metadata: ResponseMetadata?)
}

final class TypedServerStreamEnd<Request: Message, Response: Message>: ServerStreamEnd {
    private let shape: CallShape
    private let requests: InboundMessages<Request>
    private let responses: OutboundMessages<Response>
    private let handler: StreamingMethod<Request, Response>.Handler
    /// The one response of a client-streaming call.
    private let answer = Mutex<Response?>(nil)

    init(
        shape: CallShape, requests: InboundMessages<Request>, responses: OutboundMessages<Response>,
        handler: @escaping StreamingMethod<Request, Response>.Handler
    ) {
        self.shape = shape
        self.requests = requests
        self.responses = responses
        self.handler = handler
    }

    func receive(_ payload: RawSpan, byteCount: Int) -> RPCError? {
        do throws(DecodingError) {
            let request = try Request(serializedBytes: payload)
            do throws(InboundMessages<Request>.Refusal) {
                try requests.append(request, byteCount: byteCount, payloadByteCount: payload.byteCount)
            } catch .streamBudget(let limit) {
                return RPCError(.resourceExhausted, "the handler is behind by more than the \(limit) bytes that a stream may queue")
            } catch {
                return RPCError(.resourceExhausted, "the handlers of this connection's streams are too far behind")
            }
            return nil
        } catch {
            return .undecodable(Request.descriptor, error)
        }
    }

    func halfClose() { requests.finish() }

    func end(_ error: RPCError) {
        requests.fail(error)
        responses.end(error)
    }

    func resume() { responses.resume() }

    func run(_ context: CallContext) async throws {
        if shape == .clientStreaming {
            let writer = MessageWriter<Response> { (response) throws(RPCError) in self.answer.withLock { $0 = response } }
            try await handler(MessageStream(requests), writer, context)
        } else {
            try await handler(MessageStream(requests), MessageWriter(responses), context)
            try await responses.drain()
        }
    }

    func finish(_ id: CallID, on wire: any ServerWireProtocol, metadata: ResponseMetadata?) {
        guard shape == .clientStreaming else { return wire.finish(id, metadata: metadata) }
        guard let answer = answer.withLock({ $0 }) else {
            // An interceptor that neither went on nor threw.
            return wire.respond(to: id, with: RPCError(.internal, "the handler gave no response"), metadata: metadata)
        }
        do throws(EncodingError) {
            try answer.withPackable { wire.respond(to: id, with: $0, metadata: metadata) }
        } catch {
            wire.respond(to: id, with: .unencodableAnswer, metadata: metadata)
        }
    }
}
