import ProtobufC
import RPCCore
import SocketTransport

/// Connects the two halves of a streaming call, which handlers use on any thread, with its connection, which belongs to a loop.
final class ServerStreamLink: StreamLink {
    private let id: CallID
    private let responseMetadata: ResponseMetadata?
    private let connection: LoopBound<ServerConnection>
    private let executor: ConnectionExecutor
    private let account: UserAccount
    private let inboundBudget: InboundBudget
    let maximumMessageByteCount: Int
    let decodingExecutor: (any TaskExecutor)?

    /// - Parameter decodingExecutor: the line of the connection's large requests. So at most one large message of each user is decoded at any moment.
    init(
        _ id: CallID, _ connection: ServerConnection, responseMetadata: ResponseMetadata?, maximumMessageByteCount: Int,
        decodingExecutor: any TaskExecutor
    ) {
        self.decodingExecutor = decodingExecutor
        self.id = id
        self.connection = LoopBound(connection, to: connection.loop)
        executor = connection.executor
        account = connection.account
        inboundBudget = connection.inboundBudget
        self.responseMetadata = responseMetadata
        self.maximumMessageByteCount = maximumMessageByteCount
    }

    var isOnLoop: Bool { connection.loop.inLoop }

    func execute(_ work: @escaping @Sendable () -> Void) { executor.execute(work) }

    func hold(_ byteCount: Int) throws(RPCError) {
        account.hold(byteCount)
        inboundBudget.grow(byteCount)
        // A little is never refused.
        let own = inboundBudget.queuedByteCount + inboundBudget.grownByteCount
        guard byteCount > ServerConnection.smallestDifference, account.isFull(forConnectionWith: own) else { return }
        let refusal = account.memoryRefusal(ofConnectionWith: own)
        release(byteCount)
        throw refusal
    }

    func release(_ byteCount: Int) {
        account.hold(-byteCount)
        inboundBudget.grow(-byteCount)
        // The stream may outlive the connection.
        account.forgetIfUnused()
    }

    /// The service made the message, so it is not the caller's fault.
    var notEncodableCode: StatusCode { .internal }

    /// The client sent the message, so it is the client's fault.
    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError { .undecodable(descriptor, error) }

    func maySend() -> Bool { connection.value.maySend(on: id) }

    func send(_ message: borrowing PackableMessage) throws(RPCError) { try connection.value.send(message, on: id, responseMetadata) }

    func send(serialized message: [UInt8]) { connection.value.send(serialized: message, on: id, responseMetadata) }

    func consumed(_ byteCount: Int) { connection.value.consumed(byteCount, on: id) }

    /// Does nothing: a handler may stop waiting and still continue its call.
    func waitingTaskCancelled() {}

    func messageFailed(_ error: RPCError) {
        // At once, because the handler may end in this turn.
        if isOnLoop { return connection.value.requestFailed(id, error) }
        execute { [connection, id] in connection.value.requestFailed(id, error) }
    }
}

/// The part for streaming calls: messages in and out, with flow control.
extension ServerConnection {
    /// Wire bytes after which the wire protocol is told that messages were taken.
    private static let reportEvery = 64 << 10
    /// Requests of a stream that may wait while its user is at a limit of memory, bytes.
    static let queuedWhenFull = 64 << 10

    // MARK: In

    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
        let context = makeContext(id, method, timeout, metadata)
        requestByteCount = 0
        // A stream may hold much later.
        guard admit(id, context, isSmall: false) else { return }
        guard account.takeCall(besides: handlerCount) || takeLastCall(context) else {
            return refuse(id, account.callRefusal(besides: handlerCount), context)
        }
        let link = ServerStreamLink(
            id, self, responseMetadata: context.responseMetadata,
            maximumMessageByteCount: wire.maximumMessageByteCount, decodingExecutor: largeRequests)
        let stream = method.makeServerEnd(
            link: link,
            budgets: StreamBudgets(
                streamByteCount: shared.limits.all.maximumQueuedByteCountPerStream, reportEvery: Self.reportEvery,
                connection: inboundBudget))
        let call = ServerCall(id, context, stream)
        guard begin(call) else { return }
        let noted = note(call)
        count(call)
        handlerTasks.run(call, of: self)
        if isDraining, endsAtDrain(noted) { endCall(noted, .shuttingDown, droppingUnsent: true) }
    }

    /// Ends a stream on the wire whose handler has returned.
    func finish(_ call: ServerCall) {
        guard let (code, byteCount) = call.stream?.finish(call.id, on: wire, metadata: call.context.responseMetadata) else { return }
        ended(call, code, responseByteCount: byteCount)
        outputIsReady()
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        guard let call = waitingCalls[id], !endIfFull(call) else { return }
        call.call.requestByteCount += payload.byteCount
        if let failure = call.stream?.receive(payload, byteCount: byteCount) { endCall(call, counting: failure) }
    }

    func compressedStreamMessage(_ id: CallID, payload: RawSpan, byteCount: Int, decompressor: any MessageDecompressor) -> RPCError? {
        guard let call = waitingCalls[id], !endIfFull(call) else { return nil }
        call.call.requestByteCount += payload.byteCount
        if let failure = call.stream?.receive(compressed: payload, byteCount: byteCount, decompressor) { endCall(call, counting: failure) }
        return nil
    }

    /// Ends a call that gets a request while its user is at a limit of memory, if its handler is behind by more than ``queuedWhenFull``.
    /// - Returns: whether it ended.
    private func endIfFull(_ call: WaitingCall) -> Bool {
        guard isFull, let stream = call.stream, stream.queuedByteCount > Self.queuedWhenFull else { return false }
        endCall(call, account.memoryRefusal(ofConnectionWith: memory))
        return true
    }

    /// Ends a call of which the handler cannot get a request, unless the call has ended.
    func requestFailed(_ id: CallID, _ error: RPCError) {
        guard let call = waitingCalls[id] else { return }
        // It breaks a rule of gRPC, or is too much.
        if error.code != .invalidArgument { wire.noteRefusal() }
        endCall(call, error)
        closeIfDrained()
    }

    /// Ends a call whose request was not queued for its handler, and counts the limit that it has reached.
    private func endCall(_ call: WaitingCall, counting failure: RPCError) {
        countLimit(of: failure)
        endCall(call, failure)
    }

    func streamHalfClosed(_ id: CallID) { waitingCalls[id]?.stream?.halfClose() }

    func consumed(_ byteCount: Int, on id: CallID) {
        wire.consumed(byteCount, on: id)
        // A message that had to wait may go on now, and its time begins again.
        watchUnfinishedInput()
        if outputByteCount > 0 { outputIsReady() }
    }

    // MARK: Out

    func send(_ message: borrowing PackableMessage, on id: CallID, _ metadata: ResponseMetadata?) throws(RPCError) {
        guard let call = waitingCalls[id]?.call else { return }
        do throws(RPCError) {
            try wire.send(message, on: id, metadata: metadata)
        } catch {
            countLimit(of: error)
            throw error
        }
        call.responseByteCount += message.byteCount
        outputIsReady()
    }

    func send(serialized message: [UInt8], on id: CallID, _ metadata: ResponseMetadata?) {
        guard let call = waitingCalls[id]?.call else { return }
        wire.send(serialized: message, on: id, metadata: metadata)
        call.responseByteCount += message.count
        outputIsReady()
    }

    func streamWritable(_ id: CallID) {
        if let call = waitingCalls[id], maySend(on: id) { call.stream?.resume() }
    }

    /// Whether the client has room for a message of a stream. If not, the stream is resumed later.
    func maySend(on id: CallID) -> Bool {
        hasRoomForOutput(of: id) && wire.canSend(on: id)
    }

    /// Whether so little output waits that a stream may write. If not, the stream is resumed later.
    func hasRoomForOutput(of id: CallID) -> Bool {
        let hasRoom = waitingForOutput.mayWrite(id, unwritten: outputByteCount)
        if !hasRoom { streamsWaitForOutput = true }
        return hasRoom
    }

    func resumeStreamsWaitingForOutput() {
        guard streamsWaitForOutput else { return }
        let ready = waitingForOutput.takeReady(unwritten: outputByteCount)
        guard !ready.isEmpty else { return }
        streamsWaitForOutput = false
        // Not from within a write.
        resume(Array(ready)[...])
    }

    /// Streams that are resumed at once. The others follow in the user's later turns, because a thousand at once would delay other users
    /// (docs/performance.md).
    private static let resumedAtOnce = 64

    private func resume(_ ids: ArraySlice<CallID>) {
        onLoop { connection in
            for id in ids.prefix(Self.resumedAtOnce) { connection.streamWritable(id) }
            let rest = ids.dropFirst(Self.resumedAtOnce)
            if !rest.isEmpty { connection.resume(rest) }
        }
    }

    /// A call has ended, so it does not wait for output any more.
    func stopWaitingForOutput(_ id: CallID) {
        if streamsWaitForOutput { waitingForOutput.remove(id) }
    }
}
