/// Passes the trace of a handler's own call on to the calls that the handler makes. Use it on both sides: before the handlers of a server, and
/// before the calls of the channels that they use.
///
///     let stock = StockServiceClient(channel: try Channel(socketPath: "/run/stock.sock")).intercepted(by: [HandOnTrace()])
///     let server = try Server(services: [Shop(stock: stock)], interceptors: [HandOnTrace()])
///
/// If a call has the metadata `traceparent`, its handler's task keeps the trace. Each call that the handler makes has the same
/// trace id, a new parent id, and the unchanged `tracestate`. A call without a trace starts none. Trace metadata in the options of a call is not
/// replaced.
///
/// A `Task {}` that a handler starts inherits the trace, like every task-local value; `Task.detached` does not. Source: W3C Trace Context, sections
/// 3.2 to 3.4.
public struct HandOnTrace: ServerInterceptor, ClientInterceptor {
    /// The trace of the call that the current task is answering.
    private struct Trace: Sendable {
        let parent: TraceParent
        /// Empty for none.
        let states: [String]
    }

    @TaskLocal private static var current: Trace?

    /// The longest `tracestate` that is passed on, bytes, all its values together. A longer one is left out. Source: section 3.3.1.5.
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
