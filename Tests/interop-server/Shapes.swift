import ProtobufWellKnownTypes
import RPCCore
import Synchronization

typealias Bytes = Google_Protobuf_BytesValue
typealias Text = Google_Protobuf_StringValue

/// Handlers of every shape. The request's metadata selects their behaviour:
/// - `x-echo-initial`, `x-echo-trailing-bin`: sent back as initial and trailing metadata
/// - `x-compress`: the responses are compressed
/// - `x-fail`: the call fails with this status code and text, and a detail that repeats the text
enum Shapes {
    static let service = "interop.v1.Shapes"
    /// The number of handlers that have seen their cancellation.
    private static let cancelled = Atomic<Int>(0)

    static func router() -> Router {
        var router = Router()
        router.register(descriptor("Echo", .unary)) { (request: Bytes, context) in
            try begin(context)
            return request
        }
        router.register(descriptor("Size", .unary)) { (request: Bytes, context) -> Text in
            try begin(context)
            return text("\(request.value.count)")
        }
        // Waits until it is cancelled.
        router.register(descriptor("Hang", .unary)) { (request: Bytes, context) -> Bytes in
            try begin(context)
            try await untilCancelled()
            return request
        }
        router.register(descriptor("Cancelled", .unary)) { (_: Bytes, _) -> Text in text("\(cancelled.load(ordering: .relaxed))") }
        // Answers with what the handler sees: peer, metadata, and whether there is a deadline.
        router.register(descriptor("Context", .unary)) { (_: Bytes, context) -> Text in
            let pairs = context.metadata.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\n")
            return text("deadline=\(context.deadline != .never)\npid=\(context.peer?.pid ?? 0)\n" + pairs)
        }
        registerStreams(&router)
        return router
    }

    private static func registerStreams(_ router: inout Router) {
        // The request's text has the number of responses and, after a colon, their length.
        router.registerServerStreaming(descriptor("Watch", .serverStreaming)) { (request: Text, responses: MessageWriter<Bytes>, context) in
            try begin(context)
            let numbers = request.value.split(separator: ":").compactMap { Int($0) }
            guard numbers.count == 2 else { throw RPCError(.invalidArgument, "COUNT:BYTES is asked for") }
            for index in 0..<numbers[0] {
                var response = Bytes()
                response.value = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: numbers[1])
                try await responses.write(response)
            }
        }
        router.registerClientStreaming(descriptor("Upload", .clientStreaming)) { (requests: MessageStream<Bytes>, context) -> Text in
            try begin(context)
            var count = 0
            var sum = 0
            for try await request in requests {
                count += 1
                sum += request.value.count
            }
            return text("\(count) \(sum)")
        }
        router.registerBidirectionalStreaming(descriptor("Chat", .bidirectionalStreaming)) {
            (requests: MessageStream<Bytes>, responses: MessageWriter<Bytes>, context) in
            try begin(context)
            for try await request in requests {
                // The first byte says whether to compress this response.
                if request.value.first == UInt8(ascii: "c") { context.responseMetadata?.compressesMessages = true }
                if request.value.first == UInt8(ascii: "p") { context.responseMetadata?.compressesMessages = false }
                try await responses.write(request)
            }
        }
        router.registerBidirectionalStreaming(descriptor("HangStream", .bidirectionalStreaming)) {
            (_: MessageStream<Bytes>, responses: MessageWriter<Bytes>, context) in
            try begin(context)
            try await responses.write(Bytes())
            try await untilCancelled()
        }
    }

    private static func begin(_ context: CallContext) throws {
        if let value = context.metadata["x-echo-initial"] { context.responseMetadata?.initial.append(value, for: "x-echo-initial") }
        for value in context.metadata.values(for: "x-echo-trailing-bin") {
            context.responseMetadata?.trailing.append(value, for: "x-echo-trailing-bin")
        }
        if context.metadata["x-compress"] != nil { context.responseMetadata?.compressesMessages = true }
        guard let words = context.metadata["x-fail"]?.split(separator: " ", maxSplits: 1), words.count == 2 else { return }
        let code = StatusCode(wireValue: Int32(words[0]) ?? -1)
        // Text that needs escaping in a header.
        let message = String(words[1]) + " 안녕\n%\t"
        let detail = StatusDetail(typeURL: "type.googleapis.com/google.protobuf.StringValue", value: try text(String(words[1])).serializedBytes())
        throw RPCError(code, message, details: [detail])
    }

    private static func untilCancelled() async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
        cancelled.add(1, ordering: .relaxed)
        throw CancellationError()
    }

    private static func descriptor<Request, Response>(_ method: String, _ shape: CallShape) -> MethodDescriptor<Request, Response> {
        MethodDescriptor(service: service, method: method, shape: shape)
    }

    private static func text(_ value: String) -> Text {
        var text = Text()
        text.value = value
        return text
    }
}
