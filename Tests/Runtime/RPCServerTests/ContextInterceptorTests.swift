import ProtobufC
import RPCClient
import RPCCore
import RPCServer
import Testing

/// Interceptors of contexts, and answers from memory after them.
@Suite struct ContextInterceptorTests {
    private struct Trail: CallContextKey { typealias Value = String }
    private struct Refused: Error { var path: String }

    /// Adds its name to the trail. The metadata says which interceptor has to wait, and which one refuses. Each adds its name to an error's
    /// path, in parentheses if its own value is not in the context.
    private struct Named: ContextInterceptor {
        let name: String

        func prepare(_ context: inout CallContext) throws -> Bool {
            if context.metadata["refuses"] == name { throw Refused(path: name) }
            if context.metadata["waits"] == name { return false }
            add(to: &context)
            return true
        }

        func prepareWaiting(_ context: inout CallContext) async throws {
            await Task.yield()
            if context.metadata["refuses-late"] == name { throw Refused(path: name) }
            add(to: &context)
        }

        func convert(_ error: any Error, _ context: CallContext) -> any Error {
            guard let refused = error as? Refused else { return error }
            let path = refused.path + ">" + (context[Trail.self]?.contains(name) == true ? name : "(\(name))")
            return name == "a" ? RPCError(.aborted, path) : Refused(path: path)
        }

        private func add(to context: inout CallContext) {
            context[Trail.self] = (context[Trail.self] ?? "") + name
            context.metadata.append(name, for: "by")
        }
    }

    /// Sees the messages.
    private struct Seeing: ServerInterceptor {
        func interceptUnary<Request: Message, Response: Message>(
            _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
        ) async throws -> Response {
            try await next(request, context)
        }
    }

    private static let remembered = TestMethods.text("Remembered")

    /// `Remembered` is answered from memory unless its request says otherwise; `Echo` and `Wait` by their handlers.
    private static func register(_ router: inout Router) {
        @Sendable func trail(_ who: String, _ context: CallContext) throws -> Text {
            if context.metadata["fails"] != nil { throw Refused(path: who) }
            let place = withUnsafeCurrentTask { $0 == nil } ? "" : " task"
            let deadline = Deadline.current == context.deadline ? "" : " another deadline"
            return text("\(who) \(context[Trail.self] ?? "none") \(context.metadata.values(for: "by").joined())\(place)\(deadline)")
        }
        router.registerSynchronous(TestMethods.echo) { _, context in try trail("handler", context) }
        router.register(TestMethods.wait) { _, context in try trail("handler", context) }
        router.registerServerStreaming(StreamTests.watch) { _, responses, context in
            try await responses.write(try trail("handler", context))
        }
        router.register(remembered) { _, context in try trail("handler", context) }
        router.answerFromMemory(remembered) { request, context in
            request.value == "unknown" ? nil : try PackedMessage(try trail("memory", context))
        }
    }

    /// What `Echo`, `Wait`, `Remembered` and `Watch` answer.
    private func answers(_ channel: Channel, _ metadata: Metadata, _ request: String = "x", timeout: Duration? = nil) async -> [String] {
        let options = CallOptions(timeout: timeout, metadata: metadata)
        var answers: [String] = []
        for method in [TestMethods.echo, TestMethods.wait, Self.remembered] {
            answers.append(await Self.outcome { try await channel.unary(method, text(request), options: options).value })
        }
        answers.append(await Self.outcome {
            var responses = channel.serverStream(StreamTests.watch, text(request), options: options).makeAsyncIterator()
            return try await responses.next()?.value ?? "nothing"
        })
        return answers
    }

    private static func outcome(_ call: () async throws -> String) async -> String {
        do { return try await call() } catch { return (error as? RPCError).map { "\($0.code) \($0.message)" } ?? "\(error)" }
    }

    private func withChannel(
        _ interceptors: [any ServerInterceptor], _ wireProtocol: WireProtocol, _ body: (Channel) async throws -> Void
    ) async throws {
        try await withServer(interceptors: interceptors, register: Self.register) { server in
            try await RPCServerTests.withChannel(to: server.path, wireProtocol, body)
        }
    }

    private let both: [any ServerInterceptor] = [Named(name: "a"), Named(name: "b")]

    @Test("what they leave is seen behind them, the first outermost, whether one of them has to wait or not", arguments: WireProtocol.allCases)
    func order(_ wireProtocol: WireProtocol) async throws {
        try await withChannel(both, wireProtocol) { channel in
            for timeout in [nil, Duration.seconds(60)] {
                // There is no task if nothing waits.
                #expect(await answers(channel, [:], timeout: timeout) == [
                    "handler ab ab", "handler ab ab task", "memory ab ab", "handler ab ab task",
                ])
                for name in ["a", "b"] {
                    let waited = await answers(channel, ["waits": name], timeout: timeout)
                    #expect(waited == Array(repeating: "handler ab ab task", count: 4), "\(name) waits")
                }
            }
        }
    }

    @Test("a call that memory does not answer comes to its handler as it came to the server", arguments: WireProtocol.allCases)
    func unknown(_ wireProtocol: WireProtocol) async throws {
        try await withChannel(both, wireProtocol) { channel in
            #expect(await answers(channel, [:], "unknown")[2] == "handler ab ab task")
        }
        try await withChannel([], wireProtocol) { channel in
            #expect(await answers(channel, [:])[2] == "memory none ")
            #expect(await answers(channel, [:], "unknown")[2] == "handler none  task")
        }
    }

    /// Counts its calls, and waits if the metadata says so.
    private struct Counting: ContextInterceptor {
        let asked = Counter(), waited = Counter()

        func prepare(_ context: inout CallContext) throws -> Bool {
            asked.increment()
            return context.metadata["waits"] == nil
        }

        func prepareWaiting(_ context: inout CallContext) async throws { waited.increment() }
    }

    @Test("each is asked once for a call, whoever answers it", arguments: WireProtocol.allCases)
    func askedOnce(_ wireProtocol: WireProtocol) async throws {
        let first = Counting(), second = Counting()
        try await withChannel([first, second], wireProtocol) { channel in
            // Four calls: of `Echo`, `Wait`, `Remembered` and `Watch`.
            for request in ["known", "unknown"] { _ = await answers(channel, [:], request) }
            #expect([first.asked.value, second.asked.value, first.waited.value, second.waited.value] == [8, 8, 0, 0])
            _ = await answers(channel, ["waits": "both"], "unknown")
            #expect([first.asked.value, second.asked.value, first.waited.value, second.waited.value] == [12, 12, 4, 4])
        }
    }

    @Test("they are asked before a request is decoded", arguments: WireProtocol.allCases)
    func beforeDecoding(_ wireProtocol: WireProtocol) async throws {
        // Not a text: the bytes are not UTF-8.
        let (unreadable, remembered) = (Bytes(value: [0xFF]), Self.remembered)
        let method = MethodDescriptor<Bytes, Text>(service: remembered.service, method: remembered.method, shape: .unary)
        try await withChannel(both, wireProtocol) { channel in
            let cases: [(metadata: Metadata, expected: StatusCode)] = [([:], .invalidArgument), (["refuses": "b"], .aborted)]
            for (metadata, expected) in cases {
                #expect(await code { try await channel.unary(method, unreadable, options: CallOptions(metadata: metadata)) } == expected)
            }
        }
    }

    @Test("an error is converted by those around its place, the innermost first", arguments: WireProtocol.allCases)
    func errors(_ wireProtocol: WireProtocol) async throws {
        try await withChannel(both, wireProtocol) { channel in
            #expect(await answers(channel, ["refuses": "a"]) == Array(repeating: "ABORTED a>(a)", count: 4))
            #expect(await answers(channel, ["refuses": "b"]) == Array(repeating: "ABORTED b>(b)>a", count: 4))
            #expect(await answers(channel, ["waits": "b", "refuses-late": "b"]) == Array(repeating: "ABORTED b>(b)>a", count: 4))
            #expect(await answers(channel, ["fails": "x"]) == [
                "ABORTED handler>b>a", "ABORTED handler>b>a", "ABORTED memory>b>a", "ABORTED handler>b>a",
            ])
        }
        try await withChannel([Named(name: "b")], wireProtocol) { channel in
            #expect(await answers(channel, ["fails": "x"]) == Array(repeating: "INTERNAL the handler failed", count: 4))
        }
    }

    @Test("behind an interceptor that sees messages, every call is its handler's", arguments: WireProtocol.allCases)
    func seesEveryCall(_ wireProtocol: WireProtocol) async throws {
        for interceptors in [both + [Seeing()], [Seeing()] + both] {
            try await withChannel(interceptors, wireProtocol) { channel in
                #expect(await answers(channel, [:]) == Array(repeating: "handler ab ab task", count: 4))
            }
        }
    }

    @Test("an answer that cannot be encoded is no error of its handler's, and nobody converts it")
    func unencodable() async throws {
        struct Converting: ContextInterceptor {
            func prepare(_ context: inout CallContext) -> Bool { true }
            func convert(_ error: any Error, _ context: CallContext) -> any Error { RPCError(.aborted, "converted") }
        }
        try await withServer(interceptors: [Converting()]) { router in
            router.registerSynchronous(TestMethods.echo) { _, _ in text("a\u{0}b") }
            router.register(TestMethods.wait) { _, _ in text("a\u{0}b") }
            router.registerSynchronous(TestMethods.fail) { _, _ in throw Refused(path: "") }
        } _: { server in
            try await RPCServerTests.withChannel(to: server.path) { channel in
                #expect(await code { try await channel.call(TestMethods.echo, "x") } == .internal)
                #expect(await code { try await channel.call(TestMethods.wait, "x") } == .internal)
                #expect(await code { try await channel.call(TestMethods.fail, "x") } == .aborted)
            }
        }
    }

    /// Has its own implementation for calls. A context interceptor cannot have one: neither this, nor that of a superclass, is called.
    private struct Silent: ContextInterceptor {
        func prepare(_ context: inout CallContext) throws -> Bool { throw RPCError(.unauthenticated, "nobody passes") }

        func intercept<Answer>(_ context: CallContext, _ next: NextCall<Answer>) async throws -> Answer { try await next(context) }
    }

    /// Returns false, and does not implement waiting.
    private struct Unready: ContextInterceptor {
        func prepare(_ context: inout CallContext) -> Bool { false }
    }

    @Test("none passes calls by, of whatever shape", arguments: WireProtocol.allCases)
    func failsClosed(_ wireProtocol: WireProtocol) async throws {
        try await withChannel([Silent()], wireProtocol) { channel in
            #expect(await answers(channel, [:]) == Array(repeating: "UNAUTHENTICATED nobody passes", count: 4))
        }
        try await withChannel([Unready()], wireProtocol) { channel in
            #expect(await answers(channel, [:]) == Array(repeating: "INTERNAL the handler failed", count: 4))
        }
    }
}
