import InteropMessages
import RPCCore

/// A case of gRPC's interoperability tests (interop-test-descriptions.md): the client's actions and checks.
struct InteropCase: Sendable {
    let name: String
    /// Whether it needs a feature that ttrpc lacks: compression, or response metadata.
    var needsGRPC = false
    let run: @Sendable (Grpc_Testing_TestServiceClient) async throws -> Void

    static let all = unary + streaming + compression + metadata + failures + ends

    // MARK: Unary

    private static let unary = [
        InteropCase(name: "empty_unary") { client in
            try InteropFailure.check("the answer", try await client.emptyCall(Grpc_Testing_Empty()), Grpc_Testing_Empty())
        },
        InteropCase(name: "large_unary") { client in
            let response = try await client.unaryCall(.large)
            try check(response, .largeResponseSize)
        },
    ]

    static func check(_ response: Grpc_Testing_SimpleResponse, _ size: Int) throws {
        try check(response.payload, size)
    }

    private static func check(_ payload: Grpc_Testing_Payload?, _ size: Int) throws {
        try InteropFailure.check("the response's size", payload?.body.count, size)
        guard payload?.body.allSatisfy({ $0 == 0 }) == true else { throw InteropFailure("the response is not all zeros") }
    }

    // MARK: Streaming

    static let requestSizes = [27182, 8, 1828, 45904]
    private static let responseSizes = [31415, 9, 2653, 58979]

    private static let streaming = [
        InteropCase(name: "client_streaming") { client in
            let call = client.streamingInputCall()
            for size in requestSizes { try await call.write(.of(size)) }
            try InteropFailure.check("the sum", try await call.finish().aggregatedPayloadSize, 74922)
        },
        InteropCase(name: "server_streaming") { client in
            var sizes: [Int] = []
            for try await response in client.streamingOutputCall(.asking(for: responseSizes)) {
                try check(response.payload, response.payload?.body.count ?? 0)
                sizes.append(response.payload?.body.count ?? 0)
            }
            try InteropFailure.check("the sizes", sizes, responseSizes)
        },
        InteropCase(name: "ping_pong") { client in
            let call = client.fullDuplexCall()
            var responses = call.responses.makeAsyncIterator()
            for (requestSize, responseSize) in zip(requestSizes, responseSizes) {
                try await call.write(.asking(for: [responseSize], payload: requestSize))
                try check(try await responses.next()?.payload, responseSize)
            }
            call.finishWriting()
            guard try await responses.next() == nil else { throw InteropFailure("there is a response that was not asked for") }
        },
        InteropCase(name: "empty_stream") { client in
            let call = client.fullDuplexCall()
            call.finishWriting()
            for try await _ in call.responses { throw InteropFailure("there is a response that was not asked for") }
        },
    ]

    // MARK: Failures

    private static let failures = [
        InteropCase(name: "status_code_and_message") { client in
            try await checkStatus(client, "test status message")
        },
        InteropCase(name: "special_status_message") { client in
            try await checkStatus(client, "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n")
        },
        InteropCase(name: "unimplemented_method") { client in
            try await expect(.unimplemented) { _ = try await client.unimplementedCall(Grpc_Testing_Empty()) }
        },
        InteropCase(name: "unimplemented_service") { client in
            let other = Grpc_Testing_UnimplementedServiceClient(channel: client.channel)
            try await expect(.unimplemented) { _ = try await other.unimplementedCall(Grpc_Testing_Empty()) }
        },
    ]

    private static func checkStatus(_ client: Grpc_Testing_TestServiceClient, _ message: String) async throws {
        var status = Grpc_Testing_EchoStatus()
        status.code = StatusCode.unknown.rawValue
        status.message = message
        var request = Grpc_Testing_SimpleRequest()
        request.responseStatus = status
        try await expect(.unknown, message) { _ = try await client.unaryCall(request) }
        var streamed = Grpc_Testing_StreamingOutputCallRequest()
        streamed.responseStatus = status
        let call = client.fullDuplexCall()
        try await call.write(streamed)
        call.finishWriting()
        try await expect(.unknown, message) { for try await _ in call.responses {} }
    }

    /// The call must fail with this code, and this text if one is given.
    static func expect(_ code: StatusCode, _ message: String? = nil, _ call: () async throws -> Void) async throws {
        do {
            try await call()
        } catch let error as RPCError {
            try InteropFailure.check("the status", error.code, code)
            if let message { try InteropFailure.check("its message", error.message, message) }
            return
        }
        throw InteropFailure("the call succeeded; it was to fail with \(code.name)")
    }

    // MARK: Ends that the client makes

    private static let ends = [
        InteropCase(name: "cancel_after_begin") { client in
            let call = client.streamingInputCall()
            call.cancel()
            try await expect(.cancelled) { _ = try await call.finish() }
        },
        InteropCase(name: "cancel_after_first_response") { client in
            let call = client.fullDuplexCall()
            try await call.write(.asking(for: [31415], payload: 27182))
            var responses = call.responses.makeAsyncIterator()
            try check(try await responses.next()?.payload, 31415)
            call.cancel()
            try await expect(.cancelled) { _ = try await responses.next() }
        },
        InteropCase(name: "timeout_on_sleeping_server") { client in
            let call = client.fullDuplexCall(options: CallOptions(timeout: .milliseconds(1)))
            try await expect(.deadlineExceeded) {
                // The deadline may pass during the write.
                try await call.write(.asking(for: [31415], payload: 27182, intervalMicroseconds: 1_000_000))
                for try await _ in call.responses {}
            }
        },
    ]
}
