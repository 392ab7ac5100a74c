import InteropMessages
import RPCCore

/// `grpc.testing.TestService` for gRPC's interoperability tests. `UnimplementedCall` is not served on purpose.
struct TestServiceHandler: Sendable {
    private static let echoInitialKey = "x-grpc-test-echo-initial"
    private static let echoTrailingKey = "x-grpc-test-echo-trailing-bin"
    /// The largest response that a request may ask for, in bytes.
    private static let maximumSize = 4 << 20
    /// The most requests of one `HalfDuplexCall`, which are kept until the last one has come.
    private static let maximumCollected = 64

    func register(on router: inout Router) {
        router.register(Grpc_Testing_TestService.Methods.emptyCall) { request, _ in request }
        router.register(Grpc_Testing_TestService.Methods.unaryCall) { try Self.unaryCall($0, $1) }
        router.registerServerStreaming(Grpc_Testing_TestService.Methods.streamingOutputCall) { request, responses, context in
            Self.echo(context)
            try await Self.answer(request, responses, context)
        }
        router.registerClientStreaming(Grpc_Testing_TestService.Methods.streamingInputCall) { try await Self.streamingInputCall($0, $1) }
        router.registerBidirectionalStreaming(Grpc_Testing_TestService.Methods.fullDuplexCall) { requests, responses, context in
            Self.echo(context)
            for try await request in requests { try await Self.answer(request, responses, context) }
        }
        router.registerBidirectionalStreaming(Grpc_Testing_TestService.Methods.halfDuplexCall) { requests, responses, context in
            Self.echo(context)
            var collected: [Grpc_Testing_StreamingOutputCallRequest] = []
            for try await request in requests {
                guard collected.count < Self.maximumCollected else {
                    throw RPCError(.resourceExhausted, "more than \(Self.maximumCollected) requests")
                }
                collected.append(request)
            }
            for request in collected { try await Self.answer(request, responses, context) }
        }
    }

    private static func unaryCall(_ request: Grpc_Testing_SimpleRequest, _ context: CallContext) throws -> Grpc_Testing_SimpleResponse {
        echo(context)
        let compressedCount = context.responseMetadata?.receivedCompressedCount ?? 0
        if let expected = request.expectCompressed { try check(expected: expected.value ? 1 : 0, compressedCount) }
        if request.responseCompressed?.value == true { context.responseMetadata?.compressesMessages = true }
        try check(request.responseStatus)
        var response = Grpc_Testing_SimpleResponse()
        response.payload = try payload(request.responseSize)
        return response
    }

    private static func streamingInputCall(
        _ requests: MessageStream<Grpc_Testing_StreamingInputCallRequest>, _ context: CallContext
    ) async throws -> Grpc_Testing_StreamingInputCallResponse {
        echo(context)
        var response = Grpc_Testing_StreamingInputCallResponse()
        var expectedCount: Int?
        var receivedCount: Int { context.responseMetadata?.receivedCompressedCount ?? 0 }
        for try await request in requests {
            response.aggregatedPayloadSize += Int32(request.payload?.body.count ?? 0)
            if let expected = request.expectCompressed { expectedCount = (expectedCount ?? 0) + (expected.value ? 1 : 0) }
            // A client that sends the wrong form waits for the refusal with its half open. Later requests may have come already, so too many are
            // no fault yet.
            if let expectedCount, receivedCount < expectedCount { try check(expected: expectedCount, receivedCount) }
        }
        // All requests have come, so it is known which of them were compressed.
        if let expectedCount { try check(expected: expectedCount, receivedCount) }
        return response
    }

    /// Sends the responses and then the status that a request asks for.
    private static func answer(
        _ request: Grpc_Testing_StreamingOutputCallRequest, _ responses: MessageWriter<Grpc_Testing_StreamingOutputCallResponse>,
        _ context: CallContext
    ) async throws {
        // Compression must be known before the first message, because the encoding is named in the headers.
        if request.responseParameters.contains(where: { $0.compressed?.value == true }) { context.responseMetadata?.compressesMessages = true }
        for (index, parameters) in request.responseParameters.enumerated() {
            // The pause is part of the service: the request asks for it (`interval_us`).
            if parameters.intervalUs > 0 { try await Task.sleep(for: .microseconds(parameters.intervalUs)) }
            if index > 0 || parameters.compressed != nil { context.responseMetadata?.compressesMessages = parameters.compressed?.value == true }
            var response = Grpc_Testing_StreamingOutputCallResponse()
            response.payload = try payload(parameters.size)
            try await responses.write(response)
        }
        try check(request.responseStatus)
    }

    private static func echo(_ context: CallContext) {
        for value in context.metadata.values(for: echoInitialKey) { context.responseMetadata?.initial.append(value, for: echoInitialKey) }
        for value in context.metadata.values(for: echoTrailingKey) { context.responseMetadata?.trailing.append(value, for: echoTrailingKey) }
    }

    private static func check(_ status: Grpc_Testing_EchoStatus?) throws {
        guard let status, status.code != 0 else { return }
        throw RPCError(StatusCode(wireValue: status.code), status.message)
    }

    private static func check(expected: Int, _ compressedCount: Int) throws {
        guard expected == compressedCount else {
            throw RPCError(.invalidArgument, "\(compressedCount) requests came compressed; \(expected) were to")
        }
    }

    private static func payload(_ size: Int32) throws -> Grpc_Testing_Payload {
        guard size >= 0, size <= maximumSize else { throw RPCError(.invalidArgument, "a response of \(size) bytes cannot be had") }
        var payload = Grpc_Testing_Payload()
        payload.body = [UInt8](repeating: 0, count: Int(size))
        return payload
    }
}
