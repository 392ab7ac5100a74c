import ProtobufC
import Synchronization

/// A stream of received messages: a handler's requests, or a caller's responses.
///
/// It is an async sequence with one consumer. It ends when the other side has sent its last message. If the call ended otherwise, it throws the
/// call's ``RPCError``.
///
///     for try await count in greeter.countDown(CountDownRequest(from: 3)) {
///         print(count.number)     // 3, 2, 1, 0
///     }
///
/// A slow reader slows the sender, because the peer is told how much room there is (PulseBoard's peers, and all peers over gRPC). A stream that still
/// fills its budget fails with `RESOURCE_EXHAUSTED`; other streams continue.
public struct MessageStream<Element: Sendable>: AsyncSequence, Sendable {
    /// The error of a call that fails.
    public typealias Failure = RPCError

    @usableFromInline
    enum Source: Sendable {
        case call(ReceivedMessages<Element>)
        case closure(@Sendable () async throws(RPCError) -> Element?)
    }

    @usableFromInline let source: Source

    package init(_ messages: InboundMessages, _ codec: MessageCodec<Element>, lifetime: StreamLifetime? = nil) {
        source = .call(ReceivedMessages(messages, codec, lifetime))
    }

    /// A stream of the values of `next`, until it returns nil. For interceptors that change messages.
    public init(_ next: @escaping @Sendable () async throws(RPCError) -> Element?) {
        source = .closure(next)
    }

    /// A stream of given messages, for calling a handler in-process.
    public init(_ messages: some Sequence<Element>) {
        let messages = Array(messages)
        let position = Atomic<Int>(0)
        self.init { () throws(RPCError) -> Element? in
            let index = position.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < messages.count ? messages[index] : nil
        }
    }

    /// The stream's reader. Use only one: each message goes to one reader.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Reads a ``MessageStream``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The error of a call that fails.
        public typealias Failure = RPCError
        @usableFromInline let source: Source
        /// Messages that were taken without waiting, since the reader last let others run.
        @usableFromInline var takenInARow = 0
        /// How many that may be. A reader on the event loop would otherwise occupy it until its queue is empty, which may be thousands of messages.
        @usableFromInline static var mostInARow: Int { 16 }
        /// The work of decompression that takes as long as a message, as ``MessageDecompressor`` counts it.
        @usableFromInline static var workEachMessage: Int { 1 << 10 }

        @usableFromInline
        init(source: Source) { self.source = source }

        /// The next message; nil at the end.
        /// - Throws: ``RPCError``: how the call ended, or `CANCELLED` when the waiting task is cancelled.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Element? {
            switch source {
            case .call(let messages):
                // A message that has already come is taken without a change of executor.
                let taken: InboundMessage?
                if let ready = messages.inbound.takeReady() {
                    taken = try ready.get()
                    takenInARow += 1
                } else {
                    takenInARow = 0
                    taken = try await messages.inbound.wait()
                }
                guard var message = taken else { return nil }
                if message.decompressor != nil, let whole = try messages.inbound.decompressed(message, mostWork: messages.mostWorkHere) {
                    takenInARow += (whole.bytes.count + message.bytes.count * InboundMessage.compressedByteWork) / Self.workEachMessage
                    message = whole
                }
                if messages.isLarge(message) {
                    takenInARow = 0
                    return try await messages.decodeLarge(message)
                }
                if takenInARow >= Self.mostInARow {
                    takenInARow = 0
                    await Task.yield()
                }
                return try messages.decode(message.bytes)
            case .closure(let next): return try await next()
            }
        }

        /// The same, for callers without isolation.
        @inlinable
        nonisolated(nonsending) public mutating func next() async throws(RPCError) -> Element? {
            try await next(isolation: #isolation)
        }
    }
}

/// Decodes the messages of a call's stream.
@usableFromInline
final class ReceivedMessages<Element: Sendable>: Sendable {
    @usableFromInline let inbound: InboundMessages
    @usableFromInline let codec: MessageCodec<Element>
    private let lifetime: StreamLifetime?

    init(_ inbound: InboundMessages, _ codec: MessageCodec<Element>, _ lifetime: StreamLifetime?) {
        self.inbound = inbound
        self.codec = codec
        self.lifetime = lifetime
    }

    /// How much work a reader does itself to decompress a message.
    @usableFromInline
    var mostWorkHere: Int { inbound.decodingExecutor == nil ? .max : InboundMessage.mostWorkOnLoop }

    /// Whether a message takes too long to decode for an event loop, or was too long to decompress.
    @usableFromInline
    func isLarge(_ message: InboundMessage) -> Bool {
        guard message.decompressor == nil else { return true }
        return message.bytes.count > MessageDescriptor.uncountedByteCount && !codec.descriptor.decodesByCopying(message.bytes.span.bytes)
    }

    /// Decompresses and decodes a large message on another thread than the event loop, unless the stream has failed before. A cancelled reader gets
    /// it too: it has left the queue, so nobody else can have it.
    @usableFromInline
    nonisolated(nonsending) func decodeLarge(_ message: InboundMessage) async throws(RPCError) -> Element {
        let decoding = Task.detached(executorPreference: inbound.decodingExecutor) { () -> Result<Element, RPCError> in
            if let failure = self.inbound.failure { return .failure(failure) }
            do throws(RPCError) {
                return .success(try self.decode(self.inbound.decompressed(message).bytes))
            } catch {
                return .failure(error)
            }
        }
        return try await decoding.value.get()
    }

    @inlinable
    func decode(_ payload: [UInt8]) throws(RPCError) -> Element {
        do throws(DecodingError) {
            return try codec.decode(payload.span.bytes)
        } catch {
            throw inbound.undecodable(codec.descriptor, error)
        }
    }
}

/// A reference that all objects of a caller's stream hold. When the last of them is gone, nobody can use the call any more, and
/// it is cancelled.
package final class StreamLifetime: Sendable {
    private let gone: @Sendable () -> Void

    /// - Parameter gone: called on any thread, once.
    package init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }

    deinit { gone() }
}
