import ProtobufC
import RPCCore
import Synchronization

/// A server within the test. It answers each method with a closure, and records the calls.
final class StubChannel: UnaryChannel {
    /// One call as it arrived.
    struct Call: Sendable {
        let method: String
        let request: any Message
        let options: CallOptions
    }

    typealias Handler = @Sendable (any Message, CallOptions) throws(RPCError) -> any Message

    /// The messages of a stream, and how it ends.
    typealias StreamHandler = @Sendable (any Message, CallOptions) -> (messages: [any Message], ending: RPCError?)

    private let handlers: [String: Handler]
    private let streams: [String: StreamHandler]
    private let received = Mutex<[Call]>([])

    init(_ handlers: [String: Handler], streams: [String: StreamHandler] = [:]) {
        self.handlers = handlers
        self.streams = streams
    }

    /// The calls so far, in order of arrival.
    var calls: [Call] { received.withLock { $0 } }

    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        received.withLock { $0.append(Call(method: method.method, request: request, options: options)) }
        guard let handler = handlers[method.method] else { throw RPCError(.unimplemented, method.path) }
        guard let response = try handler(request, options) as? Response else {
            throw RPCError(.internal, "the stub answers \(method.path) with another type")
        }
        return response
    }
}

extension StubChannel {
    func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response> {
        received.withLock { $0.append(Call(method: method.method, request: request, options: options)) }
        let unknown = (messages: [any Message](), ending: RPCError?(RPCError(.unimplemented, method.path)))
        let answer = streams[method.method].map { $0(request, options) } ?? unknown
        let position = Atomic<Int>(0)
        let responses = MessageStream { () throws(RPCError) -> Response? in
            let index = position.wrappingAdd(1, ordering: .relaxed).oldValue
            if index < answer.messages.count { return answer.messages[index] as? Response }
            if let ending = answer.ending { throw ending }
            return nil
        }
        return ServerStream(responses: responses, cancel: {})
    }

    /// A handler for one request type.
    static func answer<Request: Message>(
        _ type: Request.Type, _ body: @escaping @Sendable (Request, CallOptions) throws(RPCError) -> any Message
    ) -> Handler {
        { (request, options) throws(RPCError) in
            guard let request = request as? Request else { throw RPCError(.internal, "not a \(Request.self)") }
            return try body(request, options)
        }
    }
}

/// A test's channel that answers unary calls only: streams end with `UNIMPLEMENTED`.
protocol UnaryChannel: CallChannel {}

extension UnaryChannel {
    func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response> {
        ServerStream(responses: MessageStream { () throws(RPCError) in throw RPCError(.unimplemented, method.path) }, cancel: {})
    }

    func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response> {
        ClientStream(
            requests: MessageWriter { _ in }, finish: { () throws(RPCError) in throw RPCError(.unimplemented, method.path) }, cancel: {})
    }

    func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response> {
        BidirectionalStream(
            requests: MessageWriter { _ in },
            responses: MessageStream { () throws(RPCError) in throw RPCError(.unimplemented, method.path) }, finishWriting: {}, cancel: {})
    }
}
