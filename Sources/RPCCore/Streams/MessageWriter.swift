import ProtobufC

/// Where messages are written one by one: a handler's responses, or a caller's requests.
///
/// Any task may write; the messages of one task keep their order. Writing waits while the peer is behind, so a fast writer holds no more
/// than a few hundred KiB (``OutboundMessages``).
public struct MessageWriter<Element: Sendable>: Sendable {
    private let send: @Sendable (Element) async throws(RPCError) -> Void

    /// A writer that hands each message to `write`: for interceptors that change messages on their way, and for calling a handler in-process.
    public init(_ write: @escaping @Sendable (Element) async throws(RPCError) -> Void) { send = write }

    package init(_ messages: OutboundMessages<Element>, lifetime: StreamLifetime? = nil) where Element: Message {
        send = { (message) async throws(RPCError) in
            try await messages.write(message)
            // The call lasts as long as somebody can write on it.
            withExtendedLifetime(lifetime) {}
        }
    }

    /// Hands a message over for sending.
    /// - Throws: ``RPCError``: how the call ended, if it has; `CANCELLED` when the task is cancelled while it waits; `RESOURCE_EXHAUSTED` for
    ///   a message over the size limit and `INVALID_ARGUMENT` for one that cannot be encoded.
    public func write(_ message: Element) async throws(RPCError) { try await send(message) }

    /// Hands over all messages of a sequence, in order.
    /// - Throws: as ``write(_:)``.
    public func write(contentsOf messages: some Sequence<Element>) async throws(RPCError) {
        for message in messages { try await send(message) }
    }
}
