import Logging

/// The process at the other end of a Unix socket, as the kernel says (`SO_PEERCRED`) when the connection is made.
public struct PeerCredentials: Sendable, Hashable {
    /// Process id at the time of connecting. It may have ended since and the number be in use again.
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// Where a call comes from, and so what is proved about its caller before any token is read.
///
/// Only the case in which they are the caller's has credentials. So nobody can mistake a gateway's uid for that of a caller behind it.
public enum CallOrigin: Sendable, Hashable {
    /// From this very process.
    case inProcess
    /// From a process of this machine, on the kernel's word.
    case local(PeerCredentials)
    /// From a process of this machine whose uid has no number in the server's user namespace. The kernel gives all of those the same
    /// one (user_namespaces(7)), so that it says who none of them is.
    case unmapped
    /// From behind a gateway: the process at the other end of the socket passes on the calls of strangers. The number is the connection's, and no
    /// other connection of the process has it.
    case remote(connection: UInt64)
}

extension CallOrigin {
    /// The caller's credentials; nil if the connection proves none.
    @inlinable public var credentials: PeerCredentials? {
        if case .local(let credentials) = self { credentials } else { nil }
    }

    /// Whether it is from behind a gateway.
    @inlinable public var isRemote: Bool {
        if case .remote = self { true } else { false }
    }
}

extension CallOrigin {
    /// The fields of a log line that say where a call, or a connection, comes from.
    package var logMetadata: Logger.Metadata {
        switch self {
        case .inProcess: [:]
        case .local(let peer): ["peer.pid": "\(peer.pid)", "peer.uid": "\(peer.uid)"]
        case .unmapped: ["peer": "unmapped"]
        case .remote: ["peer": "remote"]
        }
    }
}
