import CLinuxSockets
import Glibc

/// Calls `body` with the address of a Unix socket at `path`.
/// - Throws: ``SocketError`` of kind `pathTooLong` for a path over ``SocketPath/maximumByteCount`` bytes.
package func withSocketAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) throws(SocketError) -> Result {
    let bytes = Array(path.utf8)
    guard bytes.count <= SocketPath.maximumByteCount, !bytes.isEmpty else {
        throw SocketError(
            .pathTooLong, "the socket path has \(bytes.count) bytes; 1 to \(SocketPath.maximumByteCount) are possible: \(path)")
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
}

/// A new non-blocking Unix stream socket, closed on exec.
func makeSocket() throws(SocketError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system("socket") }
    return descriptor
}
