import ProtobufC
import RPCCore
import SocketTransport

// MARK: Requests in

extension ServerConnection: ServerCallEvents {
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod? { methods.find(service: service, method: method) }

    /// The steps of a unary call whose method the wire protocol has found: admit, prepare its context, decode, answer now or run, end.
    func unaryRequest(
        _ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata
    ) {
        let context = makeContext(id, method, timeout, since: start, metadata)
        requestByteCount = payload.byteCount
        guard admit(id, context, isSmall: payload.byteCount < Self.smallestDifference) else { return }
        do throws(StartFailure) {
            let call = try method.start(id, payload: payload, context: consume context) { response, context in
                let code = answer(id, with: response, context.deadline, context.responseMetadata)
                ended(context.target, code, responseByteCount: response.byteCount)
            }
            guard let call = consume call else { return }
            run(call)
        } catch {
            fail(id, throwing: error.error, error.context)
        }
    }

    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?) {
        // The ended call may be one of the gathered calls.
        handlerTasks.runGathered()
        // The protocols know only this deadline: that of input.
        if code == .deadlineExceeded { account.count(.unfinishedSeconds) }
        let code = Self.observed(code)
        if let call = waitingCalls[id], call.end(on: loop) {
            waitingCalls[id] = nil
            stopWaitingForOutput(id)
            endingHandlerCount += 1
            ended(call.call, code)
            call.cancelHandler(RPCError(.cancelled, "the client has cancelled the call"))
        } else if let method {
            requestByteCount = 0
            ended(method.target, code)
        }
    }

    /// The code for observers of a call that ends by a fault of its client. gRPC's code for a broken message is INTERNAL. Observers and alerts would
    /// take INTERNAL for a fault of the server.
    private static func observed(_ code: StatusCode) -> StatusCode { code == .internal ? .invalidArgument : code }

    func unfinishedLimitReached() { account.count(.queuedPerConnection) }

    /// Counts the end of a running call by a limit, if it is one that is counted.
    func countLimit(of error: RPCError) {
        if let reason = error.limitReason, let limit = RefusingLimit(endingCalls: reason) { account.count(limit) }
    }

    /// Counts a refusal by an interceptor that limits the calls of those whom it knows.
    private func countOwnLimit(of error: RPCError) {
        if error.code == .resourceExhausted, error.limitReason == .userCalls { account.count(.callsPerUser) }
    }

    /// - Parameter start: when the call began, if its whole input was not in the last read.
    func makeContext(
        _ id: CallID, _ method: RegisteredMethod, _ timeout: Int64, since start: Int64 = .max, _ metadata: Metadata
    ) -> CallContext {
        CallContext(
            method.target, origin: peer.origin, metadata: metadata,
            // A call that began in the last read began when it was read, however long that has waited here.
            deadline: timeout == 0 ? .never : Deadline(now: min(start, receivedAt), timeoutNanoseconds: timeout),
            responseMetadata: hasResponseMetadata ? wire.makeResponseMetadata(for: id) : nil)
    }

    /// Admits a call, or answers it with the limit that its client has reached.
    /// - Parameter isSmall: whether the request has less than ``smallestDifference`` bytes.
    /// - Returns: whether it is admitted.
    @inline(__always)
    func admit(_ id: CallID, _ context: CallContext, isSmall: Bool) -> Bool {
        if let refusal = refusal(context, isSmall: isSmall) {
            refuse(id, refusal, context)
            return false
        }
        let mostCalls = shared.limits.callsPerConnection.load(ordering: .relaxed)
        return handlerCount < mostCalls || admit(id, context, mostCalls: mostCalls)
    }

    /// The same for a connection with as many handlers as calls are permitted. A call that has ended no longer counts for its client, but its handler
    /// may need a moment to end. So there may be twice as many handlers as calls.
    private func admit(_ id: CallID, _ context: CallContext, mostCalls: Int) -> Bool {
        // Gathered calls may end at once.
        handlerTasks.runGathered()
        let callCount = handlerCount - endingHandlerCount
        guard callCount < mostCalls else {
            account.count(.callsPerConnection)
            refuse(id, .tooManyCallsOfConnection(callCount), context)
            return false
        }
        guard handlerCount / ServerLimits.handlersEachCall >= mostCalls else { return true }
        account.count(.callsPerConnection)
        let error = RPCError.tooManyEndedHandlers(endingHandlerCount)
        wire.refuseUnstarted(id, with: error, metadata: context.responseMetadata)
        outputIsReady()
        ended(context.target, error.code)
        return false
    }

    /// The reason why a call is not started; nil if it is started.
    @inline(__always)
    private func refusal(_ context: CallContext, isSmall: Bool) -> RPCError? {
        let deadline = context.deadline
        // A request that has expired behind others never starts.
        if deadline != .never, deadline.hasPassed(at: MonotonicClock.now()) { return .deadlineExceeded }
        guard !isOverUnreadLimit else { return unreadRefusal() }
        return account.isFull(forConnectionWith: memory, isSmall: isSmall) ? refusalWhenFull(context, isSmall) : nil
    }

    private func refusalWhenFull(_ context: CallContext, _ isSmall: Bool) -> RPCError? {
        shared.pathsWithReservedCalls.contains(context.method) ? nil : account.memoryRefusal(ofConnectionWith: memory, isSmall: isSmall)
    }

    /// Ends a call that is not started, because its client has reached a limit.
    func refuse(_ id: CallID, _ error: RPCError, _ context: CallContext) {
        if error.code == .resourceExhausted, isOwnLimit(error.limitReason) { wire.noteRefusal() }
        fail(id, error, context)
    }

    /// Whether the client itself has reached a limit, and not others with it. A client must not lose its connection because of the load of others.
    private func isOwnLimit(_ reason: LimitReason?) -> Bool {
        switch reason {
        case .serverCalls, .serverMemory, .outOfMemory: false
        // To the server, all people behind a gateway are one user.
        case .userCalls, .userMemory: !peer.origin.isRemote
        default: true
        }
    }

    /// Counts a refusal because of unread answers. Returns the error for the client.
    private func unreadRefusal() -> RPCError {
        account.count(.unreadPerConnection)
        return .tooManyUnreadBytes(outputByteCount)
    }
}

// MARK: - Ends out

extension ServerConnection {
    /// Ends a call that was not run.
    private func fail(_ id: CallID, _ error: RPCError, _ context: CallContext) {
        answer(id, with: error, context.responseMetadata)
        ended(context.target, error.code)
    }

    /// The same with an error that an interceptor or a handler has thrown.
    private func fail(_ id: CallID, throwing error: any Error, _ context: CallContext) {
        let error = RPCError(logging: error, of: context)
        countOwnLimit(of: error)
        fail(id, error, context)
    }

    /// Answers a call, unless its deadline has passed or its client reads too little.
    /// - Returns: the code with which the call has ended.
    @inline(__always)
    private func answer(
        _ id: CallID, with response: borrowing PackableMessage, _ deadline: Deadline, _ metadata: ResponseMetadata?
    ) -> StatusCode {
        if deadline != .never, deadline.hasPassed(at: MonotonicClock.now()) { return answer(id, with: .deadlineExceeded, metadata) }
        guard !keepsNoAnswer(of: response.byteCount) else {
            return answer(id, with: isOverUnreadLimit ? unreadRefusal() : account.memoryRefusal(ofConnectionWith: memory), metadata)
        }
        let code = wire.respond(to: id, with: response, metadata: metadata)
        // A busy loop may write it much later, and until then make many others.
        if response.byteCount >= Self.smallestDifference, !isReceiving { settleAccount() }
        outputIsReady()
        return code
    }

    @discardableResult
    private func answer(_ id: CallID, with error: RPCError, _ metadata: ResponseMetadata?) -> StatusCode {
        wire.respond(to: id, with: error, metadata: metadata)
        outputIsReady()
        return error.code
    }

    /// Runs a call's handler, which may wait.
    @inline(__always)
    private func run(_ call: consuming ServerCall) {
        guard account.takeCall(besides: handlerCount) || takeLastCall(call.context) else {
            return refuse(call.id, account.callRefusal(besides: handlerCount), call.context)
        }
        call.requestByteCount = requestByteCount
        if takesLargePlace(call) {
            // While the request arrived, it was counted as half-received.
            let own = (callsApart, max(0, memoryOfRequests - call.largeByteCount))
            if let refusal = account.takeLargeCall(isApart: call.isLarge, holding: call.largeByteCount, besides: own) {
                account.releaseCall()
                return refuse(call.id, refusal, call.context)
            }
            callsApart += call.isLarge ? 1 : 0
        }
        guard begin(call) else { return }
        if call.isLarge { runLarge(call) } else { handlerTasks.run(call, of: self) }
    }

    /// Runs a handler with a large request on a thread for its user, because decoding would delay the loop.
    private func runLarge(_ call: ServerCall) {
        count(call)
        let queue = LargeRequestQueue(LoopBound(self, to: loop), executor, account, inboundBudget, largeByteCount: call.largeByteCount)
        let line = call.requestByteCount < Self.smallestDifference ? smallRequestsApart : largeRequests
        let task = Task.detached(executorPreference: line) { _ = await call.handlers(call, queue) }
        waits(note(call)) { task.cancel() }
    }

    /// Takes a place for a running call after the first attempt has failed. The end of the handler frees it.
    func takeLastCall(_ context: CallContext) -> Bool {
        // Gathered calls may end at once.
        handlerTasks.runGathered()
        return account.takeCall(besides: handlerCount)
            || shared.pathsWithReservedCalls.contains(context.method) && account.takeReservedCall(besides: handlerCount)
    }

    /// Begins a call whose handler is about to run. False if its method's limit refuses it; then the call has ended, and its place is free.
    @inline(__always)
    func begin(_ call: ServerCall) -> Bool {
        if isObserved, let limit = call.context.target.limit, let error = refusal(limit) {
            releasePlaces(of: call)
            // It is no glitch: the handlers of others may have taken the places.
            fail(call.id, error, call.context)
            return false
        }
        handlerCount += 1
        return true
    }

    private func refusal(_ limit: any HandlerLimit) -> RPCError? {
        do throws(RPCError) { try limit.takePlace() } catch {
            account.count(.handlers)
            return error
        }
        return nil
    }

    /// Adds a call to the table of ids. A stream is added at once, because its messages may follow directly. A unary call is added when its handler
    /// does not end at once.
    @discardableResult
    func note(_ call: ServerCall) -> WaitingCall {
        let noted = WaitingCall(call)
        waitingCalls[call.id] = noted
        call.isNoted = true
        return noted
    }

    /// Notes that a call's handler did not end at once.
    func handlerWaits(_ call: ServerCall, in task: HandlerTask) {
        count(call)
        guard !call.hasEnded else { return task.cancel(call) }
        waits(waitingCalls[call.id] ?? note(call)) { task.cancel(call) }
    }

    private func waits(_ noted: WaitingCall, cancel: @escaping () -> Void) {
        noted.waits(on: executor, cancel: cancel) { [self] in
            endCall(noted, .deadlineExceeded, droppingUnsent: true)
            closeIfDrained()
        }
    }

    /// Counts the memory of a waiting call, once, until its handler has ended.
    func count(_ call: ServerCall) {
        guard call.heldByteCount == 0 else { return }
        if isObserved {
            call.startedAt = receivedAt
            call.context.target.observer?.handlerWaits(onLoop: ends.loop)
        }
        call.heldByteCount = Self.waitingCallByteCount + call.heldRequestByteCount + call.context.metadata.heldByteCount
        callByteCount += call.heldByteCount
    }

    /// Memory of a waiting call besides its request and metadata, bytes: its task, its contexts, its entries in tables.
    static let waitingCallByteCount = 6 << 10

    /// Ends a call whose handler waits, from this side: the client is told, the handler cancelled.
    /// - Parameter dropsUnsent: whether the client does not get messages that wait for its windows. Otherwise the call could wait for them.
    func endCall(_ waiting: WaitingCall, _ error: RPCError, droppingUnsent dropsUnsent: Bool = false) {
        guard waiting.end(on: loop) else { return }
        if dropsUnsent { wire.dropUnsent(on: waiting.call.id) }
        waitingCalls[waiting.call.id] = nil
        stopWaitingForOutput(waiting.call.id)
        endingHandlerCount += 1
        fail(waiting.call, error)
        waiting.cancelHandler(error)
    }

    private func fail(_ call: ServerCall, _ error: RPCError) {
        answer(call.id, with: error, call.context.responseMetadata)
        ended(call, call.stream?.hasDamagedRequest == true ? Self.observed(error.code) : error.code)
    }
}

// MARK: Observers

extension ServerConnection {
    /// Reports to the observers that the call whose request was read last has ended.
    @inline(__always)
    private func ended(_ target: CallContext.Target, _ code: StatusCode, responseByteCount: Int = 0) {
        guard isObserved, target.observer != nil else { return }
        let responses = code == .ok ? responseByteCount : 0
        guard isReceiving else { return ends.tell(target, code, requestByteCount, responses, startedAt: receivedAt, peer, account) }
        ends.note(target, code, requestByteCount, responses, startedAt: receivedAt, peer, account)
    }

    /// Reports to the observers that a running call has ended.
    @inline(__always)
    func ended(_ call: ServerCall, _ code: StatusCode, responseByteCount: Int = 0) {
        let target = call.context.target
        guard isObserved, target.observer != nil else { return }
        let requests = call.requestByteCount + (call.stream?.growthByteCount ?? 0)
        let responses = (call.stream == nil ? 0 : call.responseByteCount) + (code == .ok ? responseByteCount : 0)
        // If its handler has not waited, the call belongs to the last read.
        let noted = call.startedAt
        let startedAt = noted == 0 ? receivedAt : noted
        guard isReceiving else { return ends.tell(target, code, requests, responses, startedAt: startedAt, peer, account) }
        ends.note(target, code, requests, responses, startedAt: startedAt, peer, account)
    }
}

// MARK: The handler's end

/// A handler is called on the loop and nearly always ends there. If its last step runs on another executor, such as an actor's, it may return
/// there. (Swift 6.3 does so in more cases than it should: swiftlang/swift#88259, #88993.)
extension ServerConnection {
    func handlerEnded(_ call: ServerCall, with response: borrowing PackableMessage) {
        guard loop.inLoop else {
            return WaitingAnswer.encode(response, account).end(call) { [self] work in onLoop(work) }
        }
        guard takeEnd(of: call) else { return }
        let code = answer(call.id, with: response, call.context.deadline, call.context.responseMetadata)
        ended(call, code, responseByteCount: response.byteCount)
        closeIfDrained()
    }

    func handlerEnded(_ call: ServerCall, throwing error: any Error) {
        guard loop.inLoop else { return onLoop { $0.handlerEnded(call, throwing: error) } }
        guard takeEnd(of: call) else { return }
        let error = RPCError(logging: error, of: call.context)
        countOwnLimit(of: error)
        fail(call, error)
        endStream(call)
        closeIfDrained()
    }

    func handlerEnded(_ call: ServerCall) {
        guard loop.inLoop else { return onLoop { $0.handlerEnded(call) } }
        // The handler may have ignored it, and ended before the loop was told.
        if let failure = call.stream?.requestFailure { requestFailed(call.id, failure) }
        guard takeEnd(of: call) else { return }
        finish(call)
        endStream(call)
        closeIfDrained()
    }

    /// Notes the end of a call's handler. False if the call had already ended.
    private func takeEnd(of call: ServerCall) -> Bool {
        // Not earlier: a handler that ignores the end of its call still counts as running.
        releasePlaces(of: call)
        handlerCount -= 1
        if isObserved, let limit = call.context.target.limit { limit.returnPlace() }
        if call.heldByteCount > 0 {
            if isObserved { call.context.target.observer?.waitingHandlerEnded(onLoop: ends.loop) }
            callByteCount -= call.heldByteCount
            call.heldByteCount = 0
            answeredAt = MonotonicClock.now()
        }
        let returned = call.stream?.handlerEnded() ?? 0
        // On a connection that is closed, or has no input and no output, nothing else settles the account.
        if isClosed || (!isReceiving && settledCallByteCount - callByteCount + returned >= Self.smallestDifference) { settleAccount() }
        guard !call.hasEnded else {
            endingHandlerCount -= 1
            return false
        }
        guard call.isNoted, let noted = waitingCalls.removeValue(forKey: call.id) else {
            call.hasEnded = true
            return true
        }
        stopWaitingForOutput(call.id)
        return noted.end(on: loop)
    }

    @inline(__always)
    private func releasePlaces(of call: ServerCall) {
        account.releaseCall()
        guard takesLargePlace(call) else { return }
        account.releaseLargeCall(isApart: call.isLarge, holding: call.largeByteCount)
        callsApart -= call.isLarge ? 1 : 0
    }

    /// Whether a call takes a place besides its place as a call: it is handled outside of the event loop, or its request is large.
    @inline(__always)
    private func takesLargePlace(_ call: ServerCall) -> Bool { call.isLarge || call.largeByteCount > 0 }

    /// Ends the stream of a handler that has ended, because tasks of the handler may still wait on it.
    private func endStream(_ call: ServerCall) {
        call.stream?.end(RPCError(.failedPrecondition, "the handler of this call has ended"))
    }
}

extension ServerCall {
    /// The memory of a large request is more than this, bytes.
    private static let leastLargeByteCount = 64 << 10

    /// The memory of its request, bytes.
    fileprivate var heldRequestByteCount: Int { requestByteCount + growthByteCount }

    /// The same if that is large, or else 0. A stream has no single request.
    @inline(__always)
    fileprivate var largeByteCount: Int {
        let count = heldRequestByteCount
        return count > Self.leastLargeByteCount && stream == nil ? count : 0
    }
}

extension RPCError {
    static let deadlineExceeded = RPCError(.deadlineExceeded, "the call's deadline passed")
    static let shuttingDown = RPCError(.unavailable, "the server is shutting down")
}

/// A call in its connection's table of ids: a stream, or a unary call whose handler waits. Loop-bound.
final class WaitingCall {
    let call: ServerCall
    /// Cancels the task in which the handler waits; nil before the handler waits, and after it was cancelled.
    private var cancelTask: (() -> Void)?
    private var timer: LoopTimer?

    init(_ call: ServerCall) { self.call = call }

    /// The server's end of a streaming call; nil for a unary one.
    var stream: ServerStreamEnd? { call.stream }

    /// Notes that the handler waits, and calls `deadlinePassed` at the call's deadline.
    /// - Parameter cancel: cancels the task in which it waits.
    func waits(on executor: ConnectionExecutor, cancel: @escaping () -> Void, _ deadlinePassed: @escaping () -> Void) {
        cancelTask = cancel
        guard call.context.deadline != .never else { return }
        timer = executor.schedule(at: call.context.deadline.nanoseconds, deadlinePassed)
    }

    /// Marks the call as ended. False if it had already ended; then the new end must be dropped.
    func end(on loop: EventLoop) -> Bool {
        guard !call.hasEnded else { return false }
        call.hasEnded = true
        if let timer { loop.cancel(timer) }
        timer = nil
        return true
    }

    /// Cancels the handler. The handler notices it at its next suspension or check, and at its next read or write.
    func cancelHandler(_ reason: RPCError) {
        stream?.end(reason)
        cancelTask?()
        cancelTask = nil
    }
}

/// An answer that was encoded outside of its event loop and waits for it. Any thread.
///
/// Its bytes count for the user, because a busy loop may take it much later, and other threads may make many answers until then.
enum WaitingAnswer: Sendable {
    case encoded([UInt8], UserAccount)
    /// The user has no memory left for it.
    case refused(RPCError)

    /// Encodes an answer, and counts its bytes. A large answer is refused if the user is at a limit of memory.
    static func encode(_ response: borrowing PackableMessage, _ account: UserAccount) -> WaitingAnswer {
        guard response.byteCount <= ServerConnection.unreadWhenFull || !account.isFull else { return .refused(account.memoryRefusal()) }
        let bytes = response.bytes()
        account.hold(bytes.count)
        return .encoded(bytes, account)
    }

    /// Ends its call on the loop.
    /// - Parameter onLoop: runs work with the connection on its loop, soon.
    func end(_ call: ServerCall, _ onLoop: (@escaping @Sendable (ServerConnection) -> Void) -> Void) {
        onLoop { connection in
            switch self {
            case .encoded(let bytes, let account):
                // From here on the connection counts it.
                account.hold(-bytes.count)
                PackableMessage.withPacked(bytes) { connection.handlerEnded(call, with: $0) }
            case .refused(let error): connection.handlerEnded(call, throwing: error)
            }
        }
    }
}
