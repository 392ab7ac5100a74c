/// How long a watch waits before it begins anew: longer each time, until something arrives again.
struct WatchRetries: Sendable, Hashable {
    static let first = Duration.milliseconds(500)
    static let longest = Duration.seconds(10)

    private var hasBegun = false
    private var failures = 0

    /// Notes that a message has arrived. - Returns: whether it is the first one after a failure.
    mutating func succeed() -> Bool {
        defer {
            hasBegun = true
            failures = 0
        }
        return failures > 0
    }

    /// Notes that the server has gone away. - Returns: how long to wait; `nil` when nothing has ever arrived.
    mutating func fail() -> Duration? {
        guard hasBegun else { return nil }
        failures += 1
        // The exponent stays small: the longest wait is reached after a few failures.
        return min(Self.first * (1 << min(failures - 1, 10)), Self.longest)
    }

    /// Whether the failure noted last is the first one of its row.
    var isFirst: Bool { failures == 1 }
}
