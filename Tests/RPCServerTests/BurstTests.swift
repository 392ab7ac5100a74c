import RPCCore
import RPCServer
import Testing

/// Calls that are read at once: their handlers are begun together, and a client is not to notice it.
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
}
