import ProtobufC
import Synchronization

extension CallChannel {
    /// This channel with interceptors before every call; the first of them is the outermost.
    public func intercepted(by interceptors: [any ClientInterceptor]) -> any CallChannel {
        interceptors.reversed().reduce(self as any CallChannel) { InterceptedChannel(base: $0, interceptor: $1) }
    }
}

/// A channel behind one interceptor.
struct InterceptedChannel: CallChannel {
    let base: any CallChannel
    let interceptor: any ClientInterceptor

    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        let options = interceptor.options(options, for: method.path)
        let next = NextRequest { (request: Request, options) async throws(RPCError) -> Response in
            try await base.unary(method, request, options: options)
        }
        return try await interceptor.interceptUnary(method, request, options, next)
    }

    func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response> {
        let stream = base.serverStream(method, request, options: interceptor.options(options, for: method.path))
        return ServerStream(
            responses: interceptor.responses(stream.responses, of: method.path), metadata: stream.received, cancel: stream.cancel)
    }

    func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response> {
        let stream = base.clientStream(method, options: interceptor.options(options, for: method.path))
        let isAnswered = Atomic<Bool>(false)
        let answer = interceptor.responses(
            MessageStream { () async throws(RPCError) -> Response? in
                guard !isAnswered.exchange(true, ordering: .relaxed) else { return nil }
                return try await stream.finish()
            }, of: method.path)
        return ClientStream(
            requests: interceptor.requests(stream.requests, of: method.path), metadata: stream.received,
            finish: { () async throws(RPCError) -> Response in
                var answers = answer.makeAsyncIterator()
                guard let answer = try await answers.next() else {
                    throw RPCError(.internal, "an interceptor gave no response")
                }
                // Interceptors also see the end of the call, as of every other stream.
                _ = try await answers.next()
                return answer
            }, cancel: stream.cancel)
    }

    func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response> {
        let stream = base.bidirectionalStream(method, options: interceptor.options(options, for: method.path))
        return BidirectionalStream(
            requests: interceptor.requests(stream.requests, of: method.path),
            responses: interceptor.responses(stream.responses, of: method.path), metadata: stream.received,
            finishWriting: stream.finishWriting, cancel: stream.cancel)
    }
}
