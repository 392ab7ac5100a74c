import Logging
import ProtobufC
import RPCCore
import SocketTransport

/// One client's connection. It connects the socket, the wire protocol and the methods. Loop-bound.
///
/// This file handles the socket's events and the drain. `Calls/ServerConnection+Calls.swift` takes requests and ends calls;
/// `Calls/ServerStreamLink.swift` has the part for streams.
final class ServerConnection: ConnectionHandler {
    let shared: ServerShared
    /// The methods of ``shared``. They are copied, because every call needs them.
    let methods: MethodTable
    let peer: ConnectionPeer
    /// The account of the connection's user.
    let account: UserAccount
    let loop: EventLoop
    /// Runs work on the loop in the connection's turns.
    let executor: ConnectionExecutor
    let wire: any ServerWireProtocol
    /// Whether answers have metadata. (Asking the protocol for each call is expensive.)
    let hasResponseMetadata: Bool
    /// The socket; nil after it has closed. Handlers of this connection may still run then.
    private(set) var connection: Connection?
    /// True while received bytes are handled, and between their parts. Then output is written after each part without being
    /// announced, and a drain does not close the connection.
    private(set) var isReceiving = false
    /// The calls whose handlers wait, and all streaming calls that have begun.
    var waitingCalls: [CallID: WaitingCall] = [:]
    /// Handlers that have not ended: those of ``waitingCalls``, and those that ignore the end of their calls.
    var handlerCount = 0
    /// Those of ``handlerCount`` whose calls have ended.
    var endingHandlerCount = 0
    /// Memory of waiting and streaming calls, bytes: requests, metadata, and a fixed sum for the rest.
    var callByteCount = 0
    /// Bytes of the request that is being started.
    var requestByteCount = 0
    /// The calls that are handled outside of the event loop.
    var callsApart = 0
    /// Whether calls are observed or limited, and the object that reports them. (Not an optional object, because its references would be counted
    /// twice a call.)
    let isObserved: Bool
    let ends: CallEnds
    /// The bytes that were reported to ``account``, and those of them that are half-received requests.
    private var countedByteCount = 0
    private var countedUnfinished = 0
    /// ``callByteCount`` when the account was settled last.
    private(set) var settledCallByteCount = 0
    /// When the bytes that are being handled were read. The time that a request waits behind others of its burst counts for its deadline.
    private(set) var receivedAt: Int64 = 0
    /// When the last handler that had waited ended, about.
    var answeredAt: Int64 = 0
    /// The tasks that run its handlers.
    let handlerTasks: HandlerTaskPool
    /// Decodes and handles its large requests.
    private(set) lazy var largeRequests = account.largeRequests.makeLine()
    /// Handles its other calls that are handled outside of the loop.
    private(set) lazy var smallRequestsApart = account.smallRequestsApart.makeLine()
    /// The budget for unread requests of all its streams together.
    let inboundBudget: InboundBudget
    /// Streams that wait until the client has read the output.
    var waitingForOutput = OutputWaiters()
    /// Whether there may be such streams. (Asking ``waitingForOutput`` after each write is expensive.)
    var streamsWaitForOutput = false
    let unreadWatch: UnreadOutputWatch
    /// The timers for incomplete input, for a peer that should close the connection, and for half-received requests during a drain.
    private var expiry: LoopTimer?, closing: LoopTimer?, halfSent: LoopTimer?
    /// Set when incomplete input was late while its rest waited for a turn. If it is still incomplete after that turn, it is dropped.
    private var isOverdue = false
    /// Until when late input is not judged, because the connection was not read for a while.
    private var overdueGraceEnd: Int64 = 0
    /// The heartbeat of a gateway's connection.
    private var heartbeat: Heartbeat?
    private(set) var isDraining = false
    /// Whether the time for half-received requests is over.
    private var ignoresHalfSent = false

    init(_ wire: any ServerWireProtocol, on connection: Connection, of peer: ConnectionPeer, _ account: UserAccount, shared: ServerShared) {
        self.wire = wire
        hasResponseMetadata = wire.hasResponseMetadata
        self.connection = connection
        self.peer = peer
        self.account = account
        self.shared = shared
        methods = shared.methods
        loop = connection.loop
        executor = ConnectionExecutor(for: connection)
        handlerTasks = shared.handlerTasks(of: loop)
        isObserved = shared.isObserved
        ends = shared.ends(of: loop)
        let limits = shared.limits.all
        inboundBudget = InboundBudget(limit: limits.maximumQueuedByteCountPerConnection)
        unreadWatch = UnreadOutputWatch(timeout: limits.unreadOutputTimeout.wholeNanoseconds)
        if let interval = peer.heartbeat { heartbeat = Heartbeat(every: interval, on: executor) { [weak self] in self?.beat() } }
    }

    /// Sends a heartbeat if calls are running, because they may be silent for long.
    private func beat() {
        guard !waitingCalls.isEmpty else { return }
        wire.sendHeartbeat()
        outputIsReady()
    }

    // MARK: Socket

    var outputByteCount: Int { wire.outputByteCount }

    func withOutput(_ write: (RawSpan) -> Int) {
        var written = 0
        wire.withOutput { bytes in
            written = write(bytes)
            return written
        }
        let waiting = outputByteCount
        watchUnreadOutput(written, waiting: waiting)
        resumeStreamsWaitingForOutput()
        // Room for answers lets streams go on that had to wait, and their time begins again.
        watchUnfinishedInput()
        // If a client takes all of its answers and nothing else is held, the account is already right.
        if waiting > 0 || countedByteCount >= Self.ownByteCount + Self.smallestDifference { settleAccount() }
        // Not from within a write.
        if wire.hasUnreportedEvents { onLoop { $0.reportEvents() } }
        // The last answer may be the end of the connection.
        if wire.isOver { connection?.closeAfterOutput() }
    }

    /// Reports calls that have ended because their answers could not be sent, and resumes streams for which other streams have made room.
    private func reportEvents() {
        guard let connection, !isReceiving else { return }
        do throws(ProtocolViolation) {
            try wire.reportEvents(to: self)
            // The ends of a thousand calls take several turns.
            if wire.hasUnreportedEvents { onLoop { $0.reportEvents() } }
            outputIsReady()
        } catch {
            connection.closeAfterOutput()
        }
        settleAccount()
        closeIfDrained()
    }

    /// Nothing waits for the socket. Output that waits for the client's flow control is watched in the same way.
    func outputWasEmpty() {
        // There was no memory for an answer.
        if wire.isOver { connection?.closeAfterOutput() }
        guard wire.blockedByteCount > 0 || unreadWatch.isWaiting else { return }
        watchUnreadOutput(0, waiting: 0)
        settleAccount()
    }

    var isClosed: Bool { connection == nil }

    /// Runs work with the connection on its loop, soon. Any thread.
    func onLoop(_ work: @escaping @Sendable (ServerConnection) -> Void) {
        let connection = LoopBound(self, to: loop)
        executor.execute { work(connection.value) }
    }

    func outputIsReady() { if !isReceiving { connection?.outputIsReady() } }

    func received(_ bytes: RawSpan, on connection: Connection) {
        if isOverdue { giveOverdueInputTime() }
        receivedAt = connection.readAt
        isReceiving = true
        do throws(ProtocolViolation) {
            var taken = try receivePart(of: bytes)
            while taken < bytes.byteCount || wire.hasUnfinishedWork {
                connection.writeEarly()
                // The client is gone, so its answers are not needed.
                guard !connection.isClosed else { break }
                guard connection.mayGoOn else {
                    connection.leave(bytes.byteCount - taken, withWork: wire.hasUnfinishedWork)
                    break
                }
                taken += try receivePart(of: bytes.extracting(taken..<bytes.byteCount))
            }
        } catch {
            if error.isFlood { account.count(.glitches) }
            shared.logger.debug("closed a connection", metadata: peer.logMetadata(["reason": "\(error)"]))
            // The protocol's last output, such as GOAWAY, is still sent.
            connection.closeAfterOutput()
        }
        isReceiving = false
        tellEnds()
        if connection.isClosed { settleAccount() } else { settleAccount(of: connection) }
        if isOverdue, connection.leftByteCount == 0, !wire.hasUnfinishedWork { expireUnfinishedInput(on: connection) }
        watchUnfinishedInput()
        closeIfDrained()
    }

    private func receivePart(of bytes: RawSpan) throws(ProtocolViolation) -> Int {
        handlerTasks.beginGathering()
        defer {
            handlerTasks.endGathering()
            tellEnds()
        }
        return try wire.receivePart(of: bytes, events: self)
    }

    @inline(__always)
    private func tellEnds() { if ends.areWaiting { ends.tell(from: peer.origin, account) } }

    func closed(_ connection: Connection) {
        self.connection = nil
        if connection.hasTooMuchOutput {
            account.count(.unreadPerConnection)
            shared.logger.warning(
                "closed a connection with too many unread answers", metadata: peer.logMetadata(["unread.bytes": "\(outputByteCount)"]))
        }
        unreadWatch.stop(on: loop)
        heartbeat?.stop()
        for timer in [expiry, halfSent] { if let timer { loop.cancel(timer) } }
        (expiry, halfSent) = (nil, nil)
        settleAccount()
        let left = waitingCalls.values.filter { $0.end(on: loop) }
        waitingCalls.removeAll()
        endingHandlerCount += left.count
        for call in left { ended(call.call, .cancelled) }
        let byteCount = wire.heldByteCount
        let memory = wire.connectionClosed()
        // A handler may outlive the connection, and keeps this object and the session. Their buffers count for nobody any more. They are freed later,
        // because the connection may close while a frame in them is read or written.
        if handlerCount > 0 {
            connection.workLater { [wire] in
                wire.freeBuffers()
                return false
            }
        }
        cancel(left, freeing: memory, byteCount, on: connection)
        shared.connectionClosed(self, on: loop, account)
    }

    /// The number of handlers that are cancelled at once when a connection closes, or when many streams end. The others are cancelled in turns,
    /// because a thousand at once would delay other users (docs/performance.md).
    static let cancelledAtOnce = 16

    /// Cancels the handlers of calls, and frees what the session held for calls, in steps.
    ///
    /// The end of one call frees a dozen objects, and all of its metadata. So a thousand at once would take milliseconds too.
    /// - Parameter byteCount: bytes that the session held. They count for the user until they are freed. Otherwise a user with new connections could
    ///   hold as much again.
    private func cancel(_ calls: [WaitingCall], freeing memory: [AnyObject], _ byteCount: Int, on connection: Connection) {
        let reason = RPCError(.cancelled, "the client has gone away")
        for call in calls.prefix(Self.cancelledAtOnce) { call.cancelHandler(reason) }
        var calls = Array(calls.dropFirst(Self.cancelledAtOnce).reversed())
        var memory = memory
        guard !calls.isEmpty || memory.count > Self.cancelledAtOnce else { return }
        var held = byteCount
        account.hold(held)
        connection.workLater { [wire, account] in
            // The memory shares counters with the session. So the session is not freed before it, perhaps on another thread.
            defer { withExtendedLifetime(wire) {} }
            if let call = calls.popLast() {
                call.cancelHandler(reason)
            } else {
                let part = held / memory.count
                memory.removeLast()
                account.hold(-part)
                held -= part
            }
            guard calls.isEmpty, memory.isEmpty else { return true }
            account.hold(-held)
            account.forgetIfUnused()
            return false
        }
    }

    /// Tells the client why, if the socket has room for it, and closes soon, when no code of the connection runs.
    func close(because reason: StaticString) {
        wire.tellWhyClosing(reason)
        onLoop { $0.connection?.writeAndClose() }
    }
}

// MARK: - Memory of the connection

extension ServerConnection {
    /// The smallest difference that is reported to the user's account, bytes. So calls that leave nothing in memory cost nothing here.
    static let smallestDifference = 4 << 10
    /// Memory of an open connection, its buffers and tables, bytes. It is counted from the first report on.
    static let ownByteCount = 8 << 10

    /// Reports the memory of this connection to the user's account. If the account is full, it frees memory.
    func settleAccount() {
        if let connection { return settleAccount(of: connection) }
        // The last handler of a closed connection has ended. What its stream still holds is freed with it.
        settleAccount(holding: handlerCount == 0 ? 0 : byteCountOfCalls)
        // After the connection has closed, nobody else asks whether its account is still used.
        account.forgetIfUnused()
    }

    /// - Parameter connection: the open socket. (A parameter, because reading the property retains it in every call.)
    private func settleAccount(of connection: Connection) { settleAccount(holding: heldByteCount(of: connection)) }

    private func countUnfinished() {
        let count = connection == nil ? 0 : wire.unfinishedByteCount
        guard count != countedUnfinished else { return }
        account.holdUnfinished(count - countedUnfinished)
        countedUnfinished = count
    }

    private func settleAccount(holding held: Int) {
        settledCallByteCount = callByteCount
        let difference = held - countedByteCount
        // A message that becomes whole may change nothing else.
        if countedUnfinished > 0 || difference >= Self.smallestDifference { countUnfinished() }
        guard abs(difference) >= Self.smallestDifference || (held == 0 && difference != 0) else { return }
        account.hold(difference)
        countedByteCount = held
        guard difference > 0 else { return }
        let hasTooMuch = countedUnfinished >= Self.smallestDrop && account.hasTooMuchUnfinished(ofConnectionWith: memoryOfRequests)
        if hasTooMuch || account.isFull { holdLess(difference) }
    }

    private var byteCountOfCalls: Int { callByteCount + inboundBudget.queuedByteCount }

    private func heldByteCount(of connection: Connection) -> Int {
        byteCountOfCalls + Self.ownByteCount + wire.heldByteCount + connection.leftByteCount
    }

    /// How long a connection must be idle to be closed for memory, nanoseconds. A gateway may not have taken the last answer of a younger one.
    static let shortestIdleTime: Int64 = 100_000_000
    /// The least number of bytes that are dropped at once. So a connection does not lose a message for each small read.
    static let smallestDrop = 256 << 10

    /// Frees memory when the user has reached a limit, or half-received requests have theirs. It frees as many bytes as the connection has just
    /// received, and not all, because thousands of messages would take longer than a turn.
    private func holdLess(_ byteCount: Int) {
        guard let connection else { return }
        let isFull = account.isFull, full = isFull ? account.fullLimit : (.memoryPerUser, .tooManyBytesOfUser)
        wire.dropUnfinished(max(byteCount, Self.smallestDrop), full.error, events: self)
        // Behind a gateway, idle connections are probably those of others.
        if isFull, !peer.origin.isRemote || account.isOverfull {
            shared.closeIdleConnections(of: peer.holder, idleFor: Self.shortestIdleTime)
        }
        let held = heldByteCount(of: connection)
        if held < countedByteCount { account.count(full.limit) }
        account.hold(held - countedByteCount)
        countedByteCount = held
        countUnfinished()
        outputIsReady()
        // The dropped request may have been the last one.
        closeIfDrained()
        guard account.isOverfull else { return }
        account.count(full.limit)
        shared.logger.warning(
            "closed a connection: its user holds too much memory", metadata: peer.logMetadata(["held.bytes": "\(held)"]))
        close(because: "memory_of_user")
    }

    /// Whether nothing large may be kept for this connection.
    @inline(__always)
    var isFull: Bool { account.isFull(forConnectionWith: memory) }

    /// The memory of this connection. Half-received requests do not count here, because they have a limit of their own.
    var memory: Int { countedByteCount - countedUnfinished + inboundBudget.grownByteCount }

    /// The memory of its requests, whole or half-received.
    var memoryOfRequests: Int { callByteCount + countedUnfinished }

    // MARK: Incomplete input

    /// When incomplete input is late; `.max` without any.
    private var unfinishedInputExpiry: Int64 { max(wire.nextExpiry, overdueGraceEnd) }

    /// Sets the timer for incomplete input.
    func watchUnfinishedInput() {
        let due = unfinishedInputExpiry
        guard due != .max, connection != nil else { return }
        if let expiry {
            guard due < expiry.deadline else { return }
            loop.cancel(expiry)
        }
        expiry = executor.schedule(at: due) { self.giveUpUnfinishedInput() }
    }

    private func giveUpUnfinishedInput() {
        expiry = nil
        guard let connection else { return }
        let now = MonotonicClock.now()
        // The client is not to blame for input that waits here.
        if connection.isReadingAll {
            expireUnfinishedInput(on: connection)
        } else if now >= unfinishedInputExpiry {
            isOverdue = true
            expiry = executor.schedule(at: now + Self.patience) { self.giveUpUnfinishedInput() }
            return
        }
        watchUnfinishedInput()
    }

    /// While the connection was not read, the client may have been unable to send the rest. So late input gets its whole time again.
    private func giveOverdueInputTime() {
        let now = MonotonicClock.now()
        guard now - receivedAt >= Self.patience else { return }
        isOverdue = false
        let timeout = shared.limits.all.unfinishedTimeout.wholeNanoseconds
        overdueGraceEnd = Deadline(now: now, timeoutNanoseconds: max(Self.patience, timeout)).nanoseconds
    }

    private func expireUnfinishedInput(on connection: Connection) {
        isOverdue = false
        let now = MonotonicClock.now()
        guard now >= unfinishedInputExpiry else { return }
        do throws(ProtocolViolation) {
            try wire.expireUnfinished(at: now, events: self)
        } catch {
            account.count(.unfinishedSeconds)
            shared.logger.debug("closed a connection", metadata: peer.logMetadata(["reason": "\(error)"]))
            connection.closeAfterOutput()
        }
        outputIsReady()
        settleAccount()
        closeIfDrained()
    }

    /// The time until late input is checked again while the connection is not read, and the least time that it has afterwards, nanoseconds.
    private static let patience: Int64 = 1_000_000_000
}

// MARK: - Drain

extension ServerConnection: DrainableConnection {
    /// Finishes running calls, then closes. A client that supports drains gets a notice. It opens no new calls here and closes the connection
    /// itself, so that none of its calls is lost. For other clients, calls are answered until none is running.
    func drain() {
        guard !isDraining else { return }
        isDraining = true
        wire.drain()
        for call in waitingCalls.values where endsAtDrain(call) { endCall(call, .shuttingDown, droppingUnsent: true) }
        let due = Deadline(now: MonotonicClock.now(), timeoutNanoseconds: shared.limits.all.halfSentDrainTimeout.wholeNanoseconds)
        halfSent = executor.schedule(at: due.nanoseconds) { self.giveUpHalfSent() }
        outputIsReady()
        closeIfDrained()
    }

    /// Whether a stream ends as soon as the connection drains.
    func endsAtDrain(_ call: WaitingCall) -> Bool { shared.pathsEndedAtShutdown.contains(call.call.context.method) }

    /// Ends running calls with `UNAVAILABLE` and closes.
    func endDrain() {
        wire.endDrain()
        for call in waitingCalls.values { endCall(call, .shuttingDown, droppingUnsent: true) }
        connection?.closeAfterOutput()
    }

    var holder: AccountHolder { peer.holder }

    var idleSince: Int64? {
        guard let connection, connection.isReadingAll, !isReceiving, !isDraining, waitingCalls.isEmpty, handlerCount == 0, !wire.hasPartialInput,
            outputByteCount + wire.blockedByteCount == 0
        else { return nil }
        return max(receivedAt, answeredAt)
    }

    func retire() {
        // A request that has just come is answered.
        guard idleSince != nil, connection?.askForUnreadInput() == false else { return }
        wire.drain()
        wire.endDrain()
        connection?.closeAfterOutput()
    }

    func closeIfDrained() {
        guard isDraining, !isReceiving, waitingCalls.isEmpty else { return }
        guard wire.peerClosesDrained else { return closeUnlessSpokenTo() }
        guard closing == nil else { return }
        let end = Deadline(now: MonotonicClock.now(), timeoutNanoseconds: shared.limits.all.drainedConnectionTimeout.wholeNanoseconds)
        closing = executor.schedule(at: end.nanoseconds) { [weak self] in
            guard let self else { return }
            closing = nil
            if waitingCalls.isEmpty { closeUnlessSpokenTo() }
            // If it is still open, check again.
            if connection?.isClosed == false { closeIfDrained() }
        }
    }

    /// Stops waiting for requests that were half received when the drain began.
    private func giveUpHalfSent() {
        halfSent = nil
        guard connection != nil else { return }
        ignoresHalfSent = true
        wire.dropUnfinished(.max, .shuttingDown, events: self)
        outputIsReady()
        closeIfDrained()
    }

    /// Closes, unless a complete or incomplete request is still to be read and answered.
    private func closeUnlessSpokenTo() {
        // Answers that wait for the peer's windows would be lost.
        let isSpokenTo = ignoresHalfSent ? wire.blockedByteCount > 0 : wire.hasPartialInput
        guard !isSpokenTo, connection?.askForUnreadInput() == false else { return }
        wire.endDrain()
        connection?.closeAfterOutput()
    }
}
