import Logging
import ProtobufC
import RPCCore
import SocketTransport

// MARK: Requests in

extension ServerConnection: ServerCallEvents {
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? { shared.methods.find(service: service, method: method) }

    func unaryRequest(
        _ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, metadata: Metadata
    ) {
        let context = makeContext(id, method, timeout, metadata)
        if let refusal = refusal(context) { return fail(id, refusal, context) }
        method.start(id, payload: payload, context: context, host: self)
    }

    func wireProtocolEnded(_ id: CallID) {
        if let call = running[id], call.end(on: loop) {
            running[id] = nil
            call.cancelHandler(RPCError(.cancelled, "the client has cancelled the call"))
        }
    }

    func makeContext(_ id: CallID, _ method: RegisteredMethod, _ timeout: Int64, _ metadata: Metadata) -> CallContext {
        CallContext(
            origin, method.target, metadata: metadata,
            deadline: timeout == 0 ? .never : Deadline(now: receivedAt, timeoutNanoseconds: timeout),
            responseMetadata: wire?.makeResponseMetadata(for: id))
    }

    /// Why a call is not even started, if it is not.
    func refusal(_ context: CallContext) -> RPCError? {
        // A request that has expired behind others never starts.
        if context.deadline != .never, context.deadline.hasPassed(at: MonotonicClock.now()) { return .deadlineExceeded }
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
    func complete<Response: Message>(_ id: CallID, with response: Response, _ context: CallContext) {
        if context.deadline != .never, context.deadline.hasPassed(at: MonotonicClock.now()) {
            return fail(id, .deadlineExceeded, context)
        }
        guard outputByteCount <= shared.limits.maximumUnreadByteCount else { return fail(id, unreadAnswers, context) }
        wire?.respond(to: id, with: response, metadata: context.responseMetadata)
        outputIsReady()
    }

    func fail(_ id: CallID, _ error: RPCError, _ context: CallContext) {
        wire?.respond(to: id, with: error, metadata: context.responseMetadata)
        outputIsReady()
    }

    func run<Response: Message>(
        _ id: CallID, context: CallContext, _ operation: @escaping @Sendable () async throws -> Response
    ) {
        guard takeCall() else { return fail(id, .tooManyCalls, context) }
        let call = RunningCall(id: id, context: context)
        start(call, operation) { connection, response in connection.complete(id, with: response, context) }
    }

    /// Takes the call's place among all that the server runs; given back when its handler has ended.
    func takeCall() -> Bool { shared.counters.takeCall(limit: shared.limits.maximumConcurrentCalls) }

    /// Runs a call's handler, beginning at once, and hands what it returns to `succeed`, on the loop, unless the call has ended by then.
    func start<Answer: Sendable>(
        _ call: RunningCall, _ operation: @escaping @Sendable () async throws -> Answer,
        succeed: @escaping @Sendable (ServerConnection, Answer) -> Void
    ) {
        handlerCount += 1
        // A stream's handler may write at once; a unary call is noted only when its handler does not end at once.
        if call.stream != nil { running[call.id] = call }
        let bound = LoopBound((connection: self, call: call), to: loop)
        let deadline = call.context.deadline
        let task = Task.immediate(executorPreference: loop) {
            let end: Result<Answer, any Error>
            do {
                // A task-local value costs an allocation, so only calls that have a deadline carry one.
                end = .success(
                    try await deadline == .never ? operation() : Deadline.$current.withValue(deadline) { try await operation() })
            } catch {
                end = .failure(error)
            }
            bound.value.connection.handlerEnded(bound.value.call, end, succeed)
        }
        guard !call.hasEnded else { return }
        running[call.id] = call
        var timer: LoopTimer?
        if deadline != .never {
            timer = loop.schedule(at: deadline.nanoseconds) { self.deadlinePassed(call) }
        }
        call.suspended(task, timer)
    }

    private func handlerEnded<Answer>(
        _ call: RunningCall, _ end: Result<Answer, any Error>, _ succeed: (ServerConnection, Answer) -> Void
    ) {
        // Not before: a handler whose call has ended, and that does not hear its cancellation, still takes its place.
        shared.counters.releaseCall()
        handlerCount -= 1
        guard call.end(on: loop) else { return }
        running[call.id] = nil
        switch end {
        case .success(let answer):
            succeed(self, answer)
        case .failure(let error):
            if !(error is RPCError), !(error is CancellationError) {
                call.context.logger.error("a handler failed", metadata: ["error.type": "\(type(of: error))"])
            }
            fail(call.id, RPCError(handlerFailure: error), call.context)
        }
        call.endStream()
        closeIfDrained()
    }

    private func deadlinePassed(_ call: RunningCall) {
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
