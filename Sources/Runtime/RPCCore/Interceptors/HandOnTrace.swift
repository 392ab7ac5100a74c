/// Has the calls that a handler makes be a part of the trace that its own call is a part of. It stands on both sides: before the handlers of a
/// server, and before the calls of the channels that they use.
///
///     let stock = StockServiceClient(channel: try Channel(socketPath: "/run/stock.sock")).intercepted(by: [HandOnTrace()])
///     let server = try Server(services: [Shop(stock: stock)], interceptors: [HandOnTrace()])
///
/// A call that comes with the metadata `traceparent` has its trace kept for its handler's task. Each call that the handler makes is sent with the same
/// trace id and a parent id of its own, and with the caller's `tracestate` as it came. A call without a trace begins none, and metadata of the
/// caller's own wins.
///
/// A `Task {}` that a handler starts inherits the trace, like every task-local value; `Task.detached` does not. Source: W3C Trace Context, sections 3.2
/// to 3.4.
public struct HandOnTrace: ServerInterceptor, ClientInterceptor {
    /// The trace of the call that the current task is answering.
    private struct Trace: Sendable {
        let parent: TraceParent
        /// Empty for none.
        let states: [String]
    }

    @TaskLocal private static var current: Trace?

    /// Longest `tracestate` that is handed on, bytes, all its values together. A longer one is left out. Source: section 3.3.1.5.
    public static let longestState = 512

    public init() {}

    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        guard let parent = TraceParent(context.metadata["traceparent"]) else { return try await next(context) }
        let states = context.metadata.values(for: "tracestate")
        let isShort = states.reduce(0) { $0 + $1.utf8.count } <= Self.longestState
        return try await Self.$current.withValue(Trace(parent: parent, states: isShort ? states : [])) { try await next(context) }
    }

    public func options(_ options: CallOptions, for method: String) -> CallOptions {
        guard let trace = Self.current, options.metadata["traceparent"] == nil else { return options }
        var options = options
        options.metadata.set(trace.parent.next().text, for: "traceparent")
        for state in trace.states { options.metadata.append(state, for: "tracestate") }
        return options
    }
}
