import ProtobufC
import RPCCore
import SocketTransport

extension Channel {
    public func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response> {
        let call = open(method, options) { (wire, timeout) throws(RPCError) in
            try wire.send(request, to: method, timeout: timeout, options: options)
        }
        return ServerStream(
            responses: MessageStream(call.responses, method.responseCodec, lifetime: call.lifetime), cancel: { [link = call.link] in link.cancel() })
    }

    public func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response> {
        let call = openForWriting(method, options)
        return ClientStream(
            requests: MessageWriter(call.requests, method.requestCodec, lifetime: call.lifetime),
            finish: { () async throws(RPCError) -> Response in
                call.finishWriting()
                var responses = MessageStream(call.responses, method.responseCodec).makeAsyncIterator()
                guard let answer = try await responses.next() else {
                    throw RPCError(.internal, "the server ended the call without its response")
                }
                return answer
            },
            cancel: { [link = call.link] in link.cancel() })
    }

    public func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response> {
        let call = openForWriting(method, options)
        return BidirectionalStream(
            requests: MessageWriter(call.requests, method.requestCodec, lifetime: call.lifetime),
            responses: MessageStream(call.responses, method.responseCodec, lifetime: call.lifetime), finishWriting: { call.finishWriting() },
            cancel: { [link = call.link] in link.cancel() })
    }

    private func openForWriting<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ options: CallOptions
    ) -> OpenedStream {
        open(method, options) { (wire, timeout) throws(RPCError) in
            try wire.open(method, timeout: timeout, options: options)
        }
    }

    private func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ options: CallOptions,
        send: @escaping @Sendable (any ClientWireProtocol, Int64) throws(RPCError) -> CallID
    ) -> OpenedStream {
        let deadline = Self.deadline(options)
        let opened = OpenedStream(self)
        let connection = nextConnection()
        // Not the opened stream itself: its lifetime is the caller's.
        loop.execute { [loop, requests = opened.requests, responses = opened.responses, link = opened.link] in
            let call = OutboundStream(
                requests: requests, responses: responses, Response.descriptor, shape: method.shape, loop: loop,
                responseMetadata: options.responseMetadata)
            link.attach(call)
            connection.value.start(call, deadline: deadline, waitForReady: options.waitForReady, send: send)
        }
        return opened
    }
}
