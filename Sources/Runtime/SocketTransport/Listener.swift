import CLinuxSockets
import Glibc

/// The state of a listener while the process has too few descriptors.
public enum DescriptorShortage: Sendable, Hashable {
    /// There is no descriptor for the next connection, so the listener pauses. The number counts the pauses in a row.
    case pauses(inARow: Int)
    /// Only the reserve of descriptors is left, so new connections are closed. The number counts those in a row.
    case refuses(inARow: Int)
    /// All waiting connections have been accepted, after this number of pauses and refusals in a row.
    case isOver(after: Int)
}

/// Accepts connections on one event loop and gives each, with its peer's credentials, to `accept`.
public final class Listener: EventMember {
    /// How long the listener accepts in one turn, so that many new connections do not starve the open ones. The kernel's queue is not ordered by
    /// user. So the listener must empty it quickly, to let other users in soon.
    private static let nanosecondsPerTurn = TurnShare.slice
    /// After how many turns in a row that refused a connection the listener pauses, if more wait. One turn refuses some 15. Fewer turns would empty
    /// a full queue so slowly that the clients at its end wait for a second.
    static let turnsBeforePause = 5
    /// How long the listener pauses then, nanoseconds. Refused clients often connect again at once. Without a pause, they and the listener would use
    /// all the CPU.
    static let pauseAfterRefusals: Int64 = 1_000_000
    /// How long the listener pauses when the process is out of descriptors, nanoseconds. Without a pause, epoll would report the queue again and
    /// again.
    static let pauseWithoutDescriptors: Int64 = 100_000_000

    private let socket: ListeningSocket
    private let loop: EventLoop
    private let accept: (AcceptedSocket) -> Bool
    private let report: (DescriptorShortage) -> Void
    private let descriptorsAreScarce: () -> Void
    private var pausesInARow = 0
    private var refusalsInARow = 0
    /// Turns with a refusal since the last pause, or since nobody waited.
    private var turnsWithRefusal = 0
    /// Nil while the kernel has no memory to watch the socket.
    private var token: UInt64?
    private var isOpen = true

    /// Starts accepting. On the loop only.
    ///
    /// Some of the descriptors that the process may open are reserved, and are not for connections (``DescriptorLimit``).
    /// - Parameters:
    ///   - report: called for every pause, at most ten times a second, for every refusal, and when they end.
    ///   - descriptorsAreScarce: called for every connection that finds no descriptor, or takes one of the last for connections: of the
    ///     last 64, or of the last quarter if that is less.
    ///   - accept: takes the connection or refuses it. Returns false if it refused it.
    public init(
        _ socket: ListeningSocket, loop: EventLoop, report: @escaping (DescriptorShortage) -> Void = { _ in },
        descriptorsAreScarce: @escaping () -> Void = {},
        accept: @escaping (AcceptedSocket) -> Bool
    ) {
        loop.preconditionInLoop()
        DescriptorLimit.makeRoom(duplicating: socket.descriptor)
        self.socket = socket
        self.loop = loop
        self.accept = accept
        self.report = report
        self.descriptorsAreScarce = descriptorsAreScarce
        token = loop.add(socket.descriptor, EPOLLIN.rawValue, self)
        if token == nil { pauseForDescriptors() }
    }

    /// Stops accepting and closes the socket. Clients in its queue are accepted first, while there are descriptors. Clients of an inherited socket
    /// stay in the queue. On the loop only.
    public func close() {
        guard isOpen else { return }
        if !socket.isInherited {
            // In this order, because then no client can enter the queue after it was emptied. A client that has opened the file before can connect to
            // it without its name, so the socket is also shut: `connect` is refused, and `accept` still empties the queue.
            socket.removeFile()
            shutdown(socket.descriptor, Int32(SHUT_RD))
            while acceptNext().isAnother {}
        }
        closeSocket()
    }

    private func closeSocket() {
        guard isOpen else { return }
        isOpen = false
        if let token { loop.remove(socket.descriptor, token) }
        socket.close()
    }

    /// The loop has stopped, so waiting clients are not accepted.
    func loopStopped() { closeSocket() }

    func handle(events: UInt32) {
        let end = loop.readClock() + Self.nanosecondsPerTurn
        var hasRefused = false
        repeat {
            switch acceptNext() {
            case .accepted: break
            case .nobodyWaits:
                turnsWithRefusal = 0
                return shortageIsOver()
            case .refused: hasRefused = true
            case .cannot: return pauseForDescriptors()
            }
        } while isOpen && loop.readClock() < end
        // Other waiting clients are reported again by the next check of the sockets, after the work of connected users.
        guard isOpen, hasRefused else { return }
        turnsWithRefusal += 1
        if turnsWithRefusal == Self.turnsBeforePause { pauseBriefly() }
    }

    /// Pauses. Waiting clients are accepted a moment later.
    private func pauseBriefly() {
        turnsWithRefusal = 0
        if let token { loop.change(socket.descriptor, 0, token) }
        _ = loop.schedule(at: MonotonicClock.now() + Self.pauseAfterRefusals) { [self] in
            if isOpen { watchAgain() }
        }
    }

    private enum Outcome {
        case accepted, nobodyWaits
        /// The connection would have taken a reserved descriptor, or its user has too many connections.
        case refused
        /// No descriptor or memory, or an unknown error. Trying again at once would not help.
        case cannot

        /// Whether to accept the next client in the queue.
        var isAnother: Bool { self == .accepted || self == .refused }
    }

    private func acceptNext() -> Outcome {
        guard !PassedDescriptors.keepsReserve else { return .cannot }
        let descriptor = accept4(socket.descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN: return .nobodyWaits
            // The next client in the queue may work.
            case ECONNABORTED, EINTR: return .accepted
            default:
                if errno == EMFILE || errno == ENFILE { descriptorsAreScarce() }
                return .cannot
            }
        }
        // The kernel gives the lowest free descriptor, so all lower ones are in use.
        let limit = DescriptorLimit.forConnections
        if descriptor >= DescriptorLimit.scarce(of: limit) { descriptorsAreScarce() }
        let mayHoldDescriptors = PassedDescriptors.mayComeTo(descriptor)
        guard descriptor < limit else {
            PassedDescriptors.close(descriptor, mayHoldDescriptors: mayHoldDescriptors, isReserved: true)
            refusalsInARow += 1
            report(.refuses(inARow: refusalsInARow))
            return .refused
        }
        if refusalsInARow > 0 {
            report(.isOver(after: refusalsInARow))
            refusalsInARow = 0
        }
        // A client that has closed its end cannot receive an answer, so its calls are not read. Otherwise a client that calls and closes again and
        // again, without a wait, would keep new clients in the queue behind thousands of its calls.
        guard !Self.isGone(descriptor), let peer = SocketPeer(of: descriptor) else {
            PassedDescriptors.close(descriptor, mayHoldDescriptors: mayHoldDescriptors)
            return .accepted
        }
        return accept(AcceptedSocket(descriptor: descriptor, peer: peer, mayHoldDescriptors: mayHoldDescriptors)) ? .accepted : .refused
    }

    /// Whether the client has closed its socket. One that has only ended its own half is not gone.
    private static func isGone(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
    }

    private func pauseForDescriptors() {
        pausesInARow += 1
        report(.pauses(inARow: pausesInARow))
        if let token { loop.change(socket.descriptor, 0, token) }
        _ = loop.schedule(at: MonotonicClock.now() + Self.pauseWithoutDescriptors) { [self] in
            guard isOpen else { return }
            watchAgain()
            // The kernel may still have no room for one more watched descriptor.
            guard token != nil else { return pauseForDescriptors() }
            // Also if nobody waits: the last client may have taken the last descriptor, and accept needs one before it
            // looks at the queue.
            handle(events: EPOLLIN.rawValue)
        }
    }

    private func watchAgain() {
        if let token {
            loop.change(socket.descriptor, EPOLLIN.rawValue, token)
        } else {
            token = loop.add(socket.descriptor, EPOLLIN.rawValue, self)
        }
    }

    private func shortageIsOver() {
        guard pausesInARow > 0 else { return }
        report(.isOver(after: pausesInARow))
        pausesInARow = 0
    }
}

/// An accepted connection that is not yet attached to an event loop or refused.
public struct AcceptedSocket: Sendable {
    let descriptor: Int32
    package let peer: SocketPeer
    /// Whether the peer can pass descriptors; see ``PassedDescriptors``.
    let mayHoldDescriptors: Bool

    /// Closes it unread.
    public func refuse() { PassedDescriptors.close(descriptor, mayHoldDescriptors: mayHoldDescriptors) }

    /// Makes it a connection of `loop`. On that loop only.
    /// - Parameter user: the user of the connection. All connections of a user share one part of the loop's turns. Default: the peer's uid.
    @discardableResult
    public func attach(to loop: EventLoop, user: UInt64? = nil, handler: any ConnectionHandler) -> Connection {
        Connection(
            descriptor: descriptor, peer: peer, loop: loop, side: .server, user: user ?? UInt64(peer.uid), mayHoldDescriptors: mayHoldDescriptors,
            handler: handler)
    }
}
