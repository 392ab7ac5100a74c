import ProtobufC
import RPCCore
import SocketTransport

/// Joins a streaming call's two halves, which handlers use on any thread, to its connection, which lives on its loop.
final class ServerStreamLink: StreamLink {
    private let id: CallID
    private let responseMetadata: ResponseMetadata?
    private let connection: LoopBound<ServerConnection>
    let maximumMessageByteCount: Int

    init(
        _ id: CallID, _ connection: LoopBound<ServerConnection>, responseMetadata: ResponseMetadata?, maximumMessageByteCount: Int
    ) {
        self.id = id
        self.connection = connection
        self.responseMetadata = responseMetadata
        self.maximumMessageByteCount = maximumMessageByteCount
    }

    var isOnLoop: Bool { connection.loop.inLoop }

    func execute(_ work: @escaping @Sendable () -> Void) { connection.loop.execute(work) }

    /// What our own service made is no fault of the caller's.
    var notEncodableCode: StatusCode { .internal }

    /// A client that sends what is no message has itself to blame.
    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError { .undecodable(descriptor, error) }

    func maySend() -> Bool { connection.value.maySend(on: id) }

    func send(_ message: borrowing PackableMessage) throws(RPCError) { try connection.value.send(message, on: id, responseMetadata) }

    func send(serialized message: [UInt8]) { connection.value.send(serialized: message, on: id, responseMetadata) }

    func consumed(_ byteCount: Int) { connection.value.consumed(byteCount, on: id) }

    /// A handler may give up waiting without giving up its call.
    func waitingTaskCancelled() {}
}

/// What only streaming calls need: messages in, messages out, each as far as the other side keeps up.
extension ServerConnection {
    /// Wire bytes after which the wire protocol hears that messages were taken.
    private static let reportEvery = 64 << 10

    // MARK: In

    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata) {
        let context = makeContext(id, method, timeout, metadata)
        requestByteCount = 0
        if let refusal = refusal(context) { return refuse(id, refusal, context) }
        guard account.takeCall() || takeLastCall(context) else { return refuse(id, account.refuseCall(), context) }
        let link = ServerStreamLink(
            id, LoopBound(self, to: loop), responseMetadata: context.responseMetadata,
            maximumMessageByteCount: wire.maximumMessageByteCount)
        let stream = method.makeServerEnd(
            link: link,
            budgets: StreamBudgets(
                streamByteCount: shared.limits.all.maximumQueuedByteCountPerStream, reportEvery: Self.reportEvery,
                connection: inboundBudget))
        let call = ServerCall(id, context, stream)
        guard begin(call) else { return }
        note(call)
        count(call)
        handlerTasks.run(call, of: self)
    }

    /// Ends a stream on the wire whose handler has returned.
    func finish(_ call: ServerCall) {
        guard let (code, byteCount) = call.stream?.finish(call.id, on: wire, metadata: call.context.responseMetadata) else { return }
        ended(call, code, responseByteCount: byteCount)
        outputIsReady()
    }

    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int) {
        guard let call = running[id] else { return }
        call.call.requestByteCount += payload.byteCount
        // The one request of such a call is its handler's until the call ends.
        if call.call.context.shape == .serverStreaming {
            call.call.heldByteCount += payload.byteCount
            callByteCount += payload.byteCount
        }
        if let failure = call.stream?.receive(payload, byteCount: byteCount) { endCall(call, failure) }
    }

    func streamHalfClosed(_ id: CallID) { running[id]?.stream?.halfClose() }

    func consumed(_ byteCount: Int, on id: CallID) {
        wire.consumed(byteCount, on: id)
        if outputByteCount > 0 { outputIsReady() }
    }

    // MARK: Out

    func send(_ message: borrowing PackableMessage, on id: CallID, _ metadata: ResponseMetadata?) throws(RPCError) {
        guard let call = running[id]?.call else { return }
        try wire.send(message, on: id, metadata: metadata)
        call.responseByteCount += message.byteCount
        outputIsReady()
    }

    func send(serialized message: [UInt8], on id: CallID, _ metadata: ResponseMetadata?) {
        guard let call = running[id]?.call else { return }
        wire.send(serialized: message, on: id, metadata: metadata)
        call.responseByteCount += message.count
        outputIsReady()
    }

    func streamWritable(_ id: CallID) {
        if let call = running[id], maySend(on: id) { call.stream?.resume() }
    }

    /// Whether the client has room for a message of a stream; when not, the stream is resumed when it has.
    func maySend(on id: CallID) -> Bool {
        waitingForOutput.mayWrite(id, unwritten: outputByteCount) && wire.canSend(on: id)
    }

    func resumeStreamsWaitingForOutput() {
        let ready = waitingForOutput.takeReady(unwritten: outputByteCount)
        guard !ready.isEmpty else { return }
        // Not from within a write.
        onLoop { for id in ready { $0.streamWritable(id) } }
    }
}
