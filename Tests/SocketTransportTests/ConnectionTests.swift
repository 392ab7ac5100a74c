import CLinuxSockets
import Glibc
import Testing

@testable import SocketTransport

/// Connections over a real socket, with handlers that say what happened.
@Suite struct ConnectionTests {
    /// Holds output, and tells of the end. Used on one loop only.
    private final class Handler: ConnectionHandler {
        var output: [UInt8]
        private let onReceived: (Connection, Int) -> Void
        private let onClosed: () -> Void

        init(output: [UInt8] = [], received: @escaping (Connection, Int) -> Void = { _, _ in }, closed: @escaping () -> Void) {
            self.output = output
            onReceived = received
            onClosed = closed
        }

        var outputByteCount: Int { output.count }
        func withOutput(_ write: (RawSpan) -> Int) { output.removeFirst(write(output.span.bytes)) }
        func received(_ bytes: RawSpan, on connection: Connection) { onReceived(connection, bytes.byteCount) }
        func closed(_ connection: Connection) { onClosed() }
    }

    /// Listens on `loop` and gives each accepted socket to `accept`, on the loop. Returns when it listens.
    private func listen(_ path: String, _ loop: EventLoop, _ accept: @escaping @Sendable (AcceptedSocket) -> Void) async throws {
        let socket = try ListeningSocket(path: path)
        await withCheckedContinuation { continuation in
            loop.execute {
                // The loop keeps the listener as one of its members.
                _ = Listener(socket, loop: loop, accept: accept)
                continuation.resume()
            }
        }
    }

    private func client(_ path: String) throws -> Int32 {
        let descriptor = try makeSocket()
        #expect(try withSocketAddress(path) { connect(descriptor, $0, $1) } == 0)
        return descriptor
    }

    @Test("a peer that hung up without closing ends a connection that only writes its last output: no spinning")
    func hangUpWhileClosing() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let closed = Event(), full = Event()
        try await listen(directory.socketPath, loop) { accepted in
            let handler = Handler(output: [UInt8](repeating: 1, count: 8 << 20), closed: { closed.fire() })
            let connection = accepted.attach(to: loop, handler: handler)
            connection.outputIsReady()
            connection.closeAfterOutput()
            _ = loop.schedule(at: 0) { full.fire() }
        }
        let client = try client(directory.socketPath)
        await full.wait()
        shutdown(client, Int32(SHUT_RDWR))
        await closed.wait()
        close(client)
        await loop.stop()
    }

    @Test("what a close makes ready runs at once, also when it comes from the last write of a turn")
    func closeWhileFlushing() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let done = Event()
        try await listen(directory.socketPath, loop) { accepted in
            let connection = accepted.attach(
                to: loop, handler: Handler(closed: { loop.execute { done.fire() } }))
            connection.closeAfterOutput()
        }
        let client = try client(directory.socketPath)
        await done.wait()
        close(client)
        await loop.stop()
    }

    @Test("a connection that is closed while its bytes are being handled tells so once, and reads no more")
    func closeInsideReceived() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let closed = Event()
        try await listen(directory.socketPath, loop) { accepted in
            accepted.attach(
                to: loop,
                handler: Handler(
                    received: { connection, _ in
                        connection.close()
                        connection.close()
                        connection.outputIsReady()
                        connection.closeAfterOutput()
                    }, closed: { closed.fire() }))
        }
        let client = try client(directory.socketPath)
        #expect(send(client, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        await closed.wait()
        close(client)
        await loop.stop()
        #expect(closed.count == 1)
    }

    @Test("the peer's credentials are the kernel's")
    func credentials() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let event = Event()
        try await listen(directory.socketPath, loop) { accepted in
            if accepted.peer.pid == getpid(), accepted.peer.uid == getuid(), accepted.peer.gid == getgid() { event.fire() }
            accepted.refuse()
        }
        let client = try client(directory.socketPath)
        await event.wait()
        close(client)
        await loop.stop()
    }
}
