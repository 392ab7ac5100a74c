import Logging

/// Who is at the other end of a Unix socket, as the kernel says (`SO_PEERCRED`), taken when it connected.
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

/// Where a call comes from, and so what is proved of who calls before any token is looked at.
///
/// Credentials are in the one case in which they are the caller's, so that nobody can take a gateway's uid for that of whom it lets in.
public enum CallOrigin: Sendable, Hashable {
    /// From this very process.
    case inProcess
    /// From a process of this machine, on the kernel's word.
    case local(PeerCredentials)
    /// From a process of this machine whose uid has no number in the server's user namespace. The kernel gives all of those the same
    /// one (user_namespaces(7)), so that it says who none of them is.
    case unmapped
    /// From whoever is behind a gateway: the process at the other end of the socket passes on what strangers ask.
    case remote
}

extension CallOrigin {
    /// The caller's credentials; nil where the connection proves none.
    @inlinable public var credentials: PeerCredentials? {
        if case .local(let credentials) = self { credentials } else { nil }
    }
}

extension CallOrigin {
    /// What a log line says of where a call, or a connection, comes from.
    package var logMetadata: Logger.Metadata {
        switch self {
        case .inProcess: [:]
        case .local(let peer): ["peer.pid": "\(peer.pid)", "peer.uid": "\(peer.uid)"]
        case .unmapped: ["peer": "unmapped"]
        case .remote: ["peer": "remote"]
        }
    }
}
