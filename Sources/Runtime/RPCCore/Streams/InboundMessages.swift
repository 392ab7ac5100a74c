import ProtobufC
import Synchronization

/// The receiving half of a stream. The call's event loop fills it, and one consumer on any thread empties it.
///
/// The loop never waits for the consumer. If nobody takes the messages of a stream, the stream fills its own budget and fails. Others continue.
/// Messages are kept as checked wire bytes. The consumer decodes them (``MessageStream``), so decoding does not delay the loop. Compressed messages
/// may be kept as they came. The consumer decompresses them, and they are checked when they are decoded.
@usableFromInline
package final class InboundMessages: Sendable {
    private struct Queued {
        let message: InboundMessage
        /// Its bytes on the wire.
        let byteCount: Int
        /// Its bytes in memory.
        let memory: Int
        /// Its bytes for the budgets.
        let weight: Int
    }

    private struct State: ~Copyable {
        var queue = MessageQueue<Queued>()
        /// The sum of the weights in `queue`.
        var queuedByteCount = 0
        /// The sum of the bytes in memory of `queue`.
        var memory = 0
        /// The weight of the message that the consumer took last. It counts until the consumer takes the next one.
        var lentByteCount = 0
        /// By how many bytes that message grew when it was decompressed. The link counts them until the next message is taken.
        var grownByteCount = 0
        /// The growth of all messages so far, bytes.
        var allGrownByteCount = 0
        /// Wire bytes that were taken but not yet reported to the link.
        var unreported = 0
        /// Set when no more messages come: success for a half-close or an OK end.
        var end: Result<Void, RPCError>?
        var waiting: CheckedContinuation<Taken, Never>?
        /// Which call of `wait()` waits. Only its own cancellation ends it.
        var waitingNumber = 0
        var isWakeDue = false
    }

    /// Why a message was not queued.
    package enum Refusal: Error {
        case streamBudget(limit: Int)
        case connectionBudget
    }

    /// Bytes that every stream may queue without using the connection's budget. So streams that nobody reads do not make others fail.
    private static let ownByteCount = 64 << 10

    /// The part of the connection's budget that a stream with this queue uses.
    private static func shared(_ queuedByteCount: Int) -> Int { max(0, queuedByteCount - ownByteCount) }

    /// The most messages of a queue that are freed at once when they are dropped.
    private static let freedAtOnce = 256

    private let state = Mutex(State())
    private let waitCount = Atomic(0)
    private let limit: Int
    private let reportEvery: Int
    private let connection: InboundBudget
    private let link: any StreamLink

    /// - Parameters:
    ///   - limit: bytes that may be queued before the stream fails.
    ///   - reportEvery: wire bytes after which the link is told that messages were taken.
    ///   - connection: the budget that all streams of the connection share.
    package init(limit: Int, reportEvery: Int, connection: InboundBudget, link: any StreamLink) {
        self.limit = limit
        self.reportEvery = reportEvery
        self.connection = connection
        self.link = link
    }

    deinit {
        // Messages that nobody took still count for the connection, and so does the last one that was taken.
        let (left, memory, grown) = state.withLock { ($0.queuedByteCount, $0.memory + $0.lentByteCount, $0.grownByteCount) }
        release(left, leaving: 0, memory)
        if grown > 0 { link.release(grown) }
    }

    // MARK: Filling, on the loop

    /// Queues a message, which is checked unless it is still compressed. It is dropped if the stream has ended.
    ///
    /// A waiting consumer is woken once, after the loop has handled a part of its input, for all messages in it.
    /// - Parameters:
    ///   - byteCount: the message's bytes on the wire, which are reported to the link when the message is taken. A decompressed message may have a
    ///     thousand times as many bytes, and those count for the budgets.
    ///   - decompressor: makes the message of a payload that is still compressed. Then the compressed bytes count for the budgets.
    package func append(_ payload: RawSpan, byteCount: Int, decompressor: (any MessageDecompressor)? = nil) throws(Refusal) {
        let memory = max(byteCount, payload.byteCount) + InboundBudget.messageOverhead
        let payload = payload.withUnsafeBytes { Array($0) }
        var wakes = false
        let refusal: Refusal? = state.withLock { state in
            guard state.end == nil else { return nil }
            // If a consumer already waits for this message, it uses nothing of the budgets. It still counts as memory, because other work of the same
            // user may run before the consumer.
            let weight = state.waiting != nil && state.queue.isEmpty ? 0 : memory
            guard state.queuedByteCount == 0 || state.queuedByteCount + weight <= limit else { return .streamBudget(limit: limit) }
            let beyond = Self.shared(state.queuedByteCount + weight) - Self.shared(state.queuedByteCount)
            guard beyond == 0 || connection.take(beyond) else { return .connectionBudget }
            connection.queue(memory)
            let message = InboundMessage(bytes: payload, decompressor: decompressor)
            state.queue.append(Queued(message: message, byteCount: byteCount, memory: memory, weight: weight))
            state.queuedByteCount += weight
            state.memory += memory
            wakes = state.waiting != nil && !state.isWakeDue
            if wakes { state.isWakeDue = true }
            return nil
        }
        if let refusal { throw refusal }
        if wakes { link.execute { self.wake() } }
    }

    private func wake() {
        let (waiting, taken): (CheckedContinuation<Taken, Never>?, Taken?) = state.withLock { state in
            state.isWakeDue = false
            guard state.waiting != nil, let taken = take(&state) else { return (nil, nil) }
            return (state.waiting.take(), taken)
        }
        guard let waiting, let taken else { return }
        waiting.resume(returning: taken)
        report(taken)
    }

    /// Says that no more messages come. The consumer is told after it has taken the queued messages.
    package func finish(_ error: RPCError? = nil) {
        end(error.map { .failure($0) } ?? .success(()), dropping: false)
    }

    /// Ends the stream for its consumer at once; queued messages are dropped.
    package func fail(_ error: RPCError) { end(.failure(error), dropping: true) }

    private func end(_ end: Result<Void, RPCError>, dropping: Bool) {
        let (waiting, dropped, memory, queue) = state.withLock { state in
            if dropping, case .success? = state.end { state.end = end }
            if state.end == nil { state.end = end }
            let dropped = dropping ? state.queuedByteCount : 0, memory = dropping ? state.memory : 0
            var queue: MessageQueue<Queued>?
            if dropping {
                queue = state.queue
                state.queue = MessageQueue()
                state.queuedByteCount = 0
                state.memory = 0
            }
            // A consumer that is about to be woken takes the queued messages first.
            return (state.queue.isEmpty ? state.waiting.take() : nil, dropped, memory, queue)
        }
        // A queue may have a hundred thousand messages, and a loop must not free all of them.
        if let queue, queue.count > Self.freedAtOnce { Task.detached { _ = queue } }
        release(dropped, leaving: 0, memory)
        waiting?.resume(returning: Taken(result: end.map { nil }, reported: 0))
    }

    // MARK: Emptying, on any thread

    /// A message that was taken, or the end.
    private struct Taken {
        let result: Result<InboundMessage?, RPCError>
        /// Wire bytes to report to the link.
        let reported: Int
    }

    /// The next message or the end (nil), if it is there without waiting; nil otherwise.
    @usableFromInline
    package func takeReady() -> Result<InboundMessage?, RPCError>? {
        guard let taken = state.withLock({ take(&$0) }) else { return nil }
        report(taken)
        return taken.result
    }

    /// Waits for the next message; nil at the end. One consumer at a time: a second one that would have to wait gets `FAILED_PRECONDITION`.
    @usableFromInline
    nonisolated(nonsending) package func wait() async throws(RPCError) -> InboundMessage? {
        let number = waitCount.add(1, ordering: .relaxed).newValue
        let taken: Taken = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: Taken? = state.withLock { state in
                    if let ready = take(&state) { return ready }
                    guard !Task.isCancelled else { return Taken(result: .failure(.taskCancelled), reported: 0) }
                    guard state.waiting == nil else { return Taken(result: .failure(.secondReader), reported: 0) }
                    state.waiting = continuation
                    state.waitingNumber = number
                    return nil
                }
                guard let ready else { return }
                continuation.resume(returning: ready)
                report(ready)
            }
        } onCancel: {
            stopWaiting(number)
        }
        return try taken.result.get()
    }

    /// The message that the consumer took last, decompressed if it is not yet. That may take milliseconds. The memory that it grows by counts until
    /// the next message is taken.
    /// - Throws: ``RPCError`` if it cannot be decompressed, or there is no memory for it. The stream and its call end.
    package func decompressed(_ message: InboundMessage) throws(RPCError) -> InboundMessage {
        guard let whole = try decompressed(message, mostWork: .max) else { throw RPCError(.internal, "the message was not decompressed") }
        return whole
    }

    /// The same with a limit of work.
    /// - Parameter mostWork: when to give up; see ``MessageDecompressor``.
    /// - Returns: nil if it needs more work.
    @usableFromInline
    package func decompressed(_ message: InboundMessage, mostWork: Int) throws(RPCError) -> InboundMessage? {
        guard let decompressor = message.decompressor else { return message }
        do throws(RPCError) {
            guard let bytes = try decompressor.decompress(message.bytes, mostWork: mostWork) else { return nil }
            let growth = max(0, bytes.count - message.bytes.count)
            try link.hold(growth)
            state.withLock { state in
                state.grownByteCount += growth
                state.allGrownByteCount += growth
            }
            return InboundMessage(bytes: bytes)
        } catch {
            fail(error)
            link.messageFailed(error)
            throw error
        }
    }

    /// Stops counting the message that the consumer took last, because the consumer has ended.
    /// - Returns: how many bytes no longer count for the connection.
    package func returnLent() -> Int {
        let (lent, grown) = state.withLock { state in
            defer { (state.lentByteCount, state.grownByteCount) = (0, 0) }
            return (state.lentByteCount, state.grownByteCount)
        }
        if lent > 0 { connection.queue(-lent) }
        if grown > 0 { link.release(grown) }
        return lent
    }

    /// The weight of the messages that wait for the consumer, bytes.
    package var queuedByteCount: Int { state.withLock { $0.queuedByteCount } }

    /// What all decompressed messages have grown by, bytes.
    package var growthByteCount: Int { state.withLock { $0.allGrownByteCount } }

    /// Whether the consumer waits.
    package var hasWaitingReader: Bool { state.withLock { $0.waiting != nil } }

    /// How the stream failed, if it did.
    package var failure: RPCError? {
        state.withLock { state in
            guard case .failure(let error)? = state.end else { return nil }
            return error
        }
    }

    private func take(_ state: inout State) -> Taken? {
        guard let first = state.queue.popFirst() else { return state.end.map { Taken(result: $0.map { nil }, reported: 0) } }
        let lent = first.message.bytes.count + InboundBudget.messageOverhead
        release(state.queuedByteCount, leaving: state.queuedByteCount - first.weight, first.memory + state.lentByteCount - lent)
        state.queuedByteCount -= first.weight
        state.memory -= first.memory
        state.lentByteCount = lent
        if state.grownByteCount > 0 {
            link.release(state.grownByteCount)
            state.grownByteCount = 0
        }
        state.unreported += first.byteCount
        guard state.unreported >= reportEvery else { return Taken(result: .success(first.message), reported: 0) }
        defer { state.unreported = 0 }
        return Taken(result: .success(first.message), reported: state.unreported)
    }

    /// Returns the stream's part of the connection's budget.
    /// - Parameter memory: how many bytes less are in memory, in the queue and in the consumer's hands.
    private func release(_ queued: Int, leaving left: Int, _ memory: Int) {
        let beyond = Self.shared(queued) - Self.shared(left)
        if beyond > 0 { connection.release(beyond) }
        if memory != 0 { connection.queue(-memory) }
    }

    /// Ends a wait whose task was cancelled. A second reader, who never waited, does not end the wait of the first.
    private func stopWaiting(_ number: Int) {
        let (waiting, isSecond) = state.withLock { state in
            state.waiting != nil && state.waitingNumber != number ? (nil, true) : (state.waiting.take(), false)
        }
        guard !isSecond else { return }
        waiting?.resume(returning: Taken(result: .failure(.taskCancelled), reported: 0))
        link.waitingTaskCancelled()
    }

    private func report(_ taken: Taken) {
        let byteCount = taken.reported
        guard byteCount > 0 else { return }
        if link.isOnLoop {
            link.consumed(byteCount)
        } else {
            link.execute { [link] in link.consumed(byteCount) }
        }
    }

    /// Where large messages are decoded; see ``StreamLink``.
    var decodingExecutor: (any TaskExecutor)? { link.decodingExecutor }

    /// Ends the stream and its call, because a message cannot be decoded.
    /// - Returns: the error for the consumer.
    @usableFromInline
    package func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError {
        let error = link.undecodable(descriptor, error)
        fail(error)
        link.messageFailed(error)
        return error
    }
}

/// A received message: its checked wire bytes, or its compressed ones.
@usableFromInline
package struct InboundMessage: Sendable {
    /// The most work of an event loop to decompress a request, as ``MessageDecompressor`` counts it. It takes about as long as a slice of a user's
    /// handlers.
    package static let mostWorkOnLoop = 16 << 10
    /// The work of a compressed byte, as ``MessageDecompressor`` counts it.
    @usableFromInline package static let compressedByteWork = 16

    @usableFromInline package let bytes: [UInt8]
    /// Makes the message of `bytes`; nil if `bytes` is the message.
    @usableFromInline package let decompressor: (any MessageDecompressor)?

    init(bytes: [UInt8], decompressor: (any MessageDecompressor)? = nil) {
        self.bytes = bytes
        self.decompressor = decompressor
    }
}

extension RPCError {
    package static let secondReader = RPCError(.failedPrecondition, "a message stream has one reader at a time")

    /// The error of a call that this side has cancelled: by ``ClientStream/cancel()`` and its like, or with the task that waits for it.
    package static let taskCancelled = RPCError(.cancelled, "the call was cancelled on this side")
    /// The error of a second `finish()`.
    package static let finishedTwice = RPCError(.failedPrecondition, "finish() was called before: a stream has one response")
}

/// A first-in, first-out queue in one array. Taking the first element moves no others.
struct MessageQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 1024)
            head = 0
        } else if head >= 1024, head * 2 >= elements.count {
            // A smaller array, because a thousand queues may be long and become empty slowly.
            var left: [Element?] = []
            left.reserveCapacity(count)
            for index in head..<elements.count { left.append(elements[index].take()) }
            elements = left
            head = 0
        }
        return element
    }
}
