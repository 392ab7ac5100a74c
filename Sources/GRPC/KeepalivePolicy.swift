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

/// Ends a connection that is kept busy with frames that move nothing (CVE-2019-9511 to 9518).
struct FloodGuard {
    /// SETTINGS frames in the life of a connection: each has to be answered, and nobody has more than a few to say.
    static let maximumSettings = 64
    /// Frames without any effect that may come one after another.
    static let maximumIdleFrames = 1000

    private var settings = 0
    private var idleFrames = 0

    mutating func receivedSettings() -> Bool {
        settings += 1
        return settings <= Self.maximumSettings
    }

    mutating func receivedIdleFrame() -> Bool {
        idleFrames += 1
        return idleFrames <= Self.maximumIdleFrames
    }

    /// A frame with something in it.
    mutating func receivedUsefulFrame() { idleFrames = 0 }
}
