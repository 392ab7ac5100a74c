import ProtobufC
import RPCCore
import SocketTransport

/// The caller's part of a streaming call, for any thread: its two halves, and the link to its part on the loop.
struct OpenedStream: Sendable {
    /// Bytes of responses that may wait for their reader. A PulseBoard server already waits at 256 KiB.
    static let queuedLimit = 8 << 20
    /// Wire bytes after which the wire protocol is told that messages were taken.
    private static let reportEvery = 64 << 10

    let requests: OutboundMessages
    let responses: InboundMessages
    let link: ClientStreamLink
    /// Cancels the call when it is released. It keeps the channel alive.
    let lifetime: StreamLifetime

    /// The metadata of the response.
    let metadata: ResponseMetadata

    init(_ channel: Channel, _ metadata: ResponseMetadata) {
        self.metadata = metadata
        let link = ClientStreamLink(loop: channel.loop, maximumMessageByteCount: channel.maximumMessageByteCount)
        self.link = link
        requests = OutboundMessages(link: link, isBlocked: true)
        responses = InboundMessages(
            limit: Self.queuedLimit, reportEvery: Self.reportEvery, connection: channel.inboundBudget, link: link)
        lifetime = StreamLifetime { withExtendedLifetime(channel) { link.cancel() } }
    }

    /// Says that all requests were written.
    func finishWriting() { requests.finish { [link] in link.halfClose() } }
}

/// Connects a stream's two halves, which its caller uses on any thread, with its call, which belongs to the channel's loop.
final class ClientStreamLink: StreamLink {
    let maximumMessageByteCount: Int
    private let call: LoopBound<Box>

    private final class Box {
        weak var call: (any PendingCall)?
        /// Whether the call was cancelled. This may happen before the call is attached, because work of the loop may run before work of other
        /// threads.
        var isCancelled = false
    }

    init(loop: EventLoop, maximumMessageByteCount: Int) {
        self.maximumMessageByteCount = maximumMessageByteCount
        call = LoopBound(Box(), to: loop)
    }

    /// Connects the link with its call. On the loop only.
    func attach(_ pending: any PendingCall) {
        call.value.call = pending
        if call.value.isCancelled { pending.end(.taskCancelled) }
    }

    var isOnLoop: Bool { call.loop.inLoop }

    func execute(_ work: @escaping @Sendable () -> Void) { call.loop.execute(work) }

    /// A request that cannot be encoded is its caller's mistake.
    var notEncodableCode: StatusCode { .invalidArgument }

    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError { .undecodableAnswer(descriptor, error) }

    func maySend() -> Bool {
        guard let (connection, id) = call.value.call?.sentOn else { return false }
        return connection.maySend(on: id)
    }

    func send(_ message: borrowing PackableMessage) throws(RPCError) {
        guard let (connection, id) = call.value.call?.sentOn else { return }
        try connection.send(message, on: id)
    }

    func send(serialized message: [UInt8]) {
        guard let (connection, id) = call.value.call?.sentOn else { return }
        connection.send(serialized: message, on: id)
    }

    func consumed(_ byteCount: Int) {
        guard let (connection, id) = call.value.call?.sentOn else { return }
        connection.consumed(byteCount, on: id)
    }

    func waitingTaskCancelled() { cancel() }

    /// The writer learns the reason too.
    func messageFailed(_ error: RPCError) { call.loop.execute { [call] in call.value.call?.end(error) } }

    /// Ends the call with `CANCELLED`. Any thread.
    func cancel() {
        call.loop.execute { [call] in
            call.value.isCancelled = true
            call.value.call?.end(.taskCancelled)
        }
    }

    /// Tells the server that all requests were sent. On the loop only.
    func halfClose() {
        guard let (connection, id) = call.value.call?.sentOn else { return }
        connection.halfClose(id)
    }
}

/// The loop's part of a running streaming call. Loop-bound; its caller holds an ``OpenedStream``.
final class OutboundStream: PendingCall {
    private let requests: OutboundMessages
    private let responses: InboundMessages
    private let responseDescriptor: MessageDescriptor
    private let shape: CallShape
    private let loop: EventLoop
    private let responseMetadata: ResponseMetadata?
    private let tokens: RetryTokens?
    private var hasMessage = false
    private(set) var hasEnded = false
    var timer: LoopTimer?
    var sentOn: (connection: ClientConnection, id: CallID)?

    /// - Parameter tokens: the channel's tokens for retries. A call that succeeds gives some back.
    init(
        requests: OutboundMessages, responses: InboundMessages, _ responseDescriptor: MessageDescriptor, shape: CallShape,
        loop: EventLoop, responseMetadata: ResponseMetadata?, tokens: RetryTokens?
    ) {
        self.requests = requests
        self.responses = responses
        self.responseDescriptor = responseDescriptor
        self.shape = shape
        self.loop = loop
        self.responseMetadata = responseMetadata
        self.tokens = tokens
    }

    var isWhole: Bool { shape == .serverStreaming }

    func receive(_ payload: RawSpan, byteCount: Int) {
        noteMessage()
        do throws(DecodingError) { try responseDescriptor.check(payload) } catch {
            return end(.undecodableAnswer(responseDescriptor, error))
        }
        queue(payload, byteCount: byteCount)
    }

    func receive(compressed payload: RawSpan, byteCount: Int, _ decompressor: any MessageDecompressor) {
        noteMessage()
        queue(payload, byteCount: byteCount, decompressor)
    }

    /// The call must not be made again from now on, even if the message is lost with the connection before it is read.
    private func noteMessage() {
        if !hasMessage { responseMetadata?.begin() }
        hasMessage = true
    }

    private func queue(_ payload: RawSpan, byteCount: Int, _ decompressor: (any MessageDecompressor)? = nil) {
        do throws(InboundMessages.Refusal) {
            try responses.append(payload, byteCount: byteCount, decompressor: decompressor)
        } catch .streamBudget(let limit) {
            end(RPCError(.resourceExhausted, "the stream is read too slowly: more than \(limit) bytes were waiting"))
        } catch {
            end(RPCError(.resourceExhausted, "the streams of this connection are read too slowly"))
        }
    }

    func receive(initial metadata: Metadata) { responseMetadata?.begin(metadata) }

    func resume() { requests.resume() }

    func end(_ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        guard !hasEnded else { return }
        responseMetadata?.trailing = trailing
        switch end {
        case .failure(let error):
            // Messages that the server sent before the failure are read first.
            finish(error) { responses.finish(error) }
        case .success:
            // The only message of a client-streaming call comes with its end.
            if shape == .clientStreaming { receive(payload, byteCount: payload.byteCount) }
            // The message may have ended the call.
            guard !hasEnded else { return }
            tokens?.callSucceeded()
            finish(nil) { responses.finish() }
        }
    }

    func end(_ error: RPCError) { finish(error, isEndedHere: true) { responses.fail(error) } }

    func connectionLost(_ error: RPCError) { finish(error, isEndedHere: true) { responses.finish(error) } }

    private func finish(_ error: RPCError?, isEndedHere: Bool = false, _ endResponses: () -> Void) {
        guard !hasEnded else { return }
        hasEnded = true
        release(on: loop, endedHereBy: isEndedHere ? error : nil)
        requests.end(error)
        endResponses()
    }
}
