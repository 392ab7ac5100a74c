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
