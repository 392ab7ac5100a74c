/// A histogram of the durations of calls, with fixed bounds.
///
/// The calls of all methods, from the figures of a ``CallMetrics``:
///
///     var all = LatencyHistogram()
///     for figures in metrics.current.values { all += figures.latencies }
///     print(all.count, all.quantile(0.5) ?? .zero, all.quantile(0.99) ?? .zero)
///     for (upperBound, count) in all.buckets {
///         print(upperBound.map { "below \($0)" } ?? "longer", count)
///     }
///
/// There are four buckets for each power of two, from 1 µs to 2 min. So a quantile is at most a quarter too high, and the
/// histograms of two servers can be added.
public struct LatencyHistogram: Sendable, Hashable {
    /// How many calls lie in each bucket.
    private(set) var counts = [Int](repeating: 0, count: bucketCount)

    /// No calls.
    public init() {}

    /// Calls in all.
    public var count: Int { counts.reduce(0, +) }

    /// The buckets that have calls, shortest first, with their upper bounds and counts. Calls of less than a microsecond are in the first bucket, and
    /// calls over two minutes in the last, which has no bound (nil).
    public var buckets: [(upperBound: Duration?, count: Int)] {
        counts.indices.filter { counts[$0] > 0 }.map { (Self.upperBound(of: $0).map { .nanoseconds($0) }, counts[$0]) }
    }

    /// A quantile: the upper bound of the bucket in which it lies.
    /// - Parameter part: above 0, at most 1: 0.99 for the 99th percentile.
    /// - Returns: nil without calls, or if that bucket has no bound.
    public func quantile(_ part: Double) -> Duration? {
        var left = Int((Double(count) * part).rounded(.up))
        guard left > 0, let index = counts.firstIndex(where: { left -= $0; return left <= 0 }) else { return nil }
        return Self.upperBound(of: index).map { .nanoseconds($0) }
    }

    /// Counts calls of a bucket.
    mutating func add(_ count: Int, toBucket index: Int) { counts[index] += count }

    // MARK: Buckets

    /// The lowest and the highest power of two with buckets of its own: 2¹⁰ ns and 2³⁶ ns.
    private static let lowestPower = 10
    private static let highestPower = 36
    /// One bucket below the lowest power, four for each power, and one above the highest.
    static let bucketCount = 2 + (highestPower - lowestPower + 1) * 4

    /// The bucket of a call that took so many nanoseconds.
    @inline(__always)
    static func bucket(of nanoseconds: Int64) -> Int {
        guard nanoseconds >= 1 << lowestPower else { return 0 }
        let power = 63 - nanoseconds.leadingZeroBitCount
        // The power, and the two bits below the highest bit.
        let index = 1 + (power - lowestPower) * 4 + Int(nanoseconds >> (power - 2)) & 3
        return min(index, bucketCount - 1)
    }

    /// Nanoseconds below which the calls of a bucket lie; nil for the last.
    static func upperBound(of index: Int) -> Int64? {
        guard index < bucketCount - 1 else { return nil }
        guard index > 0 else { return 1 << lowestPower }
        let (power, quarter) = (lowestPower + (index - 1) / 4, (index - 1) % 4)
        return Int64(5 + quarter) << (power - 2)
    }
}

extension LatencyHistogram {
    /// Adds the calls of another histogram.
    public static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
        for index in right.counts.indices { left.counts[index] += right.counts[index] }
    }
}
