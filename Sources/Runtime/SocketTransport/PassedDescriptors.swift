import CLinuxSockets
import Dispatch
import Glibc
import Synchronization

/// The descriptors that a client can send with its bytes (`SCM_RIGHTS` in unix(7)). No protocol here uses them, so no socket takes them.
///
/// Whoever drops the last reference to a file closes it, and that may block: a TCP socket blocks as long as its `SO_LINGER` says. A read without
/// room for descriptors drops them, and so does the close of a socket that holds unread ones. So no event loop may do either.
///
/// Linux 6.16 and later can refuse descriptors: the sender gets `EPERM`. On older kernels a socket is looked at before each read. If a descriptor
/// is next, nothing is read, and the connection ends. A socket with an unread descriptor is closed on a queue. The passed descriptors never
/// become this process's own, so they take no places in its table.
enum PassedDescriptors {
    /// Closes sockets that may hold descriptors, one after another. Nothing else may run here, because a close may block for as long as a client
    /// likes.
    static let closing = DispatchQueue(label: "passed-descriptors")

    /// Makes the kernel refuse descriptors for a socket, and for all connections that a listening socket gets from now on. Without effect before
    /// Linux 6.16.
    static func refuse(on descriptor: Int32) { set(SO_PASSRIGHTS, 0, on: descriptor) }

    /// Whether an accepted Unix socket may hold descriptors, or get some. If so, it is prepared for `pulse_receive_without_descriptors`.
    ///
    /// With a kernel that can refuse them, only a client that had connected before its listening socket was handed over has such a socket.
    static func mayComeTo(_ descriptor: Int32) -> Bool {
        var passes: Int32 = 1
        var size = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_PASSRIGHTS, &passes, &size) == 0, passes == 0 { return false }
        // A read passes over an out-of-band byte, and would drop its descriptors.
        set(SO_OOBINLINE, 1, on: descriptor)
        // Otherwise the kernel would announce these as it announces descriptors.
        for option in [SO_PASSCRED, SO_PASSSEC, SO_PASSPIDFD] { set(option, 0, on: descriptor) }
        return true
    }

    /// Closes an accepted socket.
    /// - Parameters:
    ///   - mayHoldDescriptors: the result of ``mayComeTo(_:)``.
    ///   - isReserved: whether it is one of the descriptors that are not for connections.
    static func close(_ descriptor: Int32, mayHoldDescriptors: Bool, isReserved: Bool = false) {
        if mayHoldDescriptors {
            // The peer learns of the end now. From here on it can send nothing, so what is unread is final.
            shutdown(descriptor, Int32(SHUT_RDWR))
            if pulse_may_hold_descriptors(descriptor) != 0 {
                if isReserved { waitingInReserve.add(1, ordering: .relaxed) }
                return closing.async {
                    Glibc.close(descriptor)
                    if isReserved { waitingInReserve.subtract(1, ordering: .relaxed) }
                }
            }
        }
        Glibc.close(descriptor)
    }

    /// Sockets that wait to be closed, and whose descriptors are of the reserve.
    private static let waitingInReserve = Atomic(0)
    /// The most of them. At that number no listener accepts, so the rest of the reserve stays free.
    static let mostInReserve = 16

    /// Whether a listener must not accept, because the connection could take a reserved descriptor for long.
    static var keepsReserve: Bool { waitingInReserve.load(ordering: .relaxed) >= mostInReserve }

    private static func set(_ option: Int32, _ value: Int32, on descriptor: Int32) {
        var value = value
        setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
