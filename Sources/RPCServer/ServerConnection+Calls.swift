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
        if let refusal = refusal(context.deadline) { return fail(id, refusal, context) }
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
            origin, method.target, metadata: metadata,
            deadline: timeout == 0 ? .never : Deadline(now: receivedAt, timeoutNanoseconds: timeout),
            responseMetadata: wire.makeResponseMetadata(for: id))
    }

    /// Why a call is not even started, if it is not.
    func refusal(_ deadline: Deadline) -> RPCError? {
        // A request that has expired behind others never starts.
        if deadline != .never, deadline.hasPassed(at: MonotonicClock.now()) { return .deadlineExceeded }
        if handlerCount >= shared.limits.maximumConcurrentCallsPerConnection { handlerTasks.runGathered() }
        guard handlerCount < shared.limits.maximumConcurrentCallsPerConnection else {
            return RPCError(.resourceExhausted, "\(handlerCount) calls of this connection are already running")
        }
        return outputByteCount <= shared.limits.maximumUnreadByteCount ? nil : unreadAnswers
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
        guard outputByteCount <= shared.limits.maximumUnreadByteCount else { return fail(id, unreadAnswers, context) }
        wire.respond(to: id, with: response, metadata: context.responseMetadata)
        outputIsReady()
    }

    func fail(_ id: CallID, _ error: RPCError, _ context: CallContext) {
        wire.respond(to: id, with: error, metadata: context.responseMetadata)
        outputIsReady()
    }

    func run(_ id: CallID, context: consuming CallContext, _ operation: @escaping UnaryOperation) {
        guard takeCall() else { return fail(id, .tooManyCalls, context) }
        start(RunningCall(id: id, context: context, on: self, .unary(operation)))
    }

    /// Takes the call's place among all that the server runs; given back when its handler has ended.
    func takeCall() -> Bool {
        let limit = shared.limits.maximumConcurrentCalls
        if counters.takeCall(limit: limit) { return true }
        // Those that were gathered may end at once.
        handlerTasks.runGathered()
        return counters.takeCall(limit: limit)
    }

    /// Runs a call's handler.
    func start(_ call: RunningCall) {
        handlerCount += 1
        // A stream's messages may be behind its request; a unary call is noted only when its handler does not end at once.
        if call.isStream { note(call) }
        handlerTasks.run(call)
    }

    /// Notes a call whose handler did not end at once.
    func handlerWaits(_ call: RunningCall) {
        guard !call.hasEnded else { return }
        if !call.isNoted { note(call) }
        call.setTimer()
    }

    private func note(_ call: RunningCall) {
        running[call.id] = call
        call.isNoted = true
    }

    /// Notes the end of a call's handler; false when the call had ended before it.
    func handlerEnded(_ call: RunningCall) -> Bool {
        loop.preconditionInLoop()
        // Not before: a handler whose call has ended, and that does not hear its cancellation, still takes its place.
        counters.releaseCall()
        handlerCount -= 1
        call.handlerTask = nil
        guard call.end(on: loop) else { return false }
        if call.isNoted { running[call.id] = nil }
        return true
    }

    /// Does what is left to do after a call's end was told.
    func callEnded(_ call: RunningCall) {
        call.endStream()
        closeIfDrained()
    }

    func deadlinePassed(_ call: RunningCall) {
        endCall(call, .deadlineExceeded)
        closeIfDrained()
    }

    /// Ends a running call from this side: the client is told, the handler cancelled.
    func endCall(_ call: RunningCall, _ error: RPCError) {
        guard call.end(on: loop) else { return }
        running[call.id] = nil
        fail(call.id, error, call.context)
        call.cancelHandler(error)
    }
}

extension RPCError {
    static let deadlineExceeded = RPCError(.deadlineExceeded, "the call's deadline passed")
    static let tooManyCalls = RPCError(.resourceExhausted, "the server is running all the calls that it may")
}
