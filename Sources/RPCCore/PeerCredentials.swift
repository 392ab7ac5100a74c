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
