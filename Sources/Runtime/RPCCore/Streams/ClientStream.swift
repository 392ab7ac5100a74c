import ProtobufC

/// A client-streaming call as its caller sees it: requests written one by one, then one response.
///
/// Dropping it, or cancelling the task that waits in it, cancels the call on the server too.
public struct ClientStream<Request: Message, Response: Message>: Sendable {
    /// Where the requests are written.
    public let requests: MessageWriter<Request>
    let received: ResponseMetadata
    private let answer: @Sendable () async throws(RPCError) -> Response
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - metadata: where the response's metadata is put as it comes.
    ///   - finish: says that all requests were written, and waits for the response.
    ///   - cancel: ends the call; called on any thread, and more than once.
    public init(
        requests: MessageWriter<Request>, metadata: ResponseMetadata = ResponseMetadata(),
        finish: @escaping @Sendable () async throws(RPCError) -> Response, cancel: @escaping @Sendable () -> Void
    ) {
        received = metadata
        self.requests = requests
        answer = finish
        cancelCall = cancel
    }

    /// Sends a request, waiting while the server is behind.
    /// - Throws: ``RPCError``: how the call ended, if it has.
    public func write(_ request: Request) async throws(RPCError) { try await requests.write(request) }

    /// Says that all requests were written, and waits for the response. Call once.
    /// - Throws: ``RPCError``: the server's answer.
    public func finish() async throws(RPCError) -> Response { try await answer() }

    /// Says that all requests were written, and waits for the response and its metadata. Call either this or ``finish()``.
    /// - Throws: ``RPCError``: the server's answer.
    public func finishWithMetadata() async throws(RPCError) -> CallResponse<Response> {
        let message = try await answer()
        return CallResponse(message, metadata: received.initial, trailingMetadata: received.trailing)
    }

    /// Ends the call with `CANCELLED`, here and on the server. A call that has ended stays as it is.
    public func cancel() { cancelCall() }
}
