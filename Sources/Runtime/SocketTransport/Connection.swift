import CLinuxSockets
import Glibc

/// Handles the bytes of a connection. Called on the connection's event loop only.
public protocol ConnectionHandler: AnyObject {
    /// Bytes have arrived, in order. They are valid during the call only. Output that this call makes ready is written afterwards and need not be
    /// announced.
    func received(_ bytes: RawSpan, on connection: Connection)
    /// The connection is over; nothing more is called. Called exactly once.
    func closed(_ connection: Connection)
    /// Bytes that wait to be written.
    var outputByteCount: Int { get }
    /// Lends the waiting bytes. `write` returns how many of them were written; those are removed.
    func withOutput(_ write: (RawSpan) -> Int)
    /// The connection wanted to write, but there was no output. Default: nothing.
    func outputWasEmpty()
    /// Unwritten output above which a server's connection stops reading, bytes. Default: ``Connection/outputHighWater``. Read only while
    /// more than 64 KiB wait.
    var outputHighWater: Int { get }
}

extension ConnectionHandler {
    public func outputWasEmpty() {}
    public var outputHighWater: Int { Connection.outputHighWater }
}

/// One connected Unix stream socket on one event loop. It is used on that loop only.
public final class Connection: EventMember, TurnTaker {
    /// Unwritten output above which a server's connection stops reading, bytes: a peer that does not read its answers gets no new ones.
    public static let outputHighWater = 1 << 20
    /// Unwritten output below which a connection is always read, bytes.
    private static let outputOfNoConcern = 1 << 16
    /// Unwritten output above which a server closes the connection, bytes.
    static let outputLimit = 64 << 20
    /// Bytes of one write. After each, a server's connection checks whether its slice is over.
    static let writeByteCount = 128 << 10
    /// Slices in which a connection may write before the other connections of its user.
    private static let slicesOfWritingInARow = 8
    /// Bytes of one read while other connections of the same user wait. It limits the input that waits in memory.
    static let crowdedReadByteCount = 64 << 10
    /// The kernel's send buffer, bytes. With the default size, a 256 KiB answer takes several turns.
    static let sendBufferByteCount: Int32 = 1 << 20
    /// The same for a connection of a user who has more than ``fewConnections`` on the loop. Answers in these buffers are memory of the kernel, which
    /// nobody counts: the kernel permits twice the size.
    static let crowdedSendBufferByteCount: Int32 = 64 << 10
    static let fewConnections = 64

    /// The side of a connection. It decides who keeps the output small.
    enum Side {
        /// Stops reading requests while many answers wait, and closes the connection of a peer that never reads.
        case server
        /// Always reads. If both sides stopped reading until the other reads, both would wait forever.
        case client
    }

    public let loop: EventLoop
    /// The peer's process, from the kernel.
    package let peer: SocketPeer
    private let descriptor: Int32
    private let side: Side
    /// Whether the peer can pass descriptors; see ``PassedDescriptors``.
    private let mayHoldDescriptors: Bool
    private var handler: (any ConnectionHandler)?
    /// Nil when the loop does not watch the socket.
    private var token: UInt64?
    /// The events that the connection waits for, edge-triggered. epoll then does not check each reported socket again in the next turn. Unread bytes
    /// have to be asked for again.
    private var events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    private var flushIsDue = false
    private var closeWhenFlushed = false
    /// Whether the last write has left more than 64 MiB on a server's side. The connection closes then.
    public var hasTooMuchOutput: Bool { leftTooMuchOutput }
    /// (Private, so that the compiler omits the check of overlapping accesses: one for each write.)
    private var leftTooMuchOutput = false
    /// The share of this connection's user in a turn; nil for a client's connection, which has no limit.
    let share: TurnShare?
    /// Events that epoll has reported while the connection waits for its turn.
    private var dueEvents: UInt32 = 0
    private var isWaitingForTurn = false
    /// Slices that writing has taken in a row.
    private var slicesOfWriting = 0
    /// The user's round in which it worked last, and the time that it has used in that round, nanoseconds.
    private var lastRound: UInt64 = 0
    private var usedInRound: Int64 = 0
    /// When the present slice ends, nanoseconds.
    private var sliceEnd = Int64.max
    /// Received bytes that the handler has left for a later turn, from ``leftStart`` on.
    private var left: [UInt8] = []
    private var leftStart = 0
    /// The number of lent bytes at the end that the handler leaves for later.
    private var leftCount = 0
    private var workIsLeft = false
    /// When the bytes that are being handled were read, nanoseconds on ``MonotonicClock``.
    public var readAt: Int64 { lastReadAt }
    private var lastReadAt: Int64 = 0

    /// Takes over a connected, non-blocking descriptor. On the loop only. If the kernel has no memory to watch it, it is closed before the turn ends.
    /// - Parameters:
    ///   - user: the user of the connection, on a server. The connections of one user share that user's part of a turn.
    ///   - mayHoldDescriptors: the result of ``PassedDescriptors/mayComeTo(_:)``. Default: the peer is trusted, or cannot pass any.
    init(
        descriptor: Int32, peer: SocketPeer, loop: EventLoop, side: Side, user: UInt64? = nil, mayHoldDescriptors: Bool = false,
        handler: any ConnectionHandler
    ) {
        loop.preconditionInLoop()
        self.side = side
        self.mayHoldDescriptors = mayHoldDescriptors
        share = user.map { loop.turnShares.join($0) }
        self.descriptor = descriptor
        self.peer = peer
        self.loop = loop
        self.handler = handler
        let isCrowded = (share?.connectionCount ?? 0) > Self.fewConnections
        var size = isCrowded ? Self.crowdedSendBufferByteCount : Self.sendBufferByteCount
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        // A listener that was handed over may pass credentials with the bytes. A read would then end where the writer changes; see `readOnce`.
        var passes: Int32 = 0
        setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &passes, socklen_t(MemoryLayout<Int32>.size))
        if let token = loop.add(descriptor, events, self) { self.token = token } else { loop.execute(closeUnwatched()) }
    }

    private func closeUnwatched() -> @Sendable () -> Void {
        let connection = LoopBound(self, to: loop)
        return { connection.value.close() }
    }

    /// Whether the connection has ended, by either side.
    public var isClosed: Bool { handler == nil }

    /// Asks epoll to report bytes again that the peer has sent and nobody has read yet.
    /// - Returns: whether there are any.
    public func askForUnreadInput() -> Bool {
        var byte: UInt8 = 0
        // This includes bytes that the handler is leaving at this moment.
        if hasLeft || leftCount > 0 { return true }
        guard !isClosed, recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 else { return false }
        askAgain()
        return true
    }

    /// Gives the connection to another handler. The previous one is not called again.
    public func handOver(to handler: any ConnectionHandler) {
        if !isClosed { self.handler = handler }
    }

    /// Says that the handler has output. It is written before the loop's turn ends, many answers in one write.
    public func outputIsReady() {
        guard !flushIsDue, handler != nil else { return }
        flushIsDue = true
        loop.flushLater(self)
    }

    /// Runs ready work and writes the output. So the peer can work while the handler handles the rest of the input. The connection may
    /// be closed afterwards. On a single processor this does nothing, because the peer could not work at the same time. Not for a client's
    /// connection, because its `flush` may read into the buffer that is in use.
    public func writeEarly() {
        guard EventLoop.hasPeersBeside else { return }
        // One round only. The loop checks the sockets again after all that was received has been handled.
        loop.runReady(rounds: 1)
        flush()
    }

    /// Closes after the waiting output has been written. No more input is read.
    public func closeAfterOutput() {
        guard !closeWhenFlushed else { return }
        closeWhenFlushed = true
        outputIsReady()
    }

    /// Writes what the socket has room for, on a server for at most a slice, and closes.
    public func writeAndClose() {
        let end = sliceEnd
        // A client that reads now as fast as the connection writes would get all of it in one turn.
        if end == .max, share != nil { sliceEnd = loop.readClock() + TurnShare.slice }
        flush()
        sliceEnd = end
        close()
    }

    /// Closes at once; unwritten output is lost.
    public func close() {
        guard let handler else { return }
        self.handler = nil
        if let token {
            // The socket may be closed later. Until then the loop must not hear of it.
            if mayHoldDescriptors { loop.remove(descriptor, token) } else { loop.forget(token) }
        }
        PassedDescriptors.close(descriptor, mayHoldDescriptors: mayHoldDescriptors)
        left = []
        workIsLeft = false
        if let share { loop.turnShares.leave(share) }
        handler.closed(self)
    }

    // MARK: Turns

    /// As ``EventLoop/schedule(at:_:)``. Due timers of its user take turns with those of others. On the loop only.
    package func schedule(at deadline: Int64, _ action: @escaping () -> Void) -> LoopTimer { loop.schedule(at: deadline, for: share, action) }

    /// Whether the connection may continue with its input. If not, the handler finishes what it has begun and calls ``leave(_:withWork:)`` for the
    /// rest.
    public var mayGoOn: Bool { sliceEnd == .max || loop.readClock() < sliceEnd }

    /// Leaves the last `byteCount` bytes of ``ConnectionHandler/received(_:on:)`` for a later turn. They come again then, before new input.
    /// Call it once, at the end of `received`.
    /// - Parameter withWork: the handler has other work left, so it is called again even without bytes.
    public func leave(_ byteCount: Int, withWork: Bool = false) {
        leftCount = byteCount
        workIsLeft = withWork
    }

    private var hasLeft: Bool { leftStart < left.count || workIsLeft }

    /// Received bytes that wait in memory for a later turn.
    public var leftByteCount: Int { max(left.count, leftCount) }

    /// Whether the connection reads all input at once: no input waits for its turn, and reading has not stopped because of waiting output.
    public var isReadingAll: Bool { isReading && !hasLeft && !isWaitingForTurn }

    func handle(events: UInt32) {
        guard let share else { return act(on: events) }
        dueEvents |= events
        // In order: the connection does not go before others of its user that wait, unless it has little work.
        if share.hasWaiting || !share.hasTime(in: loop.turnShares.turn) { return waitForTurn(share) }
        work(share)
    }

    /// The connection's turn has come: works for a slice.
    func takeTurn() {
        isWaitingForTurn = false
        if let share, !isClosed { work(share) }
    }

    func turnsHaveEnded() {}

    /// Does work in small steps, in turns of the connection's user, even if the connection is already closed then.
    /// - Parameter step: does a step; false after the last one.
    public func workLater(_ step: @escaping () -> Bool) {
        guard let share else {
            while step() {}
            return
        }
        loop.turnShares.wait(LeftWork(on: loop, in: share, step), in: share, .last)
    }

    /// - Parameter isNext: whether it goes before others with much work.
    private func waitForTurn(_ share: TurnShare, isNext: Bool = false) {
        guard !isWaitingForTurn else { return }
        isWaitingForTurn = true
        // Within its slice, the time that it has used is not counted yet.
        let isSparse = mayGoOn && (lastRound != share.round || usedInRound < TurnShare.slice)
        loop.turnShares.wait(self, in: share, isNext ? .next : isSparse ? .sparse : .last)
    }

    private func work(_ share: TurnShare) {
        let start = loop.clock
        sliceEnd = start + TurnShare.slice
        let events = dueEvents
        dueEvents = 0
        // A client that has closed its socket cannot receive an answer, so what it sent last is dropped unread. Ending its calls takes time, and
        // counts for its user: a process that exits closes many connections at once.
        if events & EPOLLHUP.rawValue != 0 { close() } else { act(on: events) }
        sliceEnd = .max
        let used = loop.readClock() - start
        share.use(used)
        usedInRound = lastRound == share.round ? usedInRound + used : used
        lastRound = share.round
        if hasLeft, isReading { waitForTurn(share) }
    }

    // MARK: Events

    func loopStopped() { close() }

    private func act(on events: UInt32) {
        // A connection that only writes its last output does not read. After a hang-up a write fails, which closes the connection.
        let hangUp = EPOLLHUP.rawValue | EPOLLERR.rawValue
        if events & EPOLLOUT.rawValue != 0 || (closeWhenFlushed && events & hangUp != 0) {
            flush()
            // The next slice reads.
            if let share, !isClosed, !mayGoOn {
                dueEvents |= events & ~EPOLLOUT.rawValue
                return waitForTurn(share)
            }
        }
        if hasLeft {
            workOnLeft()
        } else if events & (isReading ? EPOLLIN.rawValue | hangUp : hangUp) != 0 {
            readOnce(isLast: events & (EPOLLRDHUP.rawValue | hangUp) != 0)
        }
    }

    /// Whether the connection reads. It does not while too many answers wait for its peer.
    private var isReading: Bool { events & EPOLLIN.rawValue != 0 && !closeWhenFlushed }

    /// Reads once. More than one read a turn would starve the loop's other connections.
    /// - Parameter isLast: whether the peer has closed its end, so that its input ends.
    private func readOnce(isLast: Bool) {
        guard let handler, !closeWhenFlushed else { return }
        let buffer = loop.readBuffer
        let room = share?.hasWaiting == true ? Self.crowdedReadByteCount : buffer.count
        let count =
            mayHoldDescriptors
            ? pulse_receive_without_descriptors(descriptor, buffer.baseAddress, room) : pulse_receive(descriptor, buffer.baseAddress, room)
        if count > 0 {
            lastReadAt = loop.clock
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            lend(bytes, to: handler)
            if leftCount > 0, !isClosed { left = Array(bytes.suffix(leftCount)) }
            leftCount = 0
            finishReading()
            // The socket is read again after the left input has been handled.
            guard !hasLeft else { return }
            // A read that does not fill the buffer has emptied the socket, and epoll reports what comes later. (Bytes behind out-of-band data wait
            // for more to come, or for somebody who asks. Neither protocol sends such data.)
            if count == room || isLast { askAgain() }
        } else if count < 0, errno == EINTR {
            askAgain()
        } else if count == 0, side == .server {
            // The client has ended its half. It may still read its answers.
            closeWhenFlushed = true
            flush()
        } else if count == 0 || errno != EAGAIN {
            writeAndClose()
        }
    }

    /// Continues with what was left in an earlier turn.
    private func workOnLeft() {
        guard let handler, isReading else { return }
        let bytes = left
        let start = leftStart
        left = []
        leftStart = 0
        workIsLeft = false
        bytes.withUnsafeBytes { lend(UnsafeRawBufferPointer(rebasing: $0[start...]), to: handler) }
        if leftCount > 0, !isClosed {
            left = bytes
            leftStart = bytes.count - leftCount
        }
        leftCount = 0
        finishReading()
        if !hasLeft { askAgain() }
    }

    private func lend(_ bytes: UnsafeRawBufferPointer, to handler: any ConnectionHandler) {
        // Output that this announces is written below, so the end of the turn need not write it.
        flushIsDue = true
        handler.received(bytes.bytes, on: self)
    }

    private func finishReading() {
        loop.runReady()
        flush()
    }

    /// Makes epoll check the socket again.
    private func askAgain() {
        if !isClosed, let token { loop.change(descriptor, events, token) }
    }

    /// Writes announced output at the end of the loop's turn. Much output is written in a later turn of its user.
    func flushAnnounced() {
        guard share != nil, let handler, handler.outputByteCount > Self.outputOfNoConcern else { return flush() }
        flushIsDue = false
        handle(events: EPOLLOUT.rawValue)
    }

    /// Writes waiting output for at most a slice. The rest stays with the handler until the socket is writable.
    func flush() {
        flushIsDue = false
        guard let handler else { return }
        var failed = false
        var isFull = false
        var waiting = handler.outputByteCount
        if waiting == 0 { handler.outputWasEmpty() }
        // Output that is announced during the writes is written with them, or waits for room with the rest. If each write of a full socket led to
        // another one in the same turn, the turn would not end.
        flushIsDue = true
        defer { flushIsDue = false }
        var isOverSlice = false
        while waiting > 0, !isFull, !failed, !isOverSlice {
            handler.withOutput { bytes in
                let written = bytes.withUnsafeBytes { pulse_send(descriptor, $0.baseAddress, min($0.count, Self.writeByteCount)) }
                if written >= 0 { return written }
                if errno == EAGAIN { isFull = true } else if errno != EINTR { failed = true }
                return 0
            }
            waiting = handler.outputByteCount
            isOverSlice = waiting > 0 && !isFull && !mayGoOn
        }
        if isOverSlice, !failed, let share {
            dueEvents |= EPOLLOUT.rawValue
            // This connection goes first, up to a MiB. If all connections of the user wrote in turn, the output of all would stay in memory longer.
            slicesOfWriting += 1
            waitForTurn(share, isNext: slicesOfWriting % Self.slicesOfWritingInARow != 0)
        } else {
            slicesOfWriting = 0
        }
        if failed, side == .client { readWhatIsLeft() }
        leftTooMuchOutput = side == .server && waiting > Self.outputLimit
        if failed || leftTooMuchOutput || (closeWhenFlushed && waiting == 0) {
            close()
        } else {
            watch(waiting)
        }
    }

    /// How often the last answers of a server are read: more than its socket can hold.
    private static let lastReads = 64

    /// Reads the last answers of a server that has closed the connection. They are still in the socket.
    private func readWhatIsLeft() {
        let buffer = loop.readBuffer
        for _ in 0..<Self.lastReads {
            guard let handler, !closeWhenFlushed else { return }
            let count = pulse_receive(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                handler.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]).bytes, on: self)
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }

    /// Chooses the events to wait for by the amount of waiting output.
    private func watch(_ waiting: Int) {
        var wanted = events
        if waiting > 0 { wanted |= EPOLLOUT.rawValue } else { wanted &= ~EPOLLOUT.rawValue }
        let highWater = waiting > Self.outputOfNoConcern ? handler?.outputHighWater ?? 0 : Self.outputHighWater
        if (side == .server && waiting > highWater) || closeWhenFlushed {
            wanted &= ~EPOLLIN.rawValue
        } else if waiting <= highWater / 4 || waiting <= Self.outputOfNoConcern {
            wanted |= EPOLLIN.rawValue
        }
        guard wanted != events else { return }
        events = wanted
        askAgain()
        if hasLeft, isReading, let share { waitForTurn(share) }
    }
}
