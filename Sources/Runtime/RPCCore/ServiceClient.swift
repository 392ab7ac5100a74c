import ProtobufC

/// A generated client: a service's calls over any channel.
public protocol ServiceClient: Sendable {
    /// The channel of the calls.
    var channel: any CallChannel { get }

    /// A client whose calls go over `channel`.
    init(channel: any CallChannel)
}

extension ServiceClient {
    /// Makes a unary call and returns its answer with the metadata. If you need only the message, call the client's own method.
    ///
    ///     let response = try await greeter.response(from: Greeter.Methods.sayHello, to: HelloRequest(name: "world"))
    ///     print(response.message.text, response.metadata["x-served-by"] ?? "")
    /// - Throws: ``RPCError`` as ``CallChannel/unary(_:_:options:)``.
    public func response<Request: Message, Response: Message>(
        from method: MethodDescriptor<Request, Response>, to request: Request, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> CallResponse<Response> {
        try await channel.response(from: method, to: request, options: options)
    }

    /// The same client with interceptors before every call; the first of them is the outermost.
    public func intercepted(by interceptors: [any ClientInterceptor]) -> Self {
        Self(channel: channel.intercepted(by: interceptors))
    }
}
