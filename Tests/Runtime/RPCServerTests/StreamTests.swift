import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import TestHarness
import Testing

/// The three streaming shapes from caller to handler and back.
@Suite struct StreamTests {
    static let watch = MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Watch", shape: .serverStreaming)
    static let upload = MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Upload", shape: .clientStreaming)
    static let chat = MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Chat", shape: .bidirectionalStreaming)

    @Test("server-streaming: the responses come in order, then the end", arguments: WireProtocol.allCases)
    func serverStreaming(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerServerStreaming(Self.watch) { request, responses, _ in
                for number in 0..<1000 { try await responses.write(text("\(request.value)\(number)")) }
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                var received: [String] = []
                for try await response in channel.serverStream(Self.watch, text("n"), options: CallOptions()) {
                    received.append(response.value)
                }
                #expect(received == (0..<1000).map { "n\($0)" })
            }
        }
    }

    @Test("server-streaming: what was sent before an error is read before it", arguments: WireProtocol.allCases)
    func serverStreamingError(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerServerStreaming(Self.watch) { _, responses, _ in
                try await responses.write(text("one"))
                throw RPCError(.outOfRange, "no more")
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                var received: [String] = []
                do throws(RPCError) {
                    for try await response in channel.serverStream(Self.watch, text(""), options: CallOptions()) {
                        received.append(response.value)
                    }
                    Issue.record("the call should have failed")
                } catch {
                    #expect(error.code == .outOfRange)
                }
                #expect(received == ["one"])
            }
        }
    }

    @Test("client-streaming: the requests come in order, the answer after the last", arguments: WireProtocol.allCases)
    func clientStreaming(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerClientStreaming(Self.upload) { requests, _ in
                var all: [String] = []
                for try await request in requests { all.append(request.value) }
                return text(all.joined(separator: ","))
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let stream = channel.clientStream(Self.upload, options: CallOptions())
                for number in 0..<500 { try await stream.write(text("\(number)")) }
                #expect(try await stream.finish().value == (0..<500).map(String.init).joined(separator: ","))
            }
        }
    }

    @Test("bidirectional: ping and pong, then the half-close, then the end", arguments: WireProtocol.allCases)
    func bidirectional(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerBidirectionalStreaming(Self.chat) { requests, responses, _ in
                for try await request in requests { try await responses.write(text("re: \(request.value)")) }
                try await responses.write(text("bye"))
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let stream = channel.bidirectionalStream(Self.chat, options: CallOptions())
                var answers = stream.responses.makeAsyncIterator()
                for number in 0..<100 {
                    try await stream.write(text("\(number)"))
                    #expect(try await answers.next()?.value == "re: \(number)")
                }
                stream.finishWriting()
                #expect(try await answers.next()?.value == "bye")
                #expect(try await answers.next() == nil)
            }
        }
    }

    @Test("a half-close that comes before the call has been sent is sent with it", arguments: WireProtocol.allCases, [true, false])
    func earlyHalfClose(_ wireProtocol: WireProtocol, _ isOnLoop: Bool) async throws {
        let directory = TestDirectory()
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            // There is no server yet: the call and its half-close wait.
            let waiting = channel.clientStream(Self.upload, options: CallOptions(waitForReady: true))
            async let answer: Text = waiting.finish()
            let server = try TestServer(in: directory) { router in
                router.registerClientStreaming(Self.upload) { requests, _ in
                    for try await _ in requests {}
                    return text("empty")
                }
                router.registerBidirectionalStreaming(Self.chat) { requests, _, _ in for try await _ in requests {} }
            }
            #expect(try await answer.value == "empty")
            let count = try await Task(executorPreference: isOnLoop ? channel.executor : nil) {
                let chat = channel.bidirectionalStream(Self.chat, options: CallOptions())
                chat.finishWriting()
                var count = 0
                for try await _ in chat.responses { count += 1 }
                return count
            }.value
            #expect(count == 0)
            await server.server.shutdown(gracePeriod: .zero)
        }
    }

    @Test("a caller that leaves the loop cancels the handler", arguments: WireProtocol.allCases)
    func leavingCancels(_ wireProtocol: WireProtocol) async throws {
        let started = Gate(), cancelled = Gate()
        try await withServer { router in
            router.registerServerStreaming(Self.watch) { request, responses, _ in
                try await responses.write(request)
                try await waitForCancellation(started: started, heard: cancelled)
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                for try await _ in channel.serverStream(Self.watch, text("x"), options: CallOptions()) { break }
                await cancelled.wait()
            }
        }
    }

    @Test("a cancelled caller cancels the handler of a unary call", arguments: WireProtocol.allCases)
    func unaryCancel(_ wireProtocol: WireProtocol) async throws {
        let started = Gate(), cancelled = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started, heard: cancelled)
                return request
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let call = Task { try await channel.unary(TestMethods.wait, text("x"), options: CallOptions()) }
                await started.wait()
                call.cancel()
                await #expect(throws: RPCError.self) { try await call.value }
                await cancelled.wait()
            }
        }
    }

    @Test("ttrpc #229: a reader that is slow keeps the writer waiting, and everything arrives", arguments: WireProtocol.allCases)
    func backPressure(_ wireProtocol: WireProtocol) async throws {
        let written = Counter()
        try await withServer { router in
            router.registerServerStreaming(Self.watch) { _, responses, _ in
                let message = text(String(repeating: "x", count: 10_000))
                for _ in 0..<1000 {
                    try await responses.write(message)
                    written.increment()
                }
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let stream = channel.serverStream(Self.watch, text(""), options: CallOptions())
                var messages = stream.makeAsyncIterator()
                _ = try await messages.next()
                // Other calls on the connection succeed meanwhile, and prove that everything that could be sent was
                // received.
                for _ in 0..<100 { _ = try await channel.unary(TestMethods.echo, text("x"), options: CallOptions()) }
                #expect(written.value < 100, "the writer waits at the window of 256 KiB")
                var count = 1
                while try await messages.next() != nil { count += 1 }
                #expect(count == 1000)
            }
        }
    }
}
