import ProtobufC
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing

/// Requests that take long to decode do not block an event loop.
@Suite struct LargeRequestTests {
    private static let large = String(repeating: "가", count: 100_000)
    /// 40,000 unknown fields of two bytes each.
    private static let manyFields = [UInt8](repeating: 0, count: 80_000).indices.map { $0 % 2 == 0 ? UInt8(15 << 3) : 1 }

    @Test("bytes decode by copying; a large text, and many fields, take longer")
    func cost() throws {
        func decodesByCopying(_ descriptor: MessageDescriptor, _ bytes: [UInt8]) -> Bool { descriptor.decodesByCopying(bytes.span.bytes) }
        #expect(decodesByCopying(Text.descriptor, try Text(value: String(repeating: "x", count: 1000)).serializedBytes()))
        #expect(!decodesByCopying(Text.descriptor, try Text(value: Self.large).serializedBytes()))
        let copied = try Bytes(value: [UInt8](repeating: 7, count: 4 << 20)).serializedBytes()
        #expect(decodesByCopying(Bytes.descriptor, copied))
        #expect(!decodesByCopying(Bytes.descriptor, Self.manyFields))
        #expect(!decodesByCopying(Bytes.descriptor, copied + Self.manyFields))
    }

    @Test("a request that takes long to decode is handled off the loop, whatever the handler; others on it", arguments: WireProtocol.allCases)
    func handledElsewhere(_ wireProtocol: WireProtocol) async throws {
        let executors = Mutex<[String: UnownedTaskExecutor?]>([:])
        @Sendable func note(_ method: String, _ request: Text) {
            let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
            executors.withLock { $0["\(method) \(request.value.utf8.count > 1000 ? "large" : "small")"] = .some(executor) }
        }
        let waiting = TestMethods.text("Waiting")
        try await withServer(loopCount: 1) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in
                note("synchronous", request)
                return request
            }
            router.register(waiting) { request, _ in
                note("asynchronous", request)
                return request
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                for method in [TestMethods.echo, waiting] {
                    let small = try await channel.call(method, "small"), large = try await channel.call(method, Self.large)
                    #expect(small == "small" && large == Self.large)
                }
            }
        }
        let seen = executors.withLock { $0 }
        // These have no task at all, and the loop's executor.
        #expect(seen["synchronous small"] == .some(nil))
        let loop = try #require(seen["asynchronous small"] ?? nil)
        // The user's own executor.
        let own = try #require(seen["synchronous large"] ?? nil)
        #expect(own != loop)
        #expect(seen["asynchronous large"] == .some(own))
    }

    @Test("a method that is handled apart runs off the loop, whatever its request", arguments: WireProtocol.allCases)
    func handledApart(_ wireProtocol: WireProtocol) async throws {
        let executors = Mutex<[String: UnownedTaskExecutor?]>([:])
        let waiting = TestMethods.text("Waiting"), other = TestMethods.text("Other")
        try await withServer(loopCount: 1) { router in
            for method in [TestMethods.echo, waiting, other] {
                router.register(method) { request, _ in
                    let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
                    executors.withLock { $0[method.path] = .some(executor) }
                    return request
                }
            }
            router.registerSynchronous(TestMethods.text("Synchronous")) { request, _ in
                let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
                executors.withLock { $0["synchronous"] = .some(executor) }
                return request
            }
            router.handleApart(waiting)
            router.handleApart(other)
            router.handleApart(TestMethods.text("Synchronous"))
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                for method in [TestMethods.echo, waiting, other, TestMethods.text("Synchronous")] {
                    let small = try await channel.call(method, "small"), large = try await channel.call(method, Self.large)
                    #expect(small == "small" && large == Self.large)
                    let last = try await channel.call(method, "small")
                    #expect(last == "small")
                }
            }
        }
        let seen = executors.withLock { $0 }
        let loop = try #require(seen[TestMethods.echo.path] ?? nil)
        let own = try #require(seen[waiting.path] ?? nil)
        #expect(own != loop && seen[other.path] == .some(own) && seen["synchronous"] == .some(own))
    }

    @Test("a method that is handled apart is answered from memory first, whichever was said first", arguments: [true, false])
    func answeredFromMemory(_ isMemoryFirst: Bool) async throws {
        let executors = Mutex<[String: UnownedTaskExecutor?]>([:])
        let waiting = TestMethods.text("Waiting")
        try await withServer(loopCount: 1) { router in
            for method in [TestMethods.echo, waiting] {
                router.register(method) { request, _ in
                    let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
                    executors.withLock { $0[method.path] = .some(executor) }
                    return request
                }
            }
            if !isMemoryFirst { router.handleApart(waiting) }
            router.answerFromMemory(waiting) { request, _ in
                request.value == "known" ? PackedMessage(bytes: try Text(value: "remembered").serializedBytes()) : nil
            }
            if isMemoryFirst { router.handleApart(waiting) }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                let known = try await channel.call(waiting, "known")
                #expect(known == "remembered")
                #expect(executors.withLock { $0.isEmpty })
                for method in [TestMethods.echo, waiting] {
                    let answer = try await channel.call(method, "new")
                    #expect(answer == "new")
                }
            }
        }
        let seen = executors.withLock { $0 }
        let loop = try #require(seen[TestMethods.echo.path] ?? nil), own = try #require(seen[waiting.path] ?? nil)
        #expect(own != loop)
    }

    @Test("a large request that is none is refused as a small one is", arguments: WireProtocol.allCases)
    func malformed(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let bad = MethodDescriptor<Bytes, Text>(service: TestMethods.service, method: "Echo", shape: .unary)
                let request = Bytes(value: [UInt8](repeating: 0xFF, count: 100_000))
                await #expect { try await channel.unary(bad, request, options: CallOptions()) } throws: {
                    ($0 as? RPCError)?.code == .invalidArgument
                }
                let answer = try await channel.call(TestMethods.echo, "still here")
                #expect(answer == "still here")
            }
        }
    }

    @Test("a stream's large messages come in order, and one that is none ends the call", arguments: WireProtocol.allCases)
    func streams(_ wireProtocol: WireProtocol) async throws {
        let join = MethodDescriptor<Text, Text>(service: TestMethods.service, method: "Join", shape: .clientStreaming)
        let texts = [Self.large, "small", Self.large + "!"]
        try await withServer { router in
            router.registerClientStreaming(join) { requests, _ in
                var counts: [Int] = []
                for try await request in requests { counts.append(request.value.utf8.count) }
                return Text(value: "\(counts)")
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let stream = channel.clientStream(join, options: CallOptions())
                for text in texts { try await stream.write(Text(value: text)) }
                let counts = try await stream.finish().value
                #expect(counts == "\(texts.map(\.utf8.count))")

                let bad = MethodDescriptor<Bytes, Text>(service: TestMethods.service, method: "Join", shape: .clientStreaming)
                let broken = channel.clientStream(bad, options: CallOptions())
                try await broken.write(Bytes(value: [UInt8](repeating: 0xFF, count: 100_000)))
                await #expect { try await broken.finish() } throws: { ($0 as? RPCError)?.code == .invalidArgument }
            }
        }
    }
}
