import RPCCore
import SocketTransport

/// Detects a client that takes less than ``progressByteCount`` of its waiting output in one timeout. Output waits for the socket or for the client's
/// flow control. A client without waiting output is never affected. Loop-bound.
///
/// A client must make progress. A client that takes a byte a minute cannot occupy the server's memory.
final class UnreadOutputWatch {
    /// Bytes that a client has to take in one timeout, or all if fewer wait.
    static let progressByteCount = 64 << 10

    private let timeout: Int64
    private(set) var isWaiting = false
    /// When the present timeout began, nanoseconds.
    private var begin: Int64 = 0
    /// Bytes to be taken before it ends.
    private var wanted = 0
    private var timer: LoopTimer?

    /// - Parameter timeout: nanoseconds.
    init(timeout: Int64) { self.timeout = timeout }

    /// Notes the result of a write. `giveUp` is called once, if too little is taken in the timeout. It is kept until then, or until ``stop(on:)``.
    func wrote(_ byteCount: Int, waiting: Int, on executor: ConnectionExecutor, giveUp: @escaping () -> Void) {
        let wasWaiting = isWaiting
        isWaiting = waiting > 0
        guard isWaiting else { return }
        wanted -= byteCount
        // New waiting output gets a whole timeout, even if a timer is still set for earlier output.
        if !wasWaiting || wanted <= 0 {
            begin = MonotonicClock.now()
            wanted = min(waiting, Self.progressByteCount)
        }
        if timer == nil { set(executor, giveUp) }
    }

    /// Ends the watch, and releases the closure.
    func stop(on loop: EventLoop) {
        isWaiting = false
        for timer in [timer, streamTimer] { if let timer { loop.cancel(timer) } }
        (timer, streamTimer) = (nil, nil)
    }

    // MARK: Single streams

    private var streamTimer: LoopTimer?

    /// Calls `check` once in each timeout while single streams wait for their client's windows. Other streams of the connection may be read, so that
    /// ``wrote(_:waiting:on:giveUp:)`` sees progress.
    /// - Parameter check: returns whether some still wait.
    func streamsWait(on executor: ConnectionExecutor, check: @escaping () -> Bool) {
        guard streamTimer == nil else { return }
        streamTimer = executor.schedule(at: Deadline(now: MonotonicClock.now(), timeoutNanoseconds: timeout).nanoseconds) { [weak self] in
            guard let self else { return }
            streamTimer = nil
            if check() { streamsWait(on: executor, check: check) }
        }
    }

    private func set(_ executor: ConnectionExecutor, _ giveUp: @escaping () -> Void) {
        timer = executor.schedule(at: Deadline(now: begin, timeoutNanoseconds: timeout).nanoseconds) { [weak self] in
            guard let self else { return }
            timer = nil
            guard isWaiting else { return }
            guard MonotonicClock.now() - begin >= timeout else { return set(executor, giveUp) }
            // What still waits afterwards gets a whole timeout.
            isWaiting = false
            giveUp()
        }
    }
}

/// A client that does not read its answers: new answers are not kept, its connection is closed, or those of its streams end that it does not read.
extension ServerConnection {
    /// The limit of unread answers for a client whose user is at a limit of memory, bytes.
    static let unreadWhenFull = 64 << 10

    /// Whether a new answer of so many bytes is not kept, because the client has too many unread answers.
    @inline(__always)
    func keepsNoAnswer(of byteCount: Int) -> Bool {
        outputByteCount > Self.unreadWhenFull || isFull(for: byteCount) ? hasTooMuchUnread(besides: byteCount) : false
    }

    @inline(__always)
    private func isFull(for byteCount: Int) -> Bool {
        account.isFull(forConnectionWith: memory, isSmall: byteCount < Self.smallestDifference)
    }

    private func hasTooMuchUnread(besides byteCount: Int) -> Bool {
        isOverUnreadLimit || (isFull(for: byteCount) && outputByteCount + wire.blockedByteCount + byteCount > Self.unreadWhenFull)
    }

    /// Whether more answers are unread than a connection may have.
    @inline(__always)
    var isOverUnreadLimit: Bool { outputByteCount > shared.limits.unreadByteCount.load(ordering: .relaxed) }

    var outputHighWater: Int { isFull ? Self.unreadWhenFull : Connection.outputHighWater }

    /// Notes the result of a write.
    /// - Parameter waiting: the bytes that wait for the socket.
    @inline(__always)
    func watchUnreadOutput(_ written: Int, waiting: Int) {
        let blocked = wire.blockedByteCount
        // The closures have no weak reference, because then all references to the connection would be counted in a side table.
        unreadWatch.wrote(written, waiting: waiting > 0 ? waiting : blocked, on: executor) { self.giveUpUnreadOutput() }
        if blocked > 0 { unreadWatch.streamsWait(on: executor) { self.endNeglectedStreams() } }
    }

    private func giveUpUnreadOutput() {
        // The client takes what comes from the socket. Only some of its streams are not read.
        let blocked = outputByteCount == 0 ? wire.blockedStreams : []
        guard blocked.isEmpty else { return endBlockedStreams(blocked) }
        account.count(.unreadSeconds)
        shared.logger.warning(
            "closed a connection whose client does not read its answers",
            metadata: peer.logMetadata(["unread.bytes": "\(outputByteCount + wire.blockedByteCount)"]))
        close(because: "unread_answers")
    }

    /// Ends streams whose client reads only others.
    /// - Returns: whether some still wait.
    private func endNeglectedStreams() -> Bool {
        let neglected = wire.neglectedStreams(unlessTaken: UnreadOutputWatch.progressByteCount)
        if !neglected.isEmpty { endBlockedStreams(neglected) }
        return wire.blockedByteCount > 0
    }

    private func endBlockedStreams(_ ids: [CallID]) {
        account.count(.unreadSeconds)
        shared.logger.warning("ended streams whose client does not read their answers", metadata: peer.logMetadata([:]))
        var left = ids[...]
        let step = { [self] in
            wire.endBlockedStreams(left.prefix(Self.cancelledAtOnce), events: self)
            left = left.dropFirst(Self.cancelledAtOnce)
            outputIsReady()
            settleAccount()
            closeIfDrained()
            return !left.isEmpty
        }
        if step() { connection?.workLater(step) }
    }
}
