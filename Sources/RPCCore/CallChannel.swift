import ProtobufC

/// Whatever can carry a call: a socket channel, or a test's stand-in. Generated client stubs are written against it.
public protocol CallChannel: Sendable {
    /// Sends one request and waits for its one answer.
    ///
    /// Cancelling the calling task ends the call with ``StatusCode/cancelled``.
    /// - Throws: ``RPCError``: the server's answer, or `UNAVAILABLE` when no connection could be had or it was lost,
    ///   `DEADLINE_EXCEEDED` when `options.timeout` ran out, `INTERNAL` when the answer could not be decoded.
    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response
}
