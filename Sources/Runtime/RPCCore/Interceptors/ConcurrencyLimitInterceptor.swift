import Synchronization

/// Answers `RESOURCE_EXHAUSTED` while so many calls are running behind it; for a service that something else limits, a database for example.
///
/// The server's own limits (``RPCServer/ServerLimits`` in `RPCServer`) hold for all methods without this.
public final class ConcurrencyLimitInterceptor: ServerInterceptor {
    private let limit: Int
    private let includes: @Sendable (String) -> Bool
    private let running = Atomic<Int>(0)

    /// - Parameters:
    ///   - limit: calls at once.
    ///   - includes: which methods (`service/method`) count. Default: all.
    public init(limit: Int, includes: @escaping @Sendable (String) -> Bool = { _ in true }) {
        self.limit = limit
        self.includes = includes
    }

    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        guard includes(context.method) else { return try await next(context) }
        defer { running.wrappingSubtract(1, ordering: .relaxed) }
        guard running.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            throw RPCError(.resourceExhausted, "\(limit) calls are already running")
        }
        return try await next(context)
    }
}
