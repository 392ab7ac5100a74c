#if DEBUG || FUZZING
/// A parser of bytes from outside, with the rules that must hold for every input. A broken rule ends the process, which libFuzzer reports.
public struct FuzzTarget: Sendable {
    public let name: String
    /// Inputs to begin with: from the wire vectors, or valid messages.
    public let seeds: @Sendable () -> [[UInt8]]
    /// Runs one input, which is borrowed.
    public let run: @Sendable (RawSpan) -> Void

    init(_ name: String, seeds: @escaping @Sendable () -> [[UInt8]], run: @escaping @Sendable (RawSpan) -> Void) {
        self.name = name
        self.seeds = seeds
        self.run = run
    }

    /// All targets, in the order in which the bytes of a call pass them.
    public static let all: [FuzzTarget] = [
        .ttrpcFrames, .ttrpcEnvelope, .ttrpcServer, .ttrpcClient, .grpcServer, .grpcClient, .grpcHeaders, .messages, .schemas, .json,
    ]
}

/// Ends the process: a rule was broken.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
    precondition(condition, rule())
}

extension RawSpan {
    /// A copy of all bytes.
    var copied: [UInt8] { withUnsafeBytes { Array($0) } }
}
#endif
