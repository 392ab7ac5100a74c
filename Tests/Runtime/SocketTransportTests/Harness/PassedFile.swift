import CLinuxSockets
import Glibc

/// Lets clients of a listening socket pass descriptors, as all can before Linux 6.16. Connections that exist already stay as they are.
func takeDescriptors(on descriptor: Int32) {
    var passes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_PASSRIGHTS, &passes, socklen_t(MemoryLayout<Int32>.size))
}

/// A file that a test passes to a socket. It is one of a pair of sockets. The other one tells when nobody has the file any more.
struct PassedFile {
    private let telling: Int32
    private let passed: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        (telling, passed) = (ends[0], ends[1])
    }

    /// Sends a byte with the file, which this process then holds no more.
    /// - Returns: 0, or the error of sendmsg(2).
    func pass(to socket: Int32, flags: Int32 = 0) -> Int32 {
        var byte: UInt8 = 0
        // A control message (cmsg(3)): its length, SOL_SOCKET, SCM_RIGHTS, and a descriptor.
        var control: (UInt64, Int32, Int32, Int32, Int32) = (20, 1, 1, passed, 0)
        let sent = withUnsafeMutablePointer(to: &byte) { byte in
            withUnsafeMutablePointer(to: &control) { control in
                var part = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (UnsafeMutableRawPointer(control), 24)
                    return sendmsg(socket, &message, flags | Int32(MSG_NOSIGNAL))
                }
            }
        }
        let error = sent == 1 ? 0 : errno
        close(passed)
        return error
    }

    /// Whether somebody has the file. It may be asked before ``waitUntilClosed()``.
    var isOpen: Bool {
        var state = pollfd(fd: telling, events: 0, revents: 0)
        return poll(&state, 1, 0) == 0
    }

    /// Waits until nobody has the file. Called once.
    func waitUntilClosed() {
        var byte: UInt8 = 0
        _ = read(telling, &byte, 1)
        close(telling)
    }
}
