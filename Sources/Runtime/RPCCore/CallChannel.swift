import ProtobufC

/// A channel for calls: a socket channel, or a replacement in a test. Generated clients use it.
public protocol CallChannel: Sendable {
    /// Sends one request and waits for its one answer.
    ///
    /// Cancelling the calling task ends the call with ``StatusCode/cancelled``, on the server too.
    /// - Throws: ``RPCError``: the server's answer; `UNAVAILABLE` without a connection, or when it was lost; `DEADLINE_EXCEEDED` when
    ///   `options.timeout` ran out; `INTERNAL` when the answer could not be decoded.
    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response

    /// Sends one request. The answers come on the stream, and so does the error that ends the call.
    func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response>

    /// Opens a call of many requests and one answer.
    func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response>

    /// Opens a call of many requests and many answers.
    func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response>
}
