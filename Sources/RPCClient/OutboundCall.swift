import ProtobufC
import RPCCore
import SocketTransport
import TTRPC

/// A call that waits for its end, its message type erased. Loop-bound; it ends once, later ends are dropped.
protocol PendingCall: AnyObject {
    /// Ends the call with what the wire protocol read; `payload` is lent.
    func end(_ end: ClientCallEnd, payload: RawSpan)
    /// Ends the call without an answer.
    func end(_ error: RPCError)
}

/// One unary call under way.
final class OutboundCall<Response: Message>: PendingCall {
    private var continuation: CheckedContinuation<Result<Response, RPCError>, Never>?
    private let loop: EventLoop
    /// The timer of the call's deadline.
    var timer: LoopTimer?
    /// Where the call was sent, once it was, so that its end can be forgotten there.
    var sentOn: (connection: ClientConnection, id: CallID)?

    init(_ continuation: CheckedContinuation<Result<Response, RPCError>, Never>, loop: EventLoop) {
        self.continuation = continuation
        self.loop = loop
    }

    var hasEnded: Bool { continuation == nil }

    func end(_ end: ClientCallEnd, payload: RawSpan) {
        switch end {
        case .failure(let error): resume(.failure(error))
        case .success:
            do throws(DecodingError) {
                resume(.success(try Response(serializedBytes: payload)))
            } catch {
                resume(.failure(RPCError(.internal, "the answer is not a valid \(Response.descriptor.fullName): \(error)")))
            }
        }
    }

    func end(_ error: RPCError) { resume(.failure(error)) }

    private func resume(_ result: Result<Response, RPCError>) {
        guard let continuation else { return }
        self.continuation = nil
        if let timer { loop.cancel(timer) }
        timer = nil
        sentOn?.connection.forget(sentOn?.id)
        sentOn = nil
        continuation.resume(returning: result)
    }
}
