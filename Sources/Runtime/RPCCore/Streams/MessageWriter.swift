import ProtobufC

/// Sends messages one by one: a handler's responses, or a caller's requests.
///
///     func countDown(_ request: CountDownRequest, responses: MessageWriter<Count>, context: CallContext) async throws {
///         for number in (0...request.from).reversed() { try await responses.write(Count(number: number)) }
///     }
///
/// Any task may write. The messages of one task keep their order. Writing waits while the peer has no room, so a fast writer uses at most a few
/// hundred KiB (`OutboundMessages`).
public struct MessageWriter<Element: Sendable>: Sendable {
    @usableFromInline
    enum Destination: Sendable {
        case call(SentMessages<Element>)
        case closure(@Sendable (Element) async throws(RPCError) -> Void)
    }

    @usableFromInline let destination: Destination

    /// A writer that gives each message to `write`. For interceptors that change messages, and for calling a handler in-process.
    public init(_ write: @escaping @Sendable (Element) async throws(RPCError) -> Void) { destination = .closure(write) }

    /// A writer of a call. It holds `lifetime` as long as it exists.
    package init(_ messages: OutboundMessages, _ codec: MessageCodec<Element>, lifetime: StreamLifetime? = nil) {
        destination = .call(SentMessages(messages, codec, lifetime))
    }

    /// Sends a message. After a call has ended with OK, messages of its caller are dropped.
    /// - Throws: ``RPCError``. If the call has failed: its failure. If the task is cancelled while it waits: `CANCELLED`. If the message is over the
    ///   size limit: `RESOURCE_EXHAUSTED`. If the message cannot be encoded: `INVALID_ARGUMENT` in a client, `INTERNAL` in a handler.
    @inlinable
    nonisolated(nonsending) public func write(_ message: Element) async throws(RPCError) {
        switch destination {
        case .call(let messages):
            while messages.outbound.isOnLoop {
                switch try messages.send(message) {
                case .sent: return
                case .sentLastInARow: return await Task.yield()
                case .mustWait(let byteCount): try await messages.outbound.waitForRoom(with: byteCount)
                }
            }
            try await messages.outbound.write(encoded: try messages.encode(message))
        case .closure(let write): try await write(message)
        }
    }

    /// Whether a message would be sent at once: the peer has room for it, and no earlier message waits. True also after the call has ended.
    ///
    /// For a writer of a closure it is always true.
    @inlinable
    nonisolated(nonsending) public var isReady: Bool {
        get async {
            switch destination {
            case .call(let messages): await messages.outbound.isReady()
            case .closure: true
            }
        }
    }

    /// Waits until ``isReady``. A handler whose messages cost much memory waits here before it makes one. Other streams of the connection may have
    /// used the room when it is made: see ``handOver(_:)``.
    /// - Throws: ``RPCError``: how the call ended; `CANCELLED` when the task is cancelled while it waits.
    @inlinable
    nonisolated(nonsending) public func waitUntilReady() async throws(RPCError) {
        guard case .call(let messages) = destination else { return }
        try await messages.outbound.waitUntilReady()
    }

    /// Sends a message without waiting for room. Without room, the message stays in the stream's queue and counts as memory of the connection's user.
    /// It waits only while an earlier message is in the queue. So a stream keeps one message besides those that ``write(_:)-(Element)`` may keep.
    /// - Throws: as ``write(_:)-(Element)``.
    @inlinable
    nonisolated(nonsending) public func handOver(_ message: Element) async throws(RPCError) {
        switch destination {
        case .call(let messages):
            if messages.outbound.isOnLoop {
                switch try messages.send(message) {
                case .sent: return
                case .sentLastInARow: return await Task.yield()
                case .mustWait: break
                }
            }
            try await messages.outbound.write(encoded: try messages.encode(message))
        case .closure(let write): try await write(message)
        }
    }

    /// Sends a message that was packed before, for a message that many callers get.
    /// - Throws: as for a message that is not packed; `INTERNAL` if an interceptor sees the messages and the bytes are not such a message.
    nonisolated(nonsending) public func write(_ message: PackedMessage<Element>) async throws(RPCError) where Element: Message {
        switch destination {
        case .call(let messages):
            while messages.outbound.isOnLoop {
                switch try messages.send(message) {
                case .sent: return
                case .sentLastInARow: return await Task.yield()
                case .mustWait(let byteCount): try await messages.outbound.waitForRoom(with: byteCount)
                }
            }
            try await messages.outbound.write(encoded: message.bytes)
        case .closure(let write):
            let decoded: Element
            do throws(DecodingError) { decoded = try Element(serializedBytes: message.bytes.span.bytes) } catch { throw .unencodableAnswer }
            try await write(decoded)
        }
    }

    /// Sends all messages of a sequence, in order.
    /// - Throws: as for a single message.
    @inlinable
    nonisolated(nonsending) public func write(contentsOf messages: some Sequence<Element>) async throws(RPCError) {
        for message in messages { try await write(message) }
    }
}

/// Encodes the messages of a call's stream.
@usableFromInline
final class SentMessages<Element: Sendable>: Sendable {
    @usableFromInline let outbound: OutboundMessages
    @usableFromInline let codec: MessageCodec<Element>
    private let lifetime: StreamLifetime?

    init(_ outbound: OutboundMessages, _ codec: MessageCodec<Element>, _ lifetime: StreamLifetime?) {
        self.outbound = outbound
        self.codec = codec
        self.lifetime = lifetime
    }

    /// Encodes a message into the connection's output, if there is room. On the loop only.
    @inlinable
    func send(_ message: Element) throws(RPCError) -> OutboundMessages.Sending {
        var sending = OutboundMessages.Sending.sent
        try codec.lend(message, orElse: outbound.notEncodableCode) { (message) throws(RPCError) in sending = try outbound.send(message) }
        return sending
    }

    /// The same with a message that was packed before.
    func send(_ message: PackedMessage<Element>) throws(RPCError) -> OutboundMessages.Sending where Element: Message {
        var outcome: Result<OutboundMessages.Sending, RPCError> = .success(.sent)
        message.withPackable { message in
            do throws(RPCError) { outcome = .success(try outbound.send(message)) } catch { outcome = .failure(error) }
        }
        return try outcome.get()
    }

    /// Encodes a message on the writer's own thread.
    @inlinable
    func encode(_ message: Element) throws(RPCError) -> [UInt8] {
        var bytes: [UInt8] = []
        try codec.lend(message, orElse: outbound.notEncodableCode) { bytes = $0.bytes() }
        return bytes
    }
}
