import ProtobufC

/// A server-streaming call as its caller sees it: the responses, one by one.
///
///     for try await profile in profiles.watchProfile(request) { show(profile) }
///
/// Leaving the loop, dropping the stream, or cancelling the task that reads it cancels the call on the server too.
public struct ServerStream<Response: Message>: AsyncSequence, Sendable {
    /// One response.
    public typealias Element = Response
    /// How a call ends that does not end well.
    public typealias Failure = RPCError
    /// Reads the responses.
    public typealias AsyncIterator = MessageStream<Response>.AsyncIterator

    let responses: MessageStream<Response>
    let received: ResponseMetadata
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - metadata: where the response's metadata is put as it comes.
    ///   - cancel: ends the call; called on any thread, and more than once.
    public init(
        responses: MessageStream<Response>, metadata: ResponseMetadata = ResponseMetadata(), cancel: @escaping @Sendable () -> Void
    ) {
        self.responses = responses
        received = metadata
        cancelCall = cancel
    }

    /// What the server sent before its first response; empty until then. gRPC only.
    public var metadata: Metadata { received.initial }

    /// What the server sent with the call's status; empty until the call has ended. gRPC only.
    public var trailingMetadata: Metadata { received.trailing }

    /// The stream's reader. One at a time: what one has taken, another does not see.
    public func makeAsyncIterator() -> AsyncIterator { responses.makeAsyncIterator() }

    /// Ends the call with `CANCELLED`, here and on the server. A call that has ended stays as it is.
    public func cancel() { cancelCall() }
}
