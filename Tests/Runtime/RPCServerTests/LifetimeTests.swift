import Dispatch
import Glibc
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import SocketTransport
import TestHarness
import Testing

@testable import RPCServer

/// What happens to calls and connections when one side is gone.
@Suite struct LifetimeTests {
    @Test("ttrpc #231: a handler that ends after its client has gone is dropped, and the server lives", arguments: WireProtocol.allCases)
    func handlerOutlivesConnection(_ wireProtocol: WireProtocol) async throws {
        let started = Gate(), release = Gate(), cancelled = Gate(), ended = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                await withTaskCancellationHandler {
                    started.open()
                    await release.wait()
                } onCancel: {
                    cancelled.open()
                }
                ended.open()
                return request
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            do {
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Wait", text: "x").bytes)
                await started.wait()
            }
            await cancelled.wait()
            release.open()
            await ended.wait()
            try await withChannel(to: server.path, wireProtocol) { channel in
                // There are two loops, and both must still work.
                let answer = try await channel.call(TestMethods.echo, "alive")
                #expect(answer == "alive")
            }
            try await withChannel(to: server.path, wireProtocol) { channel in
                let answer = try await channel.call(TestMethods.echo, "alive")
                #expect(answer == "alive")
            }
        }
    }

    @Test("a server that never served frees its loops, with their descriptors")
    func unusedServer() async throws {
        let directory = TestDirectory()
        weak var loop: EventLoop?
        do {
            let server = try Server(Server.Configuration(loopCount: 1), router: Router(), logger: silentLogger)
            loop = server.loops[0]
            // Another server has the path.
            let other = try ListeningSocket(path: directory.socketPath)
            await #expect(throws: SocketError.self) { try await server.run(socketPath: directory.socketPath) }
            other.close()
        }
        // Otherwise the test never ends.
        await until { loop == nil }
    }

    @Test("a handler that never stops yielding starves neither its own deadline nor other calls", arguments: WireProtocol.allCases)
    func yieldingHandler(_ wireProtocol: WireProtocol) async throws {
        let starts = Counter(), ends = Counter()
        try await withServer(loopCount: 1) { router in
            router.register(TestMethods.wait) { request, _ in
                starts.increment()
                while !Task.isCancelled { await Task.yield() }
                ends.increment()
                return request
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let endless = Task { await code { try await channel.call(TestMethods.wait, "x") } }
                await starts.reaches(1)
                let answer = try await channel.call(TestMethods.echo, "beside it")
                #expect(answer == "beside it")
                endless.cancel()
                #expect(await endless.value == .cancelled)
                // On a busy machine the deadline may pass before the handler is started.
                for _ in 0..<1_000 where starts.value < 2 {
                    let end = await code { try await channel.call(TestMethods.wait, "x", timeout: .milliseconds(5)) }
                    try #require(end == .deadlineExceeded)
                }
                try #require(starts.value > 1)
                await ends.reaches(starts.value)
            }
        }
    }

    @Test("ttrpc #72, #94: both sides have megabytes to send to each other, and neither stops reading for it", arguments: WireProtocol.allCases)
    func bothSidesFull(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echoBytes) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<100 {
                        group.addTask {
                            try await channel.unary(TestMethods.echoBytes, bytes(1 << 20), options: CallOptions()).value.count
                        }
                    }
                    for try await count in group { #expect(count == 1 << 20) }
                }
            }
        }
    }

    @Test("when shutdown returns, the socket file is gone and its path is free")
    func shutdownFreesPath() async throws {
        let directory = TestDirectory()
        for _ in 0..<50 {
            let server = try TestServer(in: directory) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            }
            await server.server.shutdown(gracePeriod: .seconds(60))
            #expect(access(server.path, F_OK) != 0)
        }
    }

    @Test("ttrpc #175: a connection that is accepted while the shutdown begins does not keep the server")
    func acceptedDuringShutdown() async throws {
        let blocked = Gate(), release = DispatchSemaphore(value: 0)
        let server = try TestServer(loopCount: 2) { router in
            router.registerSynchronous(TestMethods.wait) { request, _ in
                blocked.open()
                release.wait()
                return request
            }
        }
        // Connections are dealt to the loops in turn: this one is on the loop that does not accept.
        let idle = try RawPeer(server.path)
        await idle.send(RawFrame.request(1, "None").bytes)
        _ = await idle.readFrame()
        let blocker = try RawPeer(server.path)
        await blocker.send(RawFrame.request(1, "Wait").bytes)
        await blocked.wait()
        let late = try RawPeer(server.path)
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        // The accepting loop handles both in one turn: it may accept the late one or leave it in the queue.
        release.signal()
        #expect(await idle.readFrame() == nil)
        #expect(await late.readFrame() == nil)
        await shutdown
    }

    @Test("ttrpc #175: a server that is started after its shutdown serves nothing and leaves the path free")
    func startedAfterShutdown() async throws {
        let server = try TestServer { _ in }
        await server.server.shutdown(gracePeriod: .zero)
        server.server.start(on: try ListeningSocket(path: server.path))
        await server.server.shutdown(gracePeriod: .zero)
        #expect(access(server.path, F_OK) != 0)
    }

    @Test(
        "a frame that breaks a rule on a running call's id ends that call: one response, and the handler is cancelled",
        arguments: [
            RawFrame(streamID: 1, kind: 3, data: [1]), RawFrame(streamID: 1, kind: 2, data: []), RawFrame.request(1, "Wait"),
        ])
    func brokenRuleEndsRunningCall(_ frame: RawFrame) async throws {
        let started = Gate(), cancelled = Gate(), release = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                await withTaskCancellationHandler {
                    started.open()
                    await release.wait()
                } onCancel: {
                    cancelled.open()
                }
                return request
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Wait").bytes)
            await started.wait()
            await peer.send(frame.bytes)
            let end = await peer.readFrame()
            #expect(end?.streamID == 1)
            #expect(end?.statusCode == 3)
            await cancelled.wait()
            // It answers all the same, but nobody gets the answer.
            release.open()
            await peer.send(RawFrame.request(3, "Echo", text: "next").bytes)
            #expect(await peer.readFrame()?.streamID == 3)
            peer.shutDown(Int32(SHUT_WR))
            #expect(await peer.readFrame() == nil)
        }
    }

    @Test("what many calls of a closed connection hold counts for the user until it is freed")
    func memoryOfClosedConnection() async throws {
        /// Notes what counts for the user at its end.
        final class Witness: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let callCount = 200
        let held = SharedValue<[Int]>([]), count = SharedValue<@Sendable () -> Int>({ -1 }), ended = Counter()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, context in
                context.keepUntilSent(Witness {
                    let counted = count.value()
                    held.change { $0.append(counted) }
                    ended.increment()
                })
                return request
            }
        } _: { server in
            let users = server.server
            count.set { users.users.reduce(0) { $0 + $1.heldByteCount } }
            do {
                let peer = try RawPeer(server.path)
                await peer.send(RawHTTP2.closedPreface)
                for id in 0..<UInt32(callCount) { await peer.send(RawHTTP2.call(1 + 2 * id, "/\(TestMethods.service)/Echo")) }
                await peer.send(RawHTTP2.ping)
                await peer.readPingAnswer()
            }
            await ended.reaches(callCount)
            #expect(held.value.allSatisfy { $0 > 0 })
            #expect(held.value.first.map { $0 > callCount * 1_000 } == true, "\(held.value.first ?? 0)")
            await until { count.value() == 0 }
        }
    }
}
