import Logging
import ProtobufC
import RPCCore
import SocketTransport

// MARK: Requests in

extension ServerConnection: ServerCallEvents {
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? { methods.find(service: service, method: method) }

    func unaryRequest(
        _ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, metadata: Metadata
    ) {
        let context = makeContext(id, method, timeout, metadata)
        if let refusal = refusal(context) { return refuse(id, refusal, context) }
        requestByteCount = payload.byteCount
        guard payload.byteCount <= MessageDescriptor.cheapByteCount || method.decodesByCopying(payload) else {
            return startLarge(id, method, payload, context)
        }
        method.start(id, payload: payload, context: context, host: self)
    }

    func wireProtocolEnded(_ id: CallID) {
        // What ended may have come with what is being worked on.
        handlerTasks.runGathered()
        if let call = running[id], call.end(on: loop) {
            running[id] = nil
            call.cancelHandler(RPCError(.cancelled, "the client has cancelled the call"))
        }
    }

    func makeContext(_ id: CallID, _ method: RegisteredMethod, _ timeout: Int64, _ metadata: Metadata) -> CallContext {
        CallContext(
            method.target, origin: peer.origin, metadata: metadata,
            deadline: timeout == 0 ? .never : Deadline(now: receivedAt, timeoutNanoseconds: timeout),
            responseMetadata: wire.makeResponseMetadata(for: id))
    }

    /// Why a call is not even started, if it is not.
    @inline(__always)
    func refusal(_ context: CallContext) -> RPCError? {
        let deadline = context.deadline
        // A request that has expired behind others never starts.
        if deadline != .never, deadline.hasPassed(at: MonotonicClock.now()) { return .deadlineExceeded }
        if handlerCount >= shared.limits.maximumConcurrentCallsPerConnection { handlerTasks.runGathered() }
        guard handlerCount < shared.limits.maximumConcurrentCallsPerConnection else {
            return RPCError(.resourceExhausted, "\(handlerCount) calls of this connection are already running")
        }
        guard outputByteCount <= shared.limits.maximumUnreadByteCount else { return unreadAnswers }
        return account.isFull ? refusalWhenFull(context) : nil
    }

    private func refusalWhenFull(_ context: CallContext) -> RPCError? {
        shared.pathsWithKeptPlaces.contains(context.method) ? nil : account.refusal
    }

    /// Ends a call that is not started, for a limit that its client has reached.
    func refuse(_ id: CallID, _ error: RPCError, _ context: CallContext) {
        if error.code == .resourceExhausted { wire.noteRefusal() }
        fail(id, error, context)
    }

    private var unreadAnswers: RPCError {
        RPCError(.resourceExhausted, "\(outputByteCount) bytes of answers on this connection are unread")
    }
}

// MARK: - Ends out

extension ServerConnection: CallHost {
    func complete(_ id: CallID, with response: borrowing PackableMessage, _ context: CallContext) {
        if context.deadline != .never, context.deadline.hasPassed(at: MonotonicClock.now()) {
            return fail(id, .deadlineExceeded, context)
        }
        guard !keepsNoAnswer else { return fail(id, account.isFull ? account.refusal : unreadAnswers, context) }
        wire.respond(to: id, with: response, metadata: context.responseMetadata)
        outputIsReady()
    }

    func fail(_ id: CallID, _ error: RPCError, _ context: CallContext) {
        wire.respond(to: id, with: error, metadata: context.responseMetadata)
        outputIsReady()
    }

    func run(_ call: consuming ServerCall) {
        guard account.takeCall() || takeLastCall(call.context) else { return refuse(call.id, account.callRefusal, call.context) }
        call.requestByteCount = requestByteCount
        start(call)
    }

    /// Takes a call's place among all that the server runs where there was none at first; given back when its handler has ended.
    func takeLastCall(_ context: CallContext) -> Bool {
        // Those that were gathered may end at once.
        handlerTasks.runGathered()
        return account.takeCall() || shared.pathsWithKeptPlaces.contains(context.method) && account.takeKeptCall()
    }

    /// Runs the handler of a call that has its place.
    func start(_ call: consuming ServerCall) {
        handlerCount += 1
        handlerTasks.run(call)
    }

    /// Keeps a call by its id. A stream's messages may be behind its request; a unary call is noted only when its handler does not end at once.
    @discardableResult
    func note(_ call: ServerCall) -> WaitingCall {
        let noted = WaitingCall(call)
        running[call.id] = noted
        call.isNoted = true
        return noted
    }

    /// Notes that a call's handler did not end at once.
    func handlerWaits(_ call: ServerCall, in task: HandlerTask) {
        count(call)
        guard !call.hasEnded else { return task.cancel() }
        waits(running[call.id] ?? note(call)) { task.cancel() }
    }

    private func waits(_ noted: WaitingCall, cancel: @escaping () -> Void) {
        noted.waits(on: loop, cancel: cancel) { [self] in
            endCall(noted, .deadlineExceeded)
            closeIfDrained()
        }
    }

    /// Starts a call whose request would hold the loop up: it is decoded, and handled, on a thread of its user's.
    private func startLarge(_ id: CallID, _ method: RegisteredMethod, _ payload: RawSpan, _ context: CallContext) {
        guard account.takeCall() || takeLastCall(context) else { return refuse(id, account.callRefusal, context) }
        handlerCount += 1
        let call = method.makeLargeCall(id, payload.withUnsafeBytes { Array($0) }, context, host: self)
        call.requestByteCount = payload.byteCount
        count(call)
        let task = Task.detached(executorPreference: account.largeRequests) { _ = await call.handlers(call, NoMoreCalls()) }
        waits(note(call)) { task.cancel() }
    }

    /// Counts what a call holds that waits, once, until its handler has ended.
    func count(_ call: ServerCall) {
        guard call.heldByteCount == 0 else { return }
        call.heldByteCount = Self.callByteCount + call.requestByteCount + call.context.metadata.heldByteCount
        callByteCount += call.heldByteCount
    }

    /// What a waiting call takes beside its request and metadata, bytes: its task, its contexts, its place in tables.
    private static let callByteCount = 1 << 10

    /// Ends a running call from this side: the client is told, the handler cancelled.
    func endCall(_ running: WaitingCall, _ error: RPCError) {
        guard running.end(on: loop) else { return }
        self.running[running.call.id] = nil
        fail(running.call.id, error, running.call.context)
        running.cancelHandler(error)
    }
}

// MARK: The handler's end

/// A handler is called on the loop and nearly always ends there. It need not: Swift lets a function that ends in another executor's call, an
/// actor's or the main actor's, return from there (and 6.3 does so in more cases than it should: swiftlang/swift#88259, #88993).
extension ServerConnection {
    func handlerEnded(_ call: ServerCall, with response: borrowing PackableMessage) {
        guard loop.inLoop else {
            let bytes = response.bytes()
            return onLoop { connection in PackableMessage.withPacked(bytes) { connection.handlerEnded(call, with: $0) } }
        }
        guard takeEnd(of: call) else { return }
        complete(call.id, with: response, call.context)
        closeIfDrained()
    }

    func handlerEnded(_ call: ServerCall, throwing error: any Error) {
        guard loop.inLoop else { return onLoop { $0.handlerEnded(call, throwing: error) } }
        guard takeEnd(of: call) else { return }
        fail(call.id, throwing: error, call.context)
        endStream(call)
        closeIfDrained()
    }

    func handlerEnded(_ call: ServerCall) {
        guard loop.inLoop else { return onLoop { $0.handlerEnded(call) } }
        guard takeEnd(of: call) else { return }
        finish(call)
        endStream(call)
        closeIfDrained()
    }

    /// Notes the end of a call's handler; false when the call had ended before it.
    private func takeEnd(of call: ServerCall) -> Bool {
        // Not before: a handler whose call has ended, and that does not hear its cancellation, still takes its place.
        account.releaseCall()
        handlerCount -= 1
        if call.heldByteCount > 0 {
            callByteCount -= call.heldByteCount
            call.heldByteCount = 0
            // A connection that is gone has nobody else to do it.
            if isClosed { settleAccount() }
        }
        guard !call.hasEnded else { return false }
        guard call.isNoted, let noted = running.removeValue(forKey: call.id) else {
            call.hasEnded = true
            return true
        }
        return noted.end(on: loop)
    }

    /// Ends what tasks of a handler that has ended may still hold of its stream: nobody else would wake them.
    private func endStream(_ call: ServerCall) {
        call.stream?.end(RPCError(.failedPrecondition, "the handler of this call has ended"))
    }
}

extension RPCError {
    static let deadlineExceeded = RPCError(.deadlineExceeded, "the call's deadline passed")
}
