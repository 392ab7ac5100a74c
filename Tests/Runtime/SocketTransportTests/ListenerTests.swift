import CLinuxSockets
import Glibc
import Synchronization
import TestHarness
import Testing

@testable import SocketTransport

@Suite struct ListenerTests {
    @Test("a client that has closed its socket before it is accepted is dropped with what it sent; one that has ended only its own half is not")
    func goneClients() async throws {
        let directory = TestDirectory()
        let path = directory.socketPath
        let socket = try ListeningSocket(path: path)
        let loop = try EventLoop(label: "test")
        for _ in 0..<10 {
            let gone = try connectedSocket(to: path)
            #expect(write(gone, "call", 4) == 4)
            close(gone)
        }
        let halfClosed = try connectedSocket(to: path)
        #expect(write(halfClosed, "call", 4) == 4)
        #expect(shutdown(halfClosed, Int32(SHUT_WR)) == 0)
        let accepted = await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
            loop.execute {
                let count = Mutex(0)
                let listener = Listener(socket, loop: loop) { accepted in
                    count.withLock { $0 += 1 }
                    accepted.refuse()
                    return true
                }
                // Everybody in the queue is accepted first.
                listener.close()
                continuation.resume(returning: count.withLock(\.self))
            }
        }
        #expect(accepted == 1)
        close(halfClosed)
        await loop.stop()
    }

    @Test("a client that has opened the socket's file before cannot keep a listener busy that closes")
    func closesForAll() async throws {
        let directory = TestDirectory()
        let path = directory.socketPath
        let socket = try ListeningSocket(path: path)
        let loop = try EventLoop(label: "test")
        let pathOnly: Int32 = 0o10_000_000  // O_PATH, which Glibc's module does not show
        let file = open(path, pathOnly | O_CLOEXEC)
        try #require(file >= 0)
        let first = try connectedSocket(to: path)
        let attempts = await withCheckedContinuation { (continuation: CheckedContinuation<[(socket: Int32, error: Int32)], Never>) in
            loop.execute {
                let attempts = Mutex<[(socket: Int32, error: Int32)]>([])
                let listener = Listener(socket, loop: loop) { accepted in
                    accepted.refuse()
                    // A hundred are enough to see that there is no end.
                    guard attempts.withLock({ $0.count }) < 100 else { return true }
                    let again = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                    let result = try? withSocketAddress("/proc/self/fd/\(file)") { connect(again, $0, $1) }
                    let error = result == 0 ? 0 : errno
                    attempts.withLock { $0.append((again, error)) }
                    return true
                }
                listener.close()
                continuation.resume(returning: attempts.withLock(\.self))
            }
        }
        #expect(attempts.map(\.error) == [ECONNREFUSED])
        for descriptor in [first, file] + attempts.map(\.socket) { close(descriptor) }
        await loop.stop()
    }

    @Test("the listener pauses after five turns with refusals, and not after each of them")
    func pausesBetweenRefusals() async throws {
        let directory = TestDirectory()
        let socket = try ListeningSocket(path: directory.socketPath)
        let loop = try EventLoop(label: "test")
        let turnCount = 4 * Listener.turnsBeforePause
        let clients = try (0..<turnCount).map { _ in try connectedSocket(to: directory.socketPath) }
        let (times, continuation) = AsyncStream.makeStream(of: Int64.self)
        loop.execute {
            _ = Listener(socket, loop: loop) { accepted in
                accepted.refuse()
                continuation.yield(MonotonicClock.now())
                // One refusal takes the whole turn.
                let end = MonotonicClock.now() + TurnShare.slice
                while MonotonicClock.now() < end {}
                return false
            }
        }
        var refusedAt: [Int64] = []
        for await time in times {
            refusedAt.append(time)
            if refusedAt.count == turnCount { break }
        }
        let waits = zip(refusedAt.dropFirst(), refusedAt).map { $0 - $1 }
        let (pauses, others) = waits.indices.reduce(into: ([Int64](), [Int64]())) { result, index in
            if (index + 1) % Listener.turnsBeforePause == 0 { result.0.append(waits[index]) } else { result.1.append(waits[index]) }
        }
        #expect(pauses.count == 3)
        #expect(pauses.allSatisfy { $0 >= Listener.pauseAfterRefusals })
        // On a busy machine some turns come late, but not all sixteen.
        #expect(others.contains { $0 < Listener.pauseAfterRefusals })
        clients.forEach { close($0) }
        await loop.stop()
    }
}
