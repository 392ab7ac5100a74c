import ProtobufC

/// How messages of one type become wire bytes and are made from them.
///
/// It is a value of functions, made where the type is known (``MethodDescriptor``). So its callers need not be compiled for the type. Code of another
/// module that looks a type up for each message is slow (docs/performance.md).
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

    /// Lends the message to `body`, in terms of calls.
    /// - Parameter code: what a message that cannot be encoded is: its caller's mistake, or our service's.
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
