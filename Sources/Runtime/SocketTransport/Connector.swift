import CLinuxSockets
import Glibc

/// Connects to a Unix socket from a client's event loop.
public enum Connector {
    /// Connects and makes a connection of `loop`. On that loop only. A Unix connect never waits, except for room in the listener's queue.
    /// - Parameter trustedUIDs: the uids that the server may have; nil for any. A socket in a shared directory may belong to another user.
    /// - Throws: ``SocketError``; kind `system` with `EAGAIN` when the listener's queue is full: try again a little later;
    ///   `untrustedServer` when another uid listens there. Then nothing has been sent.
    public static func connect(
        to path: String, trusting trustedUIDs: Set<UInt32>? = nil, loop: EventLoop, handler: any ConnectionHandler
    ) throws(SocketError) -> Connection {
        let descriptor = try makeSocket()
        do throws(SocketError) {
            guard try withSocketAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else { throw .system("connect", path) }
            guard let peer = SocketPeer(of: descriptor) else { throw .system("getsockopt", path) }
            // The overflow uid stands for every uid without a number here, so it identifies nobody.
            if let trustedUIDs, !peer.isMapped || !trustedUIDs.contains(peer.uid) {
                throw SocketError(.untrustedServer(uid: peer.uid), "\(path) is served by uid \(peer.uid), who is not trusted with it")
            }
            return Connection(descriptor: descriptor, peer: peer, loop: loop, side: .client, handler: handler)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Connects to a server of this process, and makes a connection of `loop`. On that loop only.
    /// - Throws: ``SocketError`` when the process is out of descriptors, or the server has shut down.
    public static func connect(to socket: InProcessSocket, loop: EventLoop, handler: any ConnectionHandler) throws(SocketError) -> Connection {
        let descriptor = try socket.connect()
        guard let peer = SocketPeer(of: descriptor) else {
            let error = SocketError.system("getsockopt")
            close(descriptor)
            throw error
        }
        return Connection(descriptor: descriptor, peer: peer, loop: loop, side: .client, handler: handler)
    }
}

/// Calls `body` with the address of a Unix socket at `path`.
/// - Throws: ``SocketError`` of kind `pathTooLong` for a path over ``SocketPath/maximumByteCount`` bytes.
package func withSocketAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) throws(SocketError) -> Result {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty else { throw SocketError(.pathTooLong, "the socket path is empty") }
    guard bytes.count <= SocketPath.maximumByteCount else {
        throw SocketError(
            .pathTooLong, "the socket path has \(bytes.count) bytes; \(SocketPath.maximumByteCount) are possible: \(path)")
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}

/// A new non-blocking Unix stream socket, closed on exec. The kernel refuses descriptors for it, if it can.
func makeSocket() throws(SocketError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system("socket") }
    PassedDescriptors.refuse(on: descriptor)
    return descriptor
}
