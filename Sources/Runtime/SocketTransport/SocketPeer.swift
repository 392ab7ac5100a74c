import CLinuxSockets
import Glibc

/// The process at the other end of a socket (`SO_PEERCRED`), as it was when it connected.
///
/// `PeerCredentials` in RPCCore has the same fields, but the transport imports no RPCCore, so it has a type of its own.
package struct SocketPeer: Sendable, Hashable {
    /// The process id, user and group at the time of connecting. The process may have ended since.
    package let pid: Int32
    package let uid: UInt32
    package let gid: UInt32

    /// Whether the uid identifies the peer. False for the uid that stands for all uids without a number here (``UserNamespace``).
    package var isMapped: Bool { UserNamespace.current.identifies(uid) }

    /// Reads it from the kernel; nil if the descriptor is not a connected Unix socket.
    init?(of descriptor: Int32) {
        var credentials = pulse_ucred()
        var length = socklen_t(MemoryLayout<pulse_ucred>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        pid = credentials.pid
        uid = credentials.uid
        gid = credentials.gid
    }
}

/// The user namespace of this process (user_namespaces(7)). Every uid without a number in it arrives as the overflow uid.
public struct UserNamespace: Sendable, Hashable {
    /// The uid that stands for every uid without a number here, usually 65534. Nil if every uid has a number.
    public let overflowUID: UInt32?

    /// The namespace of this process, read once.
    public static let current = UserNamespace(
        map: contents(of: "/proc/self/uid_map"), overflowUID: contents(of: "/proc/sys/kernel/overflowuid"))

    /// Reads the kernel's description of a namespace. Without it, some uids may have no number.
    /// - Parameters:
    ///   - map: the text of `uid_map`. Each line has the first uid inside, the first outside, and their number.
    ///   - overflowUID: the text of `/proc/sys/kernel/overflowuid`.
    init(map: String?, overflowUID: String?) {
        let counts = (map ?? "").split(separator: "\n").map { line in
            line.split(separator: " ").last.flatMap { UInt64($0) } ?? 0
        }
        // All numbers of 32 bits except -1, which is not a uid.
        let hasAll = counts.reduce(0, +) >= UInt64(UInt32.max)
        let overflow = overflowUID.flatMap { UInt32($0.prefix { $0 != "\n" }) } ?? 65_534
        self.overflowUID = hasAll ? nil : overflow
    }

    /// Whether a uid identifies a user.
    public func identifies(_ uid: UInt32) -> Bool { uid != overflowUID && uid != .max }

    /// The beginning of a small file; nil if it cannot be read.
    private static func contents(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // There are at most 340 lines of up to 33 bytes.
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
