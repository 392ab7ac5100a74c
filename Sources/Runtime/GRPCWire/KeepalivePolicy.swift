/// Keeps clients from pinging without end: gRPC's keepalive rules for servers (gRFC A8).
///
/// A client may ping once in five minutes; after each HEADERS or DATA frame that it was sent it may ping at once again, as it does to measure
/// the bandwidth. The third ping too early is one too many.
struct KeepalivePolicy {
    /// Nanoseconds between two pings: five minutes.
    static let minimumInterval: Int64 = 300_000_000_000
    /// Pings that may come too early.
    static let maximumStrikes = 2

    private var lastPing: Int64?
    private var strikes = 0

    mutating func sentCallFrame() {
        lastPing = nil
        strikes = 0
    }

    /// Notes a ping; false when it was one too many.
    /// - Parameter now: nanoseconds on the monotonic clock.
    mutating func receivedPing(at now: Int64) -> Bool {
        if let lastPing, now - lastPing < Self.minimumInterval {
            strikes += 1
        } else {
            lastPing = now
        }
        return strikes <= Self.maximumStrikes
    }
}
