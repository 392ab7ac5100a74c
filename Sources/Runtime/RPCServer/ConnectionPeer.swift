import Logging
import RPCCore
import SocketTransport
import Synchronization

/// The user for whom a connection's calls and bytes are counted.
public enum Principal: Sendable, Hashable {
    /// All connections of one uid. All uids without a number here count as one.
    case uid(UInt32)
    /// All connections of a listener whose peers are unknown, by the listener's number in the order of their starts. Limits count each uid of the
    /// listener's peers for itself; reports have their sum.
    case listener(Int)
}

/// The class of a ``Principal``, for metrics whose number must not grow with the number of users.
public enum UserClass: String, Sendable, Hashable, CaseIterable {
    /// Root and the server's own uid.
    case server
    /// Other uids of this machine.
    case local
    /// Callers through a gateway.
    case gateway
}

extension Principal {
    /// Its class, for a server that runs as `own`.
    public func userClass(own: UInt32) -> UserClass {
        switch self {
        case .uid(let uid): uid == 0 || uid == own ? .server : .local
        case .listener: .gateway
        }
    }
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
