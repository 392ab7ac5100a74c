/// How long to wait before the next attempt to connect: longer each time, and never in step with the other clients.
struct Backoff {
    /// The wait after the first failure, nanoseconds.
    static let first: Int64 = 5_000_000
    /// The longest, nanoseconds: a server that comes back is found within this.
    static let longest: Int64 = 1_000_000_000
    static let growth = 1.6
    /// Each wait is drawn from this much around its mean.
    static let jitter = 0.2

    private var mean = Double(first)

    /// The next wait, nanoseconds.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Int64 {
        defer { mean = min(mean * Self.growth, Double(Self.longest)) }
        return Int64(mean * Double.random(in: (1 - Self.jitter)...(1 + Self.jitter), using: &generator))
    }

    mutating func reset() { mean = Double(Self.first) }
}
