/// How long calls took: how many of them lie between fixed bounds.
///
/// Bounds grow by a fifth to a quarter: four to each power of two, from 1 µs to 2 min. So a quantile is right to a quarter of its value, whatever the values are, and the
/// histograms of two servers can be added.
public struct LatencyHistogram: Sendable, Hashable {
    /// How many calls lie in each bucket.
    private(set) var counts = [Int](repeating: 0, count: bucketCount)

    /// No calls.
    public init() {}

    /// Calls in all.
    public var count: Int { counts.reduce(0, +) }

    /// The buckets that have calls, shortest first: what their calls took at most, and how many they are. Calls that took less than a
    /// microsecond are in the first, and those over two minutes in the last, which has no bound (nil).
    public var buckets: [(upperBound: Duration?, count: Int)] {
        counts.indices.filter { counts[$0] > 0 }.map { (Self.upperBound(of: $0).map { .nanoseconds($0) }, counts[$0]) }
    }

    /// What a part of the calls took at most: the bound of the bucket in which the last of them lies.
    /// - Parameter part: above 0, at most 1: 0.99 for the 99th percentile.
    /// - Returns: nil without calls, and where that bucket has no bound.
    public func quantile(_ part: Double) -> Duration? {
        var left = Int((Double(count) * part).rounded(.up))
        guard left > 0, let index = counts.firstIndex(where: { left -= $0; return left <= 0 }) else { return nil }
        return Self.upperBound(of: index).map { .nanoseconds($0) }
    }

    /// Counts calls of a bucket.
    mutating func add(_ count: Int, toBucket index: Int) { counts[index] += count }

    // MARK: Buckets

    /// Powers of two whose calls are told apart: 2¹⁰ ns and 2³⁶ ns.
    private static let lowestPower = 10
    private static let highestPower = 36
    /// One below the lowest power, four for each, one above.
    static let bucketCount = 2 + (highestPower - lowestPower + 1) * 4

    /// The bucket of a call that took so many nanoseconds.
    @inline(__always)
    static func bucket(of nanoseconds: Int64) -> Int {
        guard nanoseconds >= 1 << lowestPower else { return 0 }
        let power = 63 - nanoseconds.leadingZeroBitCount
        // The power, and the two bits below its highest.
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
