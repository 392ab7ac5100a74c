import CLinuxSockets
import Glibc

/// What becomes of accepting while the process is out of descriptors.
public enum AcceptRest: Sendable, Hashable {
    /// There is no descriptor for the next connection: accepting has tried so many times in a row, and rests before it tries again.
    case rests(inARow: Int)
    /// Only the reserve of descriptors is left, so new connections are closed. The number counts those in a row.
    case refuses(inARow: Int)
    /// Everybody who waited has been accepted, after so many rests and refusals in a row.
    case isOver(after: Int)
}

/// Accepts connections on one event loop and hands each, with its peer's credentials, to `accept`.
public final class Listener: EventMember {
    /// How long accepting takes of one turn, so that a storm of connections does not starve the ones there are. The queue is the kernel's, and has no
    /// order by user: only a listener that empties it quickly lets somebody else in soon.
    private static let nanosecondsPerTurn = TurnShare.slice
    /// How long accepting pauses after a turn in which somebody was refused and more wait, nanoseconds. They come again at once, and nothing is gained by speed.
    private static let pauseNanoseconds: Int64 = 1_000_000
    /// How long accepting rests when the process is out of descriptors, nanoseconds: epoll would report the queue without end.
    private static let restNanoseconds: Int64 = 100_000_000

    private let socket: ListeningSocket
    private let loop: EventLoop
    private let accept: (AcceptedSocket) -> Bool
    private let report: (AcceptRest) -> Void
    private let descriptorsAreScarce: () -> Void
    private var restsInARow = 0
    private var refusalsInARow = 0
    /// Nil while the kernel has no memory to watch the socket.
    private var token: UInt64?
    private var isOpen = true

    /// Starts accepting. On the loop only.
    ///
    /// The last 64 descriptors that the process may open are not for connections (``DescriptorLimit``).
    /// - Parameters:
    ///   - report: called for every rest, at most ten times a second, for every refusal, and when they end.
    ///   - descriptorsAreScarce: called for every connection that takes one of the last 64 descriptors for connections, or finds none.
    ///   - accept: takes the connection or refuses it. Gives false for one that it refused.
    public init(
        _ socket: ListeningSocket, loop: EventLoop, report: @escaping (AcceptRest) -> Void = { _ in }, descriptorsAreScarce: @escaping () -> Void = {},
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
        if token == nil { rest() }
    }

    /// Stops accepting and closes the socket. Clients in its queue are accepted first, as long as descriptors last, unless the socket outlives this
    /// process. On the loop only.
    public func close() {
        guard isOpen else { return }
        if !socket.isInherited {
            // In this order nobody can come to wait in a queue that nobody looks at any more.
            socket.removeFile()
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

    /// Whom the loop would have to serve is not accepted any more.
    func loopStopped() { closeSocket() }

    func handle(events: UInt32) {
        let end = loop.readClock() + Self.nanosecondsPerTurn
        var hasRefused = false
        repeat {
            switch acceptNext() {
            case .accepted: break
            case .nobodyWaits: return endRest()
            case .refused: hasRefused = true
            case .cannot: return rest()
            }
        } while isOpen && loop.readClock() < end
        // Whoever else waits is reported again by the next look at the sockets, behind the work of the users who are in.
        if isOpen, hasRefused { pause() }
    }

    /// Those who still wait are taken a moment later.
    private func pause() {
        if let token { loop.change(socket.descriptor, 0, token) }
        _ = loop.schedule(at: MonotonicClock.now() + Self.pauseNanoseconds) { [self] in
            if isOpen { watchAgain() }
        }
    }

    private enum Outcome {
        case accepted, nobodyWaits
        /// It would have taken a descriptor that is kept in reserve, or its user has too many.
        case refused
        /// Out of descriptors or memory, or something that this code does not know: trying on at once would spin.
        case cannot

        /// Whether to accept the next client in the queue.
        var isAnother: Bool { self == .accepted || self == .refused }
    }

    private func acceptNext() -> Outcome {
        let descriptor = accept4(socket.descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN: return .nobodyWaits
            // The next in the queue may fare better.
            case ECONNABORTED, EINTR: return .accepted
            default:
                if errno == EMFILE || errno == ENFILE { descriptorsAreScarce() }
                return .cannot
            }
        }
        // The kernel gives the lowest free descriptor: all below it are taken.
        let limit = DescriptorLimit.forConnections
        if descriptor >= DescriptorLimit.scarce(of: limit) { descriptorsAreScarce() }
        guard descriptor < limit else {
            Glibc.close(descriptor)
            refusalsInARow += 1
            report(.refuses(inARow: refusalsInARow))
            return .refused
        }
        if refusalsInARow > 0 {
            report(.isOver(after: refusalsInARow))
            refusalsInARow = 0
        }
        // No credentials means that the peer is gone again.
        guard let peer = SocketPeer(of: descriptor) else {
            Glibc.close(descriptor)
            return .accepted
        }
        return accept(AcceptedSocket(descriptor: descriptor, peer: peer)) ? .accepted : .refused
    }

    private func rest() {
        restsInARow += 1
        report(.rests(inARow: restsInARow))
        if let token { loop.change(socket.descriptor, 0, token) }
        _ = loop.schedule(at: MonotonicClock.now() + Self.restNanoseconds) { [self] in
            guard isOpen else { return }
            watchAgain()
            // Not only when somebody waits: the last one may have taken the last descriptor, and accept wants one before it
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

    private func endRest() {
        guard restsInARow > 0 else { return }
        report(.isOver(after: restsInARow))
        restsInARow = 0
    }
}

/// A connection that was accepted and waits to be taken onto an event loop, or refused.
public struct AcceptedSocket: Sendable {
    let descriptor: Int32
    public let peer: SocketPeer

    /// Closes it unread.
    public func refuse() { Glibc.close(descriptor) }

    /// Makes it a connection of `loop`. On that loop only.
    /// - Parameter user: whose connection it is. All connections of a user share what one may take of the loop's turns. Default: the peer's uid.
    @discardableResult
    public func attach(to loop: EventLoop, user: UInt64? = nil, handler: any ConnectionHandler) -> Connection {
        Connection(descriptor: descriptor, peer: peer, loop: loop, side: .server, user: user ?? UInt64(peer.uid), handler: handler)
    }
}
