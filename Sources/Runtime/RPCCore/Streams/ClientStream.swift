import ProtobufC

/// A client-streaming call as its caller sees it: requests written one by one, then one response.
///
/// Dropping it, or cancelling the task that waits in it, cancels the call on the server too.
public struct ClientStream<Request: Message, Response: Message>: Sendable {
    /// Where the requests are written.
    public let requests: MessageWriter<Request>
    private let answer: @Sendable () async throws(RPCError) -> Response
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - finish: says that all requests were written, and waits for the response.
    ///   - cancel: ends the call; called on any thread, and more than once.
    public init(
        requests: MessageWriter<Request>, finish: @escaping @Sendable () async throws(RPCError) -> Response,
        cancel: @escaping @Sendable () -> Void
    ) {
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

    /// Ends the call with `CANCELLED`, here and on the server. A call that has ended stays as it is.
    public func cancel() { cancelCall() }
}
