import Glibc
import Testing

@testable import SocketTransport

/// The ready work of users takes turns, so none waits behind all of another's.
@Suite struct ReadyWorkTests {
    private final class Silent: ConnectionHandler {
        var outputByteCount: Int { 0 }
        func withOutput(_ write: (RawSpan) -> Int) {}
        func received(_ bytes: RawSpan, on connection: Connection) {}
        func closed(_ connection: Connection) {}
    }

    /// Executors for two users' connections. On the loop.
    private static func executors(_ pairs: [(server: Int32, client: Int32)], on loop: EventLoop) -> [UserExecutor] {
        pairs.enumerated().map { user, pair in
            let peer = SocketPeer(of: pair.server)!
            return UserExecutor(
                for: Connection(descriptor: pair.server, peer: peer, loop: loop, side: .server, user: UInt64(user), handler: Silent()))
        }
    }

    // The loop reads the clock after every second piece of work.
    @Test("a piece of work and a task of a user wait for two pieces of another user's ready work, however much that one has")
    func readyWork() async throws {
        let loop = try EventLoop(label: "test")
        let pairs = try [connectedPair(), connectedPair()]
        let state = LoopBound(Box(0), to: loop)
        let waits: [Int] = await withCheckedContinuation { continuation in
            loop.execute {
                let users = Self.executors(pairs, on: loop)
                for _ in 0..<100 {
                    users[0].execute {
                        spendAllowance()
                        state.value.value += 1
                    }
                }
                Task(executorPreference: users[1]) {
                    var waits = [state.value.value]
                    for _ in 0..<10 {
                        let before = state.value.value
                        // A piece of work that makes the task ready, and then the task.
                        await withUnsafeContinuation { continuation in users[1].execute { continuation.resume() } }
                        waits.append(state.value.value - before)
                    }
                    continuation.resume(returning: waits)
                }
            }
        }
        #expect(waits.allSatisfy { $0 <= 4 })
        for pair in pairs { close(pair.client) }
        await loop.stop()
    }

    @Test("an executor works for the user whom it was told last")
    func changingUsers() async throws {
        let loop = try EventLoop(label: "test")
        let pairs = try [connectedPair(), connectedPair()]
        let order: [String] = await withCheckedContinuation { continuation in
            loop.execute {
                let users = Self.executors(pairs, on: loop)
                let worker = UserExecutor(on: loop)
                let order = LoopBound(Box<[String]>([]), to: loop)
                func work(_ name: String) {
                    worker.execute {
                        order.value.value.append(name)
                        spendAllowance()
                    }
                }
                worker.work(forUserOf: users[0])
                for name in ["first", "second", "fourth"] { work(name) }
                worker.work(forUserOf: users[1])
                work("third")
                users[0].execute { continuation.resume(returning: order.value.value) }
            }
        }
        #expect(order == ["first", "second", "third", "fourth"])
        for pair in pairs { close(pair.client) }
        await loop.stop()
    }
}
