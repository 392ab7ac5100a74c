import ProtobufC

/// How many messages each side of a call sends: one, or any number.
public enum CallShape: Sendable, Hashable {
    case unary, clientStreaming, serverStreaming, bidirectionalStreaming
}

/// A method of a service with the types of its messages. Generated clients and handlers use it.
public struct MethodDescriptor<Request: Message, Response: Message>: Sendable {
    /// Full service name without slashes, for example `pulseboard.profile.v1.ProfileService`.
    public let service: String
    /// Method name as in the `.proto`, for example `GetProfile`.
    public let method: String
    public let shape: CallShape
    @usableFromInline package let requestCodec = MessageCodec<Request>()
    @usableFromInline package let responseCodec = MessageCodec<Response>()

    @inlinable
    public init(service: String, method: String, shape: CallShape) {
        self.service = service
        self.method = method
        self.shape = shape
    }

    /// `service/method`, the key under which the method is looked up.
    public var path: String { service + "/" + method }
}
