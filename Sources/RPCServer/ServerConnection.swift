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
    let counters: ServerCounters
    let peer: PeerCredentials
    let loop: EventLoop
    let wire: any ServerWireProtocol
    /// The socket until it closes; nil from then on, while handlers of this connection may still be coming to their end.
    private var connection: Connection?
    /// Set while received bytes are worked on, whatever else runs between their parts: what is made ready is written after a part without being
    /// announced, and a drain does not end here.
    private var isReceiving = false
    var running: [CallID: RunningCall] = [:]
    /// Handlers that have not come to their end: those of ``running``, and those whose calls are over without their hearing of it.
    /// (Unchecked: a number on one loop, changed by one instruction.)
    @exclusivity(unchecked) var handlerCount = 0
    /// When the bytes being worked on were read: a request that waits behind others in one burst is that much older.
    private(set) var receivedAt: Int64 = 0
    /// Where its handlers run.
    let handlerTasks: HandlerTaskPool
    /// What its streams may keep of unread requests, all together.
    let inboundBudget: InboundBudget
    /// Streams that wait until the client has read what was written.
    /// (Unchecked: on one loop, and nothing that is called meanwhile knows it.)
    @exclusivity(unchecked) var waitingForOutput = OutputWaiters()
    private let unreadWatch: UnreadOutputWatch
    private var isDraining = false
    /// Set while the peer is given its time to close.
    private var closing: LoopTimer?

    init(_ wire: any ServerWireProtocol, on connection: Connection, of peer: PeerCredentials, shared: ServerShared) {
        self.wire = wire
        self.connection = connection
        self.peer = peer
        self.shared = shared
        methods = shared.methods
        counters = shared.counters
        loop = connection.loop
        handlerTasks = shared.handlerTasks(of: loop)
        inboundBudget = InboundBudget(limit: shared.limits.maximumQueuedByteCountPerConnection)
        unreadWatch = UnreadOutputWatch(timeout: shared.limits.unreadOutputTimeout.wholeNanoseconds)
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
        unreadWatch.wrote(written, waiting: outputByteCount, on: loop) { self.giveUpUnreadOutput() }
        resumeStreamsWaitingForOutput()
        // The last answer may be the end of the connection.
        if wire.isOver { connection?.closeAfterOutput() }
    }

    /// Has the loop do something with the connection, soon. Any thread.
    func onLoop(_ work: @escaping @Sendable (ServerConnection) -> Void) {
        let connection = LoopBound(self, to: loop)
        loop.execute { work(connection.value) }
    }

    func outputIsReady() {
        if !isReceiving { connection?.outputIsReady() }
    }

    func received(_ bytes: RawSpan, on connection: Connection) {
        receivedAt = MonotonicClock.now()
        isReceiving = true
        do throws(ProtocolViolation) {
            var taken = try receivePart(of: bytes)
            while taken < bytes.byteCount || wire.hasUnfinishedWork {
                connection.writeEarly()
                // The client is gone, and with it what it would have been answered.
                guard !connection.isClosed else { break }
                taken += try receivePart(of: bytes.extracting(taken..<bytes.byteCount))
            }
        } catch {
            shared.logger.debug("closed a connection", metadata: ["peer.pid": "\(peer.pid)", "reason": "\(error)"])
            // What the protocol has to say about it is still sent.
            connection.closeAfterOutput()
        }
        isReceiving = false
        closeIfDrained()
    }

    private func receivePart(of bytes: RawSpan) throws(ProtocolViolation) -> Int {
        handlerTasks.beginGathering()
        defer { handlerTasks.endGathering() }
        return try wire.receivePart(of: bytes, events: self)
    }

    func closed(_ connection: Connection) {
        self.connection = nil
        unreadWatch.stop(on: loop)
        for call in running.values where call.end(on: loop) {
            call.cancelHandler(RPCError(.cancelled, "the client has gone away"))
        }
        running.removeAll()
        shared.connectionClosed(self, on: loop, uid: peer.uid)
    }

    private func giveUpUnreadOutput() {
        shared.logger.warning(
            "closed a connection whose client does not read its answers",
            metadata: ["peer.pid": "\(peer.pid)", "unread.bytes": "\(outputByteCount)"])
        connection?.close()
    }
}

// MARK: - Drain

extension ServerConnection: DrainableConnection {
    /// Finishes what is running, then closes. A client that understands it is told, opens no new calls here and closes the connection
    /// itself, so that none of its calls is lost; of others, calls are answered as long as some are under way.
    func drain() {
        isDraining = true
        wire.drain()
        outputIsReady()
        closeIfDrained()
    }

    /// Ends what is still running with `UNAVAILABLE` and closes.
    func endDrain() {
        wire.endDrain()
        for call in running.values { endCall(call, RPCError(.unavailable, "the server is shutting down")) }
        connection?.closeAfterOutput()
    }

    func closeIfDrained() {
        guard isDraining, !isReceiving, running.isEmpty else { return }
        guard wire.peerClosesDrained else { return closeUnlessSpokenTo() }
        guard closing == nil else { return }
        let end = Deadline(
            now: MonotonicClock.now(), timeoutNanoseconds: shared.limits.drainedConnectionTimeout.wholeNanoseconds)
        closing = loop.schedule(at: end.nanoseconds) { [weak self] in
            guard let self else { return }
            closing = nil
            if running.isEmpty { closeUnlessSpokenTo() }
            // Unless it is closed now, once more.
            if connection?.isClosed == false { closeIfDrained() }
        }
    }

    /// Closes, unless a request has come, or begun to come, that is still to be read and answered.
    private func closeUnlessSpokenTo() {
        guard !wire.hasPartialInput, connection?.asksForUnreadInput() == false else { return }
        wire.endDrain()
        connection?.closeAfterOutput()
    }
}
