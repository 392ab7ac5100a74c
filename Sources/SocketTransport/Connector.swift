import CLinuxSockets
import Glibc

/// Connects to a Unix socket from a client's event loop.
public enum Connector {
    /// Connects and makes a connection of `loop`. On that loop only. A Unix connect never waits, except for room in the listener's queue.
    /// - Throws: ``SocketError``; kind `system` with `EAGAIN` when the listener's queue is full: try again a little later.
    public static func connect(
        to path: String, loop: EventLoop, handler: any ConnectionHandler
    ) throws(SocketError) -> Connection {
        let descriptor = try makeSocket()
        do throws(SocketError) {
            guard try withSocketAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else { throw .system("connect", path) }
            guard let peer = SocketPeer(of: descriptor) else { throw .system("getsockopt", path) }
            return Connection(descriptor: descriptor, peer: peer, loop: loop, side: .client, handler: handler)
        } catch {
            close(descriptor)
            throw error
        }
    }
}
