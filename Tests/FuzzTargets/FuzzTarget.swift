#if DEBUG || FUZZING
/// Something that reads bytes from outside, and what must hold of it whatever they are. A rule that is broken ends the process, which is what libFuzzer
/// waits for.
public struct FuzzTarget: Sendable {
    public let name: String
    /// Inputs to begin with: of the wire vectors, or messages that are in order.
    public let seeds: @Sendable () -> [[UInt8]]
    /// Takes one input, borrowed.
    public let run: @Sendable (RawSpan) -> Void

    init(_ name: String, seeds: @escaping @Sendable () -> [[UInt8]], run: @escaping @Sendable (RawSpan) -> Void) {
        self.name = name
        self.seeds = seeds
        self.run = run
    }

    /// All targets, in the order in which the bytes of a call meet them.
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
