import RPCClient
import RPCCore
import RPCServer
import TestHarness
import Testing

/// Known problems of other ttrpc implementations (`docs/wire-protocols.md`), one test each: here, a side that does not read. Tests of
/// other suites that cover such a problem name it in their titles.
@Suite struct StallPeerBugTests {
    @Test("ttrpc #174: a send to a server that has stopped reading ends at its deadline", arguments: WireProtocol.allCases)
    func sendPastDeadline(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            let options = CallOptions(timeout: .milliseconds(50))
            // More than the sockets hold.
            #expect(await code { try await channel.unary(TestMethods.echoBytes, bytes(4_000_000), options: options) } == .deadlineExceeded)
            let chat = channel.bidirectionalStream(StreamTests.chat, options: options)
            let long = text(String(repeating: "x", count: 100_000))
            #expect(await code { while true { try await chat.write(long) } } == .deadlineExceeded)
            let upload = channel.clientStream(StreamTests.upload, options: options)
            #expect(await code { while true { try await upload.write(long) } } == .deadlineExceeded)
            #expect(await code { try await upload.finish() } == .deadlineExceeded)
            let watch = channel.serverStream(StreamTests.watch, text(""), options: options)
            #expect(await code { for try await _ in watch {} } == .deadlineExceeded)
        }
        withExtendedLifetime(server) {}
    }

    @Test("ttrpc #229: a stream that its handler does not read fails alone at its budget, where the client knows no windows")
    func unreadRequestsOfForeignClient() async throws {
        var limits = ServerLimits()
        limits.maximumQueuedByteCountPerStream = 100_000
        let stuck = MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Stuck", shape: .bidirectionalStreaming)
        let cancelled = Gate()
        try await withServer(limits: limits) { router in
            router.registerBidirectionalStreaming(stuck) { _, _, _ in
                try await waitForCancellation(heard: cancelled)
            }
            router.registerClientStreaming(StreamTests.upload) { requests, _ in
                var all = ""
                for try await request in requests { all += request.value }
                return text(all)
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            let long = RawFrame.data(1, String(repeating: "x", count: 10_000))
            await peer.send(RawFrame.open(1, "Stuck").bytes + RawFrame.open(3, "Upload").bytes + RawFrame.data(3, "a").bytes)
            for _ in 0..<9 { await peer.send(long.bytes) }
            await peer.send(RawFrame.request(5, "Echo", text: "b").bytes)
            #expect(await peer.readFrame()?.streamID == 5, "within its budget, it lives")
            await peer.send(long.bytes)
            let refusal = await peer.readFrame()
            #expect(refusal?.streamID == 1 && refusal?.statusCode == 8)
            await cancelled.wait()
            await peer.send(RawFrame.data(3, "b").bytes + RawFrame.close(3).bytes)
            #expect(await peer.readFrame() == .response(3, "ab"))
        }
    }

    @Test("ttrpc #229: a client of ours waits with the stream that is not read, alone, and everything arrives", arguments: WireProtocol.allCases)
    func unreadRequestsOfOurClient(_ wireProtocol: WireProtocol) async throws {
        let read = Gate()
        try await withServer { router in
            router.registerClientStreaming(StreamTests.upload) { requests, _ in
                await read.wait()
                var count = 0
                for try await request in requests { count += request.value.utf8.count }
                return text("\(count)")
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let upload = channel.clientStream(StreamTests.upload, options: CallOptions())
                // This is far more than the server would queue.
                async let writing: Text = {
                    let long = text(String(repeating: "x", count: 100_000))
                    for _ in 0..<300 { try await upload.write(long) }
                    return try await upload.finish()
                }()
                for _ in 0..<50 { _ = try await channel.call(TestMethods.echo, "x") }
                read.open()
                #expect(try await writing.value == "30000000")
            }
        }
    }

    @Test("ttrpc #229: responses that nobody reads fail their stream alone, where the server knows no windows")
    func unreadResponsesOfForeignServer() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath) { channel in
            let unread = channel.serverStream(StreamTests.watch, text(""), options: CallOptions())
            async let answer = channel.call(TestMethods.echo, "x")
            let peer = try await server.accept()
            #expect(await peer.readFrame()?.streamID == 1)
            #expect(await peer.readFrame()?.streamID == 3)
            for _ in 0..<9 { await peer.send(RawFrame.data(1, String(repeating: "x", count: 1_000_000)).bytes) }
            await peer.send(RawFrame.response(3, "y").bytes)
            #expect(try await answer == "y")
            #expect(await peer.readFrame() == .cancel(1), "the server is told")
            #expect(await code { for try await _ in unread {} } == .resourceExhausted)
        }
    }
}
