import CLinuxSockets
import Dispatch
import Glibc
import Synchronization
import TestHarness
import Testing

@testable import SocketTransport

/// Connections over a real socket, with handlers that record events.
@Suite struct ConnectionTests {
    /// Holds output, and reports the end. It is used on one loop only.
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

    /// Listens on `loop` and passes each accepted socket to `accept` on the loop. Returns when it listens.
    /// - Parameter takesDescriptors: whether clients can pass descriptors, as before Linux 6.16.
    private func listen(
        _ path: String, _ loop: EventLoop, takesDescriptors: Bool = false, _ accept: @escaping @Sendable (AcceptedSocket) -> Void
    ) async throws {
        let socket = try ListeningSocket(path: path)
        if takesDescriptors { takeDescriptors(on: socket.descriptor) }
        await withCheckedContinuation { continuation in
            loop.execute {
                // The loop keeps the listener as one of its members.
                _ = Listener(socket, loop: loop) { accepted in
                    accept(accepted)
                    return true
                }
                continuation.resume()
            }
        }
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
        let client = try connectedSocket(to: directory.socketPath)
        await full.wait()
        shutdown(client, Int32(SHUT_RDWR))
        await closed.wait()
        close(client)
        await loop.stop()
    }

    /// Has nothing to say after its output, and says so at each write.
    private final class EndingHandler: ConnectionHandler {
        var output: [UInt8]
        var writes = 0
        weak var connection: Connection?
        private let onClosed: () -> Void

        init(output: [UInt8], closed: @escaping () -> Void) {
            self.output = output
            onClosed = closed
        }

        var outputByteCount: Int { output.count }
        func withOutput(_ write: (RawSpan) -> Int) {
            output.removeFirst(write(output.span.bytes))
            writes += 1
            // An end, so that a fault does not keep the loop for ever.
            if writes < 10_000 { connection?.closeAfterOutput() }
        }
        func received(_ bytes: RawSpan, on connection: Connection) {}
        func closed(_ connection: Connection) { onClosed() }
    }

    @Test("a full socket whose connection is to be closed after its output is left alone until it has room", arguments: [60_000, 4 << 20])
    func endingWithFullSocket(_ byteCount: Int) async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let closed = Event(), isAttached = Event()
        let connection = Mutex<LoopBound<EndingHandler>?>(nil)
        try await listen(directory.socketPath, loop) { accepted in
            let handler = EndingHandler(output: [UInt8](repeating: 1, count: byteCount), closed: { closed.fire() })
            handler.connection = accepted.attach(to: loop, handler: handler)
            // The least that Linux permits.
            var room: Int32 = 1
            setsockopt(accepted.descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
            handler.connection?.outputIsReady()
            connection.withLock { $0 = LoopBound(handler, to: loop) }
            isAttached.fire()
        }
        let client = try connectedSocket(to: directory.socketPath)
        await isAttached.wait()
        let handler = try #require(connection.withLock { $0 })
        // Each of these is a turn of the loop.
        for _ in 0..<100 { await withCheckedContinuation { continuation in loop.execute { continuation.resume() } } }
        let writes = await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: handler.value.writes) } }
        #expect((1...20).contains(writes))
        #expect(await bytesUntilEnd(of: client) == byteCount)
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
        let client = try connectedSocket(to: directory.socketPath)
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
        let client = try connectedSocket(to: directory.socketPath)
        #expect(send(client, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        await closed.wait()
        close(client)
        await loop.stop()
        #expect(closed.count == 1)
    }

    /// The number of bytes that a socket takes before its peer reads, set to the maximum.
    private static func roomToSend(_ descriptor: Int32) -> Int {
        var room: Int32 = 1 << 20
        var size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, size)
        getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, &size)
        return Int(room)
    }

    enum End: CaseIterable { case none, close, shutdown }

    /// What a peer has sent before it closes its socket may be dropped, because nobody can receive an answer.
    @Test("all that a peer has sent before the loop looks is read, and its end noticed, though the loop is told once", arguments: [
        0, 1, 100_000, EventLoop.readBufferByteCount, EventLoop.readBufferByteCount + 1, 3 * EventLoop.readBufferByteCount,
    ], End.allCases)
    func toldOnce(_ count: Int, _ end: End) async throws {
        for takesDescriptors in [false, true] { try await toldOnce(count, end, takesDescriptors) }
    }

    private func toldOnce(_ count: Int, _ end: End, _ takesDescriptors: Bool) async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let accepted = Event(), received = Event(), closed = Event()
        let isSent = DispatchSemaphore(value: 0)
        let probe = try makeSocket()
        let holdsAll = Self.roomToSend(probe) > count + count / 4
        close(probe)
        try await listen(directory.socketPath, loop, takesDescriptors: takesDescriptors) { socket in
            var left = count
            socket.attach(
                to: loop,
                handler: Handler(
                    received: { _, byteCount in
                        left -= byteCount
                        if left == 0 { received.fire() }
                    }, closed: { closed.fire() }))
            accepted.fire()
            // The loop reads the socket when everything has arrived, including the peer's end.
            if holdsAll { isSent.wait() }
        }
        let client = try connectedSocket(to: directory.socketPath)
        _ = Self.roomToSend(client)
        await accepted.wait()
        var bytes = [UInt8](repeating: 1, count: count)[...]
        while !bytes.isEmpty {
            bytes = bytes.dropFirst(max(0, bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }))
        }
        switch end {
        case .none: break
        case .close: close(client)
        case .shutdown: shutdown(client, Int32(SHUT_WR))
        }
        isSent.signal()
        if count > 0, end != .close { await received.wait() }
        if end != .none { await closed.wait() }
        if end != .close { close(client) }
        await closed.wait()
        await loop.stop()
        #expect(closed.count == 1)
        if end != .close { #expect(received.count == (count > 0 ? 1 : 0)) }
    }

    @Test("bytes that a read has left behind an out-of-band byte are read when somebody asks whether there are any")
    func leftBehind() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let accepted = Event(), first = Event(), second = Event(), closed = Event()
        let isSent = DispatchSemaphore(value: 0)
        try await listen(directory.socketPath, loop) { socket in
            socket.attach(
                to: loop,
                handler: Handler(
                    received: { connection, count in
                        guard count == 1 else { return second.fire() }
                        first.fire()
                        // Not within the read, because the loop reads again after it anyway.
                        _ = loop.schedule(at: 0) { if !connection.askForUnreadInput() { Issue.record("nothing was left") } }
                    }, closed: { closed.fire() }))
            accepted.fire()
            isSent.wait()
        }
        let client = try connectedSocket(to: directory.socketPath)
        await accepted.wait()
        #expect(send(client, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        #expect(send(client, "!", 1, Int32(MSG_NOSIGNAL) | Int32(MSG_OOB)) == 1)
        #expect(send(client, "more", 4, Int32(MSG_NOSIGNAL)) == 4)
        isSent.signal()
        await first.wait()
        await second.wait()
        close(client)
        await closed.wait()
        await loop.stop()
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
        let client = try connectedSocket(to: directory.socketPath)
        await event.wait()
        close(client)
        await loop.stop()
    }
}
