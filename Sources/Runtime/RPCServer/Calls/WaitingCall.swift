import RPCCore
import SocketTransport

/// A call in its connection's table of ids: a stream, or a unary call whose handler waits. Loop-bound.
final class WaitingCall {
    let call: ServerCall
    /// Cancels the task in which the handler waits; nil before the handler waits, and after it was cancelled.
    private var cancelTask: (() -> Void)?
    private var timer: LoopTimer?

    init(_ call: ServerCall) { self.call = call }

    /// The server's end of a streaming call; nil for a unary one.
    var stream: ServerStreamEnd? { call.stream }

    /// Notes that the handler waits, and calls `deadlinePassed` at the call's deadline.
    /// - Parameter cancel: cancels the task in which it waits.
    func waits(on loop: EventLoop, cancel: @escaping () -> Void, _ deadlinePassed: @escaping () -> Void) {
        cancelTask = cancel
        guard call.context.deadline != .never else { return }
        timer = loop.schedule(at: call.context.deadline.nanoseconds, deadlinePassed)
    }

    /// Marks the call as ended. False if it had already ended; then the new end must be dropped.
    func end(on loop: EventLoop) -> Bool {
        guard !call.hasEnded else { return false }
        call.hasEnded = true
        if let timer { loop.cancel(timer) }
        timer = nil
        return true
    }

    /// Cancels the handler. The handler notices it at its next suspension or check, and at its next read or write.
    func cancelHandler(_ reason: RPCError) {
        stream?.end(reason)
        cancelTask?()
        cancelTask = nil
    }
}
