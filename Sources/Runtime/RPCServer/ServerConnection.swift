import Logging
import ProtobufC
import RPCCore
import SocketTransport

/// One client's connection: joins the socket, the wire protocol and the methods. Loop-bound.
///
/// Here are the socket's events and the drain; `+Calls` takes requests in and gives their ends out, `+Streams` does what only streams need.
final class ServerConnection: ConnectionHandler {
    let shared: ServerShared
    /// Of ``shared``, as every call needs them.
    let methods: MethodTable
    let peer: ConnectionPeer
    /// What the connection's user takes of the server.
    let account: UserAccount
    let loop: EventLoop
    let wire: any ServerWireProtocol
    /// The socket until it closes; nil from then on, while handlers of this connection may still be coming to their end.
    private var connection: Connection?
    /// Set while received bytes are worked on, whatever else runs between their parts: what is made ready is written after a part without being
    /// announced, and a drain does not end here. (Unchecked in release builds.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private(set) var isReceiving = false
    var running: [CallID: WaitingCall] = [:]
    /// Handlers that have not come to their end: those of ``running``, and those whose calls are over without their hearing of it.
    var handlerCount = 0
    /// Bytes that calls hold which wait or stream: requests, metadata, and a sum for the rest.
    var callByteCount = 0
    /// Of the request that is being started.
    /// (Unchecked in release builds, as those that say so below: together six accesses a call, 100 instructions each to check. Each is read or
    /// replaced at once.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var requestByteCount = 0
    /// Whether somebody observes or limits calls, and what tells them. (Not one that may be nil: that would be counted, twice a call.)
    let isObserved: Bool
    let ends: CallEnds
    /// What ``account`` has been told.
    private var countedByteCount = 0
    /// When the bytes being worked on were read: a request that waits behind others in one burst is that much older. (Unchecked in release builds.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private(set) var receivedAt: Int64 = 0
    /// Where its handlers run.
    let handlerTasks: HandlerTaskPool
    /// What its streams may keep of unread requests, all together.
    let inboundBudget: InboundBudget
    /// Streams that wait until the client has read what was written.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var waitingForOutput = OutputWaiters()
    private let unreadWatch: UnreadOutputWatch
    /// Set while something has begun to arrive.
    private var expiry: LoopTimer?
    /// Set when what is unfinished was late while more of it waited for a turn. The next turn that works on all of that is its last.
    private var isOverdue = false
    /// Of a connection behind which a gateway may run out of patience.
    private var heartbeat: Heartbeat?
    private var isDraining = false
    /// Set while the peer is given its time to close.
    private var closing: LoopTimer?
    /// Set while what has begun to arrive at a drain is given its time.
    private var halfSent: LoopTimer?
    /// Whether that time is over.
    private var ignoresHalfSent = false

    init(_ wire: any ServerWireProtocol, on connection: Connection, of peer: ConnectionPeer, _ account: UserAccount, shared: ServerShared) {
        self.wire = wire
        self.connection = connection
        self.peer = peer
        self.account = account
        self.shared = shared
        methods = shared.methods
        loop = connection.loop
        handlerTasks = shared.handlerTasks(of: loop)
        isObserved = shared.isObserved
        ends = shared.ends(of: loop)
        let limits = shared.limits.all
        inboundBudget = InboundBudget(limit: limits.maximumQueuedByteCountPerConnection)
        unreadWatch = UnreadOutputWatch(timeout: limits.unreadOutputTimeout.wholeNanoseconds)
        if let interval = peer.heartbeat { heartbeat = Heartbeat(every: interval, on: loop) { [weak self] in self?.beat() } }
    }

    /// Says that the connection is there while calls are under way on it, which may have nothing to say for long.
    private func beat() {
        guard !running.isEmpty else { return }
        wire.beat()
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
        // Not by a weak reference: one is enough to make every other to the connection go by a side table.
        let waiting = outputByteCount
        unreadWatch.wrote(written, waiting: waiting > 0 ? waiting : wire.blockedByteCount, on: loop) { self.giveUpUnreadOutput() }
        resumeStreamsWaitingForOutput()
        // A client that takes all of its answers, and holds nothing else, was counted when they were made.
        if waiting > 0 || countedByteCount >= Self.ownByteCount + Self.smallestDifference { settleAccount() }
        // The last answer may be the end of the connection.
        if wire.isOver { connection?.closeAfterOutput() }
    }

    /// What there is waits for the client's flow control, if there is anything: then it is watched like what waits for the socket.
    func outputWasEmpty() {
        let blocked = wire.blockedByteCount
        guard blocked > 0 || unreadWatch.isWaiting else { return }
        unreadWatch.wrote(0, waiting: blocked, on: loop) { self.giveUpUnreadOutput() }
        settleAccount()
    }

    var isClosed: Bool { connection == nil }

    /// Has the loop do something with the connection, soon. Any thread.
    func onLoop(_ work: @escaping @Sendable (ServerConnection) -> Void) {
        let connection = LoopBound(self, to: loop)
        loop.execute { work(connection.value) }
    }

    func outputIsReady() {
        if !isReceiving { connection?.outputIsReady() }
    }

    func received(_ bytes: RawSpan, on connection: Connection) {
        receivedAt = connection.readAt
        isReceiving = true
        do throws(ProtocolViolation) {
            var taken = try receivePart(of: bytes)
            while taken < bytes.byteCount || wire.hasUnfinishedWork {
                connection.writeEarly()
                // The client is gone, and with it what it would have been answered.
                guard !connection.isClosed else { break }
                guard connection.mayGoOn else {
                    connection.leave(bytes.byteCount - taken, withWork: wire.hasUnfinishedWork)
                    break
                }
                taken += try receivePart(of: bytes.extracting(taken..<bytes.byteCount))
            }
        } catch {
            shared.logger.debug("closed a connection", metadata: peer.logMetadata(["reason": "\(error)"]))
            // What the protocol has to say about it is still sent.
            connection.closeAfterOutput()
        }
        isReceiving = false
        tellEnds()
        settleAccount()
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

    private func tellEnds() {
        if ends.areWaiting { ends.tell(from: peer.origin, account) }
    }

    func closed(_ connection: Connection) {
        self.connection = nil
        unreadWatch.stop(on: loop)
        heartbeat?.stop()
        if let expiry { loop.cancel(expiry) }
        expiry = nil
        if let halfSent { loop.cancel(halfSent) }
        halfSent = nil
        settleAccount()
        let left = running.values.filter { $0.end(on: loop) }
        running.removeAll()
        for call in left { ended(call.call, .cancelled) }
        Self.cancel(left[...], on: connection)
        shared.connectionClosed(self, on: loop, account)
    }

    /// Handlers that are told at once that their client has gone. To tell a thousand takes ten milliseconds, so the others are told in turns.
    private static let cancelledAtOnce = 16

    private static func cancel(_ calls: ArraySlice<WaitingCall>, on connection: Connection) {
        let reason = RPCError(.cancelled, "the client has gone away")
        for call in calls.prefix(cancelledAtOnce) { call.cancelHandler(reason) }
        var rest = calls.dropFirst(cancelledAtOnce)
        guard !rest.isEmpty else { return }
        connection.workLater {
            rest.popFirst()?.cancelHandler(reason)
            return !rest.isEmpty
        }
    }

    private func giveUpUnreadOutput() {
        account.count(.unreadSeconds)
        shared.logger.warning(
            "closed a connection whose client does not read its answers",
            metadata: peer.logMetadata(["unread.bytes": "\(outputByteCount + wire.blockedByteCount)"]))
        connection?.close()
    }
}

// MARK: - What the connection holds

extension ServerConnection {
    /// Bytes of a difference that the user's account is told of. So it costs a call nothing that leaves nothing behind.
    private static let smallestDifference = 4 << 10
    /// What an open connection takes, its buffers and tables: counted from the first difference on.
    private static let ownByteCount = 8 << 10
    /// Bytes of unread answers to which a client is held whose user has all that a user may have.
    private static let unreadWhenFull = 64 << 10

    /// Tells the user's account how much this connection holds now, and gives back what the account has no room for.
    func settleAccount() {
        let held = heldByteCount
        let difference = held - countedByteCount
        guard abs(difference) >= Self.smallestDifference || (held == 0 && difference != 0) else { return }
        account.hold(difference)
        countedByteCount = held
        if difference > 0 { if account.isFull { holdLess(difference) } } else if connection == nil { account.forgetIfUnused() }
    }

    private var heldByteCount: Int {
        let ofCalls = callByteCount + inboundBudget.queuedByteCount
        guard let connection else { return ofCalls }
        return ofCalls + Self.ownByteCount + wire.heldByteCount + connection.leftByteCount
    }

    /// Bytes that are dropped at once, at least: a connection that takes a little at a time is not to lose a message for each.
    private static let smallestDrop = 256 << 10

    /// The user has reached a limit, and this connection has just taken so much more. As much is dropped, and not all that it has: that may be thousands
    /// of messages, and take longer than a turn.
    private func holdLess(_ byteCount: Int) {
        guard connection != nil else { return }
        wire.dropUnfinished(max(byteCount, Self.smallestDrop), account.refuseBytes(), events: self)
        shared.closeIdleConnections(of: peer.principal)
        let held = heldByteCount
        account.hold(held - countedByteCount)
        countedByteCount = held
        outputIsReady()
        guard account.isOverfull else { return }
        shared.logger.warning(
            "closed a connection: its user holds too much memory", metadata: peer.logMetadata(["held.bytes": "\(held)"]))
        // Not from within what it does.
        onLoop { $0.connection?.close() }
    }

    /// Whether an answer is not kept, because the client has too much unread for what its user may have.
    @inline(__always)
    var keepsNoAnswer: Bool { outputByteCount > Self.unreadWhenFull || account.isFull ? hasTooMuchUnread : false }

    private var hasTooMuchUnread: Bool {
        let unread = outputByteCount
        return unread > shared.limits.unreadByteCount.load(ordering: .relaxed) || (account.isFull && unread + wire.blockedByteCount > Self.unreadWhenFull)
    }

    var outputHighWater: Int { account.isFull ? Self.unreadWhenFull : Connection.outputHighWater }

    // MARK: What takes too long to arrive

    /// Sees to it that what has begun to arrive is given up when it takes too long.
    private func watchUnfinishedInput() {
        let due = wire.nextExpiry
        guard due != .max, connection != nil else { return }
        if let expiry {
            guard due < expiry.deadline else { return }
            loop.cancel(expiry)
        }
        expiry = loop.schedule(at: due) { self.giveUpUnfinishedInput() }
    }

    private func giveUpUnfinishedInput() {
        expiry = nil
        guard let connection else { return }
        let now = MonotonicClock.now()
        // What was received and waits for its turn, or for its client to read, is no fault of the client's.
        if connection.isReadingAll {
            expireUnfinishedInput(on: connection)
        } else if now >= wire.nextExpiry {
            isOverdue = true
            expiry = loop.schedule(at: now + Self.patience) { self.giveUpUnfinishedInput() }
            return
        }
        watchUnfinishedInput()
    }

    private func expireUnfinishedInput(on connection: Connection) {
        isOverdue = false
        let now = MonotonicClock.now()
        guard now >= wire.nextExpiry else { return }
        do throws(ProtocolViolation) {
            try wire.expireUnfinished(at: now, events: self)
        } catch {
            shared.logger.debug("closed a connection", metadata: peer.logMetadata(["reason": "\(error)"]))
            connection.closeAfterOutput()
        }
        outputIsReady()
        settleAccount()
    }

    /// Until what is late is looked at again while nothing is read, nanoseconds.
    private static let patience: Int64 = 1_000_000_000
}

// MARK: - Drain

extension ServerConnection: DrainableConnection {
    /// Finishes what is running, then closes. A client that understands it is told, opens no new calls here and closes the connection
    /// itself, so that none of its calls is lost; of others, calls are answered as long as some are under way.
    func drain() {
        isDraining = true
        wire.drain()
        let due = Deadline(now: MonotonicClock.now(), timeoutNanoseconds: shared.limits.all.halfSentDrainTimeout.wholeNanoseconds)
        halfSent = loop.schedule(at: due.nanoseconds) { self.giveUpHalfSent() }
        outputIsReady()
        closeIfDrained()
    }

    /// Ends what is still running with `UNAVAILABLE` and closes.
    func endDrain() {
        wire.endDrain()
        for call in running.values { endCall(call, RPCError(.unavailable, "the server is shutting down")) }
        connection?.closeAfterOutput()
    }

    var principal: Principal { peer.principal }

    var idleSince: Int64? {
        guard let connection, connection.isReadingAll, !isReceiving, !isDraining, running.isEmpty, handlerCount == 0, !wire.hasPartialInput,
            outputByteCount + wire.blockedByteCount == 0
        else { return nil }
        return receivedAt
    }

    func retire() {
        // A request that has just come is answered.
        guard idleSince != nil, connection?.asksForUnreadInput() == false else { return }
        wire.drain()
        wire.endDrain()
        connection?.closeAfterOutput()
    }

    func closeIfDrained() {
        guard isDraining, !isReceiving, running.isEmpty else { return }
        guard wire.peerClosesDrained else { return closeUnlessSpokenTo() }
        guard closing == nil else { return }
        let end = Deadline(
            now: MonotonicClock.now(), timeoutNanoseconds: shared.limits.all.drainedConnectionTimeout.wholeNanoseconds)
        closing = loop.schedule(at: end.nanoseconds) { [weak self] in
            guard let self else { return }
            closing = nil
            if running.isEmpty { closeUnlessSpokenTo() }
            // Unless it is closed now, once more.
            if connection?.isClosed == false { closeIfDrained() }
        }
    }

    /// What began to come before the drain, and has not come since, is not waited for any longer.
    private func giveUpHalfSent() {
        halfSent = nil
        guard connection != nil else { return }
        ignoresHalfSent = true
        wire.dropUnfinished(.max, RPCError(.unavailable, "the server is shutting down"), events: self)
        outputIsReady()
        closeIfDrained()
    }

    /// Closes, unless a request has come, or begun to come, that is still to be read and answered.
    private func closeUnlessSpokenTo() {
        // Answers that wait for the peer's windows would be lost.
        let isSpokenTo = ignoresHalfSent ? wire.blockedByteCount > 0 : wire.hasPartialInput
        guard !isSpokenTo, connection?.asksForUnreadInput() == false else { return }
        wire.endDrain()
        connection?.closeAfterOutput()
    }
}
