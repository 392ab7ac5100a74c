import CLinuxSockets
import Glibc

/// A listener that accepts nothing, with a full queue of new connections.
final class FullListener: Sendable {
    private let descriptors: [Int32]

    init(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let listener = socket(AF_UNIX, kind, 0)
        guard with({ bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else { throw RawPeer.Failure(errno: errno) }
        var descriptors = [listener]
        while true {
            let client = socket(AF_UNIX, kind, 0)
            descriptors.append(client)
            if with({ connect(client, $0, $1) }) != 0 { break }
        }
        self.descriptors = descriptors
    }

    func close() { for descriptor in descriptors { Glibc.close(descriptor) } }
}
