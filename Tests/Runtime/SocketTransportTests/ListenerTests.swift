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
}
