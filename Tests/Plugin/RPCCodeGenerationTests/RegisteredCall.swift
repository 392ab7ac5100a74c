import ProtobufC
import RPCCore
import Synchronization

/// Calls a registered method without a server. Requests and responses are bytes, and everything runs in the calling task.
struct RegisteredCall {
    private let method: RegisteredMethod
    private let context: CallContext
    private static let id: CallID = 1

    init(_ method: RegisteredMethod) {
        self.method = method
        context = CallContext(
            peer: nil, metadata: Metadata(), deadline: .never, method: method.path, shape: method.shape)
    }

    /// All responses of the handler to these requests, which a half-close follows.
    /// - Throws: what the handler throws, and the error for a request that does not decode.
    func responses<Request: Message, Response: Message>(to requests: [Request]) async throws -> [Response] {
        let payloads = try requests.map { try $0.serializedBytes() }
        let answers = method.shape == .unary ? [try await unary(payloads[0])] : try await streamed(payloads)
        return try answers.map { try Response(serializedBytes: $0) }
    }

    /// Whether a unary method answers without a task.
    func isAnsweredAtOnce(_ request: some Message) throws -> Bool {
        let payload = try request.serializedBytes()
        return try method.start(Self.id, payload: payload.span.bytes, context: context) { _, _ in } == nil
    }

    private func unary(_ payload: [UInt8]) async throws -> [UInt8] {
        var answer: [UInt8]?
        let call: ServerCall?
        do throws(StartFailure) {
            call = try method.start(Self.id, payload: payload.span.bytes, context: context) { response, _ in answer = response.bytes() }
        } catch {
            throw error.error
        }
        if let answer { return answer }
        guard let call else { throw RPCError(.internal, "the call was neither answered nor given back") }
        let queue = OneCall()
        _ = await call.handlers(call, queue)
        return try queue.result()
    }

    private func streamed(_ payloads: [[UInt8]]) async throws -> [[UInt8]] {
        let link = RecordingLink()
        let budgets = StreamBudgets(
            streamByteCount: 1 << 20, reportEvery: 1 << 20, connection: InboundBudget(limit: 1 << 20))
        let end = method.makeServerEnd(link: link, budgets: budgets)
        for payload in payloads {
            if let error = end.receive(payload.span.bytes, byteCount: payload.count) { throw error }
        }
        end.halfClose()
        try await end.run(context)
        let wire = RecordingWire()
        _ = end.finish(Self.id, on: wire, metadata: nil)
        return link.sent + wire.answers
    }
}

/// A queue with one call. It records the call's end.
private final class OneCall: CallQueue {
    private let results = Mutex<[Result<[UInt8], any Error>]>([])

    func next() -> ServerCall? { nil }
    func waitForNext(_ continuation: UnsafeContinuation<ServerCall?, Never>) { continuation.resume(returning: nil) }
    func hold(growthByteCount: Int) {}

    func ended(_ call: ServerCall, with response: borrowing PackableMessage) {
        let bytes = response.bytes()
        results.withLock { $0.append(.success(bytes)) }
    }

    func ended(_ call: ServerCall, throwing error: any Error) { results.withLock { $0.append(.failure(error)) } }

    func ended(_ call: ServerCall) { ended(call, throwing: RPCError(.internal, "a unary call ended as a stream")) }

    /// The result of the call, which must have ended exactly once.
    func result() throws -> [UInt8] {
        let results = results.withLock { $0 }
        guard results.count == 1 else { throw RPCError(.internal, "the call ended \(results.count) times") }
        return try results[0].get()
    }
}

/// A link that is always on its loop, with a peer that always has room.
private final class RecordingLink: StreamLink {
    private let messages = Mutex<[[UInt8]]>([])
    var sent: [[UInt8]] { messages.withLock { $0 } }

    var isOnLoop: Bool { true }
    var maximumMessageByteCount: Int { 1 << 20 }
    func execute(_ work: @escaping @Sendable () -> Void) { work() }

    var notEncodableCode: StatusCode { .internal }
    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError { RPCError(.invalidArgument, "\(error)") }
    func maySend() -> Bool { true }

    func send(_ message: borrowing PackableMessage) throws(RPCError) { send(serialized: message.bytes()) }

    func send(serialized message: [UInt8]) { messages.withLock { $0.append(message) } }

    func consumed(_ byteCount: Int) {}
    func waitingTaskCancelled() {}
    func messageFailed(_ error: RPCError) {}
}

/// Records the response of a client-streaming call. The responses of other shapes go over the link.
private final class RecordingWire: ServerWireProtocol {
    let maximumMessageByteCount = Int.max
    let isOver = false
    private(set) var answers: [[UInt8]] = []

    func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) -> StatusCode {
        answers.append(response.bytes())
        return .ok
    }

    func receivePart(of bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) -> Int { bytes.byteCount }
    func respond(to id: CallID, with error: RPCError, metadata: ResponseMetadata?) {}
    func send(_ message: borrowing PackableMessage, on id: CallID, metadata: ResponseMetadata?) throws(RPCError) {}
    func send(serialized message: [UInt8], on id: CallID, metadata: ResponseMetadata?) {}
    func canSend(on id: CallID) -> Bool { true }
    func finish(_ id: CallID, metadata: ResponseMetadata?) {}
    func consumed(_ byteCount: Int, on id: CallID) {}
    func drain() {}
    func endDrain() {}
    var peerClosesDrained: Bool { false }
    var hasPartialInput: Bool { false }
    var outputByteCount: Int { 0 }
    func withOutput(_ write: (RawSpan) -> Int) {}
    var heldByteCount: Int { 0 }
    var blockedByteCount: Int { 0 }
    var hasUnfinishedWork: Bool { false }
    var nextExpiry: Int64 { .max }
    func expireUnfinished(at now: Int64, events: any ServerCallEvents) throws(ProtocolViolation) {}
    func dropUnfinished(_ byteCount: Int, _ error: RPCError, events: any ServerCallEvents) {}
    func noteRefusal() {}
}
