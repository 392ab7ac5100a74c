import CLinuxSockets
import Dispatch
import Glibc
import Testing

@testable import SocketTransport

/// Connects to a listening socket.
/// - Returns: a blocking descriptor. The caller closes it.
func connectedSocket(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    try #require(try withSocketAddress(path) { connect(descriptor, $0, $1) } == 0)
    return descriptor
}

/// Two connected sockets that do not block.
func connectedPair() throws -> (server: Int32, client: Int32) {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
    return (pair[0], pair[1])
}

/// Reads from a blocking socket until its end, on a thread of its own.
/// - Returns: the number of bytes.
func bytesUntilEnd(of descriptor: Int32) async -> Int {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "client").async {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            var total = 0
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                total += count
            }
            continuation.resume(returning: total)
        }
    }
}
