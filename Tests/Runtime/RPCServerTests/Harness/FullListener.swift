import CLinuxSockets
import Glibc
import SocketTransport

/// A listener that accepts nothing, with a full queue of new connections.
final class FullListener: Sendable {
    private let descriptors: [Int32]

    init(_ path: String) throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let listener = socket(AF_UNIX, kind, 0)
        guard try withSocketAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else { throw RawPeer.Failure(errno: errno) }
        var descriptors = [listener]
        while true {
            let client = socket(AF_UNIX, kind, 0)
            descriptors.append(client)
            if try withSocketAddress(path, { connect(client, $0, $1) }) != 0 { break }
        }
        self.descriptors = descriptors
    }

    func close() { for descriptor in descriptors { Glibc.close(descriptor) } }
}
