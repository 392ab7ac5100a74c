import CLinuxSockets

extension EventLoop {
    /// The number of processors that this process may use, read once.
    static let processorCount = max(1, Int(pulse_processor_count()))

    /// Whether a peer on this machine can work at the same time as a loop. On a single processor, polling and early writes would take time from the peer.
    static var hasPeersBeside: Bool { processorCount > 1 }

    /// The default number of loops of a local server: one for every two processors, because the clients run on the same machine.
    ///
    /// On two processors, one loop is faster than two and needs less CPU: more calls are in one burst, and the client has a processor. Only handlers that
    /// compute for long need more loops.
    public static var localDefaultCount: Int { max(1, processorCount / 2) }
}
