import Glibc
import Testing

@testable import SocketTransport

/// The ready work of users and of their connections takes turns, so none waits behind all of another's.
@Suite struct ReadyWorkTests {
    private final class Silent: ConnectionHandler {
        var outputByteCount: Int { 0 }
        func withOutput(_ write: (RawSpan) -> Int) {}
        func received(_ bytes: RawSpan, on connection: Connection) {}
        func closed(_ connection: Connection) {}
    }

    /// Executors for the connections of these users. On the loop.
    private static func executors(
        _ pairs: [(server: Int32, client: Int32)], of users: [UInt64] = [0, 1], on loop: EventLoop
    ) -> [ConnectionExecutor] {
        zip(pairs, users).map { pair, user in
            let peer = SocketPeer(of: pair.server)!
            return ConnectionExecutor(
                for: Connection(descriptor: pair.server, peer: peer, loop: loop, side: .server, user: user, handler: Silent()))
        }
    }

    // The loop reads the clock after every second piece of work.
    @Test(
        "a piece of work and a task wait for two pieces of the ready work of another user, or of another connection of the same, however much it has",
        arguments: [1, 0] as [UInt64])
    func readyWork(_ user: UInt64) async throws {
        let loop = try EventLoop(label: "test")
        let pairs = try [connectedPair(), connectedPair()]
        let state = LoopBound(Box(0), to: loop)
        let waits: [Int] = await withCheckedContinuation { continuation in
            loop.execute {
                let users = Self.executors(pairs, of: [0, user], on: loop)
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

    @Test("the work of each connection keeps its order, and a user's lines with much work take turns")
    func order() async throws {
        let loop = try EventLoop(label: "test")
        let pairs = try [connectedPair(), connectedPair(), connectedPair()]
        let ran: [[Int]] = await withCheckedContinuation { continuation in
            loop.execute {
                let connections = Self.executors(pairs, of: [0, 0, 0], on: loop)
                let ran = LoopBound(Box<[[Int]]>([]), to: loop)
                for (index, connection) in connections.enumerated() {
                    for piece in 0..<40 {
                        connection.execute {
                            ran.value.value.append([index, piece])
                            // Later work of the same connection comes behind its earlier work.
                            if piece < 20 { connection.execute { ran.value.value.append([index, 40 + piece]) } }
                            if ran.value.value.count == 100 { continuation.resume(returning: ran.value.value) }
                        }
                    }
                }
            }
        }
        for index in 0..<3 {
            let own = ran.filter { $0[0] == index }.map { $0[1] }
            #expect(own == Array(0..<own.count))
        }
        // After any part, no connection is further than two turns ahead of another.
        var counts = [0, 0, 0]
        for piece in ran.prefix(90) {
            counts[piece[0]] += 1
            #expect(counts.max()! - counts.min()! <= 2)
        }
        for pair in pairs { close(pair.client) }
        await loop.stop()
    }

    @Test("an executor works for the connection that it was told last")
    func changingConnections() async throws {
        let loop = try EventLoop(label: "test")
        let pairs = try [connectedPair(), connectedPair()]
        let order: [String] = await withCheckedContinuation { continuation in
            loop.execute {
                let users = Self.executors(pairs, on: loop)
                let worker = ConnectionExecutor(on: loop)
                let order = LoopBound(Box<[String]>([]), to: loop)
                func work(_ name: String) {
                    worker.execute {
                        order.value.value.append(name)
                        spendAllowance()
                    }
                }
                worker.work(for: users[0])
                for name in ["first", "second", "fourth"] { work(name) }
                worker.work(for: users[1])
                work("third")
                users[0].execute { continuation.resume(returning: order.value.value) }
            }
        }
        #expect(order == ["first", "second", "third", "fourth"])
        for pair in pairs { close(pair.client) }
        await loop.stop()
    }
}
