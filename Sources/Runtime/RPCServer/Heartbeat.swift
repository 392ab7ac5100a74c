import SocketTransport

/// Has a connection say now and then that it is there. Loop-bound.
final class Heartbeat {
    private let interval: Int64
    private let loop: EventLoop
    private let beat: () -> Void
    private var timer: LoopTimer?

    /// Begins at once.
    /// - Parameters:
    ///   - interval: nanoseconds from beat to beat; at least a millisecond.
    ///   - beat: called each time, until ``stop()``; kept until then.
    init(every interval: Int64, on loop: EventLoop, _ beat: @escaping () -> Void) {
        self.interval = max(1_000_000, interval)
        self.loop = loop
        self.beat = beat
        set()
    }

    /// Ends it, and lets go of what it was to call.
    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func set() {
        timer = loop.schedule(at: MonotonicClock.now() + interval) { [weak self] in
            guard let self else { return }
            beat()
            if timer != nil { set() }
        }
    }
}
