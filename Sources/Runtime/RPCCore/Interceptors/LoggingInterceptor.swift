import Logging

/// Logs the end of every call with its code and duration; failures that are the server's own at `error`, the rest at `level`.
///
/// Messages and metadata are never logged: they may hold what people wrote, and tokens.
public struct LoggingInterceptor: ServerInterceptor {
    private let level: Logger.Level

    /// - Parameter level: what calls are logged at that ended as their service meant them to. Default: `debug`.
    public init(level: Logger.Level = .debug) { self.level = level }

    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        let start = ContinuousClock.now
        do {
            let answer = try await next(context)
            log(context, .ok, start)
            return answer
        } catch {
            log(context, RPCError(handlerFailure: error).code, start)
            throw error
        }
    }

    private func log(_ context: CallContext, _ code: StatusCode, _ start: ContinuousClock.Instant) {
        let isOurs = [.internal, .unknown, .dataLoss].contains(code)
        context.logger.log(
            level: isOurs ? .error : level, "a call ended",
            metadata: ["rpc.code": "\(code)", "rpc.duration": "\(ContinuousClock.now - start)"])
    }
}
