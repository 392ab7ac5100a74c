import RPCCore
import SocketTransport

/// Whether a listener is for local clients or for a gateway. It decides what its connections prove.
///
///     server.start(on: try ListeningSocket(path: "/run/greeter/local.sock", mode: 0o666))
///     server.start(on: try ListeningSocket(path: "/run/greeter/gateway.sock", mode: 0o660), as: .remote)
public struct ListenerRole: Sendable, Hashable {
    /// Whether the kernel's credentials of a peer identify the caller. Behind a gateway they identify only the gateway, which forwards the calls of
    /// strangers. A call's origin is then ``RPCCore/CallOrigin/remote(connection:)``.
    public var trustsCredentials: Bool
    /// The time between two heartbeats on a connection with running calls; nil for no heartbeat. Heartbeats are needed because a gateway ends a
    /// silent watch (nginx after 60 s). Over gRPC a heartbeat is a PING frame, which neither caller nor handler sees. ttrpc has none. A shorter time
    /// than a millisecond counts as a millisecond.
    public var heartbeat: Duration?

    /// Most programs use ``local`` or ``remote``.
    public init(trustsCredentials: Bool, heartbeat: Duration? = nil) {
        self.trustsCredentials = trustsCredentials
        self.heartbeat = heartbeat
    }

    /// For the processes of this machine.
    public static let local = ListenerRole(trustsCredentials: true)
    /// For a gateway. A heartbeat every 20 s.
    public static let remote = ListenerRole(trustsCredentials: false, heartbeat: .seconds(20))
}

/// Calls a closure at regular intervals, so that a connection can send heartbeats. Loop-bound.
final class Heartbeat {
    private let interval: Int64
    private let executor: ConnectionExecutor
    private let beat: () -> Void
    private var timer: LoopTimer?

    /// Begins at once.
    /// - Parameters:
    ///   - interval: nanoseconds from beat to beat; at least a millisecond.
    ///   - beat: called each time, until ``stop()``; kept until then.
    init(every interval: Int64, on executor: ConnectionExecutor, _ beat: @escaping () -> Void) {
        self.interval = max(1_000_000, interval)
        self.executor = executor
        self.beat = beat
        set()
    }

    /// Ends it, and releases the closure.
    func stop() {
        if let timer { executor.loop.cancel(timer) }
        timer = nil
    }

    private func set() {
        timer = executor.schedule(at: Deadline(now: MonotonicClock.now(), timeoutNanoseconds: interval).nanoseconds) { [weak self] in
            guard let self else { return }
            beat()
            if timer != nil { set() }
        }
    }
}
