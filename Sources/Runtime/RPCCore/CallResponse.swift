import ProtobufC

/// A whole answer: the message and the metadata that came with it.
///
///     let response = try await greeter.response(from: Greeter.Methods.sayHello, to: HelloRequest(name: "world"))
///     print(response.message.text, response.metadata["x-served-by"] ?? "")
///
/// Metadata comes over gRPC only: ttrpc has no place for it, and both are empty there.
public struct CallResponse<Message: Sendable>: Sendable {
    /// What the server answered.
    public var message: Message
    /// What the server sent before the message.
    public var metadata: Metadata
    /// What the server sent with the status, after the message.
    public var trailingMetadata: Metadata

    /// A response made by hand, for example by a test's stand-in for a server.
    public init(_ message: Message, metadata: Metadata = Metadata(), trailingMetadata: Metadata = Metadata()) {
        self.message = message
        self.metadata = metadata
        self.trailingMetadata = trailingMetadata
    }
}

extension CallChannel {
    /// Makes a unary call and gives its answer with the metadata.
    /// - Throws: ``RPCError`` as ``unary(_:_:options:)``; ``RPCError/trailingMetadata`` is what came with the failure.
    public func response<Request: ProtobufC.Message, Response: ProtobufC.Message>(
        from method: MethodDescriptor<Request, Response>, to request: Request, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> CallResponse<Response> {
        var options = options
        let metadata = options.responseMetadata ?? ResponseMetadata()
        options.responseMetadata = metadata
        let message = try await unary(method, request, options: options)
        return CallResponse(message, metadata: metadata.initial, trailingMetadata: metadata.trailing)
    }
}
