import ProtobufC
import RPCCore

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
