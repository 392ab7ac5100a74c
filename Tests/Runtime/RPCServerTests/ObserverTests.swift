import Logging
import ProtobufC
import RPCClient
import RPCCore
import RPCServer
import Synchronization
import TestHarness
import Testing

/// Observers of a server's calls.
@Suite struct ObserverTests {
    /// Records each end, and lets a test wait for it.
    private final class Recorder: CallObserver {
        let ends = SharedValue<[String]>([])
        let count = Counter()
        let origins = SharedValue<Set<CallOrigin>>([])

        func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? { MethodRecorder(method.method, self) }

        private final class MethodRecorder: MethodObserver {
            let method: String
            let recorder: Recorder

            init(_ method: String, _ recorder: Recorder) {
                self.method = method
                self.recorder = recorder
            }

            func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) {
                recorder.origins.change { $0.insert(origin) }
                for index in calls.indices {
                    let call = calls[index]
                    #expect(call.nanoseconds >= 0 && call.duration < .seconds(3600))
                    recorder.ends.change { $0.append("\(method) \(call.code) \(call.requestByteCount) \(call.responseByteCount)") }
                    recorder.count.increment()
                }
            }
        }

        /// The ends since the last call.
        func take() -> [String] {
            var taken: [String] = []
            ends.change { ends in
                taken = ends
                ends = []
            }
            return taken
        }
    }

    private static let remembered = TestMethods.text("Remembered")

    private static func register(_ router: inout Router) {
        struct Unforeseen: Error {}
        router.registerSynchronous(TestMethods.echo) { request, _ in
            if request.value == "bad" { throw RPCError(.notFound, "no") }
            return request.value == "unencodable" ? text("a\u{0}") : request
        }
        router.register(TestMethods.wait) { request, _ in
            if request.value == "bad" { throw Unforeseen() }
            if request.value == "late" { await Task.yield() }
            return request
        }
        router.register(remembered) { request, _ in request }
        router.answerFromMemory(remembered) { request, _ in request.value == "known" ? try PackedMessage(text("answer")) : nil }
        router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
            for _ in 0..<3 { try await responses.write(request) }
            if request.value == "bad" { throw RPCError(.aborted, "no") }
        }
        router.registerClientStreaming(StreamTests.upload) { requests, _ in
            var last = text("")
            for try await request in requests { last = request }
            return last
        }
        router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
            for try await request in requests { try await responses.write(request) }
        }
    }

    @Test(
        "each call is told of once, with code and bytes, before its client hears: whatever its shape, and however it is answered",
        arguments: WireProtocol.allCases)
    func everyKind(_ wireProtocol: WireProtocol) async throws {
        let recorder = Recorder()
        try await withServer(observers: [recorder], register: Self.register) { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                // A text of four letters takes six bytes.
                for (method, request, end) in [
                    (TestMethods.echo, "four", "Echo OK 6 6"), (TestMethods.echo, "bad", "Echo NOT_FOUND 5 0"),
                    (TestMethods.echo, "unencodable", "Echo INTERNAL 13 0"), (TestMethods.wait, "four", "Wait OK 6 6"),
                    (TestMethods.wait, "late", "Wait OK 6 6"), (TestMethods.wait, "bad", "Wait INTERNAL 5 0"),
                    (Self.remembered, "known", "Remembered OK 7 8"), (Self.remembered, "other", "Remembered OK 7 7"),
                ] {
                    _ = await code { try await channel.call(method, request) }
                    #expect(recorder.take() == [end], "\(request)")
                }
                for (request, end) in [("four", "Watch OK 6 18"), ("bad", "Watch ABORTED 5 15")] {
                    _ = await code { for try await _ in channel.serverStream(StreamTests.watch, text(request), options: CallOptions()) {} }
                    #expect(recorder.take() == [end])
                }
                let upload = channel.clientStream(StreamTests.upload, options: CallOptions())
                for value in ["a", "four"] { try await upload.write(text(value)) }
                _ = try await upload.finish()
                #expect(recorder.take() == ["Upload OK 9 6"])
                let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
                for value in ["a", "four"] { try await chat.write(text(value)) }
                chat.finishWriting()
                for try await _ in chat.responses {}
                #expect(recorder.take() == ["Chat OK 9 9"])
                // An unknown method has no observer.
                #expect(await code { try await channel.call(TestMethods.text("Unknown"), "x") } == .unimplemented)
                #expect(recorder.take() == [])
            }
        }
        #expect(recorder.origins.value.count == 1 && recorder.origins.value.first?.credentials != nil)
    }

    @Test("a call that is refused is told of too: undecodable, too large an answer, too late, over a limit", arguments: WireProtocol.allCases)
    func refused(_ wireProtocol: WireProtocol) async throws {
        let recorder = Recorder(), release = Gate(), started = Counter()
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerConnection = 1
        limits.maximumMessageByteCount = 1_000
        try await withServer(limits: limits, observers: [recorder]) { router in
            router.registerWait(until: release, started)
            router.registerSynchronous(TestMethods.echo) { _, _ in text(String(repeating: "x", count: 2_000)) }
            router.registerSynchronous(TestMethods.fail) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                #expect(await code { try await channel.call(TestMethods.echo, "x") } == .resourceExhausted)
                #expect(recorder.take() == ["Echo RESOURCE_EXHAUSTED 3 0"])
                // A field that is not text.
                let undecodable = MethodDescriptor<Bytes, Bytes>(service: TestMethods.service, method: "Fail", shape: .unary)
                var request = Bytes()
                request.value = [0xFF]
                #expect(await code { try await channel.unary(undecodable, request, options: CallOptions()) } == .invalidArgument)
                #expect(recorder.take() == ["Fail INVALID_ARGUMENT 3 0"])
                // gRPC clients know the limit of calls and wait.
                guard wireProtocol == .ttrpc else { return }
                async let waiting = channel.call(TestMethods.wait, "x")
                await started.reaches(1)
                #expect(await code { try await channel.call(TestMethods.fail, "y") } == .resourceExhausted)
                #expect(recorder.take() == ["Fail RESOURCE_EXHAUSTED 3 0"])
                release.open()
                _ = try await waiting
                #expect(recorder.take() == ["Wait OK 3 3"])
            }
        }
    }

    @Test("a message that breaks gRPC's framing counts as a fault of its client, although the client hears INTERNAL")
    func brokenFraming() async throws {
        let recorder = Recorder()
        try await withServer(observers: [recorder]) { Self.register(&$0) } _: { server in
            let peer = try RawPeer(server.path)
            #expect(await peer.send(RawHTTP2.preface + RawHTTP2.call(1, "/\(TestMethods.service)/Echo", flag: 2)))
            await recorder.count.reaches(1)
            #expect(recorder.take() == ["Echo INVALID_ARGUMENT 0 0"])
        }
    }

    @Test("a call that its client gives up, or leaves behind with its connection, ends as CANCELLED, once, though its handler runs on",
        arguments: WireProtocol.allCases, [true, false])
    func givenUp(_ wireProtocol: WireProtocol, _ closes: Bool) async throws {
        let recorder = Recorder(), metrics = CallMetrics(), release = Gate(), started = Counter(), ended = Gate()
        try await withServer(observers: [recorder, metrics]) { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                await release.wait()
                defer { ended.open() }
                return request
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let call = Task { try await channel.call(TestMethods.wait, "x") }
                await started.reaches(1)
                if closes { await channel.close() } else { call.cancel() }
                _ = await call.result
                await recorder.count.reaches(1)
                #expect(recorder.take() == ["Wait CANCELLED 3 0"])
                #expect(metrics.current[TestMethods.wait.path]?.waitingHandlers == 1)
                release.open()
                await ended.wait()
            }
        }
        #expect(recorder.take() == [])
        #expect(metrics.current[TestMethods.wait.path]?.waitingHandlers == 0)
    }

    @Test("a deadline that passes ends the call once, whenever its handler ends")
    func deadline() async throws {
        let recorder = Recorder(), release = Gate()
        let calls = Counter()
        var attempts = 0
        try await withServer(observers: [recorder]) { router in
            router.register(TestMethods.wait) { request, _ in
                calls.increment()
                await release.wait()
                return request
            }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                // On a busy machine the deadline may pass before the call leaves.
                repeat {
                    attempts += 1
                    #expect(await code { try await channel.call(TestMethods.wait, "x", timeout: .milliseconds(20)) } == .deadlineExceeded)
                } while calls.value == 0
                await recorder.count.reaches(1)
                release.open()
            }
        }
        // The client's own deadline may come first, and its cancellation before the server's.
        let ends = recorder.take()
        let permitted: Set = ["Wait DEADLINE_EXCEEDED 3 0", "Wait CANCELLED 3 0"]
        #expect((1...attempts).contains(ends.count) && permitted.isSuperset(of: ends), "\(ends)")
    }

    @Test(
        "metrics count what runs and how it ended; a limit refuses what is too much, of all shapes together, and gives places back",
        arguments: WireProtocol.allCases)
    func metricsAndLimit(_ wireProtocol: WireProtocol) async throws {
        let metrics = CallMetrics(), started = Counter(), release = Gate()
        try await withServer(observers: [metrics, ConcurrencyLimit(limit: 2)]) { router in
            router.registerWait(until: release, started)
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, _, _ in
                started.increment()
                for try await _ in requests {}
            }
            router.register(Self.remembered) { request, _ in request }
            router.answerFromMemory(Self.remembered) { request, _ in
                request.value == "known" ? try PackedMessage(text("memory")) : nil
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let chat = channel.bidirectionalStream(StreamTests.chat, options: CallOptions())
                async let waiting = channel.call(TestMethods.wait, "x")
                await started.reaches(2)
                // The observer hears of a handler only after it has begun to wait.
                await until { metrics.current[TestMethods.wait.path]?.waitingHandlers != nil }
                #expect(metrics.current[TestMethods.wait.path]?.waitingHandlers == 1)
                #expect(await code { try await channel.call(TestMethods.wait, "y") } == .resourceExhausted)
                // An answer from memory takes no place; any other takes one.
                let known = try await channel.call(Self.remembered, "known")
                #expect(known == "memory")
                #expect(await code { try await channel.call(Self.remembered, "other") } == .resourceExhausted)
                chat.finishWriting()
                for try await _ in chat.responses {}
                // One place is free, and a call that memory does not know takes one place, not two.
                let other = try await channel.call(Self.remembered, "other")
                #expect(other == "other")
                release.open()
                _ = try await (waiting, channel.call(TestMethods.wait, "z"))
                #expect(metrics.current[TestMethods.wait.path]?.ended == [.ok: 2, .resourceExhausted: 1])
                #expect(metrics.current[TestMethods.wait.path]?.waitingHandlers == 0)
                #expect(metrics.current[StreamTests.chat.path]?.ended == [.ok: 1])
                #expect(metrics.current[Self.remembered.path]?.ended == [.ok: 2, .resourceExhausted: 1])
                #expect(metrics.current[Self.remembered.path]?.latencies.count == 3)
            }
        }
    }

    @Test("observers stand in nobody's way: synchronous handlers and answers from memory run without a task, in bursts as alone")
    func fastPath() async throws {
        let recorder = Recorder(), inTask = SharedValue<Set<String>>([])
        @Sendable func note(_ what: String) { if withUnsafeCurrentTask(body: { $0 != nil }) { inTask.change { $0.insert(what) } } }
        try await withServer(observers: [recorder, CallMetrics(), CallLog(), ConcurrencyLimit(limit: 1)]) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in
                note("echo")
                return request
            }
            router.register(Self.remembered) { request, _ in request }
            router.answerFromMemory(Self.remembered) { _, _ in
                note("memory")
                return try PackedMessage(text("memory"))
            }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<100 {
                        group.addTask {
                            let answer = try await channel.call(TestMethods.echo, "x")
                            #expect(answer == "x")
                        }
                        group.addTask {
                            let answer = try await channel.call(Self.remembered, "x")
                            #expect(answer == "memory")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        #expect(inTask.value == [])
        #expect(recorder.take().sorted() == Array(repeating: "Echo OK 3 3", count: 100) + Array(repeating: "Remembered OK 3 8", count: 100))
    }
}
