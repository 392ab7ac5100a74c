import RPCCore
import SocketTransport

/// A call that its connection knows by its id: a stream, or a unary call whose handler waits. Loop-bound.
final class WaitingCall {
    let call: ServerCall
    /// Cancels the task in which the handler waits; nil before that, and once it was told to stop.
    private var cancelTask: (() -> Void)?
    private var timer: LoopTimer?

    init(_ call: ServerCall) { self.call = call }

    /// The server's end of a streaming call; nil for a unary one.
    var stream: ServerStreamEnd? { call.stream }

    /// Notes where the handler waits, and calls `deadlinePassed` when it has waited too long.
    /// - Parameter cancel: cancels the task in which it waits.
    func waits(on loop: EventLoop, cancel: @escaping () -> Void, _ deadlinePassed: @escaping () -> Void) {
        cancelTask = cancel
        guard call.context.deadline != .never else { return }
        timer = loop.schedule(at: call.context.deadline.nanoseconds, deadlinePassed)
    }

    /// Marks the call as ended; false when it had ended already, and the caller's end is to be dropped.
    func end(on loop: EventLoop) -> Bool {
        guard !call.hasEnded else { return false }
        call.hasEnded = true
        if let timer { loop.cancel(timer) }
        timer = nil
        return true
    }

    /// Tells the handler to stop. It is heard at the handler's next suspension or check, and by whatever it reads or writes next.
    func cancelHandler(_ reason: RPCError) {
        stream?.end(reason)
        cancelTask?()
        cancelTask = nil
    }
}
