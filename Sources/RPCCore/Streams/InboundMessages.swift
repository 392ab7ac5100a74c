import ProtobufC
import Synchronization

/// The receiving half of a stream: filled on the call's event loop, emptied by one consumer on whatever thread that runs.
///
/// The loop never waits for the consumer: a stream whose messages nobody takes fills its own budget and then fails alone.
package final class InboundMessages<Element: Sendable>: Sendable {
    private struct State: ~Copyable {
        var queue = MessageQueue<(message: Element, byteCount: Int, weight: Int)>()
        /// Bytes in `queue`, the overhead of each message included.
        var queuedByteCount = 0
        /// Wire bytes that were taken and not yet reported to the link.
        var unreported = 0
        /// Set when nothing more is coming: nil error for a half-close or an OK end.
        var end: Result<Void, RPCError>?
        var waiting: CheckedContinuation<Result<Element?, RPCError>, Never>?
    }

    /// Why a message was not taken in.
    package enum Refusal: Error {
        case streamBudget(limit: Int)
        case connectionBudget
    }

    /// What every stream may queue whatever the others do, bytes: streams that nobody reads do not fail those that somebody does.
    private static var ownByteCount: Int { 64 << 10 }

    /// What a stream with so much in its queue takes of the connection's budget.
    private static func shared(_ queuedByteCount: Int) -> Int { max(0, queuedByteCount - ownByteCount) }

    private let state = Mutex(State())
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
        // What nobody took still counts for the connection.
        connection.release(state.withLock { Self.shared($0.queuedByteCount) })
    }

    // MARK: Filling, on the loop

    /// Takes in a message; dropped when the stream has ended.
    /// - Parameters:
    ///   - byteCount: what it took on the wire, which the link is told when it is taken.
    ///   - payloadByteCount: what it takes encoded. Where it came compressed that may be a thousand times as much, and counts for the budgets.
    package func append(_ message: Element, byteCount: Int, payloadByteCount: Int) throws(Refusal) {
        let weight = max(byteCount, payloadByteCount) + InboundBudget.messageOverhead
        var waiting: CheckedContinuation<Result<Element?, RPCError>, Never>?
        let refusal: Refusal? = state.withLock { state in
            guard state.end == nil else { return nil }
            waiting = state.waiting.take()
            guard waiting == nil else { return nil }
            guard state.queuedByteCount == 0 || state.queuedByteCount + weight <= limit else { return .streamBudget(limit: limit) }
            guard connection.take(Self.shared(state.queuedByteCount + weight) - Self.shared(state.queuedByteCount)) else {
                return .connectionBudget
            }
            state.queue.append((message, byteCount, weight))
            state.queuedByteCount += weight
            return nil
        }
        if let refusal { throw refusal }
        guard let waiting else { return }
        waiting.resume(returning: .success(message))
        report(byteCount)
    }

    /// Says that nothing more is coming; the consumer hears of it when it has taken what is queued.
    package func finish(_ error: RPCError? = nil) {
        end(error.map { .failure($0) } ?? .success(()), dropping: false)
    }

    /// Ends the stream for its consumer at once; what is queued is dropped.
    package func fail(_ error: RPCError) { end(.failure(error), dropping: true) }

    private func end(_ end: Result<Void, RPCError>, dropping: Bool) {
        let (waiting, dropped) = state.withLock { state in
            if dropping, case .success? = state.end { state.end = end }
            if state.end == nil { state.end = end }
            let dropped = dropping ? Self.shared(state.queuedByteCount) : 0
            if dropping {
                state.queue.removeAll()
                state.queuedByteCount = 0
            }
            return (state.waiting.take(), dropped)
        }
        connection.release(dropped)
        waiting?.resume(returning: end.map { nil })
    }

    // MARK: Emptying, anywhere

    /// The next message, or nil at the end. One consumer at a time: a second one that would have to wait gets `FAILED_PRECONDITION`.
    package func next() async throws(RPCError) -> Element? {
        if let ready = takeReady() { return try ready.get() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: (result: Result<Element?, RPCError>, byteCount: Int)? = state.withLock { state in
                    if let ready = take(&state) { return ready }
                    guard !Task.isCancelled else { return (.failure(.taskCancelled), 0) }
                    guard state.waiting == nil else { return (.failure(.secondReader), 0) }
                    state.waiting = continuation
                    return nil
                }
                guard let ready else { return }
                continuation.resume(returning: ready.result)
                report(ready.byteCount)
            }
        } onCancel: {
            stopWaiting()
        }
        return try result.get()
    }

    private func takeReady() -> Result<Element?, RPCError>? {
        guard let taken = state.withLock({ take(&$0) }) else { return nil }
        report(taken.byteCount)
        return taken.result
    }

    /// What can be had without waiting.
    private func take(_ state: inout State) -> (result: Result<Element?, RPCError>, byteCount: Int)? {
        if let first = state.queue.popFirst() {
            connection.release(Self.shared(state.queuedByteCount) - Self.shared(state.queuedByteCount - first.weight))
            state.queuedByteCount -= first.weight
            return (.success(first.message), first.byteCount)
        }
        return state.end.map { ($0.map { nil }, 0) }
    }

    private func stopWaiting() {
        let waiting = state.withLock { $0.waiting.take() }
        waiting?.resume(returning: .failure(.taskCancelled))
        link.waitingTaskCancelled()
    }

    private func report(_ byteCount: Int) {
        guard byteCount > 0 else { return }
        let taken = state.withLock { state in
            state.unreported += byteCount
            guard state.unreported >= reportEvery else { return 0 }
            defer { state.unreported = 0 }
            return state.unreported
        }
        guard taken > 0 else { return }
        if link.isOnLoop {
            link.consumed(taken)
        } else {
            link.execute { [link] in link.consumed(taken) }
        }
    }
}

extension RPCError {
    static let secondReader = RPCError(.failedPrecondition, "a message stream has one reader at a time")

    /// What a waiting call throws when its task is cancelled.
    package static let taskCancelled = RPCError(.cancelled, "the calling task was cancelled")
}
