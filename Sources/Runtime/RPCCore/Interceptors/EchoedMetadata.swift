import ProtobufC
import Synchronization

/// Sends a metadata value back to the server: each call has the value of a key from the newest answer with that key.
///
/// For servers that answer writes with a token. With it, a caller gets answers from any server that are not older than its own last write:
///
///     let profiles = PBProfileServiceClient(channel: channel).intercepted(by: [EchoedMetadata("pulseboard-consistency")])
///
/// Use one for all clients of one account. It reads the answers to unary calls, in protocols with response metadata (gRPC). If several answers come
/// at the same time, the last to arrive counts. A call whose options already have the key is not changed.
public final class EchoedMetadata: ClientInterceptor {
    private let key: String
    private let newest = Mutex<String?>(nil)

    /// - Parameter key: in lower case.
    public init(_ key: String) { self.key = key }

    /// The value that the next call sends; `nil` before the first answer with the key. Set it to continue with the value of another process.
    public var value: String? {
        get { newest.withLock { $0 } }
        set { newest.withLock { $0 = newValue } }
    }

    public func options(_ options: CallOptions, for method: String) -> CallOptions {
        guard let value, options.metadata[key] == nil else { return options }
        var options = options
        options.metadata.append(value, for: key)
        return options
    }

    public func interceptUnary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions,
        _ next: NextRequest<Request, Response>
    ) async throws(RPCError) -> Response {
        var options = options
        let metadata = options.responseMetadata ?? ResponseMetadata()
        options.responseMetadata = metadata
        let response = try await next(request, options)
        if let said = metadata.initial[key] { value = said }
        return response
    }
}
