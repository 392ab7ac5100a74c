import Synchronization

/// Counts calls by method and code, and how long they took: an interceptor whose figures anyone may read.
///
/// It keeps figures only; what shows them (a log, an endpoint, a metrics library) is the program's choice.
public final class CallMetrics: ServerInterceptor {
    /// The figures of one method since the start.
    public struct Figures: Sendable, Hashable {
        /// Calls that have ended, by code.
        public fileprivate(set) var ended: [StatusCode: Int] = [:]
        /// Calls whose handlers are running.
        public fileprivate(set) var running = 0
        /// Time that ended calls took, all together, from their start to their handlers' end.
        public fileprivate(set) var totalDuration = Duration.zero
        /// The longest of them.
        public fileprivate(set) var longestDuration = Duration.zero
    }

    private let figures = Mutex<[String: Figures]>([:])

    public init() {}

    /// The figures by method (`service/method`), of methods that were called.
    public var current: [String: Figures] { figures.withLock { $0 } }

    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        let start = ContinuousClock.now
        figures.withLock { $0[context.method, default: Figures()].running += 1 }
        do {
            let answer = try await next(context)
            note(context.method, .ok, ContinuousClock.now - start)
            return answer
        } catch {
            note(context.method, RPCError(handlerFailure: error).code, ContinuousClock.now - start)
            throw error
        }
    }

    private func note(_ method: String, _ code: StatusCode, _ duration: Duration) {
        figures.withLock { figures in
            figures[method, default: Figures()].running -= 1
            figures[method, default: Figures()].ended[code, default: 0] += 1
            figures[method, default: Figures()].totalDuration += duration
            let longest = figures[method, default: Figures()].longestDuration
            figures[method, default: Figures()].longestDuration = max(longest, duration)
        }
    }
}
