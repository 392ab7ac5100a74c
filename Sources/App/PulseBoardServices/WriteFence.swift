/// Decides which answers of a store may be kept in memory. An answer is not kept while its key is written, or if it was asked for before that write
/// was acknowledged. A plain value: its owner locks.
///
/// A write is durable some time before its caller hears of it. Meanwhile the store shows the new state. What is in memory is old then, and what was
/// read may be old or new. So between ``begin(_:)`` and ``end(_:)`` a key is in no memory at all.
struct WriteFence<Key: Hashable & Sendable>: Sendable {
    /// Proof of when a read of the store began.
    struct Ticket: Sendable {
        fileprivate let time: UInt64
    }

    /// Keys share a bucket's last end, since one a key would grow without bound: a write refuses the answers about one key in a thousand
    /// that were under way with it, which costs each of them one more read.
    private static var bucketCount: Int { 1_024 }

    /// Counts the writes that have ended.
    private var time: UInt64 = 0
    /// The time of each bucket's last end.
    private var lastEnds = [UInt64](repeating: 0, count: Self.bucketCount)
    /// Writes of each key that have begun and not ended.
    private var pending: [Key: Int] = [:]

    /// To be drawn before the store is asked.
    var ticket: Ticket { Ticket(time: time) }

    /// A write of the key is about to be queued.
    mutating func begin(_ key: Key) { pending[key, default: 0] += 1 }

    /// A write of the key that has begun was acknowledged, or failed. - Precondition: it has begun.
    mutating func end(_ key: Key) {
        guard let count = pending[key] else { preconditionFailure("a write ends that never began") }
        pending[key] = count > 1 ? count - 1 : nil
        time += 1
        lastEnds[Self.bucket(key)] = time
    }

    /// Whether an answer about the key may be kept that was asked for when the ticket was drawn.
    func admits(_ key: Key, _ ticket: Ticket) -> Bool { pending[key] == nil && lastEnds[Self.bucket(key)] <= ticket.time }

    private static func bucket(_ key: Key) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(bucketCount)) }
}
