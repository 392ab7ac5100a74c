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
    private let cancelCall: @Sendable () -> Void

    /// - Parameter cancel: ends the call; called on any thread, and more than once.
    public init(responses: MessageStream<Response>, cancel: @escaping @Sendable () -> Void) {
        self.responses = responses
        cancelCall = cancel
    }

    /// The stream's reader. One at a time: what one has taken, another does not see.
    public func makeAsyncIterator() -> AsyncIterator { responses.makeAsyncIterator() }

    /// Ends the call with `CANCELLED`, here and on the server. A call that has ended stays as it is.
    public func cancel() { cancelCall() }
}
