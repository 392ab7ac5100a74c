import Synchronization

/// Limits how many handlers run at the same time. Over it: `RESOURCE_EXHAUSTED`. Use it if a handler needs something limited, such as a database.
///
/// It counts handlers that may wait, of all its methods together. Synchronous handlers and answers from memory do not count. The server's own
/// limits (``RPCServer/ServerLimits`` in `RPCServer`) also hold without it.
public final class ConcurrencyLimit: CallObserver, HandlerLimit {
    private let limit: Int
    private let includes: @Sendable (String) -> Bool
    private let running = Atomic<Int>(0)

    /// - Parameters:
    ///   - limit: the most handlers at the same time.
    ///   - includes: which methods (`service/method`) count. Default: all.
    public init(limit: Int, includes: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.limit = limit
        self.includes = includes
    }

    /// Itself for a method that counts.
    public func limit(of method: RegisteredMethod) -> (any HandlerLimit)? { includes(method.path) ? self : nil }

    public func takePlace() throws(RPCError) {
        guard running.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return }
        running.wrappingSubtract(1, ordering: .relaxed)
        throw RPCError(.resourceExhausted, "\(limit) calls are already running")
    }

    public func returnPlace() { running.wrappingSubtract(1, ordering: .relaxed) }
}
