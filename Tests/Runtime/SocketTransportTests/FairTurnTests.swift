import CLinuxSockets
import Glibc
import Testing

@testable import SocketTransport

/// One user's connections never keep another user's waiting for longer than a turn's allowance, however many they are.
@Suite struct FairTurnTests {
    /// Works on one byte a visit for as long as `work` takes, and leaves the rest.
    private final class SlowHandler: ConnectionHandler {
        private(set) var received: [UInt8] = []
        private let work: (SlowHandler, Connection) -> Void

        init(_ work: @escaping (SlowHandler, Connection) -> Void) { self.work = work }

        var outputByteCount: Int { 0 }
        func withOutput(_ write: (RawSpan) -> Int) {}

        func received(_ bytes: RawSpan, on connection: Connection) {
            var taken = 0
            repeat {
                received.append(bytes.unsafeLoad(fromByteOffset: taken, as: UInt8.self))
                taken += 1
                work(self, connection)
            } while taken < bytes.byteCount && connection.mayGoOn
            if taken < bytes.byteCount { connection.leave(bytes.byteCount - taken) }
        }

        func closed(_ connection: Connection) {}
    }

    /// Keeps the loop busy until all that a user may take of a turn is used up.
    private static func spendAllowance() {
        let end = MonotonicClock.now() + TurnShare.allowance
        while MonotonicClock.now() <= end {}
    }

    private static func accept(_ path: String, _ loop: EventLoop, _ attach: @escaping @Sendable (AcceptedSocket) -> Void) async throws {
        let socket = try ListeningSocket(path: path)
        await withCheckedContinuation { continuation in
            loop.execute {
                _ = Listener(socket, loop: loop, accept: attach)
                continuation.resume()
            }
        }
    }

    private static func connect(_ path: String) throws -> Int32 {
        let descriptor = try makeSocket()
        #expect(try withSocketAddress(path) { Glibc.connect(descriptor, $0, $1) } == 0)
        return descriptor
    }

    @Test("what a connection leaves comes again, in order and before what is sent later")
    func leftBytes() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let done = Event()
        let sent = [UInt8](0..<20)
        let seen = LoopBound(Box<[UInt8]>([]), to: loop)
        try await Self.accept(directory.socketPath, loop) { accepted in
            accepted.attach(to: loop, handler: SlowHandler { handler, _ in
                Self.spendAllowance()
                guard handler.received.count == sent.count else { return }
                seen.value.value = handler.received
                done.fire()
            })
        }
        let client = try Self.connect(directory.socketPath)
        #expect(write(client, Array(sent[..<12]), 12) == 12)
        #expect(write(client, Array(sent[12...]), 8) == 8)
        await done.wait()
        #expect(await seen.onLoop { $0.value } == sent)
        close(client)
        await loop.stop()
    }

    @Test("a user is served within two turns while ten connections of another one have work without end")
    func users() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let done = Event()
        let busy = 10
        let state = LoopBound(Turns(), to: loop)
        let victims = try Self.connectedPair()
        loop.execute {
            // The victim's own: user 2.
            let handler = SlowHandler { _, _ in
                state.value.visitsWhenServed = state.value.visits
                done.fire()
            }
            state.value.victim = Connection(
                descriptor: victims.server, peer: SocketPeer(of: victims.server)!, loop: loop, side: .server, user: 2, handler: handler)
        }
        try await Self.accept(directory.socketPath, loop) { accepted in
            accepted.attach(to: loop, user: 1, handler: SlowHandler { _, _ in
                Self.spendAllowance()
                state.value.visits += 1
                // All of them have work left by now, and then the victim calls.
                if state.value.visits == 3 * busy {
                    state.value.visitsWhenCalled = state.value.visits
                    #expect(write(victims.client, [7], 1) == 1)
                }
            })
        }
        var clients: [Int32] = []
        for _ in 0..<busy {
            let client = try Self.connect(directory.socketPath)
            #expect(write(client, [UInt8](repeating: 1, count: 200), 200) == 200)
            clients.append(client)
        }
        await done.wait()
        let waited = await state.onLoop { $0.visitsWhenServed - $0.visitsWhenCalled }
        #expect(waited <= 2)
        for client in clients + [victims.client] { close(client) }
        await loop.stop()
    }

    private final class Turns {
        var visits = 0
        var visitsWhenCalled = 0
        var visitsWhenServed = 0
        var victim: Connection?
    }

    private final class Box<Value> {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private static func connectedPair() throws -> (server: Int32, client: Int32) {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
        return (pair[0], pair[1])
    }
}

extension LoopBound {
    /// Asks the loop for something of the value.
    fileprivate func onLoop<Result: Sendable>(_ body: @escaping @Sendable (Value) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: body(value)) }
        }
    }
}
