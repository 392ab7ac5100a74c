import ProtobufC

/// A server-streaming call as its caller sees it: the responses, one by one.
///
///     for try await profile in profiles.watchProfile(request) { show(profile) }
///
/// Leaving the loop, dropping the stream, or cancelling the task that reads it cancels the call on the server too.
public struct ServerStream<Response: Message>: AsyncSequence, Sendable {
    public typealias Element = Response
    public typealias Failure = RPCError
    public typealias AsyncIterator = MessageStream<Response>.AsyncIterator

    let responses: MessageStream<Response>
    private let cancelCall: @Sendable () -> Void

    /// - Parameter cancel: ends the call; called on any thread, and more than once.
    public init(responses: MessageStream<Response>, cancel: @escaping @Sendable () -> Void) {
        self.responses = responses
        cancelCall = cancel
    }

    public func makeAsyncIterator() -> AsyncIterator { responses.makeAsyncIterator() }

    /// Ends the call with `CANCELLED`, here and on the server. A call that has ended stays as it is.
    public func cancel() { cancelCall() }
}
