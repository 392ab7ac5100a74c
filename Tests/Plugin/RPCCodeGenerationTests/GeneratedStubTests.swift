import GoldenMessages
import ProtobufC
import RPCCore
import Synchronization
import Testing

/// Generated client stubs of every call shape, over a channel that records their calls.
@Suite struct GeneratedStubTests {
    private let channel = WitnessChannel()
    private let options = CallOptions(timeout: .seconds(7), metadata: ["k": "v"])

    @Test("a unary stub sends its request and returns the response")
    func unary() async throws {
        let total = try await GSShapeServiceClient(channel: channel).ask(GSItem(text: "a"), options: options)
        #expect(total == GSTotal(count: 1, texts: ["a"]))
        #expect(channel.calls == [.init(path: "golden.v1.ShapeService/Ask", shape: .unary, options: options)])
    }

    @Test("a server-streaming stub sends its request and gives the responses")
    func serverStreaming() async throws {
        let stream = GSShapeServiceClient(channel: channel).watch(GSItem(text: "a"), options: options)
        var totals: [GSTotal] = []
        for try await total in stream { totals.append(total) }
        #expect(totals == [GSTotal(count: 1, texts: ["a"]), GSTotal(count: 2, texts: ["a", "a"])])
        #expect(channel.calls == [.init(path: "golden.v1.ShapeService/Watch", shape: .serverStreaming, options: options)])
    }

    @Test("a client-streaming stub gives a stream that takes requests and ends with the response")
    func clientStreaming() async throws {
        let stream = GSShapeServiceClient(channel: channel).upload(options: options)
        for text in ["a", "b", "c"] { try await stream.write(GSItem(text: text)) }
        #expect(try await stream.finish() == GSTotal(count: 3, texts: ["a", "b", "c"]))
        #expect(channel.calls == [.init(path: "golden.v1.ShapeService/Upload", shape: .clientStreaming, options: options)])
    }

    @Test("a bidirectional stub gives a stream that takes requests and gives responses")
    func bidirectional() async throws {
        let stream = GSShapeServiceClient(channel: channel).chat(options: options)
        for text in ["a", "b"] { try await stream.write(GSItem(text: text)) }
        stream.finishWriting()
        var totals: [GSTotal] = []
        for try await total in stream.responses { totals.append(total) }
        #expect(totals == [GSTotal(count: 1, texts: ["a"]), GSTotal(count: 1, texts: ["b"])])
        let call = WitnessChannel.Call(
            path: "golden.v1.ShapeService/Chat", shape: .bidirectionalStreaming, options: options)
        #expect(channel.calls == [call])
    }

    @Test("cancelling a stream reaches the channel, and options may be left out")
    func cancelling() {
        let client = GSShapeServiceClient(channel: channel)
        client.watch(GSItem()).cancel()
        client.upload().cancel()
        client.chat().cancel()
        #expect(channel.cancelled == ["Watch", "Upload", "Chat"].map { "golden.v1.ShapeService/" + $0 })
        #expect(channel.calls.allSatisfy { $0.timeout == nil && $0.metadata == Metadata() })
    }

    @Test("stubs named like words of Swift reach their methods")
    func words() async throws {
        let client = GSWordServiceClient(channel: channel)
        #expect(try await client.in(GSItem(text: "x")) == GSItem(text: "x"))
        client.where(GSItem()).cancel()
        client.repeat().cancel()
        client.defer().cancel()
        client.self_().cancel()
        client.init_(GSItem()).cancel()
        let names = ["In", "Where", "Repeat", "Defer", "Self", "Init_"]
        #expect(channel.calls.map(\.path) == names.map { "golden.v1.WordService/" + $0 })
    }

    @Test("stubs named like their own parameters, and like the client's members, reach their methods")
    func parameters() async throws {
        let client = GSParameterServiceClient(channel: channel)
        #expect(try await client.request(GSItem(text: "x")) == GSItem(text: "x"))
        client.requests().cancel()
        client.response(GSItem()).cancel()
        client.responses().cancel()
        client.context(GSItem()).cancel()
        client.options(options: options).cancel()
        client.register().cancel()
        client.router().cancel()
        client.channel_(GSItem()).cancel()
        #expect(try await client.fullName(GSItem(text: "y")) == GSItem(text: "y"))
        #expect(try await client.methods(GSItem(text: "z")) == GSItem(text: "z"))
        let names = [
            "Request", "Requests", "Response", "Responses", "Context", "Options", "Register_", "Router", "Channel", "FullName",
            "Methods",
        ]
        #expect(channel.calls.map(\.path) == names.map { "golden.v1.ParameterService/" + $0 })
        #expect(channel.calls[5].timeout == .seconds(7))
    }
}

/// Answers every call from its requests, and records which calls were opened and cancelled.
private final class WitnessChannel: CallChannel {
    struct Call: Equatable {
        var path: String
        var shape: CallShape
        var timeout: Duration?
        var metadata: Metadata

        init(path: String, shape: CallShape, options: CallOptions) {
            (self.path, self.shape, timeout, metadata) = (path, shape, options.timeout, options.metadata)
        }
    }

    private let opened = Mutex<[Call]>([])
    private let ended = Mutex<[String]>([])
    var calls: [Call] { opened.withLock { $0 } }
    var cancelled: [String] { ended.withLock { $0 } }

    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        open(method, options)
        return try Self.response(to: [request])
    }

    /// Sends two responses: one for the request, and one as if the request had come twice.
    func serverStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) -> ServerStream<Response> {
        let cancel = open(method, options)
        let left = Mutex([[request, request], [request]])
        let responses = MessageStream<Response> { () throws(RPCError) in
            guard let requests = left.withLock({ $0.popLast() }) else { return nil }
            return try Self.response(to: requests)
        }
        return ServerStream(responses: responses, cancel: cancel)
    }

    func clientStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> ClientStream<Request, Response> {
        let cancel = open(method, options)
        let written = Written<Request>()
        return ClientStream(
            requests: MessageWriter { written.append($0) },
            finish: { () throws(RPCError) in try Self.response(to: written.messages) }, cancel: cancel)
    }

    /// Sends a response for each request when all are written.
    func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response> {
        let cancel = open(method, options)
        let written = Written<Request>()
        let answered = Mutex(0)
        let responses = MessageStream<Response> { () throws(RPCError) in
            let messages = written.messages
            let index = answered.withLock { answered in
                answered += 1
                return answered - 1
            }
            guard written.isFinished, index < messages.count else { return nil }
            return try Self.response(to: [messages[index]])
        }
        return BidirectionalStream(
            requests: MessageWriter { written.append($0) }, responses: responses, finishWriting: { written.finish() },
            cancel: cancel)
    }

    /// Records the call. The result records its cancellation.
    @discardableResult
    private func open<Request, Response>(
        _ method: MethodDescriptor<Request, Response>, _ options: CallOptions
    ) -> @Sendable () -> Void {
        let call = Call(path: method.path, shape: method.shape, options: options)
        opened.withLock { $0.append(call) }
        return { self.ended.withLock { $0.append(call.path) } }
    }

    /// The total of the requests, or the first request, depending on the response type.
    private static func response<Response: Message>(to requests: [some Message]) throws(RPCError) -> Response {
        let items = requests.compactMap { $0 as? GSItem }
        if let total = GSTotal(count: Int32(items.count), texts: items.map(\.text)) as? Response { return total }
        if let item = items.first as? Response { return item }
        throw RPCError(.unimplemented, "neither an item nor a total")
    }
}

/// The messages that a caller has written to a call.
private final class Written<Request: Message>: Sendable {
    private let state = Mutex<(messages: [Request], isFinished: Bool)>(([], false))
    var messages: [Request] { state.withLock { $0.messages } }
    var isFinished: Bool { state.withLock { $0.isFinished } }
    func append(_ message: Request) { state.withLock { $0.messages.append(message) } }
    func finish() { state.withLock { $0.isFinished = true } }
}
