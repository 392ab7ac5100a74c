import ProtobufC
import Synchronization

/// Connects the two halves of a stream with their call. There is one link for each streaming call, on either side.
///
/// The call belongs to an event loop. Some members are called there only, and say so.
package protocol StreamLink: AnyObject, Sendable {
    /// Whether the current thread runs the call's event loop.
    var isOnLoop: Bool { get }

    /// The most bytes that one message may have.
    var maximumMessageByteCount: Int { get }

    /// Where large received messages are decompressed and decoded. `nil`: they are decompressed by their reader, and decoded on Swift's shared pool.
    /// Any thread.
    var decodingExecutor: (any TaskExecutor)? { get }

    /// Counts the memory that a message has grown by when it was decompressed. Any thread. Default: nothing is counted.
    /// - Throws: ``RPCError`` if there is none. Then nothing was counted.
    func hold(_ byteCount: Int) throws(RPCError)

    /// Stops counting memory of ``hold(_:)``. Any thread.
    func release(_ byteCount: Int)

    /// Runs work on the call's event loop, soon.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Whether a message may be sent. If not, ``OutboundMessages/resume()`` is called later. On the loop only.
    func maySend() -> Bool

    /// Gives a message to the wire protocol. On the loop only.
    func send(_ message: borrowing PackableMessage) throws(RPCError)

    /// The same for a message that was encoded elsewhere. On the loop only.
    func send(serialized message: [UInt8])

    /// The code for a message that cannot be encoded: the caller's mistake, or the service's.
    var notEncodableCode: StatusCode { get }

    /// The error of a message that cannot be decoded: the caller's mistake, or the server's.
    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError

    /// Says that received messages with `byteCount` wire bytes have been taken, so that the peer may send more. On the loop only.
    func consumed(_ byteCount: Int)

    /// The task that waited for the stream was cancelled. On the client's side this cancels the call. Any thread.
    func waitingTaskCancelled()

    /// A received message cannot be decompressed or decoded, or there is no memory for it. It ends the call on both sides, whatever the reader does
    /// with the error. Any thread.
    func messageFailed(_ error: RPCError)
}

extension StreamLink {
    package var decodingExecutor: (any TaskExecutor)? { nil }

    package func hold(_ byteCount: Int) throws(RPCError) {}

    package func release(_ byteCount: Int) {}
}

/// How many received bytes of a connection's streams may wait for their readers, all streams together.
package final class InboundBudget: Sendable {
    /// The approximate memory of a queued message besides its own bytes. So empty messages are limited too.
    static let messageOverhead = 128

    private let used = Atomic<Int>(0)
    /// All waiting bytes of the connection's streams, in both directions, with the bytes that do not use this budget.
    private let queued = Atomic<Int>(0)
    /// By how many bytes messages in the hands of handlers have grown when they were decompressed or decoded.
    private let grown = Atomic<Int>(0)
    private let limit: Int

    /// - Parameter limit: bytes.
    package init(limit: Int) { self.limit = limit }

    /// Takes bytes of the budget for a queued message. False if there are not enough.
    func take(_ byteCount: Int) -> Bool {
        if used.wrappingAdd(byteCount, ordering: .relaxed).newValue <= limit { return true }
        release(byteCount)
        return false
    }

    func release(_ byteCount: Int) { used.wrappingSubtract(byteCount, ordering: .relaxed) }

    /// Adds to the count of waiting bytes; negative numbers subtract.
    func queue(_ byteCount: Int) { queued.wrappingAdd(byteCount, ordering: .relaxed) }

    /// All waiting bytes of the connection's streams, with those that do not use this budget.
    package var queuedByteCount: Int { queued.load(ordering: .relaxed) }

    /// Adds to ``grownByteCount``; negative numbers subtract. The budget does not limit them.
    package func grow(_ byteCount: Int) { grown.wrappingAdd(byteCount, ordering: .relaxed) }

    /// By how many bytes messages in the hands of handlers have grown when they were decompressed or decoded.
    package var grownByteCount: Int { grown.load(ordering: .relaxed) }

    /// Bytes in use.
    package var usedByteCount: Int { used.load(ordering: .relaxed) }
}

/// The streams of one connection that wait until its peer has read the output, on either side. Loop-bound.
package struct OutputWaiters {
    /// Unwritten output above which streams wait, bytes. It is less than the amount at which a server stops reading, so that a client that reads
    /// slowly can still cancel.
    static let highWater = 512 << 10
    /// Unwritten output below which streams continue, bytes.
    static let lowWater = 128 << 10

    private var waiting: Set<CallID> = []

    package init() {}

    /// Whether a stream may write while `byteCount` bytes are unwritten. If not, the stream is added to the waiting ones.
    package mutating func mayWrite(_ id: CallID, unwritten byteCount: Int) -> Bool {
        guard byteCount > Self.highWater else { return true }
        waiting.insert(id)
        return false
    }

    /// A stream is over, so it waits no longer.
    package mutating func remove(_ id: CallID) {
        // Nearly always nobody waits. Then no id is hashed.
        if !waiting.isEmpty { waiting.remove(id) }
    }

    /// The number of waiting streams.
    package var count: Int { waiting.count }

    /// The streams that may continue now. They wait no longer.
    package mutating func takeReady(unwritten byteCount: @autoclosure () -> Int) -> Set<CallID> {
        guard !waiting.isEmpty, byteCount() <= Self.lowWater else { return [] }
        defer { waiting = [] }
        return waiting
    }
}
