import Glibc
import ProtobufC
import RPCCore
import SocketTransport

/// A channel's connection and its calls. Loop-bound.
final class ChannelState {
    /// How soon a connect is tried again when the server's queue of new connections is full, nanoseconds.
    private static let retryNanoseconds: Int64 = 5_000_000

    private let configuration: Channel.Configuration
    private let loop: EventLoop
    private var current: ClientConnection?
    /// Calls that wait for the server's queue of new connections to have room.
    private var retrying: [ObjectIdentifier: any PendingCall] = [:]
    private var isClosed = false

    init(_ configuration: Channel.Configuration, _ loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    /// Sends a call, connecting first where need be, and sees to its deadline.
    func start<Request: Message, Response: Message>(
        _ call: OutboundCall<Response>, _ method: MethodDescriptor<Request, Response>, _ request: Request,
        _ metadata: Metadata, _ deadline: Deadline
    ) {
        if deadline != .never {
            guard !deadline.hasPassed(at: MonotonicClock.now()) else { return call.end(.clientDeadlineExceeded) }
            if call.timer == nil {
                call.timer = loop.schedule(at: deadline.nanoseconds) { call.end(.clientDeadlineExceeded) }
            }
        }
        guard !isClosed else { return call.end(.channelClosed) }
        let connection: ClientConnection
        do throws(SocketError) {
            connection = try connected()
        } catch {
            if case .system(errno: EAGAIN) = error.kind { return startLater(call, method, request, metadata, deadline) }
            return call.end(RPCError(.unavailable, "no server answers: \(error)"))
        }
        do throws(RPCError) {
            let timeout = deadline == .never ? 0 : max(1, deadline.nanoseconds - MonotonicClock.now())
            let id = try connection.session.sendUnary(
                service: method.service, method: method.method, request: request, timeout: timeout, metadata: metadata)
            call.sentOn = (connection, id)
            connection.wait(call, id: id)
        } catch {
            call.end(error)
        }
    }

    private func startLater<Request: Message, Response: Message>(
        _ call: OutboundCall<Response>, _ method: MethodDescriptor<Request, Response>, _ request: Request,
        _ metadata: Metadata, _ deadline: Deadline
    ) {
        retrying[ObjectIdentifier(call)] = call
        _ = loop.schedule(at: MonotonicClock.now() + Self.retryNanoseconds) { [self] in
            retrying[ObjectIdentifier(call)] = nil
            if !call.hasEnded { start(call, method, request, metadata, deadline) }
        }
    }

    /// The open connection, or a new one; one whose stream ids run low is retired first.
    private func connected() throws(SocketError) -> ClientConnection {
        if let current, current.isOpen {
            guard current.session.needsRenewal else { return current }
            current.retire()
        }
        let made = ClientConnection(configuration)
        made.attach(
            try Connector.connect(
                to: configuration.socketPath, trusting: configuration.trustedServerUIDs, loop: loop, handler: made))
        current = made
        return made
    }

    func close() {
        isClosed = true
        current?.connection?.close()
        current = nil
        for call in retrying.values { call.end(.channelClosed) }
        retrying.removeAll()
    }
}

extension RPCError {
    static let channelClosed = RPCError(.unavailable, "the channel is closed")
    static let clientDeadlineExceeded = RPCError(.deadlineExceeded, "the deadline passed before the answer came")
}
