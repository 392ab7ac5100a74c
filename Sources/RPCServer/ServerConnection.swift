import Logging
import ProtobufC
import RPCCore
import SocketTransport
import TTRPC

/// One client's connection: joins the socket, the wire protocol and the methods. Loop-bound.
final class ServerConnection: ConnectionHandler {
    /// First byte of every ttrpc connection: the top byte of a frame length that is at most 4 MiB.
    private static let ttrpcFirstByte: UInt8 = 0x00

    private let shared: ServerShared
    private let peer: PeerCredentials
    private var wire: (any ServerWireProtocol)?
    private let loop: EventLoop
    /// The socket until it closes; nil from then on, while handlers of this connection may still be coming to their end.
    private var connection: Connection?
    private var running: [CallID: RunningCall] = [:]
    /// When the bytes being worked on were read: a request that waits behind others in one burst is that much older.
    private var receivedAt: Int64 = 0
    private var isDraining = false

    init(shared: ServerShared, peer: PeerCredentials, loop: EventLoop) {
        self.shared = shared
        self.peer = peer
        self.loop = loop
    }

    /// Joins the handler to its socket, once, before anything is read.
    func attach(_ connection: Connection) { self.connection = connection }

    // MARK: Socket

    var outputByteCount: Int { wire?.outputByteCount ?? 0 }

    func withOutput(_ write: (RawSpan) -> Int) { wire?.withOutput(write) }

    func received(_ bytes: RawSpan, on connection: Connection) {
        receivedAt = MonotonicClock.now()
        guard let wire = wire ?? chooseWireProtocol(bytes.unsafeLoad(as: UInt8.self)) else {
            shared.logger.debug("closed a connection of no known protocol", metadata: ["peer.pid": "\(peer.pid)"])
            return connection.close()
        }
        do throws(ProtocolViolation) {
            try wire.receive(bytes, events: self)
        } catch {
            shared.logger.debug("closed a connection", metadata: ["peer.pid": "\(peer.pid)", "reason": "\(error)"])
            connection.close()
        }
    }

    func closed(_ connection: Connection) {
        self.connection = nil
        for call in running.values where call.end(on: loop) { call.cancelHandler() }
        running.removeAll()
        shared.connectionClosed(self, on: loop, uid: peer.uid)
    }

    private func chooseWireProtocol(_ firstByte: UInt8) -> (any ServerWireProtocol)? {
        guard firstByte == Self.ttrpcFirstByte else { return nil }
        wire = ServerSession(maximumMessageByteCount: shared.limits.maximumMessageByteCount)
        return wire
    }

    // MARK: Drain

    /// Finishes what is running, then closes. New calls are answered `UNAVAILABLE`.
    func drain() {
        isDraining = true
        closeIfDrained()
    }

    /// Ends what is still running with `UNAVAILABLE` and closes.
    func endDrain() {
        for (id, call) in running where call.end(on: loop) {
            call.cancelHandler()
            wire?.respond(to: id, with: RPCError(.unavailable, "the server is shutting down"))
        }
        running.removeAll()
        connection?.closeAfterOutput()
    }

    private func closeIfDrained() {
        if isDraining, running.isEmpty { connection?.closeAfterOutput() }
    }
}

// MARK: - Requests in

extension ServerConnection: ServerCallEvents {
    func unaryRequest(
        _ id: CallID, service: RawSpan, method: RawSpan, payload: RawSpan, timeout: Int64, metadata: Metadata
    ) {
        guard let registered = shared.methods.find(service: service, method: method) else {
            return fail(id, RPCError(.unimplemented, "\(nameText(service))/\(nameText(method)) is not served here"))
        }
        guard !isDraining else { return fail(id, RPCError(.unavailable, "the server is shutting down")) }
        let deadline = timeout == 0 ? .never : Deadline(now: receivedAt, timeoutNanoseconds: timeout)
        // A request that has expired behind others never starts.
        if deadline != .never, deadline.hasPassed(at: MonotonicClock.now()) { return fail(id, .deadlineExceeded) }
        guard running.count < shared.limits.maximumConcurrentCallsPerConnection else {
            return fail(id, RPCError(.resourceExhausted, "\(running.count) calls of this connection are already running"))
        }
        guard outputByteCount <= shared.limits.maximumUnreadByteCount else { return fail(id, unreadAnswers) }
        let context = CallContext(peer: peer, metadata: metadata, deadline: deadline, method: registered.path)
        registered.start(id, payload: payload, context: context, host: self)
    }

    func wireProtocolEnded(_ id: CallID) {
        if let call = running[id], call.end(on: loop) {
            running[id] = nil
            call.cancelHandler()
        }
        connection?.outputIsReady()
        closeIfDrained()
    }
}

// MARK: - Ends out

extension ServerConnection: CallHost {
    func complete<Response: Message>(_ id: CallID, with response: Response, deadline: Deadline) {
        if deadline != .never, deadline.hasPassed(at: MonotonicClock.now()) { return fail(id, .deadlineExceeded) }
        guard outputByteCount <= shared.limits.maximumUnreadByteCount else { return fail(id, unreadAnswers) }
        wire?.respond(to: id, with: response)
        connection?.outputIsReady()
    }

    func fail(_ id: CallID, _ error: RPCError) {
        wire?.respond(to: id, with: error)
        connection?.outputIsReady()
    }

    func run<Response: Message>(
        _ id: CallID, context: CallContext, _ operation: @escaping @Sendable () async throws -> Response
    ) {
        guard shared.counters.takeCall(limit: shared.limits.maximumConcurrentCalls) else {
            return fail(id, RPCError(.resourceExhausted, "the server is running all the calls that it may"))
        }
        let call = RunningCall(id: id)
        let bound = LoopBound((host: self, call: call), to: loop)
        let task = Task.immediate(executorPreference: loop) {
            let end: Result<Response, any Error>
            do { end = .success(try await operation()) } catch { end = .failure(error) }
            bound.value.host.handlerEnded(bound.value.call, end, context)
        }
        guard !call.hasEnded else { return }
        running[id] = call
        var timer: LoopTimer?
        if context.deadline != .never {
            timer = loop.schedule(at: context.deadline.nanoseconds) { self.deadlinePassed(call) }
        }
        call.suspended(task, timer)
    }

    private func handlerEnded<Response: Message>(
        _ call: RunningCall, _ end: Result<Response, any Error>, _ context: CallContext
    ) {
        // Not before: a handler whose call has ended, and that does not hear its cancellation, still takes its place.
        shared.counters.releaseCall()
        guard call.end(on: loop) else { return }
        running[call.id] = nil
        switch end {
        case .success(let response):
            complete(call.id, with: response, deadline: context.deadline)
        case .failure(let error):
            if !(error is RPCError), !(error is CancellationError) {
                shared.logger.error("a handler failed", metadata: ["rpc.method": "\(context.method)", "error.type": "\(type(of: error))"])
            }
            fail(call.id, RPCError(handlerFailure: error))
        }
        closeIfDrained()
    }

    private var unreadAnswers: RPCError {
        RPCError(.resourceExhausted, "\(outputByteCount) bytes of answers on this connection are unread")
    }

    private func deadlinePassed(_ call: RunningCall) {
        guard call.end(on: loop) else { return }
        running[call.id] = nil
        call.cancelHandler()
        fail(call.id, .deadlineExceeded)
        closeIfDrained()
    }
}

extension RPCError {
    static let deadlineExceeded = RPCError(.deadlineExceeded, "the call's deadline passed")
}

/// A name from the wire, for an error's text: repaired where it is not UTF-8, cut where it is long.
private func nameText(_ bytes: RawSpan) -> String {
    var text: [UInt8] = []
    for offset in 0..<min(bytes.byteCount, 256) { text.append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
    return String(decoding: text, as: UTF8.self)
}
