import RPCClient
import RPCCore

/// One method of each shape, for tests that apply to all shapes.
enum ShapeMethods {
    static func method(_ shape: CallShape) -> MethodDescriptor<Text, Text> {
        MethodDescriptor(service: TestMethods.service, method: "Of\(shape)", shape: shape)
    }

    /// Registers a method of each shape. Each passes its first request to `handle` and answers with the result.
    static func register(
        in router: inout Router, _ handle: @escaping @Sendable (_ request: String, _ context: CallContext) async throws -> String
    ) {
        router.register(method(.unary)) { request, context in text(try await handle(request.value, context)) }
        router.registerServerStreaming(method(.serverStreaming)) { request, responses, context in
            try await responses.write(text(try await handle(request.value, context)))
        }
        router.registerClientStreaming(method(.clientStreaming)) { requests, context in
            var first: String?
            for try await request in requests {
                first = request.value
                break
            }
            return text(try await handle(first ?? "", context))
        }
        router.registerBidirectionalStreaming(method(.bidirectionalStreaming)) { requests, responses, context in
            for try await request in requests {
                try await responses.write(text(try await handle(request.value, context)))
                return
            }
        }
    }
}

extension Channel {
    /// Calls a method of any shape with one request, and returns its single response.
    func call(_ shape: CallShape, _ request: String, options: CallOptions = CallOptions()) async throws -> String {
        let method = ShapeMethods.method(shape)
        switch shape {
        case .unary: return try await unary(method, text(request), options: options).value
        case .serverStreaming: return try await only(serverStream(method, text(request), options: options))
        case .clientStreaming:
            let stream = clientStream(method, options: options)
            // The response shows how the call ended.
            try? await stream.write(text(request))
            return try await stream.finish().value
        case .bidirectionalStreaming:
            let stream = bidirectionalStream(method, options: options)
            try? await stream.write(text(request))
            stream.finishWriting()
            return try await only(stream.responses)
        }
    }

    private func only(_ responses: some AsyncSequence<Text, RPCError>) async throws -> String {
        var received: [String] = []
        for try await response in responses { received.append(response.value) }
        return received.joined(separator: "|")
    }
}
