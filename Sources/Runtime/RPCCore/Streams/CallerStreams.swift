import ProtobufC
import Synchronization

/// A server-streaming call as its caller sees it: the responses, one by one. It is the client's side; the server's is `ServerStreamEnd`.
///
///     for try await profile in profiles.watchProfile(request) { show(profile) }
///
/// Dropping the stream, or cancelling the task that reads it, cancels the call on the server too. Leaving the loop above drops the stream, because
/// nothing else holds it. A stream in a variable lives on: call ``cancel()``, or go on reading it later.
public struct ServerStream<Response: Message>: AsyncSequence, Sendable {
    /// One response.
    public typealias Element = Response
    /// The error of a call that fails.
    public typealias Failure = RPCError
    /// Reads the responses.
    public typealias AsyncIterator = MessageStream<Response>.AsyncIterator

    let responses: MessageStream<Response>
    let received: ResponseMetadata
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - metadata: gets the response's metadata when it arrives.
    ///   - cancel: ends the call; called on any thread, and more than once.
    public init(
        responses: MessageStream<Response>, metadata: ResponseMetadata = ResponseMetadata(), cancel: @escaping @Sendable () -> Void
    ) {
        self.responses = responses
        received = metadata
        cancelCall = cancel
    }

    /// The metadata that the server sent before its first response; empty until then. gRPC only.
    public var metadata: Metadata { received.initial }

    /// The metadata that the server sent with the call's status; empty until the call has ended. gRPC only.
    public var trailingMetadata: Metadata { received.trailing }

    /// The stream's reader. Use only one: each response goes to one reader.
    public func makeAsyncIterator() -> AsyncIterator { responses.makeAsyncIterator() }

    /// Ends the call with `CANCELLED`, here and on the server. It has no effect on a call that has ended.
    public func cancel() { cancelCall() }
}

/// A client-streaming call as its caller sees it: requests written one by one, then one response.
///
///     let everybody = greeter.sayHelloToAll()
///     for name in ["Minji", "Jun"] { try await everybody.write(HelloRequest(name: name)) }
///     print(try await everybody.finish().text)
///
/// Dropping it, or cancelling the task that waits in it, cancels the call on the server too.
public struct ClientStream<Request: Message, Response: Message>: Sendable {
    /// Where the requests are written.
    public let requests: MessageWriter<Request>
    let received: ResponseMetadata
    private let isFinished = OnceOnly()
    private let answer: @Sendable () async throws(RPCError) -> Response
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - metadata: gets the response's metadata when it arrives.
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

    /// Sends a request. It waits while the server has no room for more.
    ///
    /// If the server has answered with OK before it has read all requests, the others are dropped without an error: the call has not failed.
    /// - Throws: ``RPCError``: how the call failed, if it has; otherwise an error of its ``MessageWriter``.
    public func write(_ request: Request) async throws(RPCError) { try await requests.write(request) }

    /// Says that all requests were written, and waits for the response. Call once.
    /// - Throws: ``RPCError`` as ``CallChannel/unary(_:_:options:)``. It is `INTERNAL`, over gRPC `UNIMPLEMENTED`, if the server ends the call with
    ///   OK, but without a response; `FAILED_PRECONDITION` for a second call of this function.
    public func finish() async throws(RPCError) -> Response {
        guard isFinished.take() else { throw .finishedTwice }
        return try await answer()
    }

    /// Says that all requests were written, and waits for the response and its metadata. Call either this or ``finish()``.
    /// - Throws: as ``finish()``.
    public func finishWithMetadata() async throws(RPCError) -> CallResponse<Response> {
        let message = try await finish()
        return CallResponse(message, metadata: received.initial, trailingMetadata: received.trailing)
    }

    /// Ends the call with `CANCELLED`, here and on the server. It has no effect on a call that has ended.
    public func cancel() { cancelCall() }
}

/// Something that may be done once.
private final class OnceOnly: Sendable {
    private let isTaken = Atomic<Bool>(false)

    /// Whether this is the first call.
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

/// A bidirectional call as its caller sees it: requests and responses, each side at its own pace.
///
///     let chat = greeter.chat()
///     try await chat.write(ChatLine(text: "Nice weather."))
///     chat.finishWriting()
///     for try await line in chat.responses { print(line.text) }
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
    ///   - metadata: gets the response's metadata when it arrives.
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

    /// The metadata that the server sent before its first response; empty until then. gRPC only.
    public var metadata: Metadata { received.initial }

    /// The metadata that the server sent with the call's status; empty until the call has ended. gRPC only.
    public var trailingMetadata: Metadata { received.trailing }

    /// Sends a request. It waits while the server has no room for more.
    ///
    /// If the server has ended the call with OK, requests are dropped without an error: read ``responses`` to learn of the end.
    /// - Throws: ``RPCError``: how the call failed, if it has; otherwise an error of its ``MessageWriter``.
    public func write(_ request: Request) async throws(RPCError) { try await requests.write(request) }

    /// Says that all requests were written; responses may still come.
    public func finishWriting() { halfClose() }

    /// Ends the call with `CANCELLED`, here and on the server. It has no effect on a call that has ended.
    public func cancel() { cancelCall() }
}
