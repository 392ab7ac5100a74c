import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

/// The shutdown of a server: running calls are finished, new ones are refused, and nothing delays it for ever.
@Suite struct ShutdownTests {
    @Test("ttrpc-rust #228: calls that run when the shutdown begins are finished, and so is what comes while they run; then it ends")
    func drains() async throws {
        let started = Counter(), release = Gate()
        let server = try TestServer { router in
            router.registerWait(until: release, started)
        }
        let idle = try RawPeer(server.path)
        await idle.send(RawFrame.request(1, "None").bytes)
        #expect(await idle.readFrame() != nil)
        let busy = try RawPeer(server.path)
        await busy.send(RawFrame.request(1, "Wait", text: "a").bytes + RawFrame.request(3, "Wait", text: "b").bytes)
        await started.reaches(2)
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        // The end of the idle connection shows that the shutdown has begun.
        #expect(await idle.readFrame() == nil)
        #expect(throws: (any Error).self, "nobody is accepted any more") { try RawPeer(server.path) }
        // This client cannot be notified, so it is served as long as it is busy.
        await busy.send(RawFrame.request(5, "Wait", text: "c").bytes)
        await started.reaches(3)
        release.open()
        let answers = [await busy.readFrame(), await busy.readFrame(), await busy.readFrame()]
        #expect(Set(answers.map { $0?.streamID }) == [1, 3, 5])
        #expect(answers.allSatisfy { $0?.statusCode == 0 })
        #expect(await busy.readFrame() == nil)
        await shutdown
        #expect(access(server.path, F_OK) != 0)
    }

    @Test("a stream that is to end at a shutdown does not wait for its client", arguments: WireProtocol.allCases)
    func endsStreams(_ wireProtocol: WireProtocol) async throws {
        let server = try TestServer { router in
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                for try await request in requests { try await responses.write(request) }
            }
            router.endAtShutdown([StreamTests.chat.path])
        }
        try await withChannel(to: server.path, wireProtocol) { channel in
            let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
            try await chat.write(text("a"))
            var answers = chat.responses.makeAsyncIterator()
            #expect(try await answers.next()?.value == "a")
            async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
            do {
                _ = try await answers.next()
                Issue.record("the stream has no error")
            } catch {
                #expect((error as? RPCError)?.code == .unavailable)
            }
            await shutdown
        }
    }

    @Test("such a stream that begins during the shutdown ends at once too")
    func endsLateStreams() async throws {
        let started = Counter(), release = Gate()
        let server = try TestServer { router in
            router.registerWait(until: release, started)
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, _, _ in
                for try await _ in requests {}
            }
            router.endAtShutdown([StreamTests.chat.path])
        }
        let idle = try RawPeer(server.path), busy = try RawPeer(server.path)
        await idle.send(RawFrame.request(1, "None").bytes)
        #expect(await idle.readFrame() != nil)
        await busy.send(RawFrame.request(1, "Wait", text: "a").bytes)
        await started.reaches(1)
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        // The end of the idle connection shows that the shutdown has begun.
        #expect(await idle.readFrame() == nil)
        await busy.send(RawFrame.request(3, "Chat").bytes)
        let ended = await busy.readFrame()
        #expect(ended?.streamID == 3 && ended?.statusCode == 14)
        release.open()
        #expect(await busy.readFrame()?.streamID == 1)
        await shutdown
    }

    @Test("ttrpc-rust #228: a client that asked is told of the drain, keeps all its answers, and closes the connection itself")
    func drainFrame() async throws {
        let started = Counter(), release = Gate()
        var limits = ServerLimits()
        limits.drainedConnectionTimeout = .seconds(1 << 40)
        let server = try TestServer(limits: limits) { router in
            router.registerWait(until: release, started)
        }
        let peer = try RawPeer(server.path)
        let drainAsked = RawFrame.field(1, Array("pulse-ttrpc".utf8)) + RawFrame.field(2, Array("drain".utf8))
        var first = RawFrame.request(1, "Wait", text: "a")
        first.data += RawFrame.field(5, drainAsked)
        await peer.send(first.bytes)
        await started.reaches(1)
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        #expect(await peer.readFrame() == RawFrame(streamID: 0, kind: 0x12, data: []))
        // This call was on its way when the notice came: no call is lost.
        await peer.send(RawFrame.request(3, "Wait", text: "b").bytes)
        await started.reaches(2)
        release.open()
        let answers = [await peer.readFrame(), await peer.readFrame()]
        #expect(Set(answers.map { $0?.streamID }) == [1, 3])
        await peer.send(RawFrame.request(5, "Wait", text: "c").bytes)
        #expect(await peer.readFrame()?.streamID == 5)
        peer.shutDown(Int32(SHUT_WR))
        await shutdown
    }

    @Test("a client that was told of the drain and does not close is closed on, however long the grace period")
    func drainIsNotHeeded() async throws {
        var limits = ServerLimits()
        limits.drainedConnectionTimeout = .zero
        let server = try TestServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        }
        let peer = try RawPeer(server.path)
        let drainAsked = RawFrame.field(1, Array("pulse-ttrpc".utf8)) + RawFrame.field(2, Array("drain".utf8))
        var first = RawFrame.request(1, "Echo", text: "a")
        first.data += RawFrame.field(5, drainAsked)
        await peer.send(first.bytes)
        #expect(await peer.readFrame() == .response(1, "a"))
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        #expect(await peer.readFrame() == RawFrame(streamID: 0, kind: 0x12, data: []))
        #expect(await peer.readFrame() == nil)
        await shutdown
    }

    @Test("a draining connection whose last call is a stream with half a message closes when that is given up", .timeLimit(.minutes(2)))
    func lastCallIsGivenUp() async throws {
        var limits = ServerLimits()
        limits.halfSentDrainTimeout = .milliseconds(20)
        limits.unfinishedTimeout = .seconds(1)
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerClientStreaming(StreamTests.upload) { requests, _ in
                for try await _ in requests {}
                return text("")
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let path = "/\(TestMethods.service)/"
            await peer.send(RawHTTP2.preface + RawHTTP2.open(1, path + "Echo") + RawHTTP2.open(3, path + "Upload"))
            await until { server.server.users.first?.runningCalls == 1 }
            let shutdown = Task { await server.server.shutdown(gracePeriod: .seconds(3600)) }
            // The request that has not come is given up. From then on only the stream is left.
            while let frame = await peer.readHTTP2Frame(), !(frame.id == 1 && frame.endsStream) {}
            await peer.send(RawHTTP2.data(3, [0, 0, 0, 0, 9, 1]))
            while await peer.readHTTP2Frame() != nil {}
            await shutdown.value
        }
    }

    @Test("what still runs after the grace period is cancelled and answered UNAVAILABLE")
    func gracePeriodEnds() async throws {
        let started = Gate(), cancelled = Gate()
        // One loop: with two, the second for writing last answers could pass on one loop while the connection's loop is blocked.
        let server = try TestServer(loopCount: 1) { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started, heard: cancelled)
                return request
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Wait").bytes)
        await started.wait()
        await server.server.shutdown(gracePeriod: .milliseconds(1))
        await cancelled.wait()
        #expect(await peer.readFrame()?.statusCode == 14)
        #expect(await peer.readFrame() == nil)
    }

    @Test(
        "a gRPC client that leaves the notice of the drain unanswered is told which calls were taken before its connection is closed",
        arguments: [0, 1])
    func goAwayWithoutAnswer(_ running: Int) async throws {
        let started = Counter()
        var limits = ServerLimits()
        // An idle connection is closed after its timeout, a busy one at the end of the grace period.
        limits.drainedConnectionTimeout = running == 0 ? .zero : .seconds(1 << 40)
        // One loop, as above.
        let server = try TestServer(limits: limits, loopCount: 1) { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                if running == 1 { try await waitForCancellation(started: Gate()) }
                return request
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawHTTP2.preface + RawHTTP2.call(1, "/\(TestMethods.service)/Wait"))
        await started.reaches(1)
        async let shutdown: Void = server.server.shutdown(gracePeriod: running == 0 ? .seconds(1 << 40) : .milliseconds(1))
        #expect(await peer.readGoAways() == [UInt32(Int32.max), 1])
        await shutdown
    }

    @Test("a gRPC client that says goodbye while its call is running has its answer, and then the end of the connection", arguments: [false, true])
    func goodbyeWhileRunning(_ waits: Bool) async throws {
        let started = Counter(), left = Gate()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                if waits { await left.wait() }
                return request
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawHTTP2.preface + RawHTTP2.call(1, "/\(TestMethods.service)/Wait") + RawHTTP2.goAway(last: 0))
        await started.reaches(1)
        left.open()
        #expect(await peer.readHTTP2Call() == 1)
        #expect(await peer.readHTTP2Call() == nil)
        await server.server.shutdown(gracePeriod: .zero)
    }

    @Test("a peer that reads nothing does not keep the server from ending")
    func silentPeer() async throws {
        let grow = MethodDescriptor<Text, Bytes>(service: TestMethods.service, method: "Grow", shape: .unary)
        let answered = Counter()
        let server = try TestServer { router in
            router.registerSynchronous(grow) { _, _ in
                answered.increment()
                return bytes(4_000_000)
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Grow").bytes)
        await answered.reaches(1)
        await server.server.shutdown(gracePeriod: .zero)
        #expect(access(server.path, F_OK) != 0)
    }

    @Test("who asked for it hears of the shutdown before it waits for the last calls")
    func shutdownActions() async throws {
        let started = Gate(), told = Gate()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                started.open()
                await told.wait()
                return request
            }
            router.onShutdown { told.open() }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Wait", text: "a").bytes)
        await started.wait()
        // Only the action ends the call: without it the shutdown would never return.
        await server.server.shutdown(gracePeriod: .seconds(1 << 40))
        #expect(await peer.readFrame()?.streamID == 1)
    }

    @Test("two shutdowns at once both return")
    func twice() async throws {
        let started = Gate()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started)
                return request
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Wait").bytes)
        await started.wait()
        async let first: Void = server.server.shutdown(gracePeriod: .milliseconds(5))
        async let second: Void = server.server.shutdown(gracePeriod: .zero)
        _ = await (first, second)
    }
}
