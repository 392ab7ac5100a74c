import CLinuxSockets
import Dispatch
import Glibc
import TestHarness
import Testing

@testable import SocketTransport

/// A client may pass a file that is slow to close. While the queue that closes such files is suspended, everything else must go on.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PassedDescriptorTests {
    /// Whether the kernel can refuse descriptors (Linux 6.16).
    private static let kernelRefuses: Bool = {
        guard let probe = try? makeSocket() else { return false }
        defer { close(probe) }
        var passes: Int32 = 1
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(probe, SOL_SOCKET, SO_PASSRIGHTS, &passes, &size) == 0
    }()

    /// Tells of bytes and of the end. It is used on one loop only.
    private final class Handler: ConnectionHandler {
        private let onReceived: (Int) -> Void
        private let onClosed: () -> Void

        init(received: @escaping (Int) -> Void, closed: @escaping () -> Void) {
            (onReceived, onClosed) = (received, closed)
        }

        var outputByteCount: Int { 0 }
        func withOutput(_ write: (RawSpan) -> Int) {}
        func received(_ bytes: RawSpan, on connection: Connection) { onReceived(bytes.byteCount) }
        func closed(_ connection: Connection) { onClosed() }
    }

    private func listen(on socket: ListeningSocket, _ loop: EventLoop, _ accept: @escaping @Sendable (AcceptedSocket) -> Void) async {
        await withCheckedContinuation { continuation in
            loop.execute {
                _ = Listener(socket, loop: loop) { accepted in
                    accept(accepted)
                    return true
                }
                continuation.resume()
            }
        }
    }

    /// Listens with a socket that takes descriptors, and refuses each connection once the semaphore says that its bytes were sent.
    private func refuseEverybody(at path: String, on loop: EventLoop, after isSent: DispatchSemaphore, _ refused: Event) async throws {
        let socket = try ListeningSocket(path: path)
        takeDescriptors(on: socket.descriptor)
        await listen(on: socket, loop) { accepted in
            isSent.wait()
            accepted.refuse()
            refused.fire()
        }
    }

    /// A listening socket of another process.
    private func foreign(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(try withSocketAddress(path) { Glibc.bind(descriptor, $0, $1) } == 0)
        try #require(Glibc.listen(descriptor, 16) == 0)
        return descriptor
    }

    @Test(
        "the kernel refuses descriptors for a socket of this process, for one that was handed over, and for a scraper's",
        .enabled(if: kernelRefuses))
    func refused() throws {
        let own = TestDirectory(), handedOver = TestDirectory(), scraped = TestDirectory()
        let socket = try ListeningSocket(path: own.socketPath)
        let inherited = try ListeningSocket(inherited: foreign(handedOver.socketPath))
        let endpoint = try ScrapeEndpoint(.unix(path: scraped.socketPath, mode: 0o600), path: "/", contentType: "text/plain") { "" }
        for path in [own.socketPath, handedOver.socketPath, scraped.socketPath] {
            let client = try connectedSocket(to: path)
            for flags in [0, Int32(MSG_OOB)] {
                let file = PassedFile()
                #expect(file.pass(to: client, flags: flags) == EPERM)
                file.waitUntilClosed()
            }
            close(client)
        }
        endpoint.close()
        inherited.close()
        socket.close()
    }

    enum Place: CaseIterable { case first, behindBytes, outOfBand }

    @Test("where the kernel takes descriptors, a connection that gets one ends unread, and the loop does not close it", arguments: Place.allCases)
    func connection(_ place: Place) async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let received = Event(), closed = Event()
        let socket = try ListeningSocket(path: directory.socketPath)
        takeDescriptors(on: socket.descriptor)
        let isSent = DispatchSemaphore(value: 0)
        await listen(on: socket, loop) { accepted in
            isSent.wait()
            accepted.attach(to: loop, handler: Handler(received: { _ in received.fire() }, closed: { closed.fire() }))
        }
        let file = PassedFile()
        let passing = try connectedSocket(to: directory.socketPath)
        PassedDescriptors.closing.suspend()
        if place == .behindBytes { #expect(send(passing, "bytes", 5, Int32(MSG_NOSIGNAL)) == 5) }
        #expect(file.pass(to: passing, flags: place == .outOfBand ? Int32(MSG_OOB) : 0) == 0)
        isSent.signal()
        await closed.wait()
        #expect(file.isOpen)
        #expect(received.count == 0)
        // The client learns of the end at once, and the loop serves others.
        #expect(send(passing, "x", 1, Int32(MSG_NOSIGNAL)) < 0)
        let other = try connectedSocket(to: directory.socketPath)
        #expect(send(other, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
        isSent.signal()
        await received.wait()
        PassedDescriptors.closing.resume()
        file.waitUntilClosed()
        close(passing)
        close(other)
        await loop.stop()
    }

    @Test("a connection that is refused with an unread descriptor is not closed by the loop; without one it is")
    func refusedConnection() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let refused = Event(), isSent = DispatchSemaphore(value: 0)
        try await refuseEverybody(at: directory.socketPath, on: loop, after: isSent, refused)
        let file = PassedFile()
        let (passing, silent) = (try connectedSocket(to: directory.socketPath), try connectedSocket(to: directory.socketPath))
        PassedDescriptors.closing.suspend()
        #expect(file.pass(to: passing) == 0)
        isSent.signal()
        isSent.signal()
        await refused.wait()
        #expect(file.isOpen)
        var byte: UInt8 = 0
        #expect(recv(passing, &byte, 1, 0) == 0)
        #expect(recv(silent, &byte, 1, 0) == 0)
        PassedDescriptors.closing.resume()
        file.waitUntilClosed()
        close(passing)
        close(silent)
        await loop.stop()
    }

    @Test("a refused connection with unread bytes and no descriptor does not wait behind those with one")
    func onlyBytes() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let refused = Event(), isSent = DispatchSemaphore(value: 0)
        try await refuseEverybody(at: directory.socketPath, on: loop, after: isSent, refused)
        let bytes = [UInt8](repeating: 7, count: 40_000)
        let talking = try connectedSocket(to: directory.socketPath)
        PassedDescriptors.closing.suspend()
        defer { PassedDescriptors.closing.resume() }
        #expect(send(talking, bytes, bytes.count, 0) == bytes.count)
        isSent.signal()
        await refused.wait()
        // The kernel says this of a socket that was closed with unread bytes, and not of one that was only shut down.
        var byte: UInt8 = 0
        #expect(recv(talking, &byte, 1, 0) == -1 && errno == ECONNRESET)
        close(talking)
        await loop.stop()
    }

    @Test("a descriptor behind many bytes is found, and sixteen such sockets of the reserve stop the listeners until they are closed")
    func reserve() throws {
        let files = (0..<16).map { _ in PassedFile() }
        let bytes = [UInt8](repeating: 7, count: 40_000)
        PassedDescriptors.closing.suspend()
        for file in files {
            #expect(!PassedDescriptors.keepsReserve)
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            takeDescriptors(on: ends[1])
            #expect(send(ends[0], bytes, bytes.count, 0) == bytes.count)
            #expect(file.pass(to: ends[0]) == 0)
            PassedDescriptors.close(ends[1], mayHoldDescriptors: true, isReserved: true)
            close(ends[0])
        }
        #expect(PassedDescriptors.keepsReserve)
        PassedDescriptors.closing.resume()
        for file in files { file.waitUntilClosed() }
        PassedDescriptors.closing.sync {}
        #expect(!PassedDescriptors.keepsReserve)
    }

    @Test("a client that passed a descriptor before the socket was handed over does not make the loop close it")
    func beforeHandOver() async throws {
        let directory = TestDirectory()
        let holder = try foreign(directory.socketPath)
        let file = PassedFile()
        let early = try connectedSocket(to: directory.socketPath)
        #expect(file.pass(to: early) == 0)
        let loop = try EventLoop(label: "test")
        let closed = Event()
        PassedDescriptors.closing.suspend()
        await listen(on: try ListeningSocket(inherited: dup(holder)), loop) { accepted in
            accepted.attach(to: loop, handler: Handler(received: { _ in }, closed: { closed.fire() }))
        }
        await closed.wait()
        #expect(file.isOpen)
        PassedDescriptors.closing.resume()
        file.waitUntilClosed()
        close(early)
        close(holder)
        await loop.stop()
    }

    @Test("a scraper's endpoint ends while a descriptor that it was passed is not closed yet")
    func scraper() throws {
        let directory = TestDirectory()
        let endpoint = try ScrapeEndpoint(
            .unix(path: directory.socketPath, mode: 0o600), path: "/", contentType: "text/plain", patience: .seconds(3_600)
        ) { "" }
        takeDescriptors(on: endpoint.descriptor)
        let file = PassedFile()
        let passing = try connectedSocket(to: directory.socketPath)
        PassedDescriptors.closing.suspend()
        #expect(file.pass(to: passing) == 0)
        var byte: UInt8 = 0
        #expect(recv(passing, &byte, 1, 0) == 0)
        endpoint.close()
        #expect(file.isOpen)
        PassedDescriptors.closing.resume()
        file.waitUntilClosed()
        close(passing)
    }
}
