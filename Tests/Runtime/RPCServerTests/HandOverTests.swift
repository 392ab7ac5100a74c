import CLinuxSockets
import Dispatch
import Glibc
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

/// Successive servers on one listening socket that another process holds.
@Suite struct HandOverTests {
    /// Binds and listens. The caller owns the descriptor.
    private func hold(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let bound = try withSocketAddress(path) { bind(descriptor, $0, $1) }
        #expect(bound == 0 && listen(descriptor, 4096) == 0)
        return descriptor
    }

    private func makeServer(register: (inout Router) -> Void = { _ in }) throws -> Server {
        var router = Router()
        router.register(TestMethods.echo) { request, _ in request }
        register(&router)
        return try Server(Server.Configuration(loopCount: 2), router: router, logger: silentLogger)
    }

    /// A client that has connected and made a call.
    private func caller(_ path: String, _ method: String = "Echo") async throws -> RawPeer {
        let peer = try RawPeer(path)
        #expect(await peer.send(RawFrame.request(1, method, text: "here").bytes))
        return peer
    }

    @Test("whoever waits in the queue when a server ends is answered by the next")
    func queueIsLeft() async throws {
        let directory = TestDirectory()
        let holder = try hold(directory.socketPath)
        defer { close(holder) }
        var peers: [RawPeer] = []
        for _ in 0..<100 { peers.append(try await caller(directory.socketPath)) }
        // It has to end before it accepts anything.
        let first = try makeServer()
        first.start(on: try ListeningSocket(inherited: dup(holder)))
        await first.shutdown(gracePeriod: .seconds(60))
        let second = try makeServer()
        second.start(on: try ListeningSocket(inherited: dup(holder)))
        for peer in peers {
            let answer = try #require(await peer.readFrame())
            #expect(answer.kind == 2 && answer.statusCode == 0)
        }
        await second.shutdown(gracePeriod: .zero)
    }

    @Test("whoever was accepted, and is on the way to their event loop when the shutdown begins, is answered")
    func acceptedIsServed() async throws {
        let directory = TestDirectory()
        let holder = try hold(directory.socketPath)
        defer { close(holder) }
        let blocked = Gate(), release = DispatchSemaphore(value: 0)
        let server = try makeServer {
            $0.registerSynchronous(TestMethods.wait) { request, _ in
                blocked.open()
                release.wait()
                return request
            }
        }
        server.start(on: try ListeningSocket(inherited: dup(holder)))
        // Connections are dealt to the loops in turn, beginning with the loop that does not accept. The first
        // connection blocks that loop.
        let blocker = try await caller(directory.socketPath, "Wait")
        await blocked.wait()
        let there = try await caller(directory.socketPath)
        #expect(await there.readFrame()?.statusCode == 0)
        let onTheWay = try await caller(directory.socketPath)
        let later = try await caller(directory.socketPath)
        #expect(await later.readFrame()?.statusCode == 0, "so the one before it has been accepted too")
        async let shutdown: Void = server.shutdown(gracePeriod: .seconds(60))
        #expect(await later.readFrame() == nil, "its loop drains: the shutdown has begun")
        #expect(server.isShuttingDown)
        release.signal()
        #expect(await onTheWay.readFrame()?.statusCode == 0)
        #expect(await blocker.readFrame()?.statusCode == 0)
        await shutdown
    }

    @Test("a server counts its connections and running calls, and says when its shutdown has begun")
    func counters() async throws {
        let (started, gate) = (Gate(), Gate())
        try await withServer {
            $0.register(TestMethods.wait) { request, _ in
                started.open()
                await gate.wait()
                return request
            }
        } _: { server in
            #expect(server.server.connectionCount == 0 && server.server.runningCallCount == 0)
            try await withChannel(to: server.path) { channel in
                async let answer = channel.call(TestMethods.wait, "slow")
                await started.wait()
                #expect(server.server.connectionCount == 1 && server.server.runningCallCount == 1)
                #expect(!server.server.isShuttingDown)
                gate.open()
                let text = try await answer
                #expect(text == "slow")
                #expect(server.server.runningCallCount == 0)
            }
            await server.server.shutdown(gracePeriod: .seconds(60))
            #expect(server.server.isShuttingDown)
            #expect(server.server.connectionCount == 0)
        }
    }

    @Test("of two shutdowns the end that comes first counts")
    func secondShutdown() async throws {
        let started = Gate()
        try await withServer {
            $0.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started)
                return request
            }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                async let lost = code { try await channel.call(TestMethods.wait, "for ever") }
                await started.wait()
                async let patient: Void = server.server.shutdown(gracePeriod: .seconds(86_400))
                await server.server.shutdown(gracePeriod: .zero)
                await patient
                #expect(await lost == .unavailable)
            }
        }
    }
}
