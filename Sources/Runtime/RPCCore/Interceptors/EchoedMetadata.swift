import ProtobufC
import Synchronization

/// Sends back what a server has said: each call carries the value of a key that came with the newest answer that had one.
///
/// So a caller asks any of several servers for nothing older than its own last write, where servers answer writes with a token:
///
///     let profiles = PBProfileServiceClient(channel: channel).intercepted(by: [EchoedMetadata("pulseboard-consistency")])
///
/// One for all clients of one account. It hears the answers to unary calls, from protocols that carry response metadata (gRPC). Of answers that cross, the
/// last to arrive counts. A call that brings the key itself is sent as it is.
public final class EchoedMetadata: ClientInterceptor {
    private let key: String
    private let newest = Mutex<String?>(nil)

    /// - Parameter key: in lower case.
    public init(_ key: String) { self.key = key }

    /// What the next call carries; `nil` before a server has said anything. May be set, to go on where another process was.
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
