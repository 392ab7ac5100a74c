import Dispatch
import Logging
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
        // A message of 2 KiB has 1,024 fields at most.
        #expect(decodesByCopying(Bytes.descriptor, Array(Self.manyFields.prefix(2_048))))
        #expect(!decodesByCopying(Bytes.descriptor, Array(Self.manyFields.prefix(2_050))))
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

    @Test("only requests that ask for a long answer are handled apart, behind an interceptor too", arguments: [true, false])
    func handledApartWhenLong(isIntercepted: Bool) async throws {
        struct Passing: ServerInterceptor {}
        let executors = Mutex<[String: UnownedTaskExecutor?]>([:])
        try await withServer(loopCount: 1, interceptors: isIntercepted ? [Passing()] : []) { router in
            router.register(TestMethods.echo) { request, _ in
                let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
                executors.withLock { $0[request.value] = .some(executor) }
                return request
            }
            router.handleApart(TestMethods.echo) { $0.value.hasPrefix("long") }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                for text in ["short", "long", "short again", "long again"] {
                    let answer = try await channel.call(TestMethods.echo, text)
                    #expect(answer == text)
                }
            }
        }
        let seen = executors.withLock { $0 }
        // The user's own executor.
        #expect(seen["long"] == seen["long again"])
        #expect(seen["short"] != seen["long"] && seen["short again"] != seen["long"])
    }

    @Test("requests of a size are handled apart and are not answered from memory, whichever was said first", arguments: [true, false])
    func handledApartOfSize(_ isMemoryFirst: Bool) async throws {
        let executors = Mutex<[String: UnownedTaskExecutor?]>([:])
        // With its tag and its length, the text has ten bytes on the wire.
        let sized = "eight by", smaller = "seven b"
        try await withServer(loopCount: 1) { router in
            router.register(TestMethods.echo) { request, _ in
                let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
                executors.withLock { $0[request.value] = .some(executor) }
                return request
            }
            if !isMemoryFirst { router.handleApart(TestMethods.echo, ofAtLeast: 10) }
            router.answerFromMemory(TestMethods.echo) { request, _ in
                ["known", "known too"].contains(request.value) ? PackedMessage(bytes: try Text(value: "remembered").serializedBytes()) : nil
            }
            if isMemoryFirst { router.handleApart(TestMethods.echo, ofAtLeast: 10) }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                for (text, answer) in [sized: sized, smaller: smaller, "known": "remembered", "known too": "known too"] {
                    let received = try await channel.call(TestMethods.echo, text)
                    #expect(received == answer)
                }
            }
        }
        let seen = executors.withLock { $0 }
        // The user's own executor.
        #expect(seen[sized] != nil && seen[sized] == seen["known too"] && seen[smaller] != nil && seen[smaller] != seen[sized])
        #expect(seen["known"] == nil)
    }

    @Test("requests that are handled apart stay so with answers from memory, whichever was said first, and with a synchronous handler",
        arguments: [true, false])
    func handledApartWhenLongAndAtOnce(_ isMemoryFirst: Bool) async throws {
        let threads = Mutex<[String: Bool]>([:])
        let synchronous = TestMethods.text("Synchronous")
        try await withServer(loopCount: 1) { router in
            for method in [TestMethods.echo, synchronous] {
                router.registerSynchronous(method) { request, _ in
                    threads.withLock { $0[request.value] = withUnsafeCurrentTask { $0 == nil } }
                    return request
                }
            }
            router.handleApart(synchronous) { $0.value.hasPrefix("long") }
            if !isMemoryFirst { router.handleApart(TestMethods.echo) { $0.value.hasPrefix("long") } }
            router.answerFromMemory(TestMethods.echo) { request, _ in
                request.value == "long, known" ? PackedMessage(bytes: try Text(value: "remembered").serializedBytes()) : nil
            }
            if isMemoryFirst { router.handleApart(TestMethods.echo) { $0.value.hasPrefix("long") } }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                for (method, name) in [(TestMethods.echo, "echo"), (synchronous, "synchronous")] {
                    for text in ["short \(name)", "long \(name)"] {
                        let answer = try await channel.call(method, text)
                        #expect(answer == text)
                    }
                }
                let known = try await channel.call(TestMethods.echo, "long, known")
                #expect(known == "remembered")
            }
        }
        // A synchronous handler on the loop has no task.
        #expect(threads.withLock { $0 } == ["short echo": true, "long echo": false, "short synchronous": true, "long synchronous": false])
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

    @Test("a large request that cannot be decoded is refused as a small one is", arguments: WireProtocol.allCases)
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

    @Test("a stream's large messages come in order, and one that cannot be decoded ends the call", arguments: WireProtocol.allCases)
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

    // MARK: Turns

    @Test("a large request whose client has gone before its turn is not decoded", arguments: WireProtocol.allCases)
    func gone(_ wireProtocol: WireProtocol) async throws {
        let decoded = NamedText.Log(), calls = WaitingCalls(), turn = BlockedTurn()
        try await withServer(loopCount: 1, observers: [calls]) { router in
            turn.register(&router)
            router.register(NamedText.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let first = Task { try await channel.call(BlockedTurn.method, BlockedTurn.large) }
                await calls.begun.reaches(1)
                let gone = Task { await code { try await channel.unary(NamedText.echo, decoded.large("gone"), options: CallOptions()) } }
                await calls.begun.reaches(2)
                gone.cancel()
                #expect(await gone.value == .cancelled)
                await calls.cancelled.reaches(1)
                turn.release()
                _ = try await first.value
                await calls.ended.reaches(2)
                #expect(decoded.names.isEmpty)
            }
        }
    }

    @Test("the connections of one user take turns with their large requests", arguments: WireProtocol.allCases)
    func turns(_ wireProtocol: WireProtocol) async throws {
        let decoded = NamedText.Log(), calls = WaitingCalls(), turn = BlockedTurn()
        try await withServer(loopCount: 1, observers: [calls]) { router in
            turn.register(&router)
            router.registerSynchronous(NamedText.echo) { _, _ in NamedText() }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { busy in
                try await withChannel(to: server.path, wireProtocol) { other in
                    let first = Task { try await other.call(BlockedTurn.method, BlockedTurn.large) }
                    await calls.begun.reaches(1)
                    var requests: [Task<StatusCode?, Never>] = []
                    for (channel, name) in [(busy, "a1"), (busy, "a2"), (busy, "a3"), (other, "b1"), (other, "b2")] {
                        requests.append(Task {
                            await code { try await channel.unary(NamedText.echo, decoded.large(name), options: CallOptions()) }
                        })
                        await calls.begun.reaches(requests.count + 1)
                    }
                    // The loop has the last of them in its line when it answers another call.
                    _ = try await other.call(TestMethods.echo, "x")
                    turn.release()
                    _ = try await first.value
                    for request in requests { #expect(await request.value == nil) }
                    #expect(decoded.names == ["a1", "b1", "a2", "b2", "a3"])
                }
            }
        }
    }

    @Test("a small request that is handled apart does not wait behind the user's large ones", arguments: WireProtocol.allCases)
    func smallOnes(_ wireProtocol: WireProtocol) async throws {
        let calls = WaitingCalls(), turn = BlockedTurn()
        try await withServer(loopCount: 1, observers: [calls]) { router in
            turn.register(&router)
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.handleApart(TestMethods.echo)
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let first = Task { try await channel.call(BlockedTurn.method, BlockedTurn.large) }
                await calls.begun.reaches(1)
                let answer = try await channel.call(TestMethods.echo, "small")
                #expect(answer == "small")
                turn.release()
                _ = try await first.value
            }
        }
    }

    @Test("a large message of a stream waits for the turn of the user's large requests", arguments: WireProtocol.allCases)
    func messagesOfStreams(_ wireProtocol: WireProtocol) async throws {
        let decoded = NamedText.Log(), calls = WaitingCalls(), turn = BlockedTurn(), small = Counter()
        try await withServer(loopCount: 1, observers: [calls]) { router in
            turn.register(&router)
            router.registerClientStreaming(NamedText.upload) { requests, _ in
                for try await _ in requests { small.increment() }
                return NamedText()
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let first = Task { try await channel.call(BlockedTurn.method, BlockedTurn.large) }
                await calls.begun.reaches(1)
                let stream = channel.clientStream(NamedText.upload, options: CallOptions())
                try await stream.write(NamedText())
                await small.reaches(1)
                try await stream.write(decoded.large("large"))
                // Time for a decoder that does not wait.
                for _ in 0..<200 { _ = try await channel.call(TestMethods.echo, "x") }
                #expect(decoded.names.isEmpty)
                turn.release()
                _ = try await first.value
                await small.reaches(2)
                #expect(decoded.names == ["large"])
                _ = try await stream.finish()
            }
        }
    }

    /// Waits, and refuses every call.
    private struct Refusing: ContextInterceptor {
        func prepare(_ context: inout CallContext) throws -> Bool { false }
        func prepareWaiting(_ context: inout CallContext) async throws { throw RPCError(.unauthenticated, "nobody") }
    }

    @Test("a large request that an interceptor refuses is not decoded, even if the interceptor had to wait", arguments: WireProtocol.allCases)
    func refused(_ wireProtocol: WireProtocol) async throws {
        let decoded = NamedText.Log()
        try await withServer(interceptors: [Refusing()]) { router in
            router.register(NamedText.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let refusal = await code { try await channel.unary(NamedText.echo, decoded.large("refused"), options: CallOptions()) }
                #expect(refusal == .unauthenticated && decoded.names.isEmpty)
            }
        }
    }
}

/// A text that begins with the number of a log and a name, and notes in the log that it is decoded.
private struct NamedText: Message {
    static let echo = MethodDescriptor<NamedText, NamedText>(service: TestMethods.service, method: "Named", shape: .unary)
    static let upload = MethodDescriptor<NamedText, NamedText>(service: TestMethods.service, method: "NamedUpload", shape: .clientStreaming)
    private static let decoded = SharedValue<[(log: Int, name: String)]>([])
    private static let logCount = Atomic(0)

    /// The texts of one test.
    struct Log {
        let number = NamedText.logCount.add(1, ordering: .relaxed).newValue

        /// A text that takes long to decode.
        func large(_ name: String) -> NamedText {
            var text = NamedText()
            text.text.value = "\(number) \(name) " + String(repeating: "x", count: 100_000)
            return text
        }

        /// The names of the texts that were decoded on the server, in order.
        var names: [String] { NamedText.decoded.value.filter { $0.log == number }.map(\.name) }
    }

    private var text = Text()

    static var descriptor: MessageDescriptor { Text.descriptor }

    var unknownFields: UnknownFields {
        get { text.unknownFields }
        set { text.unknownFields = newValue }
    }

    init() {}

    init(unpacked: UnpackedStruct) {
        text = Text(unpacked: unpacked)
        let words = text.value.prefix(20).split(separator: " ")
        guard words.count > 2, let log = Int(words[0]) else { return }
        Self.decoded.change { $0.append((log, String(words[1]))) }
    }

    func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) { try text.fill(blank, with: &encoder) }
}

/// A call that blocks the thread of its user's large requests.
private final class BlockedTurn: Sendable {
    static let method = TestMethods.text("Blocked")
    /// A request that is not small: one of less than 4 KiB would block another turn of the user.
    static let large = String(repeating: "x", count: 8 << 10)
    private let released = DispatchSemaphore(value: 0)

    func register(_ router: inout Router) {
        router.registerSynchronous(Self.method) { request, _ in
            self.released.wait()
            return request
        }
        router.handleApart(Self.method)
    }

    func release() { released.signal() }
}

/// Counts the calls whose handlers wait, or wait for their turn.
private final class WaitingCalls: CallObserver, MethodObserver {
    let begun = Counter(), ended = Counter(), cancelled = Counter()

    func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? { self }
    func handlerWaits(onLoop loop: Int) { begun.increment() }
    func waitingHandlerEnded(onLoop loop: Int) { ended.increment() }

    func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) {
        for index in calls.indices where calls[index].code == .cancelled { cancelled.increment() }
    }
}
