import Synchronization

/// Messages as they arrive: a handler's requests, or a caller's responses.
///
/// An async sequence with one consumer. It ends when the other side has sent its last message, and throws the ``RPCError`` with which the
/// call ended otherwise. What is read slowly is sent slowly: the peer is told how much room there is (by our own peers and over gRPC), and a
/// stream that fills its budget all the same fails alone with `RESOURCE_EXHAUSTED`.
public struct MessageStream<Element: Sendable>: AsyncSequence, Sendable {
    /// How a call ends that does not end well.
    public typealias Failure = RPCError

    fileprivate enum Source: Sendable {
        case call(InboundMessages<Element>, StreamLifetime?)
        case closure(@Sendable () async throws(RPCError) -> Element?)

        func next() async throws(RPCError) -> Element? {
            switch self {
            case .call(let messages, _): try await messages.next()
            case .closure(let next): try await next()
            }
        }
    }

    private let source: Source

    package init(_ messages: InboundMessages<Element>, lifetime: StreamLifetime? = nil) {
        source = .call(messages, lifetime)
    }

    /// A stream of whatever `next` gives until it gives nil: for interceptors that change messages on their way.
    public init(_ next: @escaping @Sendable () async throws(RPCError) -> Element?) {
        source = .closure(next)
    }

    /// A stream of messages that are there already: for calling a handler in-process.
    public init(_ messages: some Sequence<Element>) {
        let messages = Array(messages)
        let position = Atomic<Int>(0)
        self.init { () throws(RPCError) -> Element? in
            let index = position.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < messages.count ? messages[index] : nil
        }
    }

    /// The stream's reader. One at a time: what one has taken, another does not see.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Reads a ``MessageStream``.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// How a call ends that does not end well.
        public typealias Failure = RPCError
        fileprivate let source: Source

        /// The next message; nil at the end.
        /// - Throws: ``RPCError``: how the call ended, or `CANCELLED` when the waiting task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RPCError) -> Element? {
            let source = source
            return try await source.next()
        }

        /// The same, for callers without isolation.
        public mutating func next() async throws(RPCError) -> Element? {
            let source = source
            return try await source.next()
        }
    }
}

/// Held by everything through which a caller reaches its stream: when the last of these is gone, nobody can hear of the call any more, and
/// it is cancelled.
package final class StreamLifetime: Sendable {
    private let gone: @Sendable () -> Void

    /// - Parameter gone: called on any thread, once.
    package init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }

    deinit { gone() }
}
