import ProtobufC
import RPCClient
import RPCCore
import RPCServer
import Testing

/// Interceptors of servers and clients.
@Suite struct InterceptorTests {
    private struct Trail: CallContextKey { typealias Value = String }

    /// Puts its name into the context and the metadata, and records when it is entered and left.
    private struct Named: ServerInterceptor {
        let name: String
        let log: SharedValue<[String]>

        func intercept<Answer>(
            _ context: CallContext, _ next: NextCall<Answer>
        ) async throws -> Answer {
            var context = context
            context[Trail.self] = (context[Trail.self] ?? "") + name
            context.metadata.append(name, for: "by")
            log.change { $0.append("+\(name)") }
            defer { log.change { $0.append("-\(name)") } }
            return try await next(context)
        }
    }

    /// Refuses one message, and marks the others.
    private struct Marking: ServerInterceptor {
        func interceptUnary<Request: Message, Response: Message>(
            _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
        ) async throws -> Response {
            if context.metadata["token"] == nil { throw RPCError(.unauthenticated, "no token") }
            return try await next(request, context)
        }

        func interceptStream<Request: Message, Response: Message>(
            _ requests: MessageStream<Request>, _ responses: MessageWriter<Response>, _ context: CallContext,
            _ next: NextStream<Request, Response>
        ) async throws {
            let twice = MessageWriter<Response> { (response) async throws(RPCError) in
                try await responses.write(response)
                try await responses.write(response)
            }
            try await next(requests, context.shape == .clientStreaming ? responses : twice, context)
        }
    }

    private static func register(_ router: inout Router) {
        @Sendable func trail(_ context: CallContext) -> Text {
            text((context[Trail.self] ?? "none") + " " + context.metadata.values(for: "by").joined())
        }
        router.registerSynchronous(TestMethods.echo) { _, context in trail(context) }
        router.register(TestMethods.wait) { _, context in trail(context) }
        router.registerServerStreaming(StreamTests.watch) { _, responses, context in try await responses.write(trail(context)) }
        router.registerClientStreaming(StreamTests.upload) { requests, context in
            for try await _ in requests {}
            return trail(context)
        }
        router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, context in
            for try await _ in requests { try await responses.write(trail(context)) }
        }
    }

    /// The answers of each shape: `Echo`, `Wait`, `Watch`, `Upload`, `Chat`.
    private static func answers(_ channel: any CallChannel, _ options: CallOptions = CallOptions()) async throws -> [[String]] {
        let echo = try await channel.unary(TestMethods.echo, text("x"), options: options).value
        let wait = try await channel.unary(TestMethods.wait, text("x"), options: options).value
        var watch: [String] = []
        for try await answer in channel.serverStream(StreamTests.watch, text("x"), options: options) { watch.append(answer.value) }
        let upload = channel.clientStream(StreamTests.upload, options: options)
        try await upload.write(text("x"))
        let uploaded = try await upload.finish().value
        let chat = channel.bidirectionalStream(StreamTests.chat, options: options)
        try await chat.write(text("x"))
        chat.finishWriting()
        var chatted: [String] = []
        for try await answer in chat.responses { chatted.append(answer.value) }
        return [[echo], [wait], watch, [uploaded], chatted]
    }

    @Test(
        "a server's interceptors stand around every handler, the first outermost, and what they change is seen behind them",
        arguments: WireProtocol.allCases)
    func order(_ wireProtocol: WireProtocol) async throws {
        let log = SharedValue<[String]>([])
        try await withServer(interceptors: [Named(name: "a", log: log), Named(name: "b", log: log)], register: Self.register) { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let answers = try await Self.answers(channel)
                #expect(answers == Array(repeating: ["ab ab"], count: 5))
            }
        }
        #expect(log.value == Array(repeating: ["+a", "+b", "-b", "-a"], count: 5).flatMap { $0 })
    }

    @Test("an interceptor that sees messages may refuse a call and change a stream's messages", arguments: WireProtocol.allCases)
    func messages(_ wireProtocol: WireProtocol) async throws {
        try await withServer(interceptors: [Marking()], register: Self.register) { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                #expect(await code { try await channel.call(TestMethods.echo, "x") } == .unauthenticated)
                #expect(await code { try await channel.call(TestMethods.wait, "x") } == .unauthenticated)
                let answers = try await Self.answers(channel, CallOptions(metadata: ["token": "t"]))
                #expect(answers.map(\.count) == [1, 1, 2, 1, 2])
            }
        }
    }

    /// Sends its name, and marks every message.
    private struct Client: ClientInterceptor {
        let name: String
        let seen: SharedValue<[String]>

        func options(_ options: CallOptions, for method: String) -> CallOptions {
            var options = options
            options.metadata.append(name, for: "by")
            return options
        }

        func interceptUnary<Request: Message, Response: Message>(
            _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions,
            _ next: NextRequest<Request, Response>
        ) async throws(RPCError) -> Response {
            seen.change { $0.append("\(name) \(method.method)") }
            return try await next(request, options)
        }

        func requests<Request: Message>(_ requests: MessageWriter<Request>, of method: String) -> MessageWriter<Request> {
            MessageWriter { (request) async throws(RPCError) in
                seen.change { $0.append("\(name) request") }
                try await requests.write(request)
            }
        }

        func responses<Response: Message>(_ responses: MessageStream<Response>, of method: String) -> MessageStream<Response> {
            MessageStream { () async throws(RPCError) -> Response? in
                var iterator = responses.makeAsyncIterator()
                let response = try await iterator.next()
                seen.change { $0.append("\(name) \(response == nil ? "end" : "response")") }
                return response
            }
        }
    }

    @Test("a channel's interceptors stand before every call, the first outermost, and see what is written and read", arguments: WireProtocol.allCases)
    func client(_ wireProtocol: WireProtocol) async throws {
        let seen = SharedValue<[String]>([])
        try await withServer(register: Self.register) { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let intercepted = channel.intercepted(by: [Client(name: "a", seen: seen), Client(name: "b", seen: seen)])
                let answers = try await Self.answers(intercepted)
                #expect(answers == Array(repeating: ["none ab"], count: 5))
            }
        }
        #expect(seen.value == [
            "a Echo", "b Echo", "a Wait", "b Wait",
            "b response", "a response", "b end", "a end",
            "a request", "b request", "b response", "b end", "a response", "a end",
            "a request", "b request", "b response", "a response", "b end", "a end",
        ])
    }

    @Test("leaving an intercepted stream cancels its call all the same", arguments: WireProtocol.allCases)
    func clientCancel(_ wireProtocol: WireProtocol) async throws {
        let cancelled = Gate()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                try await responses.write(request)
                try await waitForCancellation(heard: cancelled)
            }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let intercepted = channel.intercepted(by: [Client(name: "a", seen: SharedValue([]))])
                for try await _ in intercepted.serverStream(StreamTests.watch, text("x"), options: CallOptions()) { break }
                await cancelled.wait()
            }
        }
    }
}
