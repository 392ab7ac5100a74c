import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Testing

/// The limits of a peer, and the end of a call that exceeds one.
@Suite struct LimitTests {
    @Test(
        "ttrpc #171, ttrpc-rust #198: a request over the size limit fails its call alone, on either side of the wire",
        arguments: WireProtocol.allCases)
    func requestSize(_ wireProtocol: WireProtocol) async throws {
        var limits = ServerLimits()
        limits.maximumMessageByteCount = 1000
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echoBytes) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                // The server's limit …
                #expect(await code { try await channel.unary(TestMethods.echoBytes, bytes(1001), options: CallOptions()) } == .resourceExhausted)
                let answer = try await channel.unary(TestMethods.echoBytes, bytes(900), options: CallOptions())
                #expect(answer == bytes(900))
                // … and the client's own.
                #expect(await code { try await channel.unary(TestMethods.echoBytes, bytes(4 << 20), options: CallOptions()) } == .resourceExhausted)
            }
        }
    }

    @Test("limits of `Int.max` are no limits, and no sum with them stops the process", arguments: WireProtocol.allCases)
    func noLimits(_ wireProtocol: WireProtocol) async throws {
        var limits = ServerLimits()
        for limit in [
            \.maximumMessageByteCount, \.maximumConcurrentCallsPerConnection, \.maximumConcurrentCalls, \.maximumConcurrentCallsPerUser,
            \.reservedCallCount, \.maximumHeldByteCountPerUser, \.maximumHeldByteCount, \.maximumUnreadByteCount,
            \.maximumQueuedByteCountPerStream, \.maximumQueuedByteCountPerConnection, \.maximumGlitchCount, \.maximumConnectionsPerUID,
            \.maximumConnectionsPerGateway,
        ] as [WritableKeyPath<ServerLimits, Int>] {
            limits[keyPath: limit] = .max
        }
        try await withServer(limits: limits) { router in
            router.register(TestMethods.echoBytes) { request, context in
                context.responseMetadata?.compressesMessages = true
                return request
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol, maximumMessageByteCount: .max) { channel in
                let compressed = CallOptions(requestCompression: RequestCompression())
                let answer = try await channel.unary(TestMethods.echoBytes, bytes(100_000), options: compressed)
                #expect(answer == bytes(100_000))
                #expect(await code { try await channel.call(TestMethods.echo, "x") } == .unimplemented)
            }
            // The budget of glitches adds to it.
            #expect(server.server.limits.maximumGlitchCount == Int(Int32.max))
            server.server.setLimits(ServerLimits())
            #expect(server.server.limits == ServerLimits())
        }
    }

    @Test(
        "ttrpc #172, ttrpc-rust #198: an answer over the size limit fails its call alone, on either side of the wire",
        arguments: WireProtocol.allCases)
    func answerSize(_ wireProtocol: WireProtocol) async throws {
        let grow = MethodDescriptor<Text, Bytes>(service: TestMethods.service, method: "Grow", shape: .unary)
        try await withServer { router in
            router.registerSynchronous(grow) { request, _ in bytes(Int(request.value) ?? 0) }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                #expect(await code { try await channel.unary(grow, text("\(4 << 20)"), options: CallOptions()) } == .resourceExhausted)
                let answer = try await channel.unary(grow, text("\((4 << 20) - 100)"), options: CallOptions())
                #expect(answer.value.count == (4 << 20) - 100)
            }
            try await withChannel(to: server.path, wireProtocol, maximumMessageByteCount: 1000) { channel in
                #expect(await code { try await channel.unary(grow, text("2000"), options: CallOptions()) } == .resourceExhausted)
                let answer = try await channel.unary(grow, text("500"), options: CallOptions())
                #expect(answer.value.count == 500)
            }
        }
    }

    @Test("the calls that run at once on one connection are limited; the others are refused, not queued")
    func callsPerConnection() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerConnection = 2
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.registerWait(until: release, started)
        } _: { server in
            let peer = try RawPeer(server.path)
            for id: UInt32 in [1, 3, 5] { await peer.send(RawFrame.request(id, "Wait").bytes) }
            let refused = await peer.readFrame()
            #expect(refused?.streamID == 5)
            #expect(refused?.statusCode == 8)
            #expect(refused?.text.contains("CONNECTION_CALLS") == true && refused?.text.contains("google.rpc.RetryInfo") == true)
            // Another connection has its own.
            let other = try RawPeer(server.path)
            await other.send(RawFrame.request(1, "Wait").bytes)
            await started.reaches(3)
            release.open()
            #expect(await peer.readFrame()?.statusCode == 0)
            #expect(await peer.readFrame()?.statusCode == 0)
            #expect(await other.readFrame()?.statusCode == 0)
            await peer.send(RawFrame.request(7, "Wait").bytes)
            #expect(await peer.readFrame()?.statusCode == 0)
        }
    }

    @Test("a call that was cancelled is no longer counted on its connection while its handler ends; there may be twice as many handlers as calls")
    func endingHandlers() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerConnection = 3
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.registerWait(until: release, started)
        } _: { server in
            let peer = try RawPeer(server.path)
            for id: UInt32 in [1, 3, 5] { await peer.send(RawFrame.request(id, "Wait").bytes) }
            await started.reaches(3)
            // These handlers do not notice that their calls are cancelled.
            var burst = [1, 3, 5].flatMap { RawFrame.cancel($0).bytes }
            for id: UInt32 in [7, 9, 11, 13] { burst += RawFrame.request(id, "Wait").bytes }
            await peer.send(burst)
            // Only the fourth of the new calls is one too many.
            let fourth = await peer.readFrame()
            try #require(fourth?.streamID == 13)
            #expect(fourth?.statusCode == 8)
            // No more calls run than are permitted, but there are six handlers.
            await started.reaches(6)
            await peer.send(RawFrame.cancel(7).bytes + RawFrame.request(15, "Wait").bytes)
            let seventh = await peer.readFrame()
            #expect(seventh?.streamID == 15)
            #expect(seventh?.statusCode == 8)
            release.open()
            // A place is free when a handler has ended on its loop. The test asks until then.
            var id: UInt32 = 17
            var frame: RawFrame?
            repeat {
                await peer.send(RawFrame.request(id, "Wait").bytes)
                repeat { frame = await peer.readFrame() } while frame != nil && frame?.streamID != id
                id += 2
            } while frame?.statusCode == 8
            #expect(frame?.statusCode == 0)
        }
    }

    @Test("a gRPC client that keeps to its streams gets REFUSED_STREAM while too many handlers of ended calls have not ended")
    func endingHandlersOverGRPC() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerConnection = 3
        let wait = "/\(TestMethods.service)/Wait"
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.registerWait(until: release, started)
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawHTTP2.preface + [1, 3, 5].flatMap { RawHTTP2.call($0, wait) })
            await started.reaches(3)
            let cancels = [1, 3, 5].flatMap { RawHTTP2.cancel($0) }
            await peer.send(cancels + RawHTTP2.call(7, wait) + RawHTTP2.call(9, wait) + RawHTTP2.call(11, "/none/None"))
            // The two others wait for their handlers.
            try #require(await peer.readHTTP2End() == .answer(11))
            await started.reaches(5)
            await peer.send(RawHTTP2.cancel(7) + RawHTTP2.call(13, wait) + RawHTTP2.cancel(9) + RawHTTP2.call(15, wait))
            // There are already six handlers.
            #expect(await peer.readHTTP2End() == .reset(15, code: 7))
            release.open()
            #expect(await peer.readHTTP2End() == .answer(13))
            var id: UInt32 = 17
            var end: RawPeer.HTTP2End?
            repeat {
                await peer.send(RawHTTP2.call(id, wait))
                end = await peer.readHTTP2End()
                id += 2
            } while end == .reset(id - 2, code: 7)
            #expect(end == .answer(id - 2))
        }
    }

    @Test("the handlers that run at once in the server are limited, those of ended calls that have not stopped yet included")
    func callsPerServer() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCalls = 1
        let started = Gate(), cancelled = Gate(), release = Gate()
        try await withServer(limits: limits) { router in
            router.register(TestMethods.wait) { request, _ in
                await withTaskCancellationHandler {
                    started.open()
                    await release.wait()
                } onCancel: {
                    cancelled.open()
                }
                return request
            }
            router.register(TestMethods.echo) { request, _ in request }
        } _: { server in
            do {
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Wait").bytes)
                await started.wait()
            }
            await cancelled.wait()
            // The connection is gone and its call has ended, but its handler has not.
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Echo").bytes)
            #expect(await peer.readFrame()?.statusCode == 8)
            release.open()
            // The place is free when the handler has ended on its loop. The test asks until then.
            var id: UInt32 = 3
            var code: UInt8? = 8
            while code == 8 {
                await peer.send(RawFrame.request(id, "Echo").bytes)
                code = await peer.readFrame()?.statusCode
                id += 2
            }
            #expect(code == 0)
        }
    }

    @Test("the connections of one uid are limited; one more is closed unread, and a place is free again when one closes")
    func connectionsPerUID() async throws {
        var limits = ServerLimits()
        limits.maximumConnectionsPerUID = 2
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let first = try RawPeer(server.path)
            await first.send(RawFrame.request(1, "Echo").bytes)
            #expect(await first.readFrame() != nil)
            do {
                let second = try RawPeer(server.path)
                await second.send(RawFrame.request(1, "Echo").bytes)
                #expect(await second.readFrame() != nil)
                let third = try RawPeer(server.path)
                #expect(await third.readFrame() == nil)
            }
            // The server notices the close later. The test asks until then.
            while true {
                let next = try RawPeer(server.path)
                await next.send(RawFrame.request(1, "Echo").bytes)
                if let frame = await next.readFrame() {
                    #expect(frame.statusCode == 0)
                    break
                }
            }
        }
    }

    @Test("a burst of small requests for large answers is refused once the unread answers fill their limit")
    func unreadAnswers() async throws {
        var limits = ServerLimits()
        limits.maximumUnreadByteCount = 1 << 20
        let grow = MethodDescriptor<Text, Bytes>(service: TestMethods.service, method: "Grow", shape: .unary)
        let started = Counter()
        try await withServer(limits: limits, loopCount: 1) { router in
            router.registerSynchronous(grow) { _, _ in
                started.increment()
                return bytes(1 << 18)
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            var burst: [UInt8] = []
            for index: UInt32 in 0..<100 { burst += RawFrame.request(index * 2 + 1, "Grow").bytes }
            // The server reads all of it at once.
            await peer.send(burst)
            var codes: [UInt8] = []
            for _ in 0..<100 {
                let answer = await peer.readFrame()
                codes.append(answer?.statusCode ?? 255)
                guard answer?.statusCode == 8 else { continue }
                #expect(answer?.text.contains("CONNECTION_UNREAD") == true && answer?.text.contains("google.rpc.RetryInfo") == true)
            }
            #expect(Set(codes) == [0, 8])
            #expect(codes.count { $0 == 0 } == started.value)
            // The connection still works.
            await peer.send(RawFrame.request(1001, "Grow").bytes)
            #expect(await peer.readFrame()?.data.count ?? 0 > 1 << 18)
        }
    }

    @Test("large answers that become ready at once fail alone once the unread ones fill their limit; the connection lives")
    func unreadAnswersOfHandlersThatWaited() async throws {
        var limits = ServerLimits()
        limits.maximumUnreadByteCount = 8 << 20
        let grow = MethodDescriptor<Text, Bytes>(service: TestMethods.service, method: "Grow", shape: .unary)
        let started = Counter(), release = Gate(), ended = Counter()
        try await withServer(limits: limits, loopCount: 1) { router in
            router.register(grow) { _, _ in
                started.increment()
                await release.wait()
                ended.increment()
                return bytes(1 << 20)
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            for index: UInt32 in 0..<100 { await peer.send(RawFrame.request(index * 2 + 1, "Grow").bytes) }
            await started.reaches(100)
            // The client reads nothing until 100 MiB are ready, more than any limit.
            release.open()
            await ended.reaches(100)
            var codes: [UInt8] = []
            for _ in 0..<100 { codes.append(await peer.readFrame()?.statusCode ?? 255) }
            #expect(Set(codes) == [0, 8])
            await peer.send(RawFrame.request(1001, "None").bytes)
            #expect(await peer.readFrame()?.statusCode == 12)
        }
    }

    @Test("a peer that sends without reading is not read from for a while; when it reads, all of its calls have been answered")
    func backPressure() async throws {
        let answered = Counter()
        try await withServer(loopCount: 1) { router in
            router.registerSynchronous(TestMethods.echoBytes) { request, _ in
                answered.increment()
                return request
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let payload = RawFrame.field(3, RawFrame.field(1, [UInt8](repeating: 5, count: 100_000)))
            let envelope = RawFrame.field(1, Array(TestMethods.service.utf8)) + RawFrame.field(2, Array("EchoBytes".utf8)) + payload
            // 100 MB of answers are more than the server would keep.
            async let sending: Void = {
                for index: UInt32 in 0..<1000 { await peer.send(RawFrame(streamID: index * 2 + 1, kind: 1, data: envelope).bytes) }
            }()
            await answered.reaches(20)
            for index: UInt32 in 0..<1000 {
                let frame = await peer.readFrame()
                guard frame?.streamID == index * 2 + 1, frame?.statusCode == 0, frame?.data.count ?? 0 > 100_000 else {
                    Issue.record("answer \(index): \(String(describing: frame?.statusCode))")
                    return
                }
            }
            await sending
        }
    }

    @Test("ttrpc-rust #239, #270, #271: a server out of descriptors rests, and accepts again when there are some")
    func outOfDescriptors() async throws {
        // In a separate process, because other tests need the descriptors.
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 128, rlim_max: 128)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let rests = Gate()
            let logger = LogListener.logger { event, _ in
                if "\(event.message)".contains("out of descriptors") { rests.open() }
            }
            try await withServer(logger: logger) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            } _: { server in
                // Dispatch opens its own descriptors when it first needs them, and ends the program if it cannot. So wait until they are open.
                let early = try RawPeer(server.path)
                await early.send(RawFrame.request(1, "Echo").bytes)
                if await early.readFrame()?.statusCode != 0 { exit(4) }
                var taken: [Int32] = []
                while true {
                    let descriptor = dup(0)
                    if descriptor < 0 { break }
                    taken.append(descriptor)
                }
                close(taken.removeLast())
                // This connection takes the last descriptor, so the server has none to accept it.
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Echo").bytes)
                await rests.wait()
                for descriptor in taken { close(descriptor) }
                if await peer.readFrame()?.statusCode != 0 { exit(3) }
            }
        }
    }

    @Test("bytes that are no protocol are closed on at the first of them", arguments: [[0x47, 0x45, 0x54], [0xFF], [0x01, 0, 0, 0]] as [[UInt8]])
    func otherProtocol(_ bytes: [UInt8]) async throws {
        try await withServer { _ in } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(bytes)
            #expect(await peer.readFrame() == nil)
        }
    }

    @Test(
        "a client whose own calls are too many loses its connection after too many refusals, and not for the load of others",
        arguments: [true, false])
    func refusals(own: Bool) async throws {
        var limits = ServerLimits()
        limits.maximumGlitchCount = 100
        if own { limits.maximumConcurrentCallsPerUser = 1 }
        let started = Counter(), release = Gate()
        try await withServer(limits: limits, observers: own ? [] : [ConcurrencyLimit(limit: 1)]) { router in
            router.registerWait(until: release, started)
        } _: { server in
            let first = try RawPeer(server.path), other = try RawPeer(server.path)
            await first.send(RawFrame.request(1, "Wait").bytes)
            await started.reaches(1)
            await other.send(RawFrame.request(1, "Wait").bytes)
            let refusal = try #require(await other.readFrame())
            #expect(refusal.statusCode == 8)
            // All at once: 200 glitches more are permitted each second.
            async let _ = other.send((1..<5_000 as Range<UInt32>).flatMap { RawFrame.request(1 + 2 * $0, "Wait").bytes })
            let refused = 1 + (await other.read(4_999 * refusal.bytes.count)).count / refusal.bytes.count
            #expect(own ? refused < 5_000 : refused == 5_000)
            release.open()
        }
    }
}
