import Synchronization

/// How long the turns of an event loop took: from the moment at which it has events or work to the next look for more. All of a loop's connections wait
/// while a turn lasts, so a long one is a handler that blocks, or a machine without time for the loop.
public struct LoopTurns: Sendable, Hashable {
    /// Turns in all.
    public var count = 0
    /// Nanoseconds that they took together: for so long was the loop busy.
    public var nanoseconds = 0
    /// Turns that took less than ``bounds`` say, each counted in the first bucket that it fits; the last is for longer ones.
    public var counts = [Int](repeating: 0, count: LoopTurns.bounds.count + 1)

    /// Nanoseconds: each fourth power of two from 4 µs to 4 s.
    public static let bounds: [Int] = stride(from: 12, through: 32, by: 2).map { 1 << $0 }

    public init() {}
}

/// Counts the turns of one event loop, which alone changes it. Any thread may read; each figure is true for itself.
final class LoopTurnCounts: Sendable {
    private let total = Atomic(0)
    private let counts = InlineArray<12, Atomic<Int>> { _ in Atomic(0) }

    /// - Parameter nanoseconds: what the turn took.
    @inline(__always)
    func record(_ nanoseconds: Int64) {
        let time = Int(max(0, nanoseconds))
        // Two powers a bucket: 0 below 2^12, 1 below 2^14, ….
        let power = Int.bitWidth - time.leadingZeroBitCount
        let bucket = min(11, max(0, (power - 11) / 2))
        total.store(total.load(ordering: .relaxed) &+ time, ordering: .relaxed)
        counts[bucket].store(counts[bucket].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    var turns: LoopTurns {
        var turns = LoopTurns()
        turns.nanoseconds = total.load(ordering: .relaxed)
        for index in counts.indices { turns.counts[index] = counts[index].load(ordering: .relaxed) }
        turns.count = turns.counts.reduce(0, +)
        return turns
    }
}
