import Glibc
import ProtobufC
import RPCCore
import SocketTransport

/// One of a channel's places for a connection: connects when a call needs it, replaces what was lost or has run low. Loop-bound.
final class ChannelConnection {
    /// Sends a call and gives its id; the timeout is what is left of the call's time, nanoseconds, 0 for none.
    typealias Send = (any ClientWireProtocol, _ timeout: Int64) throws(RPCError) -> CallID

    private let configuration: Channel.Configuration
    private let loop: EventLoop
    private var current: ClientConnection?
    private var backoff = Backoff()
    private var random = SystemRandomNumberGenerator()
    /// Calls that wait for a server to be there, in the order they came.
    private var queue: [QueuedCall] = []
    private var retryIsSet = false
    private var isClosed = false

    /// A call that is to be sent, and how.
    struct QueuedCall {
        let call: any PendingCall
        let deadline: Deadline
        let waitForReady: Bool
        let send: Send
        /// A server has turned it away once, untouched.
        var wasTurnedAway = false
    }

    init(_ configuration: Channel.Configuration, _ loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    /// Sends a call, connecting first where need be, and sees to its deadline.
    func start(_ call: any PendingCall, deadline: Deadline, waitForReady: Bool, send: @escaping Send) {
        guard !call.hasEnded else { return }
        if deadline != .never {
            guard !deadline.hasPassed(at: MonotonicClock.now()) else { return call.end(.clientDeadlineExceeded) }
            call.timer = loop.schedule(at: deadline.nanoseconds) { [weak call] in call?.end(.clientDeadlineExceeded) }
        }
        attempt(QueuedCall(call: call, deadline: deadline, waitForReady: waitForReady, send: send))
    }

    private func attempt(_ queued: QueuedCall) {
        guard !queued.call.hasEnded else { return }
        guard !isClosed else { return queued.call.end(.channelClosed) }
        do throws(SocketError) {
            send(queued, on: try connected())
        } catch {
            // A full queue of new connections has a server behind it: everybody waits for that.
            if queued.waitForReady || error.kind == .system(errno: EAGAIN) { return tryLater(queued) }
            queued.call.end(RPCError(.unavailable, "no server answers: \(error)"))
        }
    }

    private func send(_ queued: QueuedCall, on connection: ClientConnection) {
        do throws(RPCError) {
            let timeout = queued.deadline == .never ? 0 : max(1, queued.deadline.nanoseconds - MonotonicClock.now())
            let id = try queued.send(connection.wire, timeout)
            queued.call.sentOn = (connection, id)
            connection.wait(for: queued, id: id)
            queued.call.resume()
        } catch {
            queued.call.end(error)
        }
    }

    /// Makes a call once more that a server has not begun (gRFC A6, “transparent retries”): no handler has seen it, so it cannot be answered twice.
    private func again(_ queued: QueuedCall, _ error: RPCError) {
        guard !queued.wasTurnedAway else { return queued.call.end(error) }
        var queued = queued
        queued.wasTurnedAway = true
        queued.call.sentOn = nil
        attempt(queued)
    }

    private func tryLater(_ queued: QueuedCall) {
        queue.append(queued)
        guard !retryIsSet else { return }
        retryIsSet = true
        _ = loop.schedule(at: MonotonicClock.now() + backoff.next(using: &random)) { [weak self] in self?.retry() }
    }

    private func retry() {
        retryIsSet = false
        let due = queue
        queue = []
        for queued in due { attempt(queued) }
    }

    /// The open connection, or a new one; one whose stream ids run low is retired first.
    private func connected() throws(SocketError) -> ClientConnection {
        if let current, current.takesCalls {
            guard current.wire.needsRenewal else { return current }
            current.retire()
        }
        let made = ClientConnection(configuration, loop: loop)
        made.onUnprocessed = { [weak self] queued, error in
            if let self { again(queued, error) } else { queued.call.end(error) }
        }
        made.attach(
            try Connector.connect(
                to: configuration.socketPath, trusting: configuration.trustedServerUIDs, loop: loop, handler: made))
        backoff.reset()
        current = made
        return made
    }

    func close() {
        isClosed = true
        current?.connection?.close()
        current = nil
        let waiting = queue
        queue = []
        for queued in waiting { queued.call.end(.channelClosed) }
    }
}

extension RPCError {
    static let channelClosed = RPCError(.unavailable, "the channel is closed")
    static let clientDeadlineExceeded = RPCError(.deadlineExceeded, "the deadline passed before the answer came")
}
