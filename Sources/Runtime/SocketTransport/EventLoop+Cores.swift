import CLinuxSockets

extension EventLoop {
    /// Processors that this process may run on, asked once.
    static let processorCount = max(1, Int(pulse_processor_count()))

    /// Whether a peer on this machine can work while a loop does. On a single processor what a loop does to be quick, it does at its peer's cost.
    static var hasPeersBeside: Bool { processorCount > 1 }

    /// The number of loops of a local server by default: one for two processors, because the clients run on the same machine.
    ///
    /// On two processors, one loop answers 16 connections with one call each 1.5 times as fast as two loops, for two thirds of the CPU. More calls
    /// lie in one burst, and the client keeps its processor. Only handlers that compute for long need more loops.
    public static var localDefaultCount: Int { max(1, processorCount / 2) }
}
