import RPCCore
import SocketTransport

/// A call that waits for its end, its message types erased. Loop-bound; it ends once, later ends are dropped.
protocol PendingCall: AnyObject {
    var hasEnded: Bool { get }
    /// Where the call was sent, once it was, so that its end can be forgotten there.
    var sentOn: (connection: ClientConnection, id: CallID)? { get set }
    /// Whether all of its requests went with its beginning, so that it can be made again.
    var isWhole: Bool { get }
    /// The timer of the call's deadline.
    var timer: LoopTimer? { get set }

    /// A message of a stream, borrowed.
    func receive(_ payload: RawSpan, byteCount: Int)
    /// Metadata came before the first message.
    func receive(initial metadata: Metadata)
    /// The call was sent, or the server has room again: messages may be written.
    func resume()
    /// Ends the call with what the wire protocol read; `payload` is borrowed.
    func end(_ end: ClientCallEnd, payload: RawSpan, trailing: Metadata)
    /// Ends the call without an answer from the server.
    func end(_ error: RPCError)
}

extension PendingCall {
    /// Gives back what a call holds, at its end. The server is told of a call that it has not ended itself.
    func release(on loop: EventLoop, tellingServer: Bool) {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let (connection, id) = sentOn { connection.forget(id, cancelling: tellingServer) }
        sentOn = nil
    }
}
