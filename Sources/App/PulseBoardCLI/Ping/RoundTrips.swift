/// The durations of calls, counted in buckets, so that a run of hours takes as much memory as one of a second.
///
/// The width of a bucket is a 128th of its power of two, so results are exact to 0.8 %. The shortest, the longest and the sum are exact.
struct RoundTrips: Sendable, Hashable {
    /// Buckets of each power of two.
    private static let steps = 128
    private static let stepBits = 7

    private(set) var count: Int64 = 0
    private(set) var shortest = Int64.max
    private(set) var longest: Int64 = 0
    private var sum: Double = 0
    private var buckets: [Int64] = []

    /// Counts a call of this duration.
    mutating func record(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        let index = Self.index(of: value)
        if index >= buckets.count { buckets += Array(repeating: 0, count: index + 1 - buckets.count) }
        buckets[index] += 1
        count += 1
        sum += Double(value)
        shortest = min(shortest, value)
        longest = max(longest, value)
    }

    /// Adds the counts of another one.
    mutating func add(_ other: RoundTrips) {
        if other.buckets.count > buckets.count { buckets += Array(repeating: 0, count: other.buckets.count - buckets.count) }
        for (index, count) in other.buckets.enumerated() { buckets[index] += count }
        count += other.count
        sum += other.sum
        shortest = min(shortest, other.shortest)
        longest = max(longest, other.longest)
    }

    /// The mean duration in nanoseconds; 0 without calls.
    var mean: Double { count > 0 ? sum / Double(count) : 0 }

    /// The longest duration, in nanoseconds, of a fraction (0…1) of the calls; 0 without calls.
    func quantile(_ part: Double) -> Int64 {
        guard count > 0 else { return 0 }
        let rank = max(1, Int64((Double(count) * part).rounded(.up)))
        var passed: Int64 = 0
        for (index, count) in buckets.enumerated() where count > 0 {
            passed += count
            if passed >= rank { return min(longest, max(shortest, Self.bound(of: index) - 1)) }
        }
        return longest
    }

    /// How many calls took at most this time. It is exact at the end of a bucket, and otherwise to 0.8 % of the time.
    func count(upTo nanoseconds: Int64) -> Int64 {
        guard nanoseconds < longest else { return count }
        return buckets.prefix(Self.index(of: nanoseconds) + 1).reduce(0, +)
    }

    /// Small values have one bucket each. Above, there is a bucket for each 128th of a power of two.
    private static func index(of value: Int64) -> Int {
        guard value >= steps else { return Int(value) }
        let exponent = Int64.bitWidth - 1 - value.leadingZeroBitCount
        return (exponent - stepBits) * steps + Int(value >> (exponent - stepBits))
    }

    /// The first value after a bucket.
    private static func bound(of index: Int) -> Int64 {
        guard index >= steps else { return Int64(index) + 1 }
        let exponent = index / steps - 1
        return Int64(index % steps + steps + 1) << exponent
    }
}

/// A row of the histogram: calls that took longer than the row before, and at most this.
struct RoundTripRow: Encodable, Sendable, Hashable {
    let upToMicroseconds: Double
    let calls: Int64
}

extension RoundTrips {
    /// The reported percentiles.
    static let percents: [Double] = [10, 25, 50, 75, 90, 95, 99, 99.9, 99.99]

    /// Maximum rows of a histogram.
    private static let mostRows = 14

    /// The histogram in rows with round bounds, from the shortest to the longest call. It is as fine as the number of rows permits.
    var rows: [RoundTripRow] {
        guard count > 0 else { return [] }
        var rows: [RoundTripRow] = []
        for steps in [[1, 1.5, 2, 3, 4, 5, 7.5], [1, 2, 5], [1]] as [[Double]] {
            rows = self.rows(of: steps)
            if rows.count <= Self.mostRows { break }
        }
        return rows
    }

    private func rows(of steps: [Double]) -> [RoundTripRow] {
        var rows: [RoundTripRow] = []
        var scale = 1.0, before: Int64 = 0
        while before < count {
            for step in steps where before < count {
                let microseconds = step * scale
                let through = count(upTo: Int64(microseconds * 1_000))
                if through > 0 { rows.append(RoundTripRow(upToMicroseconds: microseconds, calls: through - before)) }
                before = through
            }
            scale *= 10
        }
        return rows
    }
}
