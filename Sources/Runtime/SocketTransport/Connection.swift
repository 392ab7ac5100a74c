import CLinuxSockets
import Glibc

/// What a connection's bytes mean is its handler's business. Called on the connection's event loop only.
public protocol ConnectionHandler: AnyObject {
    /// Bytes have arrived, in order; they are lent for the call only. Output that they make ready is written afterwards and need not be
    /// announced.
    func received(_ bytes: RawSpan, on connection: Connection)
    /// The connection is over; nothing more is called. Called exactly once.
    func closed(_ connection: Connection)
    /// Bytes that wait to be written.
    var outputByteCount: Int { get }
    /// Lends the waiting bytes; `write` returns how many of them were written and may be forgotten.
    func withOutput(_ write: (RawSpan) -> Int)
    /// Output was asked for, and there was none. Default: nothing.
    func outputWasEmpty()
    /// Unwritten output above which a server's connection takes nothing more in, bytes. Default: ``Connection/outputHighWater``. Asked only while
    /// more than a sixteenth of that waits.
    var outputHighWater: Int { get }
}

extension ConnectionHandler {
    public func outputWasEmpty() {}
    public var outputHighWater: Int { Connection.outputHighWater }
}

/// One connected Unix stream socket on one event loop. All of it is used on that loop only.
public final class Connection: EventMember, TurnTaker {
    /// Unwritten output above which a server's connection stops reading, bytes: a peer that does not read its answers gets no new ones.
    public static let outputHighWater = 1 << 20
    /// Unwritten output below which nobody is kept from being read, bytes.
    private static let outputOfNoConcern = 1 << 16
    /// Unwritten output at which a server gives its peer up, bytes.
    static let outputLimit = 64 << 20
    /// Bytes of one write: it takes the kernel 0.3 ms to copy so many. Behind each a server's connection looks whether its slice is over.
    private static let writeByteCount = 128 << 10
    /// Slices in which a connection may write before the other connections of its user have theirs.
    private static let slicesOfWritingInARow = 8
    /// Slices in which a server works on what is left of a peer that has closed its end. Nobody can be told of the rest, so it is dropped: a few hundred
    /// calls are worked on, and not what fills a thousand sockets.
    private static let slicesForGonePeer = 4
    /// Bytes of one read while other connections of the same user wait: what is left of it waits in memory.
    private static let crowdedReadByteCount = 64 << 10
    /// Kernel send buffer asked for, bytes: with the default, a 256 KiB answer takes several turns.
    static let sendBufferByteCount: Int32 = 1 << 20

    /// Whose duty it is to keep the output small.
    enum Side {
        /// Paces its peer: reads no requests while answers pile up, and gives up a peer that never reads.
        case server
        /// Always reads: were both sides to stop until the other reads, neither ever would. Its output is as much as its callers asked for.
        case client
    }

    public let loop: EventLoop
    /// Who connected, as the kernel says.
    public let peer: SocketPeer
    private let descriptor: Int32
    private let side: Side
    private var handler: (any ConnectionHandler)?
    /// Nil when the loop does not watch the socket.
    private var token: UInt64?
    /// The events that the connection waits for, edge-triggered. epoll then does not check each reported socket again in the next turn. Unread bytes
    /// have to be asked for again.
    private var events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    private var flushIsDue = false
    private var closeWhenFlushed = false
    /// What this connection's user may take of a turn; nil for a client's connection, which works as long as there is something to do.
    private let share: TurnShare?
    /// What epoll has reported while the connection waits for its turn.
    private var dueEvents: UInt32 = 0
    private var isWaitingForTurn = false
    /// Slices that writing has taken in a row.
    private var slicesOfWriting = 0
    /// Slices that a peer has had since it closed its end; nil while it is there.
    private var slicesSinceGone: Int?
    /// When the connection is to let others work, nanoseconds.
    private var sliceEnd = Int64.max
    /// Received bytes that the handler has left for a later turn, from ``leftStart`` on.
    private var left: [UInt8] = []
    private var leftStart = 0
    /// Bytes at the end of what is lent that the handler leaves.
    private var leftCount = 0
    private var workIsLeft = false
    /// When the bytes that are being worked on were read, nanoseconds on ``MonotonicClock``.
    public var readAt: Int64 { lastReadAt }
    private var lastReadAt: Int64 = 0

    /// Takes over a connected, non-blocking descriptor. On the loop only. If the kernel has no memory to watch it, it is closed before the turn ends.
    /// - Parameter user: whose connection it is, on a server. The connections of one user share that user's part of a turn.
    init(descriptor: Int32, peer: SocketPeer, loop: EventLoop, side: Side, user: UInt64? = nil, handler: any ConnectionHandler) {
        loop.preconditionInLoop()
        self.side = side
        share = user.map { loop.turnShares.join($0) }
        self.descriptor = descriptor
        self.peer = peer
        self.loop = loop
        self.handler = handler
        var size = Self.sendBufferByteCount
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

    /// Whether the peer has sent bytes that were not read yet. The loop is then told of them again.
    public func asksForUnreadInput() -> Bool {
        var byte: UInt8 = 0
        // This includes what is being left at this moment.
        if hasLeft || leftCount > 0 { return true }
        guard !isClosed, recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 else { return false }
        askAgain()
        return true
    }

    /// Gives the connection to another handler; the one before hears nothing more of it.
    public func handOver(to handler: any ConnectionHandler) {
        if !isClosed { self.handler = handler }
    }

    /// Says that the handler has output; it is written before the loop's turn ends, many answers in one write.
    public func outputIsReady() {
        guard !flushIsDue, handler != nil else { return }
        flushIsDue = true
        loop.flushLater(self)
    }

    /// Writes what is ready, after running what was made ready. The peer then works while the handler does the rest of the input. The connection may
    /// be closed afterwards. On a single processor this does nothing, because the peer would only take time from the rest. Not for a client's
    /// connection: its `flush` may read into the buffer that is in use.
    public func writeEarly() {
        guard EventLoop.hasPeersBeside else { return }
        // One round only. The loop checks the sockets again after all that was received has been handled.
        loop.runReady(rounds: 1)
        flush()
    }

    /// Closes once the output that waits now has been written; nothing more is read.
    public func closeAfterOutput() {
        closeWhenFlushed = true
        outputIsReady()
    }

    /// Closes at once; unwritten output is lost.
    public func close() {
        guard let handler else { return }
        self.handler = nil
        if let token { loop.forget(token) }
        Glibc.close(descriptor)
        left = []
        workIsLeft = false
        if let share { loop.turnShares.leave(share) }
        handler.closed(self)
    }

    // MARK: Turns

    /// Whether the connection may continue with its input. If not, the handler finishes what it has begun and calls ``leave(_:withWork:)`` for the rest.
    public var mayGoOn: Bool { sliceEnd == .max || loop.readClock() < sliceEnd }

    /// Leaves so many bytes, the last ones of what ``ConnectionHandler/received(_:on:)`` was lent, for a later turn. They come again then, first of
    /// all. Once, at the end of `received`.
    /// - Parameter withWork: the handler has work left beside them: it is called again even with no bytes at all.
    public func leave(_ byteCount: Int, withWork: Bool = false) {
        leftCount = byteCount
        workIsLeft = withWork
    }

    private var hasLeft: Bool { leftStart < left.count || workIsLeft }

    /// Received bytes that wait in memory for a later turn.
    public var leftByteCount: Int { max(left.count, leftCount) }

    /// Whether the connection takes in everything that comes: no input waits for its turn, and no output waits for the peer.
    public var isReadingAll: Bool { isReading && !hasLeft && !isWaitingForTurn }

    func handle(events: UInt32) {
        guard let share else { return act(on: events) }
        dueEvents |= events
        // In their order: none overtakes those of its user that wait.
        if share.hasWaiting || !share.hasTime(in: loop.turnShares.turn) { return waitForTurn(share) }
        work(share)
    }

    /// The connection's turn has come: works for a slice.
    func takeTurn() {
        isWaitingForTurn = false
        if let share, !isClosed { work(share) }
    }

    func turnsHaveEnded() {}

    /// Has something done in small steps, in turns of the connection's user; also when the connection is closed by then.
    /// - Parameter step: does a step; false after the last one.
    public func workLater(_ step: @escaping () -> Bool) {
        guard let share else {
            while step() {}
            return
        }
        loop.turnShares.wait(LeftWork(on: loop, in: share, step), in: share)
    }

    private func waitForTurn(_ share: TurnShare, first: Bool = false) {
        guard !isWaitingForTurn else { return }
        isWaitingForTurn = true
        loop.turnShares.wait(self, in: share, first: first)
    }

    private func work(_ share: TurnShare) {
        let start = loop.clock
        sliceEnd = start + TurnShare.slice
        let events = dueEvents
        dueEvents = 0
        if events & EPOLLHUP.rawValue != 0, slicesSinceGone == nil { slicesSinceGone = 0 }
        if let slices = slicesSinceGone {
            guard slices < Self.slicesForGonePeer else { return close() }
            slicesSinceGone = slices + 1
        }
        act(on: events)
        sliceEnd = .max
        share.use(loop.readClock() - start)
        if hasLeft, isReading { waitForTurn(share) }
    }

    // MARK: Events

    func loopStopped() { close() }

    private func act(on events: UInt32) {
        // A connection that only writes its last output does not read; a hang-up is met by a write: it fails, and that closes.
        let hangUp = EPOLLHUP.rawValue | EPOLLERR.rawValue
        if events & EPOLLOUT.rawValue != 0 || (closeWhenFlushed && events & hangUp != 0) {
            flush()
            // What is to be read has its time in the next slice.
            if let share, !isClosed, !mayGoOn {
                dueEvents |= events & ~EPOLLOUT.rawValue
                return waitForTurn(share)
            }
        }
        if hasLeft {
            workOnLeft()
        } else if events & (EPOLLIN.rawValue | hangUp) != 0 {
            readOnce(isLast: events & (EPOLLRDHUP.rawValue | hangUp) != 0)
        }
    }

    /// Whether the connection takes anything in: not while too many answers wait for its peer.
    private var isReading: Bool { events & EPOLLIN.rawValue != 0 && !closeWhenFlushed }

    /// One read a turn: reading on while the buffer fills would starve the loop's other connections.
    /// - Parameter isLast: behind what is there the peer's bytes end.
    private func readOnce(isLast: Bool) {
        guard let handler, !closeWhenFlushed else { return }
        let buffer = loop.readBuffer
        let room = share?.hasWaiting == true ? Self.crowdedReadByteCount : buffer.count
        let count = pulse_receive(descriptor, buffer.baseAddress, room)
        if count > 0 {
            lastReadAt = loop.clock
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            lend(bytes, to: handler)
            if leftCount > 0, !isClosed { left = Array(bytes.suffix(leftCount)) }
            leftCount = 0
            finishReading()
            // The socket is read again after the left input has been handled.
            guard !hasLeft else { return }
            // A read that does not fill the buffer has emptied the socket, and epoll reports what comes later. (Bytes behind file descriptors or
            // out-of-band data wait for more to come, or for a drain. Neither protocol sends these.)
            if count == room || isLast { askAgain() }
        } else if count < 0, errno == EINTR {
            askAgain()
        } else if count == 0 || errno != EAGAIN {
            flush()
            close()
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

    /// Has epoll look at the socket once more.
    private func askAgain() {
        if !isClosed, let token { loop.change(descriptor, events, token) }
    }

    /// Writes what was announced, at the end of the loop's turn: much of it in a turn of its own.
    func flushAnnounced() {
        guard share != nil, let handler, handler.outputByteCount > Self.outputOfNoConcern else { return flush() }
        flushIsDue = false
        handle(events: EPOLLOUT.rawValue)
    }

    /// Writes what waits, as much as a slice has room for. What the socket does not take stays with the handler until the socket is writable.
    func flush() {
        flushIsDue = false
        guard let handler else { return }
        var failed = false
        var isFull = false
        var waiting = handler.outputByteCount
        if waiting == 0 { handler.outputWasEmpty() }
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
            // Before the user's other connections, up to a MiB: with all of them written in turn, the output of all would be in memory for as long.
            slicesOfWriting += 1
            waitForTurn(share, first: slicesOfWriting % Self.slicesOfWritingInARow != 0)
        } else {
            slicesOfWriting = 0
        }
        if failed, side == .client { readWhatIsLeft() }
        if failed || (side == .server && waiting > Self.outputLimit) || (closeWhenFlushed && waiting == 0) {
            close()
        } else {
            watch(waiting)
        }
    }

    /// A server that has closed may have answered before: what it said lies in the socket still.
    private func readWhatIsLeft() {
        let buffer = loop.readBuffer
        while let handler, !closeWhenFlushed {
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

/// The process at the other end of a socket (`SO_PEERCRED`), as it was when it connected.
public struct SocketPeer: Sendable, Hashable {
    /// The process and its user and group, as the kernel saw them then; the process may have ended since.
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    /// Whether the uid identifies the peer. False for the uid that stands for all uids without a number here (``UserNamespace``).
    public var isMapped: Bool { UserNamespace.current.identifies(uid) }

    /// Asks the kernel; nil when the descriptor is no connected Unix socket.
    init?(of descriptor: Int32) {
        var credentials = pulse_ucred()
        var length = socklen_t(MemoryLayout<pulse_ucred>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        pid = credentials.pid
        uid = credentials.uid
        gid = credentials.gid
    }
}
