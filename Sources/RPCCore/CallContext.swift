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

/// What a handler may know of the call it answers, besides the request.
public struct CallContext: Sendable {
    /// The kernel's word on who calls; nil for an in-process call.
    public let peer: PeerCredentials?
    /// The request's metadata.
    public let metadata: Metadata
    /// When the caller stops waiting. Passing it ends the call with `DEADLINE_EXCEEDED` and cancels the handler's task.
    public let deadline: Deadline
    /// `service/method`.
    public let method: String

    public init(peer: PeerCredentials?, metadata: Metadata, deadline: Deadline, method: String) {
        self.peer = peer
        self.metadata = metadata
        self.deadline = deadline
        self.method = method
    }
}
