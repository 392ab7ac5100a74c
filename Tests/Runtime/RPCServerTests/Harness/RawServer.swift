import CLinuxSockets
import Dispatch
import Glibc

/// A server that speaks bytes, or says nothing: for what no well-behaved server does. Clients that it has not accepted can connect and write
/// as much as their sockets hold.
final class RawServer: Sendable {
    private let descriptor: Int32
    private let accepting = DispatchQueue(label: "raw.server.accepting")

    init(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(descriptor, 16) == 0 else { throw RawPeer.Failure(errno: errno) }
    }

    deinit { Glibc.close(descriptor) }

    /// The next client, waited for.
    func accept() async throws -> RawPeer {
        let accepted = await withCheckedContinuation { continuation in
            accepting.async { [self] in continuation.resume(returning: accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))) }
        }
        guard accepted >= 0 else { throw RawPeer.Failure(errno: EBADF) }
        return RawPeer(taking: accepted)
    }
}
