/// Decides which answers of a store may be kept in memory. An answer is not kept while its key is being written, or if it was requested before that
/// write was acknowledged. It is a plain value: its owner locks it.
///
/// A write is durable some time before its caller gets the acknowledgement. Meanwhile the store shows the new state, the memory has the old one,
/// and a read may have returned either. So between ``begin(_:)`` and ``end(_:)`` a key is not in memory at all.
struct WriteFence<Key: Hashable & Sendable>: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let time: UInt64
    }

    /// The number of buckets. The keys of a bucket share the time of the last end, because a time for each key would grow without bound.
    /// So a write also refuses pending answers about other keys of its bucket. Each of those costs one more read.
    static var bucketCount: Int { 1_024 }

    /// Counts the writes that have ended.
    private var time: UInt64 = 0
    /// The value of `time` at each bucket's last end.
    private var lastEnds = [UInt64](repeating: 0, count: Self.bucketCount)
    /// The number of unfinished writes of each key.
    private var pending: [Key: Int] = [:]

    /// The present ticket. Take it before you ask the store.
    var ticket: Ticket { Ticket(time: time) }

    /// Begins a write of the key. Call it before the write is queued.
    mutating func begin(_ key: Key) { pending[key, default: 0] += 1 }

    /// Ends a write of the key: it was acknowledged, or it failed.
    /// - Precondition: the write has begun.
    mutating func end(_ key: Key) {
        guard let count = pending[key] else { preconditionFailure("a write ends that never began") }
        pending[key] = count > 1 ? count - 1 : nil
        time += 1
        lastEnds[Self.bucket(key)] = time
    }

    /// Whether an answer about the key with this ticket may be kept.
    func admits(_ key: Key, _ ticket: Ticket) -> Bool { pending[key] == nil && lastEnds[Self.bucket(key)] <= ticket.time }

    private static func bucket(_ key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(bucketCount)) }
}
