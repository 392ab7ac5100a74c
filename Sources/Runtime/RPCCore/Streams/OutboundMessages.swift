import ProtobufC
import Synchronization

/// The sending half of a stream. Any thread writes to it, and the call's event loop empties it as fast as the peer takes it.
///
/// A writer on the loop encodes directly into the connection's output. A writer on another thread encodes into a small queue, which the
/// loop empties many messages at a time. So a message needs no change of thread. Both wait while the peer has no room.
@usableFromInline
package final class OutboundMessages: Sendable {
    /// Encoded messages that may wait for the loop, bytes; one message is always taken.
    private static let pendingLimit = 256 << 10

    private struct State {
        var pending: [[UInt8]] = []
        /// Waiting bytes, with the overhead of each message. Bytes that the loop is sending still count.
        var pendingByteCount = 0
        var isFlushScheduled = false
        /// The wire protocol or the socket takes nothing until ``resume()``.
        var isBlocked = false
        /// The call has been sent. Before that, neither a message nor a half-close can be sent.
        var hasStarted = true
        var isFinished = false
        /// Called on the loop after all messages have been sent.
        var onDrained: (@Sendable () -> Void)?
        /// Messages that were sent since the writer last let others run.
        var sentInARow = 0
        var end: RPCError?
        /// The call has ended successfully before its writer finished. Later messages are dropped.
        var isOver = false
        /// Writers that wait for room.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state: Mutex<State>
    private let link: any StreamLink
    /// Counts the waiting bytes; nil if nobody needs the count.
    private let budget: InboundBudget?

    /// - Parameters:
    ///   - isBlocked: whether writing must wait for the first ``resume()``.
    ///   - budget: counts the waiting bytes of all streams of the connection.
    package init(link: any StreamLink, isBlocked: Bool = false, budget: InboundBudget? = nil) {
        self.link = link
        self.budget = budget
        state = Mutex(State(isBlocked: isBlocked, hasStarted: !isBlocked))
    }

    // MARK: Writing, on any thread

    /// Whether the current thread runs the call's event loop.
    @usableFromInline package var isOnLoop: Bool { link.isOnLoop }

    /// The most bytes that one message may have.
    var maximumMessageByteCount: Int { link.maximumMessageByteCount }

    /// The code for a message that cannot be encoded: the caller's mistake, or the service's.
    @usableFromInline package var notEncodableCode: StatusCode { link.notEncodableCode }

    /// What came of a message that was to be sent at once.
    @usableFromInline
    package enum Sending {
        case sent
        /// It was sent, and the writer has sent many without waiting. It has to let others run.
        case sentLastInARow
        /// It has to wait for room, and has so many bytes.
        case mustWait(byteCount: Int)
    }

    /// How many messages a writer on the loop sends without letting others run. Small messages would otherwise occupy the loop until the output is
    /// full, which takes tens of thousands of them.
    private static let mostInARow = 64

    /// Sends a message at once, if there is room. On the loop only.
    /// - Throws: as ``write(encoded:)``.
    @usableFromInline
    package func send(_ message: borrowing PackableMessage) throws(RPCError) -> Sending {
        let (end, isOver, isOpen, isLastInARow) = state.withLock { state in
            state.sentInARow += 1
            let isLastInARow = state.sentInARow == Self.mostInARow
            if isLastInARow { state.sentInARow = 0 }
            return (
                state.end ?? (state.isFinished ? .sendingIsOver : nil), state.isOver, !state.isBlocked && state.pendingByteCount == 0, isLastInARow
            )
        }
        if let end { throw end }
        if isOver { return .sent }
        guard isOpen, checkMaySend() else { return .mustWait(byteCount: message.byteCount) }
        try link.send(message)
        return isLastInARow ? .sentLastInARow : .sent
    }

    /// Sends an encoded message. It waits while the peer has no room.
    /// - Throws: ``RPCError``: how the call ended, if it has; `CANCELLED` when the task is cancelled while it waits; `RESOURCE_EXHAUSTED`
    ///   for a message over the limit, which leaves the stream as it was.
    @usableFromInline
    nonisolated(nonsending) package func write(encoded message: [UInt8]) async throws(RPCError) {
        guard message.count <= maximumMessageByteCount else { throw .oversized(message.count, limit: maximumMessageByteCount) }
        while try !enqueue(message) { try await waitForRoom(with: message.count) }
    }

    /// Asks the link whether to send. If not, writing waits for ``resume()``. On the loop only.
    private func checkMaySend() -> Bool {
        guard !link.maySend() else { return true }
        state.withLock { $0.isBlocked = true }
        return false
    }

    /// False when the queue is full.
    private func enqueue(_ bytes: [UInt8]) throws(RPCError) -> Bool {
        let (end, isTaken, mustSchedule): (RPCError?, Bool, Bool) = state.withLock { state in
            if let end = state.end ?? (state.isFinished ? .sendingIsOver : nil) { return (end, false, false) }
            guard !state.isOver else { return (nil, true, false) }
            guard state.pendingByteCount == 0 || state.pendingByteCount + bytes.count <= Self.pendingLimit else {
                return (nil, false, false)
            }
            state.pending.append(bytes)
            // Empty messages need memory too.
            state.pendingByteCount += bytes.count + InboundBudget.messageOverhead
            budget?.queue(bytes.count + InboundBudget.messageOverhead)
            let mustSchedule = !state.isFlushScheduled && !state.isBlocked
            if mustSchedule { state.isFlushScheduled = true }
            return (nil, true, mustSchedule)
        }
        if let end { throw end }
        if mustSchedule { link.execute { self.flush() } }
        return isTaken
    }

    /// Whether a message would be sent at once. True also after the call has ended: then writing says how it ended.
    @usableFromInline
    nonisolated(nonsending) package func isReady() async -> Bool {
        if link.isOnLoop { return isReadyOnLoop() }
        // Only the loop knows the peer's windows and the connection's output.
        return await withCheckedContinuation { continuation in
            link.execute { continuation.resume(returning: self.isReadyOnLoop()) }
        }
    }

    private func isReadyOnLoop() -> Bool {
        let (hasEnded, isOpen) = state.withLock { state in
            (state.end != nil || state.isOver || state.isFinished, !state.isBlocked && state.pendingByteCount == 0)
        }
        return hasEnded || (isOpen && checkMaySend())
    }

    /// Waits until ``isReady()``.
    /// - Throws: as ``waitForRoom()``.
    @usableFromInline
    nonisolated(nonsending) package func waitUntilReady() async throws(RPCError) {
        while await !isReady() { try await waitForRoom() }
    }

    /// Waits until there may be room, or the call has ended.
    /// - Parameter byteCount: the message that waits, which counts as memory meanwhile.
    /// - Throws: how the call ended, or `CANCELLED`, when the task is cancelled.
    @usableFromInline
    nonisolated(nonsending) package func waitForRoom(with byteCount: Int = 0) async throws(RPCError) {
        let held = byteCount == 0 ? 0 : byteCount + InboundBudget.messageOverhead
        if held > 0 { budget?.queue(held) }
        await lookAgain()
        if held > 0 { budget?.queue(-held) }
        if Task.isCancelled {
            link.waitingTaskCancelled()
            throw state.withLock { $0.end } ?? .taskCancelled
        }
    }

    private nonisolated(nonsending) func lookAgain() async {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let hasRoom = !state.isBlocked && state.pendingByteCount == 0
                    guard !hasRoom, state.end == nil, !state.isOver, !Task.isCancelled else { return false }
                    state.waiting[waiter] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
        }
    }

    /// Says that no more messages will be written. `onDrained` runs on the loop after all messages have been sent. It does not run if
    /// the call ends earlier. Later calls of this function are ignored.
    package func finish(_ onDrained: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            guard !state.isFinished, state.end == nil else { return false }
            state.isFinished = true
            state.onDrained = onDrained
            return true
        }
        guard isFirst else { return }
        if link.isOnLoop { flush() } else { link.execute { self.flush() } }
    }

    /// Waits until all messages have been sent, or the call has ended.
    /// - Throws: `CANCELLED` when the task is cancelled before.
    nonisolated(nonsending) package func drain() async throws(RPCError) {
        while true {
            if state.withLock({ $0.pendingByteCount == 0 || $0.isOver }) { return }
            if Task.isCancelled { throw .taskCancelled }
            await lookAgain()
        }
    }

    // MARK: Emptying, on the loop

    /// The peer takes messages again.
    package func resume() {
        state.withLock { state in
            state.isBlocked = false
            state.hasStarted = true
        }
        flush()
    }

    /// Ends the stream for its writers. Messages that were not sent are dropped.
    /// - Parameter error: the error that writers get from now on; nil if the call ended successfully before they finished. Then their messages are
    ///   dropped without an error.
    package func end(_ error: RPCError?) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = error }
            state.isOver = true
            state.pending.removeAll()
            budget?.queue(-state.pendingByteCount)
            state.pendingByteCount = 0
            state.onDrained = nil
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    private func flush() {
        state.withLock { $0.isFlushScheduled = false }
        while handOver() {}
        let (waiting, onDrained): ([Int: CheckedContinuation<Void, Never>], (@Sendable () -> Void)?) = state.withLock { state in
            guard state.hasStarted, state.pendingByteCount == 0 else { return ([:], nil) }
            defer { state.waiting = [:] }
            return (state.waiting, state.onDrained.take())
        }
        for continuation in waiting.values { continuation.resume() }
        onDrained?()
    }

    /// Sends waiting messages while the peer has room. False if no more can be sent now.
    private func handOver() -> Bool {
        let batch: [[UInt8]] = state.withLock { state in
            guard !state.isBlocked, state.end == nil, !state.isOver else { return [] }
            defer { state.pending = [] }
            return state.pending
        }
        guard !batch.isEmpty else { return false }
        var count = 0
        var byteCount = 0
        while count < batch.count, checkMaySend() {
            link.send(serialized: batch[count])
            byteCount += batch[count].count + InboundBudget.messageOverhead
            count += 1
        }
        state.withLock { state in
            // Sending may have ended the call. Then all waiting messages are gone.
            guard !state.isOver else { return }
            state.pendingByteCount -= byteCount
            budget?.queue(-byteCount)
            if count < batch.count { state.pending.insert(contentsOf: batch[count...], at: 0) }
        }
        return count == batch.count
    }
}

extension RPCError {
    static let sendingIsOver = RPCError(.failedPrecondition, "nothing may be written after the stream was finished")

    static func notEncodable(_ error: EncodingError, _ code: StatusCode = .invalidArgument) -> RPCError {
        RPCError(code, "the message cannot be encoded: \(error)")
    }
}
