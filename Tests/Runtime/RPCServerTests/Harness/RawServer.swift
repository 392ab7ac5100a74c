import CLinuxSockets
import Dispatch
import Glibc

/// A server that sends raw bytes or nothing, for what no correct server does. Clients can connect before they are accepted, and write as
/// much as their sockets hold.
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

    /// Waits for the next client.
    func accept() async throws -> RawPeer {
        let accepted = await withCheckedContinuation { continuation in
            accepting.async { [self] in continuation.resume(returning: accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))) }
        }
        guard accepted >= 0 else { throw RawPeer.Failure(errno: EBADF) }
        return RawPeer(taking: accepted)
    }
}
