import CLinuxSockets

extension EventLoop {
    /// Processors that this process may run on, asked once.
    static let processorCount = max(1, Int(pulse_processor_count()))

    /// Whether a peer on this machine can work while a loop does. On a single processor what a loop does to be quick, it does at its peer's cost.
    static var hasPeersBeside: Bool { processorCount > 1 }

    /// Loops that a local server runs unless told otherwise: one for two processors that it may use, as its clients are on the same machine.
    ///
    /// On two processors one loop answers 16 connections with one call each 1.5 times as fast as two do, for two thirds of the CPU: more of
    /// the calls lie in one read burst, and the client is not crowded out. Only handlers that compute on the loop for long want more.
    public static var localDefaultCount: Int { max(1, processorCount / 2) }
}
