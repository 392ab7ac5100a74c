import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import TestHarness
import Testing

/// A call that reaches a limit is told which one, and whether it may try again.
@Suite struct LimitReasonTests {
    /// What the details of an error say: the name of the limit, and the seconds of `RetryInfo`.
    private struct Told: Equatable {
        var reason: String?
        var domain: String?
        var retrySeconds: Int64?

        static func passing(_ reason: String) -> Told { Told(reason: reason, domain: "rpc", retrySeconds: 1) }
        static func lasting(_ reason: String) -> Told { Told(reason: reason, domain: "rpc", retrySeconds: nil) }
    }

    private func told(_ call: () async throws -> some Any) async throws -> Told {
        let failure = await #expect(throws: RPCError.self) { _ = try await call() }
        let error = try #require(failure)
        #expect(error.code == .resourceExhausted, "\(error)")
        var told = Told()
        for detail in error.details {
            switch detail.typeURL {
            case "type.googleapis.com/google.rpc.ErrorInfo":
                let info = try Google_Rpc_ErrorInfo(serializedBytes: detail.value)
                told.reason = info.reason
                told.domain = info.domain
            case "type.googleapis.com/google.rpc.RetryInfo":
                told.retrySeconds = try Google_Rpc_RetryInfo(serializedBytes: detail.value).retryDelay?.seconds
            default: Issue.record("unexpected \(detail.typeURL)")
            }
        }
        return told
    }

    @Test("limits of sizes are named, and nothing advises to try again", arguments: WireProtocol.allCases)
    func sizes(_ wireProtocol: WireProtocol) async throws {
        var limits = ServerLimits()
        limits.maximumMessageByteCount = 4000
        let grow = MethodDescriptor<Text, Bytes>(service: TestMethods.service, method: "Grow", shape: .unary)
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echoBytes) { request, _ in request }
            router.registerSynchronous(grow) { request, _ in bytes(Int(request.value) ?? 0) }
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                try await responses.write(text(String(repeating: "x", count: 5000)))
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let request = try await told { try await channel.unary(TestMethods.echoBytes, bytes(4001), options: CallOptions()) }
                #expect(request == .lasting("MESSAGE_SIZE"))
                let answer = try await told { try await channel.unary(grow, text("5000"), options: CallOptions()) }
                #expect(answer == .lasting("MESSAGE_SIZE"))
                let streamed = try await told {
                    for try await _ in channel.serverStream(StreamTests.watch, text(""), options: CallOptions()) {}
                }
                #expect(streamed == .lasting("MESSAGE_SIZE"))
                var metadata = Metadata()
                for index in 0..<130 { metadata.append("x", for: "key\(index)") }
                let pairs = try await told {
                    try await channel.unary(TestMethods.echoBytes, bytes(1), options: CallOptions(metadata: metadata))
                }
                #expect(pairs == .lasting("METADATA_SIZE"))
                guard wireProtocol == .grpc else { return }
                let packed = try await told {
                    try await channel.unary(TestMethods.echoBytes, bytes(5000), options: CallOptions(requestCompression: RequestCompression()))
                }
                #expect(packed == .lasting("MESSAGE_SIZE"))
            }
        }
    }

    @Test("a limit of running handlers is named, and may be tried again after a second", arguments: WireProtocol.allCases)
    func handlers(_ wireProtocol: WireProtocol) async throws {
        let started = Counter(), release = Gate()
        try await withServer(observers: [ConcurrencyLimit(limit: 1)]) { router in
            router.registerWait(until: release, started)
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                async let first = channel.call(TestMethods.wait, "x")
                await started.reaches(1)
                #expect(try await told { try await channel.call(TestMethods.wait, "y") } == .passing("HANDLERS"))
                release.open()
                _ = try await first
            }
        }
    }

    @Test("requests of a stream that its handler does not read reach a named limit, and may be tried again after a second")
    func queue() async throws {
        var limits = ServerLimits()
        limits.maximumQueuedByteCountPerStream = 10_000
        let release = Gate()
        try await withServer(limits: limits) { router in
            router.registerClientStreaming(StreamTests.upload) { _, _ in
                await release.wait()
                return text("")
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.open(1, "Upload").bytes)
            for _ in 0..<3 { await peer.send(RawFrame.data(1, String(repeating: "x", count: 4_000)).bytes) }
            let answer = try #require(await peer.readFrame())
            #expect(answer.statusCode == 8)
            #expect(answer.text.contains("STREAM_QUEUE") && answer.text.contains("google.rpc.RetryInfo"))
            #expect(server.server.refusals.map(\.limit) == [.queuedPerStream])
            release.open()
        }
    }

    @Test("a call whose message arrives in part ends when the incomplete messages of its connection take too much, and is counted")
    func unfinished() async throws {
        var limits = ServerLimits()
        limits.maximumQueuedByteCountPerConnection = 10_000
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echoBytes) { request, _ in request }
        } _: { server in
            let peer = try RawPeer(server.path)
            let part = [0] + [0, 0, 0x4E, 0x20] as [UInt8] + [UInt8](repeating: 0x0A, count: 12_000)
            await peer.send(RawHTTP2.preface + RawHTTP2.open(1, "/test.v1.TestService/EchoBytes") + RawHTTP2.data(1, part))
            #expect(await peer.readHTTP2End() == .answer(1))
            #expect(server.server.refusals.map(\.limit) == [.queuedPerConnection])
        }
    }

    @Test("a connection with more than 64 MiB of unread answers is closed, and is counted")
    func tooMuchOutput() async throws {
        var limits = ServerLimits()
        limits.maximumUnreadByteCount = 1 << 30
        limits.maximumHeldByteCountPerUser = 1 << 30
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.register(TestMethods.wait) { _, _ in
                started.increment()
                await release.wait()
                return text(String(repeating: "x", count: 4_000_000))
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send((0..<20).flatMap { RawFrame.request(UInt32(2 * $0 + 1), "Wait").bytes })
            await started.reaches(20)
            release.open()
            while server.server.connectionCount > 0 { await Task.yield() }
            #expect(server.server.refusals.map(\.limit) == [.unreadPerConnection])
        }
    }
}
