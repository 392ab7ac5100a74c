import ProtobufC

/// How many messages each side of a call sends: one, or any number.
public enum CallShape: Sendable, Hashable {
    case unary, clientStreaming, serverStreaming, bidirectionalStreaming
}

/// A method of a service with the types of its messages. Generated clients and handlers use it.
///
///     let sayHello = MethodDescriptor<HelloRequest, HelloReply>(service: "greeter.v1.Greeter", method: "SayHello", shape: .unary)
///     router.register(sayHello) { request, context in HelloReply(text: "Hello, \(request.name)!") }
///     print(try await channel.unary(sayHello, HelloRequest(name: "world"), options: CallOptions()).text)
public struct MethodDescriptor<Request: Message, Response: Message>: Sendable {
    /// Full service name without slashes, for example `pulseboard.profile.v1.ProfileService`.
    public let service: String
    /// Method name as in the `.proto`, for example `GetProfile`.
    public let method: String
    /// How many messages each side sends.
    public let shape: CallShape
    @usableFromInline package let requestCodec = MessageCodec<Request>()
    @usableFromInline package let responseCodec = MessageCodec<Response>()

    /// Generated code makes one for each method.
    @inlinable
    public init(service: String, method: String, shape: CallShape) {
        self.service = service
        self.method = method
        self.shape = shape
    }

    /// `service/method`, the key under which the method is looked up.
    public var path: String { service + "/" + method }
}

/// Encodes and decodes messages of one type.
///
/// It consists of functions that are made where the type is known (``MethodDescriptor``). So its callers need not be compiled for the type. Code of
/// another module that looks a type up for each message is slow (docs/performance.md).
@usableFromInline
package struct MessageCodec<Element: Sendable>: Sendable {
    @usableFromInline let descriptor: MessageDescriptor
    @usableFromInline package let decode: @Sendable (RawSpan) throws(DecodingError) -> Element
    @usableFromInline let lend: @Sendable (Element, (borrowing PackableMessage) -> Void) throws(EncodingError) -> Void

    @inlinable
    package init() where Element: Message {
        descriptor = Element.descriptor
        decode = { (bytes) throws(DecodingError) in try Element(serializedBytes: bytes) }
        lend = { (message, body) throws(EncodingError) in try message.withPackable(body) }
    }

    /// Lends the message to `body`, and throws encoding errors as ``RPCError``.
    /// - Parameter code: the code for a message that cannot be encoded: the caller's mistake, or the service's.
    /// - Throws: ``RPCError``: `code`, or what `body` throws.
    @usableFromInline
    package func lend(
        _ message: Element, orElse code: StatusCode, _ body: (borrowing PackableMessage) throws(RPCError) -> Void
    ) throws(RPCError) {
        var failure: RPCError?
        do throws(EncodingError) {
            try lend(message) { message in
                do throws(RPCError) { try body(message) } catch { failure = error }
            }
        } catch {
            throw .notEncodable(error, code)
        }
        if let failure { throw failure }
    }
}
