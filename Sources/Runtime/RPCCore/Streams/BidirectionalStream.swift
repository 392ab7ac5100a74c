import ProtobufC

/// A bidirectional call as its caller sees it: requests and responses, each side at its own pace.
///
/// Dropping all of it, or cancelling the task that waits in it, cancels the call on the server too.
public struct BidirectionalStream<Request: Message, Response: Message>: Sendable {
    /// Where the requests are written.
    public let requests: MessageWriter<Request>
    /// The responses, for one consumer.
    public let responses: MessageStream<Response>
    let received: ResponseMetadata
    private let halfClose: @Sendable () -> Void
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - metadata: where the response's metadata is put as it comes.
    ///   - finishWriting: says that all requests were written; called on any thread.
    ///   - cancel: ends the call; called on any thread, and more than once.
    public init(
        requests: MessageWriter<Request>, responses: MessageStream<Response>, metadata: ResponseMetadata = ResponseMetadata(),
        finishWriting: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
    ) {
        received = metadata
        self.requests = requests
        self.responses = responses
        halfClose = finishWriting
        cancelCall = cancel
    }

    /// What the server sent before its first response; empty until then. gRPC only.
    public var metadata: Metadata { received.initial }

    /// What the server sent with the call's status; empty until the call has ended. gRPC only.
    public var trailingMetadata: Metadata { received.trailing }

    /// Sends a request, waiting while the server is behind.
    /// - Throws: ``RPCError``: how the call ended, if it has.
    public func write(_ request: Request) async throws(RPCError) { try await requests.write(request) }

    /// Says that all requests were written; responses may still come.
    public func finishWriting() { halfClose() }

    /// Ends the call with `CANCELLED`, here and on the server. A call that has ended stays as it is.
    public func cancel() { cancelCall() }
}
