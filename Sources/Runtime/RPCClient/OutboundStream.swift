import ProtobufC
import RPCCore
import SocketTransport

/// One streaming call under way: what the loop does with it. Loop-bound; its caller holds an ``OpenedStream``.
final class OutboundStream: PendingCall {
    private let requests: OutboundMessages
    private let responses: InboundMessages
    private let responseDescriptor: MessageDescriptor
    private let shape: CallShape
    private let loop: EventLoop
    private let responseMetadata: ResponseMetadata?
    private(set) var hasEnded = false
    var timer: LoopTimer?
    var sentOn: (connection: ClientConnection, id: CallID)?

    init(
        requests: OutboundMessages, responses: InboundMessages, _ responseDescriptor: MessageDescriptor, shape: CallShape,
        loop: EventLoop, responseMetadata: ResponseMetadata?
    ) {
        self.requests = requests
        self.responses = responses
        self.responseDescriptor = responseDescriptor
        self.shape = shape
        self.loop = loop
        self.responseMetadata = responseMetadata
    }

    var isWhole: Bool { shape == .serverStreaming }

    func receive(_ payload: RawSpan, byteCount: Int) {
        do throws(DecodingError) { try responseDescriptor.check(payload) } catch {
            return end(.undecodableAnswer(responseDescriptor, error))
        }
        do throws(InboundMessages.Refusal) {
            try responses.append(payload, byteCount: byteCount)
        } catch .streamBudget(let limit) {
            end(RPCError(.resourceExhausted, "the stream is read too slowly: more than \(limit) bytes were waiting"))
        } catch {
            end(RPCError(.resourceExhausted, "the streams of this connection are read too slowly"))
        }
    }

    func receive(initial metadata: Metadata) { responseMetadata?.initial = metadata }

    func resume() { requests.resume() }

    func end(_ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        guard !hasEnded else { return }
        responseMetadata?.trailing = trailing
        switch end {
        case .failure(let error):
            // What the server sent before it failed is read first.
            finish(error, tellingServer: false) { responses.finish(error) }
        case .success:
            // The only message of a client-streaming call comes with its end.
            if shape == .clientStreaming { receive(payload, byteCount: payload.byteCount) }
            finish(nil, tellingServer: false) { responses.finish() }
        }
    }

    func end(_ error: RPCError) { finish(error, tellingServer: true) { responses.fail(error) } }

    private func finish(_ error: RPCError?, tellingServer: Bool, _ endResponses: () -> Void) {
        guard !hasEnded else { return }
        hasEnded = true
        release(on: loop, tellingServer: tellingServer)
        requests.end(error)
        endResponses()
    }
}
