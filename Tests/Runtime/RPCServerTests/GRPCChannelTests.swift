import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import TestHarness
import Testing

/// Features that only gRPC has, from caller to handler and back.
@Suite struct GRPCChannelTests {
    private func grpc(_ register: (inout Router) -> Void, limits: ServerLimits = ServerLimits(), _ body: (Channel) async throws -> Void) async throws
    {
        try await withServer(limits: limits, register: register) { server in try await withChannel(to: server.path, .grpc, body) }
    }

    @Test("metadata travels both ways, before the response and after it, with a success and with a failure")
    func metadata() async throws {
        try await grpc { router in
            router.register(TestMethods.echo) { request, context in
                context.responseMetadata?.initial = ["x-initial": context.metadata["x-sent"] ?? ""]
                context.responseMetadata?.trailing = ["x-trailing": "after", "x-bytes-bin": "AP8"]
                if request.value == "fail" { throw RPCError(.aborted, "안녕%", details: [StatusDetail(typeURL: "t/x", value: [1, 2])]) }
                return request
            }
        } _: { channel in
            let options = CallOptions(metadata: ["x-sent": "there"])
            let response = try await channel.response(from: TestMethods.echo, to: text(""), options: options)
            #expect(response.metadata["x-initial"] == "there")
            #expect(response.trailingMetadata["x-trailing"] == "after")
            #expect(response.trailingMetadata["x-bytes-bin"] == "AP8")
            let error = await #expect(throws: RPCError.self) {
                try await channel.response(from: TestMethods.echo, to: text("fail"), options: options)
            }
            #expect(error == RPCError(.aborted, "안녕%", details: [StatusDetail(typeURL: "t/x", value: [1, 2])]))
            #expect(error?.trailingMetadata["x-trailing"] == "after")
            #expect(error?.trailingMetadata["x-bytes-bin"] == "AP8")
        }
    }

    @Test("a stream with one response gives the metadata with the response, or with the failure")
    func metadataOfClientStream() async throws {
        try await grpc { router in
            router.registerClientStreaming(StreamTests.upload) { requests, context in
                context.responseMetadata?.initial = ["x-initial": "before"]
                context.responseMetadata?.trailing = ["x-trailing": "after"]
                var words: [String] = []
                for try await request in requests { words.append(request.value) }
                if words.isEmpty { throw RPCError(.invalidArgument, "no words") }
                return text(words.joined(separator: " "))
            }
        } _: { channel in
            let stream = channel.clientStream(StreamTests.upload, options: CallOptions())
            for word in ["one", "two"] { try await stream.write(text(word)) }
            let response = try await stream.finishWithMetadata()
            #expect(response.message.value == "one two")
            #expect(response.metadata["x-initial"] == "before")
            #expect(response.trailingMetadata["x-trailing"] == "after")
            let again = await #expect(throws: RPCError.self) { try await stream.finish() }
            #expect(again?.code == .failedPrecondition)
            let empty = channel.clientStream(StreamTests.upload, options: CallOptions())
            let error = await #expect(throws: RPCError.self) { try await empty.finishWithMetadata() }
            #expect(error == RPCError(.invalidArgument, "no words"))
            #expect(error?.trailingMetadata["x-trailing"] == "after")
        }
    }

    @Test("a stream whose metadata is too long for HTTP/2 ends on both sides, also if its client stays silent")
    func longMetadata() async throws {
        let ended = Gate()
        try await grpc { router in
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, context in
                defer { ended.open() }
                context.responseMetadata?.initial = ["x-long": String(repeating: "a", count: 100_000)]
                try await responses.write(text("lost"))
                for try await _ in requests {}
            }
        } _: { channel in
            let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
            try await chat.write(text("one"))
            let error = await #expect(throws: RPCError.self) { for try await _ in chat.responses {} }
            #expect(error?.code == .internal)
            await ended.wait()
        }
    }

    @Test("responses that the handler compresses are read")
    func compression() async throws {
        try await grpc { router in
            router.register(TestMethods.echo) { request, context in
                context.responseMetadata?.compressesMessages = true
                return request
            }
        } _: { channel in
            let value = String(repeating: "compressible ", count: 10_000)
            let answer = try await channel.call(TestMethods.echo, value)
            #expect(answer == value)
        }
    }

    @Test("requests that are compressed and become large are inflated in parts, and answered, small ones beside them too")
    func largeCompressedRequests() async throws {
        try await grpc { router in router.registerSynchronous(TestMethods.echo) { request, _ in request } } _: { channel in
            let large = String(repeating: "a", count: 1_000_000)
            let options = CallOptions(requestCompression: RequestCompression())
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<8 {
                    let value = index % 2 == 0 ? large : "small"
                    group.addTask { try await channel.unary(TestMethods.echo, text(value), options: options).value == value }
                }
                for try await isSame in group { #expect(isSame) }
            }
        }
    }

    @Test(
        "metadata that HTTP/2 cannot carry is refused before anything is sent",
        arguments: [("a", "안녕"), ("a", "x\ny"), ("grpc-x", "1"), (":path", "/"), ("a-bin", "no base64")])
    func refusedMetadata(_ key: String, _ value: String) async throws {
        try await grpc { router in router.registerSynchronous(TestMethods.echo) { request, _ in request } } _: { channel in
            var metadata = Metadata()
            metadata.append(value, for: key)
            #expect(await code { try await channel.call(TestMethods.echo, "", metadata: metadata) } == .invalidArgument)
            let answer = try await channel.call(TestMethods.echo, "on")
            #expect(answer == "on")
        }
    }

    @Test("more calls at once than the server permits wait for their turn")
    func manyCalls() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerConnection = 4
        try await grpc({ router in
            router.register(TestMethods.echo) { request, _ in
                await Task.yield()
                return request
            }
        }, limits: limits) { channel in
            try await withThrowingTaskGroup { group in
                for number in 0..<500 {
                    group.addTask {
                        let answer = try await channel.call(TestMethods.echo, "\(number)")
                        #expect(answer == "\(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a stream that nobody reads stops its writer, and nothing else")
    func pace() async throws {
        let written = Counter()
        try await grpc { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                for _ in 0..<2000 {
                    try await responses.write(text(String(repeating: "x", count: 10_000)))
                    written.increment()
                }
            }
        } _: { channel in
            let stream = channel.serverStream(StreamTests.watch, text(""), options: CallOptions())
            var iterator = stream.makeAsyncIterator()
            _ = try await iterator.next()
            for number in 0..<200 {
                let answer = try await channel.call(TestMethods.echo, "\(number)")
                #expect(answer == "\(number)")
            }
            // A stream with a reader would have received 20 MB.
            #expect(written.value < 1500)
            var count = 1
            while try await iterator.next() != nil { count += 1 }
            #expect(count == 2000)
        }
    }

    @Test("compressed messages that nobody reads wait, however large they become, and are read in the end")
    func compressedPace() async throws {
        let written = Gate()
        try await grpc { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerServerStreaming(StreamTests.watch) { _, responses, context in
                // Also if the handler fails.
                defer { written.open() }
                context.responseMetadata?.compressesMessages = true
                let message = text(String(repeating: "x", count: 1 << 20))
                for _ in 0..<16 { try await responses.write(message) }
            }
        } _: { channel in
            let stream = channel.serverStream(StreamTests.watch, text(""), options: CallOptions())
            await written.wait()
            // An answer after them proves that they have arrived. Together they become more than a stream may queue.
            _ = try await channel.call(TestMethods.echo, "")
            var byteCounts: [Int] = []
            for try await response in stream { byteCounts.append(response.value.utf8.count) }
            #expect(byteCounts == Array(repeating: 1 << 20, count: 16))
        }
    }

    @Test("a call that its server has certainly not begun is made again, where another server is, or on the same connection; and only once")
    func turnedAway() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            async let answer = channel.call(TestMethods.echo, "x")
            let leaving = try await server.accept()
            await leaving.beginHTTP2()
            #expect(await leaving.readHTTP2Call() == 1)
            await leaving.send(RawHTTP2.goAway(last: 0))
            let peer = try await server.accept()
            await peer.beginHTTP2()
            #expect(await peer.readHTTP2Call() == 1)
            await peer.send(RawHTTP2.answer(1))
            let text = try await answer
            #expect(text == "")
            #expect(await leaving.readHTTP2Call() == nil, "a connection without calls is closed")

            async let refused = code { try await channel.call(TestMethods.echo, "x") }
            #expect(await peer.readHTTP2Call() == 3)
            await peer.send(RawHTTP2.refuse(3))
            #expect(await peer.readHTTP2Call() == 5)
            await peer.send(RawHTTP2.refuse(5))
            #expect(await refused == .unavailable)

            // Its handler may have received it.
            async let begun = code { try await channel.call(TestMethods.echo, "x") }
            #expect(await peer.readHTTP2Call() == 7)
            await peer.send(RawHTTP2.begin(7) + RawHTTP2.refuse(7))
            #expect(await begun == .unavailable)

            // The written messages are gone.
            let upload = channel.clientStream(StreamTests.upload, options: CallOptions())
            async let end = code { try await upload.finish() }
            #expect(await peer.readHTTP2Call() == 9)
            await peer.send(RawHTTP2.refuse(9))
            #expect(await end == .unavailable)
        }
    }

    @Test("a call that waits for its turn goes to another connection when its server says GOAWAY, while a call before it is still running")
    func waitingCallLeaves() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        try await withChannel(to: directory.socketPath, .grpc) { channel in
            async let running = channel.call(TestMethods.echo, "x")
            let leaving = try await server.accept()
            await leaving.beginHTTP2(RawHTTP2.settings(streams: 1))
            #expect(await leaving.readHTTP2Call() == 1)
            let waiting = Task.immediate { try await channel.call(TestMethods.echo, "x") }
            await leaving.send(RawHTTP2.goAway(last: 1))
            let next = try await server.accept()
            await next.beginHTTP2()
            #expect(await next.readHTTP2Call() == 1)
            await next.send(RawHTTP2.answer(1))
            #expect(try await waiting.value == "")
            await leaving.send(RawHTTP2.answer(1))
            #expect(try await running == "")
        }
    }
}
