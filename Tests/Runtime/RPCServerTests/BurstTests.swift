import Dispatch
import RPCCore
import RPCServer
import Testing

@testable import SocketTransport

/// Calls that are read together: their handlers begin together, and a client does not notice it.
@Suite struct BurstTests {
    @Test("a burst over the limits, of calls whose handlers do not wait, is answered whole: they never run at once")
    func overTheLimits() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerConnection = 2
        limits.maximumConcurrentCalls = 3
        try await withServer(limits: limits) { router in
            router.register(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            let ids = (0..<200).map { UInt32(2 * $0 + 1) }
            await peer.send(ids.flatMap { RawFrame.request($0, "Echo", text: "\($0)").bytes })
            for id in ids { #expect(await peer.readFrame() == .response(id, "\(id)")) }
        }
    }

    @Test("where a handler of a burst waits, those behind it go on without it")
    func oneWaits() async throws {
        let release = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                await release.wait()
                return request
            }
            router.register(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(
                RawFrame.request(1, "Echo", text: "a").bytes + RawFrame.request(3, "Wait", text: "b").bytes
                    + RawFrame.request(5, "Echo", text: "c").bytes + RawFrame.request(7, "Wait", text: "d").bytes
                    + RawFrame.request(9, "Echo", text: "e").bytes)
            #expect(await peer.readFrame() == .response(1, "a"))
            #expect(await peer.readFrame() == .response(5, "c"))
            #expect(await peer.readFrame() == .response(9, "e"))
            release.open()
            let last = [await peer.readFrame(), await peer.readFrame()]
            #expect(last.contains(.response(3, "b")) && last.contains(.response(7, "d")))
        }
    }

    @Test("a call that its client cancels in the burst that brought it hears of it, and is not answered")
    func cancelledInTheSameBurst() async throws {
        let cancelled = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(heard: cancelled)
                return request
            }
            router.register(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(
                RawFrame.request(1, "Wait").bytes + RawFrame.cancel(1).bytes + RawFrame.request(3, "Echo", text: "x").bytes)
            #expect(await peer.readFrame() == .response(3, "x"))
            await cancelled.wait()
        }
    }

    @Test("a stream with a broken message in the burst that opened it never begins, and the calls beside it do")
    func streamEndsInTheSameBurst() async throws {
        let began = Counter()
        try await withServer { router in
            let method = MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Gather", shape: .clientStreaming)
            router.registerClientStreaming(method) { requests, _ in
                began.increment()
                for try await _ in requests {}
                return text("all")
            }
            router.register(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            let broken = RawFrame(streamID: 3, kind: 3, data: [0xFF])
            await peer.send(
                RawFrame.request(1, "Echo", text: "a").bytes + RawFrame.open(3, "Gather").bytes + broken.bytes
                    + RawFrame.request(5, "Echo", text: "b").bytes)
            let frames = [await peer.readFrame(), await peer.readFrame(), await peer.readFrame()]
            #expect(frames.contains(.response(1, "a")) && frames.contains(.response(5, "b")))
            #expect(frames.contains { $0?.streamID == 3 && $0?.statusCode == 3 })
        }
        #expect(began.value == 0)
    }

    /// Serves a method whose handler blocks the whole event loop at the 64th call until the first call was answered.
    private func withLastHandlerBlocking(_ body: (TestServer, _ firstIsAnswered: DispatchSemaphore) async throws -> Void) async throws {
        let firstIsAnswered = DispatchSemaphore(value: 0)
        let calls = Counter()
        let late = Counter()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in
                calls.increment()
                if calls.value == 64, firstIsAnswered.wait(timeout: .now() + 300) == .timedOut { late.increment() }
                return request
            }
        } _: { server in
            try await body(server, firstIsAnswered)
        }
        #expect(late.value == 0)
    }

    @Test("the first answers of a burst can be read while its last call is still to be begun", .enabled(if: EventLoop.hasPeersBeside))
    func answeredEarly() async throws {
        try await withLastHandlerBlocking { server, firstIsAnswered in
            let peer = try RawPeer(server.path)
            let ids = (0..<64).map { UInt32(2 * $0 + 1) }
            await peer.send(ids.flatMap { RawFrame.request($0, "Echo", text: "\($0)").bytes })
            #expect(await peer.readFrame() == .response(1, "1"))
            firstIsAnswered.signal()
            for id in ids.dropFirst() { #expect(await peer.readFrame() == .response(id, "\(id)")) }
        }
    }

    @Test("the same over gRPC", .enabled(if: EventLoop.hasPeersBeside))
    func answeredEarlyOverGRPC() async throws {
        try await withLastHandlerBlocking { server, firstIsAnswered in
            let peer = try RawPeer(server.path)
            let ids = (0..<64).map { UInt32(2 * $0 + 1) }
            await peer.send(RawHTTP2.preface + ids.flatMap { RawHTTP2.call($0, "/\(TestMethods.service)/Echo") })
            #expect(await peer.readHTTP2Call() == 1)
            firstIsAnswered.signal()
            for id in ids.dropFirst() { #expect(await peer.readHTTP2Call() == id) }
        }
    }

    @Test("a drain that could end between two parts of a burst waits until all of it is answered")
    func drainsBetweenParts() async throws {
        let started = Counter(), release = Gate()
        let server = try TestServer { router in
            router.registerWait(until: release, started)
            router.register(TestMethods.echo) { request, _ in
                // Ends the only call that keeps the connection open, while 39 requests have been read and not begun.
                release.open()
                return request
            }
        }
        let idle = try RawPeer(server.path)
        await idle.send(RawFrame.request(1, "None").bytes)
        #expect(await idle.readFrame() != nil)
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Wait").bytes)
        await started.reaches(1)
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        // The end of the idle connection shows that the drain has begun.
        #expect(await idle.readFrame() == nil)
        let ids = (1...40).map { UInt32(2 * $0 + 1) }
        await peer.send(ids.flatMap { RawFrame.request($0, "Echo").bytes })
        var answered: Set<UInt32> = []
        while let frame = await peer.readFrame() { answered.insert(frame.streamID) }
        #expect(answered == Set([1] + ids))
        await shutdown
    }

    @Test("a client that leaves in the middle of a burst costs nothing but its own calls")
    func leaves() async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            for _ in 0..<20 {
                let peer = try RawPeer(server.path)
                await peer.send((0..<512).flatMap { RawFrame.request(UInt32(2 * $0 + 1), "Echo", text: "x").bytes })
                _ = await peer.readFrame()
            }
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Echo", text: "y").bytes)
            #expect(await peer.readFrame() == .response(1, "y"))
        }
    }
}
