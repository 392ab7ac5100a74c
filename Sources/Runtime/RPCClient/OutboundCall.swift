import ProtobufC
import RPCCore
import SocketTransport
import Synchronization

/// A call that waits for its end, with its message types erased. Loop-bound. It ends once; later ends are ignored.
protocol PendingCall: AnyObject {
    var hasEnded: Bool { get }
    /// The connection and the id of the call, once it was sent.
    var sentOn: (connection: ClientConnection, id: CallID)? { get set }
    /// Whether it has a single request, which was sent at once, so that it can be made again.
    var isWhole: Bool { get }
    /// The timer of the call's deadline.
    var timer: LoopTimer? { get set }

    /// A message of a stream, borrowed.
    func receive(_ payload: RawSpan, byteCount: Int)
    /// A message of a stream that is still compressed, borrowed.
    func receive(compressed payload: RawSpan, byteCount: Int, _ decompressor: any MessageDecompressor)
    /// Metadata came before the first message.
    func receive(initial metadata: Metadata)
    /// The call was sent, or the server has room again: messages may be written.
    func resume()
    /// Ends the call with the end that the wire protocol reported; `payload` is borrowed.
    func end(_ end: ClientCallEnd, payload: RawSpan, trailing: Metadata)
    /// Ends the call without an answer from the server.
    func end(_ error: RPCError)

    /// Ends the call because its connection was lost. What has come of a stream is read first, as before a failure that the server sends.
    func connectionLost(_ error: RPCError)
}

extension PendingCall {
    /// Frees what an ended call holds.
    /// - Parameter error: why this side has ended the call; nil if the server has.
    func release(on loop: EventLoop, endedHereBy error: RPCError?) {
        if let timer { loop.cancel(timer) }
        timer = nil
        if let (connection, id) = sentOn { connection.forget(id, endedHereBy: error) }
        sentOn = nil
    }
}

/// One running unary call.
final class OutboundCall<Response: Message>: PendingCall {
    private var continuation: CheckedContinuation<Result<Response, RPCError>, Never>?
    private let loop: EventLoop
    private let codec: MessageCodec<Response>
    private let responseMetadata: ResponseMetadata?
    /// Called when the headers of the response come. The call forgets it at its end, because it may hold the call.
    private var whenBegun: (@Sendable () -> Void)?
    var timer: LoopTimer?
    var sentOn: (connection: ClientConnection, id: CallID)?

    init(
        _ continuation: CheckedContinuation<Result<Response, RPCError>, Never>, _ codec: MessageCodec<Response>, loop: EventLoop,
        responseMetadata: ResponseMetadata?, whenBegun: (@Sendable () -> Void)?
    ) {
        self.continuation = continuation
        self.codec = codec
        self.loop = loop
        self.responseMetadata = responseMetadata
        self.whenBegun = whenBegun
    }

    var isWhole: Bool { true }

    var hasEnded: Bool { continuation == nil }

    func receive(_ payload: RawSpan, byteCount: Int) {}

    func receive(compressed payload: RawSpan, byteCount: Int, _ decompressor: any MessageDecompressor) {}

    func receive(initial metadata: Metadata) {
        responseMetadata?.begin(metadata)
        whenBegun?()
    }

    func resume() {}

    func end(_ end: ClientCallEnd, payload: RawSpan, trailing: Metadata) {
        responseMetadata?.trailing = trailing
        switch end {
        case .failure(let error): resume(.failure(error))
        case .success:
            do throws(DecodingError) {
                resume(.success(try codec.decode(payload)))
            } catch {
                resume(.failure(.undecodableAnswer(Response.descriptor, error)))
            }
        }
    }

    func end(_ error: RPCError) { resume(.failure(error), endedHereBy: error) }

    func connectionLost(_ error: RPCError) { end(error) }

    private func resume(_ result: Result<Response, RPCError>, endedHereBy error: RPCError? = nil) {
        guard let continuation else { return }
        self.continuation = nil
        whenBegun = nil
        release(on: loop, endedHereBy: error)
        continuation.resume(returning: result)
    }
}

extension RPCError {
    static func undecodableAnswer(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError {
        RPCError(.internal, "the answer is not a valid \(descriptor.fullName): \(error)")
    }
}

/// Passes a task's cancellation, which may come on any thread at any time, to its call on the loop.
final class CallHandle: Sendable {
    private struct State {
        var isCancelled = false
        var cancelCall: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Connects the handle with its call. True if the task has already been cancelled; then the call must not start.
    func register<Response>(_ call: LoopBound<OutboundCall<Response>>) -> Bool {
        let cancel: @Sendable () -> Void = {
            call.loop.execute { call.value.end(.taskCancelled) }
        }
        return state.withLock { state in
            state.cancelCall = cancel
            return state.isCancelled
        }
    }

    func cancel() {
        let cancelCall = state.withLock { state in
            state.isCancelled = true
            return state.cancelCall
        }
        cancelCall?()
    }
}
