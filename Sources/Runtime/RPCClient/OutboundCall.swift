import ProtobufC
import RPCCore
import SocketTransport

/// One unary call under way.
final class OutboundCall<Response: Message>: PendingCall {
    private var continuation: CheckedContinuation<Result<Response, RPCError>, Never>?
    private let loop: EventLoop
    private let codec: MessageCodec<Response>
    private let responseMetadata: ResponseMetadata?
    var timer: LoopTimer?
    var sentOn: (connection: ClientConnection, id: CallID)?

    init(
        _ continuation: CheckedContinuation<Result<Response, RPCError>, Never>, _ codec: MessageCodec<Response>, loop: EventLoop,
        responseMetadata: ResponseMetadata?
    ) {
        self.continuation = continuation
        self.codec = codec
        self.loop = loop
        self.responseMetadata = responseMetadata
    }

    var isWhole: Bool { true }

    var hasEnded: Bool { continuation == nil }

    func receive(_ payload: RawSpan, byteCount: Int) {}

    func receive(initial metadata: Metadata) { responseMetadata?.initial = metadata }

    func resume() {}

    func end(_ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        responseMetadata?.trailing = trailing
        switch end {
        case .failure(let error): resume(.failure(error), tellingServer: false)
        case .success:
            do throws(DecodingError) {
                resume(.success(try codec.decode(payload)), tellingServer: false)
            } catch {
                resume(.failure(.undecodableAnswer(Response.descriptor, error)), tellingServer: false)
            }
        }
    }

    func end(_ error: RPCError) { resume(.failure(error), tellingServer: true) }

    private func resume(_ result: Result<Response, RPCError>, tellingServer: Bool) {
        guard let continuation else { return }
        self.continuation = nil
        release(on: loop, tellingServer: tellingServer)
        continuation.resume(returning: result)
    }
}

extension RPCError {
    static func undecodableAnswer(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError {
        RPCError(.internal, "the answer is not a valid \(descriptor.fullName): \(error)")
    }
}
