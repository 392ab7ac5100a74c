import CLinuxSockets
import Dispatch
import Glibc
import SocketTransport

/// A server that sends raw bytes or nothing, for what no correct server does. Clients can connect before they are accepted, and write as
/// much as their sockets hold.
final class RawServer: Sendable {
    private let descriptor: Int32
    private let accepting = DispatchQueue(label: "raw.server.accepting")

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        guard try withSocketAddress(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else { throw RawPeer.Failure(errno: errno) }
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
