import Synchronization

/// The durations of an event loop's turns. A turn lasts from the first event or work to the next check for more. All connections of a loop wait
/// during a turn. A long turn means that a handler blocks, or that the machine is too busy.
public struct LoopTurns: Sendable, Hashable {
    /// The number of turns.
    public var count = 0
    /// The sum of their durations, nanoseconds: the time for which the loop was busy.
    public var nanoseconds = 0
    /// The number of turns below each of ``bounds``, each turn in the first bucket that fits. The last bucket is for longer turns.
    public var counts = [Int](repeating: 0, count: LoopTurns.bounds.count + 1)

    /// Nanoseconds: the powers of four from 4 µs to 4 s.
    public static let bounds: [Int] = stride(from: 12, through: 32, by: 2).map { 1 << $0 }

    public init() {}
}

/// Counts the turns of one event loop, which alone changes it. Any thread may read. Each figure is correct, but two may differ by a turn.
final class LoopTurnCounts: Sendable {
    private let total = Atomic(0)
    private let counts = InlineArray<12, Atomic<Int>> { _ in Atomic(0) }

    /// - Parameter nanoseconds: the duration of the turn.
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
