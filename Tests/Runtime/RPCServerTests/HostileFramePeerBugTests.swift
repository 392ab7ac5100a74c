import RPCClient
import RPCCore
import RPCServer
import TestHarness
import Testing

/// Known problems of other ttrpc implementations: unexpected frames. See ``StallPeerBugTests``.
@Suite struct HostileFramePeerBugTests {
    @Test("Data for a unary call that is running ends it, and panics nobody (nil dereference in ttrpc-go)")
    func dataForRunningUnary() async throws {
        let started = Gate(), cancelled = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started, heard: cancelled)
                return request
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Wait").bytes)
            await started.wait()
            await peer.send(RawFrame.data(1, "x").bytes + RawFrame.request(3, "Echo", text: "y").bytes)
            let refusal = await peer.readFrame()
            #expect(refusal?.streamID == 1 && refusal?.statusCode == 3)
            #expect(await peer.readFrame() == .response(3, "y"))
            await cancelled.wait()
        }
    }

    @Test("ttrpc #223: frames for ids that the server does not know are refused or passed over; the connection serves on")
    func unknownIDsAtServer() async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            let first = RawFrame.data(9, "x")
            let frames = [RawFrame.cancel(11), .window(13, 5), .close(15), .data(2, "x"), .cancel(0), .request(17, "Echo", text: "y")]
            await peer.send(first.bytes + frames.flatMap(\.bytes))
            for id: UInt32 in [9, 15, 2] {
                let refusal = await peer.readFrame()
                #expect(refusal?.streamID == id && refusal?.statusCode == 3)
            }
            #expect(await peer.readFrame() == .response(17, "y"))
        }
    }

    @Test("ttrpc #223, #51: answers for ids that the client does not know are passed over, and an empty answer is one")
    func unknownIDsAtClient() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath) { channel in
            async let answer = channel.call(TestMethods.echo, "x")
            let peer = try await server.accept()
            #expect(await peer.readFrame()?.streamID == 1)
            let frames = [RawFrame.response(99, "x"), .data(97, "x"), .close(95), .window(93, 1), .response(2, "x"), .response(0, "x")]
            await peer.send(frames.flatMap(\.bytes) + RawFrame(streamID: 1, kind: 2, data: []).bytes)
            #expect(try await answer == "")
        }
    }

    @Test("a unary call that its server answers with a stream fails, and is cancelled there")
    func streamForUnaryCall() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath) { channel in
            var peer: RawPeer?
            let long = RawFrame(streamID: 5, kind: 3, data: [UInt8](repeating: 0, count: 4 << 20 + 1))
            for (id, frame) in [(UInt32(1), RawFrame.data(1, "x")), (3, RawFrame.close(3)), (5, long)] {
                async let answer = code { try await channel.call(TestMethods.echo, "x") }
                if id == 1 { peer = try await server.accept() }
                #expect(await peer?.readFrame()?.streamID == id)
                await peer?.send(frame.bytes)
                #expect(await answer == .internal)
                #expect(await peer?.readFrame() == .cancel(id))
            }
        }
    }

    @Test("ttrpc #212: a connection on which something broken was received goes on, in both directions, streams included")
    func brokenFrames() async throws {
        try await withServer { router in
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                for try await request in requests { try await responses.write(request) }
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.open(1, "Chat").bytes + RawFrame.open(3, "Chat").bytes)
            // A malformed request, a malformed message, and a length over the limit.
            await peer.send(RawFrame(streamID: 5, kind: 1, data: [0x0A, 0x7F]).bytes)
            await peer.send(RawFrame(streamID: 3, kind: 3, data: [0x0A, 0x7F]).bytes)
            await peer.send(RawFrame(streamID: 7, kind: 1, data: [UInt8](repeating: 0, count: 4 << 20 + 1)).bytes)
            for (id, code) in [(UInt32(5), UInt8(3)), (3, 3), (7, 8)] {
                let refusal = await peer.readFrame()
                #expect(refusal?.streamID == id && refusal?.statusCode == code)
            }
            await peer.send(RawFrame.data(1, "x").bytes + RawFrame.close(1).bytes)
            #expect(await peer.readFrame() == .data(1, "x"))
            #expect(await peer.readFrame() == .close(1))
        }
    }

    @Test("ttrpc #231: when a client goes away, the handlers of all its calls are cancelled, whatever their shape")
    func disconnectCancels() async throws {
        let started = Counter(), cancelled = Counter()
        @Sendable func wait() async throws {
            started.increment()
            do { try await waitForCancellation() } catch {
                cancelled.increment()
                throw error
            }
        }
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await wait()
                return request
            }
            router.registerServerStreaming(StreamTests.watch) { _, _, _ in try await wait() }
            router.registerClientStreaming(StreamTests.upload) { _, _ in
                try await wait()
                return text("")
            }
            router.registerBidirectionalStreaming(StreamTests.chat) { _, _, _ in try await wait() }
        } _: { server in
            do {
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.request(1, "Wait").bytes + RawFrame.request(3, "Watch").bytes)
                await peer.send(RawFrame.open(5, "Upload").bytes + RawFrame.open(7, "Chat").bytes)
                await started.reaches(4)
            }
            await cancelled.reaches(4)
        }
    }

    @Test("ttrpc #171, #172, ttrpc-rust #198: a message over the limit fails its stream alone, whoever writes it")
    func oversizeOnStreams() async throws {
        var limits = ServerLimits()
        limits.maximumMessageByteCount = 1000
        let refused = Gate()
        try await withServer(limits: limits) { router in
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                for try await request in requests { try await responses.write(request) }
            }
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                do { try await responses.write(text(String(repeating: "x", count: 2000))) } catch {
                    // The stream is unchanged: a handler can continue without the message.
                    refused.open()
                }
                try await responses.write(request)
            }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                let good = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
                let bad = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
                try await bad.write(text(String(repeating: "x", count: 2000)))
                #expect(await code { for try await _ in bad.responses {} } == .resourceExhausted)
                try await good.write(text("still here"))
                var answers = good.responses.makeAsyncIterator()
                #expect(try await answers.next()?.value == "still here")
                var received: [String] = []
                for try await response in channel.serverStream(StreamTests.watch, text("on"), options: CallOptions()) {
                    received.append(response.value)
                }
                #expect(received == ["on"])
                await refused.wait()
            }
        }
    }

    @Test("a limit above ttrpc's own 4 MiB is taken for 4 MiB: a larger message is refused before it is sent, from whatever thread",
        arguments: [true, false])
    func limitAboveProtocol(_ onLoop: Bool) async throws {
        let chat = MethodDescriptor<Bytes, Bytes>(service: TestMethods.service, method: "Chat", shape: .bidirectionalStreaming)
        var limits = ServerLimits()
        limits.maximumMessageByteCount = 8 << 20
        try await withServer(limits: limits) { router in
            router.registerBidirectionalStreaming(chat) { requests, responses, _ in
                var received = requests.makeAsyncIterator()
                while let request = try await received.next() {
                    let answer = request.value.count == 1 ? bytes(5 << 20) : request
                    try await Task(executorPreference: onLoop ? nil : globalConcurrentExecutor) { try await responses.write(answer) }.value
                }
            }
        } _: { server in
            try await withChannel(to: server.path, maximumMessageByteCount: 8 << 20) { channel in
                let stream = channel.bidirectionalStream(chat, options: CallOptions())
                let write = Task(executorPreference: onLoop ? channel.executor : globalConcurrentExecutor) {
                    await code { try await stream.write(bytes(5 << 20)) }
                }
                #expect(await write.value == .resourceExhausted)
                try await stream.write(bytes(2))
                var answers = stream.responses.makeAsyncIterator()
                #expect(try await answers.next()?.value.count == 2, "the stream is as it was")
                try await stream.write(bytes(1))
                #expect(await code { try await answers.next() } == .resourceExhausted)
            }
        }
    }
}
