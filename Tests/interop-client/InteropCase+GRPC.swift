import InteropMessages
import RPCCore

/// Cases for features that only gRPC has: compression of single messages, and response metadata.
extension InteropCase {
    static let compression = [
        InteropCase(name: "client_compressed_unary", needsGRPC: true) { client in
            let compression = RequestCompression()
            let options = CallOptions(requestCompression: compression)
            var request = Grpc_Testing_SimpleRequest.large
            request.expectCompressed = .of(true)
            // First check that the server notices a missing compression.
            compression.isOn = false
            try await expect(.invalidArgument) { _ = try await client.unaryCall(request, options: options) }
            compression.isOn = true
            try check(try await client.unaryCall(request, options: options), .largeResponseSize)
            compression.isOn = false
            request.expectCompressed = .of(false)
            try check(try await client.unaryCall(request, options: options), .largeResponseSize)
        },
        InteropCase(name: "server_compressed_unary", needsGRPC: true) { client in
            for isCompressed in [true, false] {
                var request = Grpc_Testing_SimpleRequest.large
                request.responseCompressed = .of(isCompressed)
                let metadata = ResponseMetadata()
                try check(try await client.unaryCall(request, options: CallOptions(responseMetadata: metadata)), .largeResponseSize)
                try InteropFailure.check("the count of compressed responses", metadata.receivedCompressedCount, isCompressed ? 1 : 0)
            }
        },
        InteropCase(name: "client_compressed_streaming", needsGRPC: true) { client in
            let compression = RequestCompression()
            let options = CallOptions(requestCompression: compression)
            compression.isOn = false
            let probe = client.streamingInputCall(options: options)
            try await expect(.invalidArgument) {
                try await probe.write(.of(27182, expectCompressed: true))
                _ = try await probe.finish()
            }
            let call = client.streamingInputCall(options: options)
            compression.isOn = true
            try await call.write(.of(27182, expectCompressed: true))
            compression.isOn = false
            try await call.write(.of(45904, expectCompressed: false))
            try InteropFailure.check("the sum", try await call.finish().aggregatedPayloadSize, 73086)
        },
        InteropCase(name: "server_compressed_streaming", needsGRPC: true) { client in
            var request = Grpc_Testing_StreamingOutputCallRequest.asking(for: [31415, 92653])
            request.responseParameters[0].compressed = .of(true)
            request.responseParameters[1].compressed = .of(false)
            let metadata = ResponseMetadata()
            var sizes: [Int] = []
            for try await response in client.streamingOutputCall(request, options: CallOptions(responseMetadata: metadata)) {
                sizes.append(response.payload?.body.count ?? 0)
            }
            try InteropFailure.check("the sizes", sizes, [31415, 92653])
            try InteropFailure.check("the count of compressed responses", metadata.receivedCompressedCount, 1)
        },
    ]

    static let metadata = [
        InteropCase(name: "custom_metadata", needsGRPC: true) { client in
            let unary = try await client.response(from: Grpc_Testing_TestService.Methods.unaryCall, to: .large, options: echoed)
            try check(unary.message, .largeResponseSize)
            try checkEchoes(unary.metadata, unary.trailingMetadata)
            let call = client.fullDuplexCall(options: echoed)
            try await call.write(.asking(for: [31415], payload: 27182))
            call.finishWriting()
            for try await _ in call.responses {}
            try checkEchoes(call.metadata, call.trailingMetadata)
        }
    ]

    /// The trailing value is three bytes 0xAB.
    private static let echoed = CallOptions(
        metadata: ["x-grpc-test-echo-initial": "test_initial_metadata_value", "x-grpc-test-echo-trailing-bin": "q6ur"])

    private static func checkEchoes(_ initial: Metadata, _ trailing: Metadata) throws {
        try InteropFailure.check("the initial metadata", initial.values(for: "x-grpc-test-echo-initial"), ["test_initial_metadata_value"])
        try InteropFailure.check("the trailing metadata", trailing.values(for: "x-grpc-test-echo-trailing-bin"), ["q6ur"])
    }
}
