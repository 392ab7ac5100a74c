import Logging
import RPCCore
import SocketTransport
import Synchronization

/// Whether a listener is for local clients or for a gateway. It decides what its connections prove.
///
///     server.start(on: try ListeningSocket(path: "/run/greeter/local.sock", mode: 0o666))
///     server.start(on: try ListeningSocket(path: "/run/greeter/gateway.sock", mode: 0o660), as: .remote)
public struct ListenerRole: Sendable, Hashable {
    /// Whether the kernel's credentials of a peer identify the caller. Behind a gateway they identify only the gateway, which forwards the calls of
    /// strangers. A call's origin is then ``RPCCore/CallOrigin/remote(connection:)``.
    public var trustsCredentials: Bool
    /// The time between two heartbeats on a connection with running calls; nil for no heartbeat. Heartbeats are needed because a gateway ends a
    /// silent watch (nginx after 60 s). Over gRPC a heartbeat is a PING frame, which neither caller nor handler sees. ttrpc has none.
    /// Less than a millisecond counts as one.
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

/// The user for whom a connection's calls and bytes are counted.
public enum Principal: Sendable, Hashable {
    /// All connections of one uid. All uids without a number here count as one.
    case uid(UInt32)
    /// All connections of a listener whose peers are unknown, by the listener's number in the order of their starts. Limits count each uid of the
    /// listener's peers for itself; reports have their sum.
    case listener(Int)
}

/// Whose connections, calls and bytes one account counts.
///
/// On a listener for a gateway each uid has an account of its own. Otherwise one process of this machine could connect there and take the whole
/// share of those behind the gateway. The uid only separates accounts there. It identifies nobody and gives no right.
struct AccountHolder: Sendable, Hashable {
    /// The user in reports, metrics and limits.
    let principal: Principal
    /// The uid of the peers, as the kernel reports it. All uids without a number here have one account.
    let uid: UInt32

    /// The connections of a uid on listeners whose credentials are trusted.
    static func uid(_ uid: UInt32) -> AccountHolder { AccountHolder(principal: .uid(uid), uid: uid) }

    /// The number of the holder in the event loops' turns.
    var number: UInt64 {
        switch principal {
        case .uid: UInt64(uid)
        case .listener(let number): UInt64(number + 1) << 32 | UInt64(uid)
        }
    }
}

/// The peer of a server's connection.
struct ConnectionPeer: Sendable {
    /// The origin of its calls.
    let origin: CallOrigin
    let holder: AccountHolder
    /// Nanoseconds between two heartbeats; nil for none.
    let heartbeat: Int64?

    /// The number of the next connection of a gateway.
    private static let nextRemote = Atomic<UInt64>(1)

    /// - Parameter listener: the number of the listener that has accepted the connection.
    init(_ peer: SocketPeer, _ role: ListenerRole, listener: Int) {
        heartbeat = role.heartbeat?.wholeNanoseconds
        guard role.trustsCredentials else {
            origin = .remote(connection: Self.nextRemote.wrappingAdd(1, ordering: .relaxed).oldValue)
            holder = AccountHolder(principal: .listener(listener), uid: peer.uid)
            return
        }
        origin = peer.isMapped ? .local(PeerCredentials(pid: peer.pid, uid: peer.uid, gid: peer.gid)) : .unmapped
        holder = .uid(peer.uid)
    }

    /// The fields of a log line about a connection.
    func logMetadata(_ more: Logger.Metadata) -> Logger.Metadata { origin.logMetadata.merging(more) { _, more in more } }
}

/// Calls a closure at regular intervals, so that a connection can send heartbeats. Loop-bound.
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

    /// Ends it, and releases the closure.
    func stop() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func set() {
        timer = loop.schedule(at: Deadline(now: MonotonicClock.now(), timeoutNanoseconds: interval).nanoseconds) { [weak self] in
            guard let self else { return }
            beat()
            if timer != nil { set() }
        }
    }
}
