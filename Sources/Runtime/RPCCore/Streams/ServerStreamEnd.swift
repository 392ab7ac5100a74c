import ProtobufC
import Synchronization

/// How many messages a stream may keep before its reader takes them.
package struct StreamBudgets: Sendable {
    let streamByteCount: Int
    let reportEvery: Int
    let connection: InboundBudget

    /// - Parameters:
    ///   - streamByteCount: bytes that one stream may queue before it fails.
    ///   - reportEvery: wire bytes after which the wire protocol is told that messages were taken.
    ///   - connection: the budget that all streams of the connection share.
    package init(streamByteCount: Int, reportEvery: Int, connection: InboundBudget) {
        self.streamByteCount = streamByteCount
        self.reportEvery = reportEvery
        self.connection = connection
    }
}

/// The server's end of one streaming call of any shape, with its message types erased. The client's sides are ``ServerStream``, ``ClientStream`` and
/// ``BidirectionalStream``. Everything except ``run(_:)`` is called on the call's event loop.
@usableFromInline
package final class ServerStreamEnd: Sendable {
    let requests: InboundMessages
    let responses: OutboundMessages
    private let shape: CallShape
    private let requestDescriptor: MessageDescriptor
    private let handler: StreamingMethod.Handler
    /// The one response of a client-streaming call, encoded.
    private let onlyResponse = Mutex<[UInt8]?>(nil)

    init(
        shape: CallShape, requestDescriptor: MessageDescriptor, link: any StreamLink, budgets: StreamBudgets,
        handler: @escaping StreamingMethod.Handler
    ) {
        self.shape = shape
        self.requestDescriptor = requestDescriptor
        self.handler = handler
        requests = InboundMessages(
            limit: budgets.streamByteCount, reportEvery: budgets.reportEvery, connection: budgets.connection, link: link)
        responses = OutboundMessages(link: link, budget: budgets.connection)
    }

    /// Checks a request and queues it for the handler. Returns the error that must end the call, if any.
    package func receive(_ payload: RawSpan, byteCount: Int) -> RPCError? {
        // A request that takes long to check is checked when it is decoded, see `ReceivedMessages`.
        if requestDescriptor.decodesByCopying(payload) {
            do throws(DecodingError) { try requestDescriptor.check(payload) } catch { return .undecodable(requestDescriptor, error) }
        }
        return queue(payload, byteCount: byteCount)
    }

    /// Queues a compressed request for the handler. It is decompressed and checked when the handler takes it. Returns the error that must end the
    /// call, if any.
    package func receive(compressed payload: RawSpan, byteCount: Int, _ decompressor: any MessageDecompressor) -> RPCError? {
        queue(payload, byteCount: byteCount, decompressor)
    }

    private func queue(_ payload: RawSpan, byteCount: Int, _ decompressor: (any MessageDecompressor)? = nil) -> RPCError? {
        do throws(InboundMessages.Refusal) {
            try requests.append(payload, byteCount: byteCount, decompressor: decompressor)
            return nil
        } catch .streamBudget(let limit) {
            return .limitReached(.streamQueue, "the handler is behind by more than the \(limit) bytes that a stream may queue")
        } catch {
            return .limitReached(.connectionQueue, "the handlers of this connection's streams are too far behind")
        }
    }

    /// Why the handler could not get a request; nil if it got all. Only while the call has not ended otherwise.
    package var requestFailure: RPCError? { requests.failure }

    /// Whether a request could not be decompressed, so that a call that ends with `INTERNAL` is the client's fault.
    package var hasDamagedRequest: Bool { requestFailure?.code == .internal }

    /// Requests that wait for the handler, bytes.
    package var queuedByteCount: Int { requests.queuedByteCount }

    /// The handler has ended: its last request does not count any more.
    /// - Returns: how many bytes no longer count for the connection.
    package func handlerEnded() -> Int { requests.returnLent() }

    /// What the requests that were decompressed for the handler have grown by, bytes.
    package var growthByteCount: Int { requests.growthByteCount }

    /// No more requests are coming.
    package func halfClose() { requests.finish() }

    /// The call has ended. Later reads and writes of the handler fail with this error.
    package func end(_ error: RPCError) {
        requests.fail(error)
        responses.end(error)
    }

    /// The peer takes responses again.
    package func resume() { responses.resume() }

    /// Runs the handler, and returns when it has ended and all its messages have been sent.
    package func run(_ context: CallContext) async throws { try await handler(self, context) }

    /// Keeps the one response of a client-streaming call for ``finish(_:on:metadata:)``. Any thread.
    func answer(_ response: [UInt8]) { onlyResponse.withLock { $0 = response } }

    /// Ends the call on the wire, after ``run(_:)`` returned.
    /// - Returns: the code of the call, and the bytes of the one response of a client-streaming call.
    package func finish(
        _ id: CallID, on wire: any ServerWireProtocol, metadata: ResponseMetadata?
    ) -> (code: StatusCode, responseByteCount: Int) {
        guard shape == .clientStreaming else {
            wire.finish(id, metadata: metadata)
            return (.ok, 0)
        }
        guard let response = onlyResponse.withLock({ $0 }) else {
            // An interceptor neither continued the call nor threw an error.
            wire.respond(to: id, with: RPCError(.internal, "the handler gave no response"), metadata: metadata)
            return (.internal, 0)
        }
        var code = StatusCode.ok
        PackableMessage.withPacked(response) { code = wire.respond(to: id, with: $0, metadata: metadata) }
        return (code, code == .ok ? response.count : 0)
    }
}
