/// The streams of one connection that wait until its peer has read what was written, on either side. Loop-bound.
package struct OutputWaiters {
    /// Unwritten output above which streams wait, bytes. Below the mark at which a server stops reading, so that a client that reads slowly
    /// can still cancel.
    private static let highWater = 512 << 10
    /// Unwritten output below which they go on, bytes.
    private static let lowWater = 128 << 10

    private var waiting: Set<CallID> = []

    package init() {}

    /// Whether a stream may write with so much unwritten; when not, it is noted.
    package mutating func mayWrite(_ id: CallID, unwritten byteCount: Int) -> Bool {
        guard byteCount > Self.highWater else { return true }
        waiting.insert(id)
        return false
    }

    /// The streams that may go on now; they wait no longer.
    package mutating func takeReady(unwritten byteCount: @autoclosure () -> Int) -> Set<CallID> {
        guard !waiting.isEmpty, byteCount() <= Self.lowWater else { return [] }
        defer { waiting = [] }
        return waiting
    }
}
