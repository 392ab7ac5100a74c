import Glibc
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

@testable import RPCClient

/// What a channel does for its callers: it finds a server, spreads calls, leaves a draining server, and keeps deadlines.
@Suite struct ChannelUpkeepTests {
    @Test(
        "a call that waits for a server to be there is answered by one that starts later; its deadline still ends it",
        arguments: WireProtocol.allCases)
    func waitForReady(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            #expect(await code { try await channel.call(TestMethods.echo, "x") } == .unavailable)
            let impatient = CallOptions(timeout: .milliseconds(20), waitForReady: true)
            #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: impatient) } == .deadlineExceeded)
            let patient = CallOptions(waitForReady: true)
            async let answer = channel.unary(TestMethods.echo, text("x"), options: patient)
            let chat = channel.bidirectionalStream(StreamTests.chat, options: patient)
            let writing = Task {
                try await chat.write(text("y"))
                chat.finishWriting()
            }
            // Meanwhile a call that does not wait fails, because there is no server.
            #expect(await code { try await channel.call(TestMethods.echo, "x") } == .unavailable)
            let server = try TestServer(in: directory) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
                router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                    for try await request in requests { try await responses.write(request) }
                }
            }
            #expect(try await answer.value == "x")
            try await writing.value
            var answers: [String] = []
            for try await response in chat.responses { answers.append(response.value) }
            #expect(answers == ["y"])
            await server.server.shutdown(gracePeriod: .zero)
        }
    }

    @Test("a call does not wait for a server that nothing can make ready", arguments: WireProtocol.allCases)
    func neverReady(_ wireProtocol: WireProtocol) async throws {
        let server = try TestServer { _ in }
        var untrusted = channelConfiguration(server.path, wireProtocol)
        untrusted.trustedServerUIDs = [geteuid() + 1]
        let socket = InProcessSocket()
        socket.close()
        var closed = Channel.Configuration(target: .inProcess(socket))
        closed.wireProtocol = wireProtocol
        let tooLong = channelConfiguration("/tmp/" + String(repeating: "x", count: 200), wireProtocol)
        // A call that waits would end with DEADLINE_EXCEEDED.
        let options = CallOptions(timeout: .seconds(60), waitForReady: true)
        for configuration in [untrusted, closed, tooLong] {
            try await withChannel(configuration) { channel in
                #expect(await code { try await channel.unary(TestMethods.echo, text("x"), options: options) } == .unavailable)
                let stream = channel.serverStream(StreamTests.watch, text("x"), options: options)
                #expect(await code { for try await _ in stream {} } == .unavailable)
            }
        }
        await server.server.shutdown(gracePeriod: .zero)
    }

    @Test("one answer over gRPC is never too large for the connection if it is within the channel's limit of a message")
    func heldAnswers() {
        var configuration = channelConfiguration("/", .grpc)
        #expect(configuration.sessionLimits.maximumUnfinishedByteCount == 64 << 20)
        configuration.maximumMessageByteCount = 256 << 20
        #expect(configuration.sessionLimits.maximumMessageByteCount == 256 << 20)
        #expect(configuration.sessionLimits.maximumUnfinishedByteCount == 256 << 20)
    }

    @Test("a channel that is closed ends the calls that wait for their next attempt, and makes none again", arguments: WireProtocol.allCases)
    func closedInPause(_ wireProtocol: WireProtocol) async throws {
        let calls = Counter(), pausing = Counter()
        try await withServer { router in
            router.register(TestMethods.echo) { _, _ in
                calls.increment()
                throw RPCError(.unavailable, "not now")
            }
            router.registerServerStreaming(StreamTests.watch) { _, _, _ in
                calls.increment()
                throw RPCError(.unavailable, "not now")
            }
        } _: { server in
            var configuration = channelConfiguration(server.path, wireProtocol)
            configuration.attemptTiming = AttemptTiming(pause: { _ in
                pausing.increment()
                try? await waitForCancellation()
            })
            let channel = try Channel(configuration)
            let retried = CallOptions(executionPolicy: .retry(RetryPolicy(maximumAttempts: 5, retryableStatusCodes: [.unavailable])))
            let unary = Task {
                await #expect(throws: RPCError.channelClosed) { try await channel.unary(TestMethods.echo, text("x"), options: retried) }
            }
            let stream = channel.serverStream(StreamTests.watch, text("x"), options: retried)
            let reading = Task { await #expect(throws: RPCError.channelClosed) { for try await _ in stream {} } }
            await until { pausing.value == 2 }
            await channel.close()
            _ = await unary.value
            _ = await reading.value
            #expect(calls.value == 2)
        }
    }

    @Test("the error of a stream that was made again is final: whoever reads on gets it again, and no call is made")
    func finalFailure() async throws {
        let calls = Counter()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { _, _, _ in
                calls.increment()
                throw RPCError(.unavailable, "not now")
            }
        } _: { server in
            var configuration = channelConfiguration(server.path, .grpc)
            configuration.retryThrottling = RetryThrottling(maximumTokens: 8, tokenRatio: 1)
            configuration.attemptTiming = AttemptTiming(pause: { _ in })
            try await withChannel(configuration) { channel in
                let options = CallOptions(executionPolicy: .retry(RetryPolicy(maximumAttempts: 2, retryableStatusCodes: [.unavailable])))
                let stream = channel.serverStream(StreamTests.watch, text("x"), options: options)
                for _ in 0..<20 { #expect(await code { for try await _ in stream {} } == .unavailable) }
                #expect(calls.value == 2)
                // The reader has taken no tokens: 6 are left of 8, and a call is made again.
                #expect(await code { for try await _ in channel.serverStream(StreamTests.watch, text("x"), options: options) {} } == .unavailable)
                #expect(calls.value == 4)
            }
        }
    }

    @Test("a channel of several connections spreads its calls over them in turn")
    func severalConnections() async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        var configuration = Channel.Configuration(socketPath: directory.socketPath)
        configuration.connectionCount = 3
        let channel = try Channel(configuration)
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 { group.addTask { try await channel.call(TestMethods.echo, "x") } }
            for index in 0..<3 {
                let peer = try await server.accept()
                for id: UInt32 in [1, 3] {
                    #expect(await peer.readFrame()?.streamID == id, "each connection has two of the six calls")
                    await peer.send(RawFrame.response(id, "\(index)").bytes)
                }
                // Kept until the answers have been read.
                group.addTask {
                    while await peer.readFrame() != nil {}
                    return "\(index)"
                }
            }
            var answers: [String] = []
            for try await answer in group {
                answers.append(answer)
                if answers.count == 6 { await channel.close() }
            }
            #expect(answers.sorted() == ["0", "0", "0", "1", "1", "1", "2", "2", "2"])
        }
    }

    @Test("a call made while another is being answered never outlives that one, whatever it asks for", arguments: WireProtocol.allCases)
    func deadlineIsHandedOn(_ wireProtocol: WireProtocol) async throws {
        let left = SharedValue<[Int64]>([])
        try await withServer { router in
            router.register(TestMethods.echo) { request, context in
                left.change { $0.append(context.deadline == .never ? .max : context.deadline.nanoseconds - MonotonicClock.now()) }
                return request
            }
        } _: { back in
            try await withChannel(to: back.path, wireProtocol) { toBack in
                try await withServer { router in
                    router.register(TestMethods.wait) { request, _ in
                        _ = try await toBack.unary(TestMethods.echo, request, options: CallOptions())
                        _ = try await toBack.unary(TestMethods.echo, request, options: CallOptions(timeout: .seconds(3600)))
                        return try await toBack.unary(TestMethods.echo, request, options: CallOptions(timeout: .seconds(50)))
                    }
                } _: { front in
                    try await withChannel(to: front.path, wireProtocol) { channel in
                        _ = try await channel.call(TestMethods.wait, "x", timeout: .seconds(100))
                        _ = try await channel.call(TestMethods.wait, "x")
                    }
                }
            }
        }
        let seconds = left.value.map { $0 == .max ? Int64.max : $0 / 1_000_000_000 }
        #expect(seconds.count == 6)
        #expect(seconds[0] <= 100 && seconds[1] <= 100 && seconds[2] <= 50)
        #expect(seconds[3] == .max && seconds[4] > 100 && seconds[4] <= 3600 && seconds[5] <= 50)
    }

    @Test(
        "a channel leaves a server that drains: new calls find the next server, the stream that is open ends where it began",
        arguments: WireProtocol.allCases)
    func drain(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory(), release = Gate()
        func start(_ name: String) throws -> TestServer {
            try TestServer(in: directory) { router in
                router.registerSynchronous(TestMethods.echo) { _, _ in text(name) }
                router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                    try await responses.write(text(name))
                    await release.wait()
                    try await responses.write(text(name))
                }
            }
        }
        let old = try start("old")
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            var messages = channel.serverStream(StreamTests.watch, text(""), options: CallOptions()).makeAsyncIterator()
            #expect(try await messages.next()?.value == "old")
            async let shutdown: Void = old.server.shutdown(gracePeriod: .seconds(1 << 40))
            // Calls are answered until the notice has come. Then there is no server.
            var failure: StatusCode?
            while failure == nil { failure = await code { try await channel.call(TestMethods.echo, "x") } }
            #expect(failure == .unavailable)
            let new = try start("new")
            #expect(try await channel.call(TestMethods.echo, "x") == "new")
            release.open()
            #expect(try await messages.next()?.value == "old")
            #expect(try await messages.next() == nil)
            // The shutdown ends because the client closes the connection with its last call.
            await shutdown
            #expect(try await channel.call(TestMethods.echo, "x") == "new")
            await new.server.shutdown(gracePeriod: .zero)
        }
    }

    @Test("the waits between attempts to connect grow to a second, spread around their mean, and begin again after a success")
    func backoff() {
        struct Numbers: RandomNumberGenerator {
            var state: UInt64 = 42
            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state ^ state >> 29
            }
        }
        var random = Numbers()
        var backoff = Backoff()
        var mean = Double(Backoff.first)
        var waits: [Int64] = []
        for _ in 0..<40 {
            let wait = backoff.next(using: &random)
            #expect(Double(wait) >= mean * (1 - Backoff.jitter) - 1 && Double(wait) <= mean * (1 + Backoff.jitter) + 1)
            waits.append(wait)
            mean = min(mean * Backoff.growth, Double(Backoff.longest))
        }
        #expect(mean == Double(Backoff.longest))
        #expect(Set(waits.suffix(20)).count == 20, "no two clients stay in step")
        backoff.reset()
        #expect(backoff.next(using: &random) <= Int64(Double(Backoff.first) * (1 + Backoff.jitter)))
    }
}
