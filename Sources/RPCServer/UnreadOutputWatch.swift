import RPCCore
import SocketTransport

/// Notices a client that has stopped reading: output waits for it, and for a whole timeout not a byte of it was taken. Loop-bound.
final class UnreadOutputWatch {
    private let timeout: Int64
    private var isWaiting = false
    private var progressedAt: Int64 = 0
    private var timer: LoopTimer?

    /// - Parameter timeout: nanoseconds.
    init(timeout: Int64) { self.timeout = timeout }

    /// Notes what a write has done; `giveUp` is called when nothing is taken for the timeout, once. It is kept until then, or until ``stop(on:)``.
    func wrote(_ byteCount: Int, waiting: Int, on loop: EventLoop, giveUp: @escaping () -> Void) {
        let wasWaiting = isWaiting
        isWaiting = waiting > 0
        guard isWaiting else { return }
        // Output that begins to wait has its whole time, though a timer may still be set from what waited before.
        if byteCount > 0 || !wasWaiting { progressedAt = MonotonicClock.now() }
        if timer == nil { set(loop, giveUp) }
    }

    /// Ends the watch, and lets go of what it was to call.
    func stop(on loop: EventLoop) {
        isWaiting = false
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func set(_ loop: EventLoop, _ giveUp: @escaping () -> Void) {
        timer = loop.schedule(at: Deadline(now: progressedAt, timeoutNanoseconds: timeout).nanoseconds) { [weak self] in
            guard let self else { return }
            timer = nil
            guard isWaiting else { return }
            if MonotonicClock.now() - progressedAt >= timeout { giveUp() } else { set(loop, giveUp) }
        }
    }
}
