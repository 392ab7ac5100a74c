import Glibc
import ProtobufC
import RPCCore
import SocketTransport

/// One of a channel's connections. It connects when a call needs it, and again when the connection was lost or has few stream ids left. Loop-bound.
final class ChannelConnection {
    /// Sends a call and returns its id. The timeout is the rest of the call's time, nanoseconds; 0 for none.
    typealias Send = (any ClientWireProtocol, _ timeout: Int64) throws(RPCError) -> CallID

    private let configuration: Channel.Configuration
    private let loop: EventLoop
    private var current: ClientConnection?
    private(set) var backoff = Backoff()
    private var random = SystemRandomNumberGenerator()
    /// Calls that wait for a server, in the order of their start.
    private var queue: [QueuedCall] = []
    private var retryIsSet = false
    private var isClosed = false

    /// A call that waits to be sent.
    struct QueuedCall {
        let call: any PendingCall
        let deadline: Deadline
        let waitForReady: Bool
        let send: Send
        /// Whether a server has refused it once without beginning it.
        var wasTurnedAway = false
        /// Whether a connection was lost once before anything of the call had left.
        var hasStayed = false
        /// Bytes that its connection had written when it was sent.
        var writtenBefore = 0
    }

    init(_ configuration: Channel.Configuration, _ loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    /// Sends a call, connects first if needed, and watches its deadline.
    func start(_ call: any PendingCall, deadline: Deadline, waitForReady: Bool, send: @escaping Send) {
        guard !call.hasEnded else { return }
        if deadline != .never {
            guard !deadline.hasPassed(at: MonotonicClock.now()) else { return call.end(.clientDeadlineExceeded) }
            call.timer = loop.schedule(at: deadline.nanoseconds) { [weak call] in call?.end(.clientDeadlineExceeded) }
        }
        attempt(QueuedCall(call: call, deadline: deadline, waitForReady: waitForReady, send: send))
    }

    private func attempt(_ queued: QueuedCall) {
        guard !isClosed else { return queued.call.end(.channelClosed) }
        // While other calls wait for the back-off, a new call must not try to connect.
        if retryIsSet, queued.waitForReady, current?.takesCalls != true { return queue.append(queued) }
        do throws(SocketError) {
            let former = current
            let connection = try connected()
            send(queued, on: connection)
            // A call that does not wait has found a server before the back-off's end.
            if connection !== former { sendWaiting(on: connection) }
        } catch {
            unanswered([queued], error)
        }
    }

    private func sendWaiting(on connection: ClientConnection) {
        let waiting = queue
        queue = []
        for queued in waiting where !queued.call.hasEnded { send(queued, on: connection) }
    }

    /// No server answered. Calls with `waitForReady` wait, the others end.
    private func unanswered(_ calls: [QueuedCall], _ error: SocketError) {
        // If the listener's queue is full, there is a server, so all calls wait.
        let allWait = error.kind == .system(errno: EAGAIN)
        let noneWaits = isLasting(error)
        for queued in calls where !queued.call.hasEnded {
            if allWait || queued.waitForReady && !noneWaits {
                queue.append(queued)
            } else {
                queued.call.end(RPCError(.unavailable, "no server answers: \(error)"))
            }
        }
        if !queue.isEmpty { retryLater() }
    }

    /// Whether a failure lasts, so that no call waits for its end.
    private func isLasting(_ error: SocketError) -> Bool {
        switch (error.kind, configuration.target) {
        case (.untrustedServer, _), (.pathTooLong, _): true
        // The server of this process has shut down. At a path, another server may follow.
        case (.system(errno: ECONNREFUSED), .inProcess): true
        default: false
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

    /// Makes a call again that a server has not begun (gRFC A6, “transparent retries”). No handler has seen it, so it cannot be carried out twice.
    ///
    /// A call that a server has refused is made again once. A call that never left is made again until it leaves: at once the first time, because its
    /// connection may just have been old, and then after the pauses of the back-off. If the second server also closes before it says anything, a call
    /// without `waitForReady` ends, as if no server had answered.
    private func again(_ queued: QueuedCall, _ error: RPCError, _ reason: ClientConnection.Unprocessed) {
        var queued = queued
        queued.call.sentOn = nil
        switch reason {
        case .refused:
            guard !queued.wasTurnedAway else { return queued.call.end(error) }
            queued.wasTurnedAway = true
            attempt(queued)
        case .neverLeft(let serverGreeted):
            guard queued.hasStayed, !isClosed else {
                queued.hasStayed = true
                return attempt(queued)
            }
            guard serverGreeted || queued.waitForReady else { return queued.call.end(error) }
            queue.append(queued)
            retryLater()
        }
    }

    private func retryLater() {
        guard !retryIsSet else { return }
        retryIsSet = true
        _ = loop.schedule(at: MonotonicClock.now() + backoff.next(using: &random)) { [weak self] in self?.retry() }
    }

    private func retry() {
        retryIsSet = false
        queue.removeAll { $0.call.hasEnded }
        let due = queue
        queue = []
        guard !due.isEmpty else { return }
        do throws(SocketError) {
            let connection = try connected()
            for queued in due where !queued.call.hasEnded { send(queued, on: connection) }
        } catch {
            unanswered(due, error)
        }
    }

    /// The open connection, or a new one. A connection with few stream ids left is retired first.
    private func connected() throws(SocketError) -> ClientConnection {
        if let current, current.takesCalls {
            guard current.wire.needsRenewal else { return current }
            current.retire()
        }
        guard let made = ClientConnection(configuration, loop: loop) else { throw .noMemory }
        made.onUnprocessed = { [weak self] queued, error, reason in
            if let self { again(queued, error, reason) } else { queued.call.end(error) }
        }
        // The pauses grow as long as servers only greet and leave.
        made.onFirstAnswer = { [weak self] in self?.backoff.reset() }
        switch configuration.target {
        case .unixSocket(let path):
            made.attach(try Connector.connect(to: path, trusting: configuration.trustedServerUIDs, loop: loop, handler: made))
        case .inProcess(let socket): made.attach(try Connector.connect(to: socket, loop: loop, handler: made))
        }
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

/// How long to wait before the next attempt to connect. The wait grows with each attempt until a server answers a call. It has a random part, so that
/// clients do not connect at the same time.
struct Backoff {
    /// The wait after the first failure, nanoseconds.
    static let first: Int64 = 5_000_000
    /// The longest wait, nanoseconds. A server that comes back is found within this time.
    static let longest: Int64 = 1_000_000_000
    static let growth = 1.6
    /// The random part of a wait: this fraction of its mean, in both directions.
    static let jitter = 0.2

    private(set) var mean = Double(first)

    /// The next wait, nanoseconds.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Int64 {
        defer { mean = min(mean * Self.growth, Double(Self.longest)) }
        return Int64(mean * Double.random(in: (1 - Self.jitter)...(1 + Self.jitter), using: &generator))
    }

    mutating func reset() { mean = Double(Self.first) }
}
