import Glibc
import RPCClient
import RPCCore
import RPCServer
import RPCTesting
import SocketTransport
import TestHarness
import Testing

/// A server and its channel connected without a path, and their lifetimes.
@Suite struct InProcessTests {
    /// A hand-written service, in the form of a generated one.
    private struct Echo: RPCService {
        func register(on router: inout Router) {
            router.register(TestMethods.echo) { request, context in
                context.responseMetadata?.initial.append("here", for: "x-served")
                return request
            }
            ShapeMethods.register(in: &router) { request, _ in request }
        }
    }

    private struct PeerOfCall: RPCService {
        func register(on router: inout Router) {
            router.register(TestMethods.echo) { _, context in text("\(context.origin.credentials?.pid ?? 0)") }
        }
    }

    @Test("all shapes are served without a path", arguments: WireProtocol.allCases)
    func shapes(_ wireProtocol: WireProtocol) async throws {
        try await withInProcessServer(services: [Echo()], wireProtocol: wireProtocol) { channel in
            for shape in [CallShape.unary, .clientStreaming, .serverStreaming, .bidirectionalStreaming] {
                let answer = try await channel.call(shape, "hello")
                #expect(answer == "hello", "\(shape)")
            }
        }
    }

    @Test("the peer of a call is this process")
    func peer() async throws {
        try await withInProcessServer(services: [PeerOfCall()]) { channel in
            let pid = try await channel.call(TestMethods.echo, "")
            #expect(pid == "\(getpid())")
        }
    }

    @Test("what a server has said under a key goes back to it with the calls after, unless they say something else", arguments: WireProtocol.allCases)
    func echoedMetadata(_ wireProtocol: WireProtocol) async throws {
        struct Counter: RPCService {
            let heard: SharedValue<[String]>
            func register(on router: inout Router) {
                router.register(TestMethods.echo) { request, context in
                    heard.change { $0.append(context.metadata.values(for: "x-place").joined(separator: "+")) }
                    if request.value != "silent" { context.responseMetadata?.initial.append(request.value, for: "x-place") }
                    return request
                }
            }
        }
        let heard = SharedValue<[String]>([])
        try await withInProcessServer(services: [Counter(heard: heard)], wireProtocol: wireProtocol) { channel in
            let echoed = EchoedMetadata("x-place")
            let calls = channel.intercepted(by: [echoed])
            for word in ["one", "silent", "two"] { _ = try await calls.unary(TestMethods.echo, text(word), options: CallOptions()) }
            _ = try await calls.unary(TestMethods.echo, text("silent"), options: CallOptions(metadata: ["x-place": "own"]))
            let response = try await calls.response(from: TestMethods.echo, to: text("three"))
            // ttrpc has no response metadata.
            #expect(response.metadata["x-place"] == (wireProtocol == .grpc ? "three" : nil))
            #expect(echoed.value == (wireProtocol == .grpc ? "three" : nil))
        }
        #expect(heard.value == (wireProtocol == .grpc ? ["", "one", "one", "own", "two"] : ["", "", "", "own", ""]))
    }

    @Test("metadata comes with the answer, of streams too")
    func metadata() async throws {
        try await withInProcessServer(services: [Echo()], wireProtocol: .grpc) { channel in
            let response = try await channel.response(from: TestMethods.echo, to: text("x"))
            #expect(response.message.value == "x")
            #expect(response.metadata["x-served"] == "here")
        }
        let gate = Gate()
        try await withInProcessServer(services: [Counting(gate: gate)], wireProtocol: .grpc) { channel in
            let stream = channel.serverStream(StreamTests.watch, text("x"), options: CallOptions())
            for try await _ in stream {
                #expect(stream.metadata["x-first"] == "1")
                #expect(stream.trailingMetadata.count == 0)
                gate.open()
            }
            #expect(stream.trailingMetadata["x-last"] == "2")
        }
    }

    private struct Counting: RPCService {
        /// The handler ends when it is open.
        let gate: Gate

        func register(on router: inout Router) {
            router.registerServerStreaming(StreamTests.watch) { request, responses, context in
                context.responseMetadata?.initial.append("1", for: "x-first")
                try await responses.write(request)
                await gate.wait()
                context.responseMetadata?.trailing.append("2", for: "x-last")
            }
        }
    }

    @Test("a call made before the server starts waits for it; one after its shutdown is UNAVAILABLE")
    func beforeAndAfter() async throws {
        let socket = InProcessSocket()
        let channel = try Channel(Channel.Configuration(target: .inProcess(socket)))
        let early = Task.immediate { try await channel.call(TestMethods.echo, "early") }
        let server = try Server(services: [Echo()], logger: silentLogger)
        server.start(on: socket)
        #expect(try await early.value == "early")
        await server.shutdown(gracePeriod: .zero)
        #expect(await code { try await channel.call(TestMethods.echo, "late") } == .unavailable)
        await channel.close()
    }

    @Test("a socket that nobody has served closes on those that wait, when it goes")
    func unserved() async throws {
        let call: Task<StatusCode?, Never>
        let channel: Channel
        do {
            let socket = InProcessSocket()
            channel = try Channel(Channel.Configuration(target: .inProcess(socket)))
            call = Task.immediate { await code { try await channel.call(TestMethods.echo, "") } }
            socket.close()
        }
        #expect(await call.value == .unavailable)
        await channel.close()
    }

    @Test("a server of services serves at a path while a block runs")
    func whileBlockRuns() async throws {
        let directory = TestDirectory()
        try await withServer(services: [Echo()], logger: silentLogger, socketPath: directory.socketPath) { _ in
            try await withChannel(socketPath: directory.socketPath) { channel in
                let answer = try await channel.call(TestMethods.echo, "x")
                #expect(answer == "x")
            }
        }
        #expect(access(directory.socketPath, F_OK) != 0)
    }
}

/// The lifetime of a channel.
@Suite struct ChannelLifetimeTests {
    @Test("a channel that nobody holds closes its connections", arguments: WireProtocol.allCases)
    func dropped(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        let server = try RawServer(directory.socketPath)
        let peer: RawPeer
        do {
            let channel = try Channel(channelConfiguration(directory.socketPath, wireProtocol))
            let call = Task.immediate { await code { try await channel.call(TestMethods.echo, "") } }
            peer = try await server.accept()
            call.cancel()
            #expect(await call.value == .cancelled)
        }
        // First the bytes of the call, then the end.
        while await !peer.read(1).isEmpty {}
    }

    @Test("a stream holds its channel, and lets go of it when it has been read", arguments: WireProtocol.allCases)
    func stream(_ wireProtocol: WireProtocol) async throws {
        let release = Gate()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                try await responses.write(request)
                await release.wait()
                try await responses.write(request)
            }
        } _: { server in
            weak var channel: Channel?
            var values: [String] = []
            do {
                let stream: ServerStream<Text>
                do {
                    let made = try Channel(channelConfiguration(server.path, wireProtocol))
                    channel = made
                    stream = made.serverStream(StreamTests.watch, text("on"), options: CallOptions())
                }
                #expect(channel != nil)
                for try await response in stream {
                    values.append(response.value)
                    release.open()
                }
            }
            #expect(values == ["on", "on"])
            #expect(channel == nil)
        }
    }

    @Test("a channel is closed at the end of its block, whatever comes of it")
    func block() async throws {
        struct Stop: Error {}
        let kept = SharedValue<Channel?>(nil)
        await #expect(throws: Stop.self) {
            try await withInProcessServer(services: []) { channel in
                kept.set(channel)
                throw Stop()
            }
        }
        let channel = try #require(kept.value)
        let error = await #expect(throws: RPCError.self) { try await channel.call(TestMethods.echo, "") }
        #expect(error == .channelIsClosed)
    }
}

extension RPCError {
    fileprivate static let channelIsClosed = RPCError(.unavailable, "the channel is closed")
}
