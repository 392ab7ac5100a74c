import ProtobufC
import Synchronization

/// What the two halves of a stream need of their call. There is one link for each streaming call, on either side.
///
/// The call lives on an event loop. Members that say so are called there only.
package protocol StreamLink: AnyObject, Sendable {
    /// Whether the current thread runs the call's event loop.
    var isOnLoop: Bool { get }

    /// The most bytes that one message may have.
    var maximumMessageByteCount: Int { get }

    /// Runs work on the call's event loop, soon.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Whether a message may be sent; when not, ``OutboundMessages/resume()`` tells when. On the loop only.
    func maySend() -> Bool

    /// Hands a message to the wire protocol. On the loop only.
    func send(_ message: borrowing PackableMessage) throws(RPCError)

    /// The same for a message that was encoded elsewhere. On the loop only.
    func send(serialized message: [UInt8])

    /// What a message that cannot be encoded is: the caller's mistake, or the service's.
    var notEncodableCode: StatusCode { get }

    /// The error of a message that cannot be decoded: the caller's mistake, or the server's.
    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError

    /// Says that received messages of so many wire bytes have been taken, so that the peer may send more. On the loop only.
    func consumed(_ byteCount: Int)

    /// The task that was waiting for the stream was cancelled: on the client's side that cancels the call. Any thread.
    func waitingTaskCancelled()
}

/// How many received bytes of a connection's streams may wait for their readers, all streams together.
package final class InboundBudget: Sendable {
    /// What a queued message takes beside its own bytes, roughly: so that empty messages are bounded too.
    static let messageOverhead = 64

    private let used = Atomic<Int>(0)
    /// All that waits in the connection's streams, either way, what each may have for itself included.
    private let queued = Atomic<Int>(0)
    private let limit: Int

    /// - Parameter limit: bytes.
    package init(limit: Int) { self.limit = limit }

    /// Takes room for a queued message. False if there is none.
    func take(_ byteCount: Int) -> Bool {
        if used.wrappingAdd(byteCount, ordering: .relaxed).newValue <= limit { return true }
        release(byteCount)
        return false
    }

    func release(_ byteCount: Int) { used.wrappingSubtract(byteCount, ordering: .relaxed) }

    /// Notes that so many more bytes wait, or fewer.
    func queue(_ byteCount: Int) { queued.wrappingAdd(byteCount, ordering: .relaxed) }

    /// All bytes that wait in the connection's streams, those beyond this budget included.
    package var queuedByteCount: Int { queued.load(ordering: .relaxed) }

    /// Bytes in use.
    package var usedByteCount: Int { used.load(ordering: .relaxed) }
}

/// The streams of one connection that wait until its peer has read what was written, on either side. Loop-bound.
package struct OutputWaiters {
    /// Unwritten output above which streams wait, bytes. Below the mark at which a server stops reading, so that a client that reads slowly
    /// can still cancel.
    private static let highWater = 512 << 10
    /// Unwritten output below which streams continue, bytes.
    private static let lowWater = 128 << 10

    private var waiting: Set<CallID> = []

    package init() {}

    /// Whether a stream may write with so much unwritten; when not, it is noted.
    package mutating func mayWrite(_ id: CallID, unwritten byteCount: Int) -> Bool {
        guard byteCount > Self.highWater else { return true }
        waiting.insert(id)
        return false
    }

    /// The streams that may continue now. They wait no longer.
    package mutating func takeReady(unwritten byteCount: @autoclosure () -> Int) -> Set<CallID> {
        guard !waiting.isEmpty, byteCount() <= Self.lowWater else { return [] }
        defer { waiting = [] }
        return waiting
    }
}
