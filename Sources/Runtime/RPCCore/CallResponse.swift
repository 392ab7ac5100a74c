import ProtobufC

/// A complete answer: the message and its metadata.
///
///     let response = try await greeter.response(from: Greeter.Methods.sayHello, to: HelloRequest(name: "world"))
///     print(response.message.text, response.metadata["x-served-by"] ?? "")
///
/// Only gRPC has metadata in answers. Over ttrpc, both are empty.
public struct CallResponse<Message: Sendable>: Sendable {
    /// The response message.
    public var message: Message
    /// The metadata that the server sent before the message.
    public var metadata: Metadata
    /// The metadata that the server sent with the status, after the message.
    public var trailingMetadata: Metadata

    /// A response made by hand, for example in a test without a server.
    public init(_ message: Message, metadata: Metadata = Metadata(), trailingMetadata: Metadata = Metadata()) {
        self.message = message
        self.metadata = metadata
        self.trailingMetadata = trailingMetadata
    }
}

extension CallChannel {
    /// Makes a unary call and returns its answer with the metadata.
    /// - Throws: ``RPCError`` as ``unary(_:_:options:)``; ``RPCError/trailingMetadata`` has the metadata of the failure.
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
