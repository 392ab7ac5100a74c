import ProtobufC
import RPCCore
import SocketTransport

/// One streaming call under way: what the loop does with it. Loop-bound; its caller holds an ``OpenedStream``.
final class OutboundStream<Request: Message, Response: Message>: PendingCall {
    private let requests: OutboundMessages<Request>
    private let responses: InboundMessages<Response>
    private let shape: CallShape
    private let loop: EventLoop
    private let responseMetadata: ResponseMetadata?
    private(set) var hasEnded = false
    var timer: LoopTimer?
    var sentOn: (connection: ClientConnection, id: CallID)?

    init(
        requests: OutboundMessages<Request>, responses: InboundMessages<Response>, shape: CallShape, loop: EventLoop,
        responseMetadata: ResponseMetadata?
    ) {
        self.requests = requests
        self.responses = responses
        self.shape = shape
        self.loop = loop
        self.responseMetadata = responseMetadata
    }

    var isWhole: Bool { shape == .serverStreaming }

    func receive(_ payload: RawSpan, byteCount: Int) {
        do throws(DecodingError) {
            take(try Response(serializedBytes: payload), byteCount, payload.byteCount)
        } catch {
            end(.undecodableAnswer(Response.self, error))
        }
    }

    private func take(_ response: Response, _ byteCount: Int, _ payloadByteCount: Int) {
        do throws(InboundMessages<Response>.Refusal) {
            try responses.append(response, byteCount: byteCount, payloadByteCount: payloadByteCount)
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
