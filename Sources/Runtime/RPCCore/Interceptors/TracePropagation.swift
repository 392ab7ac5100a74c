/// Passes the trace of a handler's own call on to the calls that the handler makes. Use it on both sides: before the handlers of a server, and
/// before the calls of the channels that they use.
///
///     let names = NamesClient(channel: try Channel(socketPath: "/run/names.sock")).intercepted(by: [TracePropagation()])
///     let server = try Server(services: [GreeterService(names: names)], interceptors: [TracePropagation()])
///
/// On a server it runs around the whole call, so it is no ``ContextInterceptor``. Behind it, synchronous handlers run in a task, and no call is
/// answered from memory (``Router/answerFromMemory(_:_:)``).
///
/// If a call has the metadata `traceparent`, its handler's task keeps the trace. Each call that the handler makes has the same
/// trace id, a new parent id, and the unchanged `tracestate`. A call without a trace starts none. Trace metadata in the options of a call is not
/// replaced.
///
/// A `Task {}` that a handler starts inherits the trace, like every task-local value; `Task.detached` does not. Source: W3C Trace Context, sections
/// 3.2 to 3.4.
public struct TracePropagation: ServerInterceptor, ClientInterceptor {
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

/// The trace of a call, as its caller sends it: the metadata `traceparent`.
///
/// Source: W3C Trace Context, section 3.2. Later versions may add fields after the four known ones.
public struct TraceParent: Sendable, Hashable {
    /// The id of the whole trace: 32 lower-case hexadecimal digits, not all zeros.
    public let traceID: String
    /// The id of the caller's own part: 16 such digits.
    public let parentID: String
    /// Whether the caller records the trace.
    public let isSampled: Bool

    /// The text of the metadata, in version 00 of the format.
    public var text: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

    /// The same trace for an outbound call, with a new parent id.
    public func next() -> TraceParent {
        var generator = SystemRandomNumberGenerator()
        // Zero is not a valid id.
        let digits = String(UInt64.random(in: 1...UInt64.max, using: &generator), radix: 16)
        return TraceParent(
            traceID: traceID, parentID: String(repeating: "0", count: 16 - digits.utf8.count) + digits, isSampled: isSampled)
    }

    private init(traceID: String, parentID: String, isSampled: Bool) {
        self.traceID = traceID
        self.parentID = parentID
        self.isSampled = isSampled
    }

    /// Reads the text of a `traceparent`; nil for an absent or malformed one, which counts as absent.
    public init?(_ text: String?) {
        guard let bytes = text.map({ Array($0.utf8) }), bytes.count >= 55, bytes.count == 55 || bytes[55] == UInt8(ascii: "-") else { return nil }
        let isHex = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
        let fields = [0..<2, 3..<35, 36..<52, 53..<55]
        guard fields.allSatisfy({ bytes[$0].allSatisfy(isHex) }), [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let version = String(decoding: bytes[0..<2], as: UTF8.self)
        guard version != "ff", version != "00" || bytes.count == 55 else { return nil }
        let isZero = { (range: Range<Int>) in bytes[range].allSatisfy { $0 == UInt8(ascii: "0") } }
        guard !isZero(3..<35), !isZero(36..<52) else { return nil }
        traceID = String(decoding: bytes[3..<35], as: UTF8.self)
        parentID = String(decoding: bytes[36..<52], as: UTF8.self)
        isSampled = UInt8(String(decoding: bytes[53..<55], as: UTF8.self), radix: 16).map { $0 & 1 == 1 } ?? false
    }
}
