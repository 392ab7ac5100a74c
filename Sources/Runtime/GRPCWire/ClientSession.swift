import CNGHTTP2
import ProtobufC
import RPCCore

/// The client's side of one gRPC connection, without I/O: calls become output bytes, and input bytes become call events (PROTOCOL-HTTP2.md).
///
/// The class handles input. The extension “Calls out” sends calls.
public final class ClientSession: ClientWireProtocol {
    /// The stream id from which the connection should be replaced by a new one, long before the ids run out.
    public static let defaultRenewalStreamID: UInt32 = 1 << 30

    let limits: SessionLimits
    let http2: HTTP2Session
    var streams: [CallID: ClientCallStream] = [:]
    /// Streams that wait for the server's window.
    var blocked: Set<CallID> = []
    private let renewalStreamID: UInt32
    private let now: () -> Int64
    private var serverDrains = false
    /// Whether the server's SETTINGS have come.
    public private(set) var hasGreeted = false
    /// Whether a call has ended while something waited to be sent, and the server has taken nothing since.
    private var serverTakesNothing = false
    /// Whether events are being reported.
    private var isReporting = false
    /// Bytes of single responses that wait for their status, decompressed.
    private(set) var heldByteCount = 0

    /// Nil if there is no memory for it.
    /// - Parameters:
    ///   - renewalStreamID: the id from which ``needsRenewal`` is true.
    ///   - now: the monotonic clock, nanoseconds. Default: a clock that stands still, so that no deadline passes.
    public init?(
        limits: SessionLimits = SessionLimits(), renewalStreamID: UInt32 = defaultRenewalStreamID, now: @escaping () -> Int64 = { 0 }
    ) {
        guard let http2 = HTTP2Session(.client, limits) else { return nil }
        self.http2 = http2
        self.limits = limits
        self.renewalStreamID = renewalStreamID
        self.now = now
        http2.owner = self
    }

    public var needsRenewal: Bool { serverDrains || http2.nextStreamID.map { $0 >= renewalStreamID } ?? true }

    public func receive(_ bytes: RawSpan, events: any ClientCallEvents) throws(ProtocolViolation) {
        isReporting = true
        defer { isReporting = false }
        var violation: ProtocolViolation?
        bytes.withUnsafeBytes { bytes in
            do throws(ProtocolViolation) { try http2.receive(bytes) } catch { violation = error }
            act(events)
        }
        actAfterPump(events)
        if let violation { throw violation }
        try checkIsNotOver()
    }

    public var hasUnreportedEvents: Bool { !isReporting && (http2.hasEvents || http2.hasFailed) }

    public func reportEvents(to events: any ClientCallEvents) throws(ProtocolViolation) {
        isReporting = true
        defer { isReporting = false }
        act(events)
        actAfterPump(events)
        try checkIsNotOver()
    }

    private func actAfterPump(_ events: any ClientCallEvents) {
        http2.pump()
        act(events)
        tellWritable(events)
    }

    private func checkIsNotOver() throws(ProtocolViolation) {
        if http2.isOver { throw ProtocolViolation("the connection has ended by HTTP/2's rules") }
    }

    private func act(_ events: any ClientCallEvents) {
        while let event = http2.takeEvent() {
            switch event {
            case .headers(let id, let headers?, let endOfStream): receiveHeaders(id, headers, endOfStream, events)
            case .data(let id, let bytes): receiveData(id, bytes, events)
            case .endOfData(let id): end(id, .failure(RPCError(.internal, "the call ended without a status")), events)
            case .closed(let id, let code): receiveClose(id, code, events)
            case .goAway:
                guard !serverDrains else { continue }
                serverDrains = true
                events.serverDrains()
                endQueued(events)
            case .settings: hasGreeted = true
            case .headers, .ping, .pingAcknowledged: break
            }
        }
    }

    private func tellWritable(_ events: any ClientCallEvents) {
        guard !blocked.isEmpty else { return }
        // If much output waits for the socket, the connection asks again after it was written.
        let isFull = http2.outputIsFull
        for id in blocked where streams[id].map({ isFull || $0.hasEnded || $0.body.buffer.count == 0 }) ?? true {
            blocked.remove(id)
            if streams[id]?.hasEnded == false { events.streamWritable(id) }
        }
    }

    // MARK: Headers

    private func receiveHeaders(_ id: CallID, _ headers: InboundHeaders.Received, _ endOfStream: Bool, _ events: any ClientCallEvents) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        let head = ReceivedResponseHead(headers, limit: limits.maximumHeaderListByteCount)
        if endOfStream { return finish(stream, head, events) }
        // An interim answer (1xx) is ignored, and so are trailers without END_STREAM.
        guard !stream.hasHeaders, !(100..<200).contains(head.httpStatus) else { return }
        stream.hasHeaders = true
        if let refusal = head.refusal { return end(id, .failure(refusal), events) }
        stream.encoding = head.encoding ?? .identity
        events.initialMetadata(id, head.metadata)
    }

    /// The server has said how the call ends.
    private func finish(_ stream: ClientCallStream, _ head: ReceivedResponseHead, _ events: any ClientCallEvents) {
        var ending = head.end
        if case .success = ending {
            if stream.assembler.unfinishedByteCount > 0 {
                ending = .failure(RPCError(.internal, "the answer ends within a message"))
            } else if stream.takesOneResponse, stream.held == nil {
                ending = .failure(.wrongResponseCount("none"))
            }
        }
        end(stream.id, ending, trailing: head.metadata, events)
    }

    // MARK: Messages

    private func receiveData(_ id: CallID, _ bytes: UnsafeRawBufferPointer, _ events: any ClientCallEvents) {
        http2.consumeOnConnection(bytes.count)
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.pace.arrived(bytes.count)
        var input = bytes
        while !stream.hasEnded, let step = stream.assembler.next(&input) {
            switch step {
            case .message(let isCompressed, let payload): receiveMessage(stream, isCompressed, payload, events)
            case .oversized(let count): end(id, .failure(.oversized(count, limit: limits.maximumMessageByteCount)), events)
            case .malformed: end(id, .failure(RPCError(.internal, "a message begins with neither 0 nor 1")), events)
            case .noMemory: end(id, .failure(.noMemory(bytes.count)), events)
            }
        }
        if !stream.hasEnded { grant(stream) }
    }

    private func receiveMessage(
        _ stream: ClientCallStream, _ isCompressed: Bool, _ payload: UnsafeRawBufferPointer, _ events: any ClientCallEvents
    ) {
        guard isCompressed else { return deliver(stream, payload, payload.count, events) }
        guard stream.encoding != .identity else {
            return end(stream.id, .failure(RPCError(.internal, "a compressed message in an answer that names no grpc-encoding")), events)
        }
        stream.responseMetadata?.receivedCompressed()
        guard stream.takesOneResponse else { return deliverCompressed(stream, payload, events) }
        do throws(RPCError) {
            let message = try stream.encoding.decompressAnswer(payload, limit: limits.maximumMessageByteCount)
            message.withUnsafeBytes { deliver(stream, $0, payload.count, events) }
        } catch {
            end(stream.id, .failure(error), events)
        }
    }

    /// Reports a compressed message of a stream as it came. The window counts compressed bytes, and a slow reader may have all of it waiting. So the
    /// message is decompressed when it is read.
    private func deliverCompressed(_ stream: ClientCallStream, _ payload: UnsafeRawBufferPointer, _ events: any ClientCallEvents) {
        let wireByteCount = MessageAssembler.prefixByteCount + payload.count
        stream.pace.delivered(wireByteCount)
        let limit = limits.maximumMessageByteCount
        let decompressor = stream.decompressor ?? StreamDecompressor(stream.encoding, limit: limit, isTrusted: true)
        stream.decompressor = decompressor
        let failure = events.compressedStreamMessage(stream.id, payload: payload.bytes, byteCount: wireByteCount, decompressor: decompressor)
        if let failure { end(stream.id, .failure(failure), events) }
    }

    /// - Parameter byteCount: the message's bytes on the wire, without its prefix.
    private func deliver(_ stream: ClientCallStream, _ message: UnsafeRawBufferPointer, _ byteCount: Int, _ events: any ClientCallEvents) {
        guard stream.takesOneResponse else {
            let wireByteCount = MessageAssembler.prefixByteCount + byteCount
            stream.pace.delivered(wireByteCount)
            return events.streamMessage(stream.id, payload: message.bytes, byteCount: wireByteCount)
        }
        guard stream.held == nil else { return end(stream.id, .failure(.wrongResponseCount("more than one")), events) }
        // One answer is always taken, however large the limit of a message is.
        guard heldByteCount == 0 || heldByteCount + message.count <= limits.maximumUnfinishedByteCount else {
            let error = RPCError(.resourceExhausted, "\(heldByteCount) bytes of answers on this connection wait for their status")
            return end(stream.id, .failure(error), events)
        }
        stream.held = Array(message)
        heldByteCount += message.count
    }

    /// The response of a call that takes one, if it has come.
    private func takeHeld(_ stream: ClientCallStream) -> [UInt8]? {
        heldByteCount -= stream.held?.count ?? 0
        return stream.held.take()
    }

    public func consumed(_ byteCount: Int, on id: CallID) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.pace.taken(byteCount)
        grant(stream)
    }

    private func grant(_ stream: ClientCallStream) {
        let granted = stream.pace.grant(unfinished: stream.assembler.unfinishedByteCount, slack: SessionLimits.unreportedSlack)
        if granted > 0 { http2.consume(granted, on: stream.id) }
    }

    // MARK: Ends

    private func receiveClose(_ id: CallID, _ code: UInt32, _ events: any ClientCallEvents) {
        guard let stream = streams[id] else { return }
        defer { forget(stream) }
        guard !stream.hasEnded else { return }
        if code == NGHTTP2_REFUSED_STREAM.rawValue, !stream.hasHeaders {
            stream.hasEnded = true
            events.unprocessed(id, RPCError(resetCode: code))
        } else {
            let isLate = code == NGHTTP2_CANCEL.rawValue && stream.deadline.hasPassed(at: now())
            end(id, .failure(RPCError(resetCode: code, isLate: isLate)), events)
        }
    }

    /// Ends the calls that wait for the server's limit of streams. nghttp2 sends none of them after a GOAWAY.
    private func endQueued(_ events: any ClientCallEvents) {
        for id in streams.keys.filter({ http2.isQueued($0) }).sorted() {
            guard let stream = streams[id], !stream.hasEnded else { continue }
            stream.hasEnded = true
            dropQueuedBody(stream)
            events.unprocessed(id, RPCError(.unavailable, "the server takes no more calls on this connection", origin: .peer))
        }
    }

    /// Frees the body of an ended call of which nothing was sent. nghttp2 keeps its headers until a stream is free, and does not read its body.
    private func dropQueuedBody(_ stream: ClientCallStream) {
        http2.bodyHasShrunk(by: stream.body.buffer.count)
        stream.body.buffer.removeAll(keeping: 0)
        blocked.remove(stream.id)
    }

    private func end(_ id: CallID, _ ending: ClientCallEnd, trailing: Metadata = Metadata(), _ events: any ClientCallEvents) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.hasEnded = true
        let answer = takeHeld(stream) ?? []
        // The server takes no more requests, or must not send any more. In both cases the stream is over.
        if http2.isOpen(id) { http2.reset(id, NGHTTP2_CANCEL) }
        events.ended(id, ending, payload: answer.span.bytes, trailing: trailing)
    }
}

extension ClientSession: HTTP2SessionOwner {
    /// False: input after the end of a call is not needed.
    func takesRest(of id: CallID) -> Bool { false }

    func streamClosed(_ id: CallID) -> Bool {
        guard let stream = streams[id] else { return true }
        guard stream.hasEnded else { return false }
        forget(stream)
        return true
    }

    /// Removes the state of a stream that is gone.
    private func forget(_ stream: ClientCallStream) {
        http2.bodyHasShrunk(by: stream.body.buffer.count)
        _ = takeHeld(stream)
        blocked.remove(stream.id)
        streams[stream.id] = nil
    }
}

extension RPCError {
    /// gRPC's status codes name `UNIMPLEMENTED` for what it calls a cardinality violation (statuscodes.md).
    static func wrongResponseCount(_ count: String) -> RPCError {
        RPCError(.unimplemented, "the call has one response; the server sent \(count)")
    }
}

/// Calls out.
extension ClientSession {
    public var outputByteCount: Int { http2.outputByteCount }

    public func withOutput(_ write: (RawSpan) -> Int) {
        http2.pump()
        let count = write(http2.output.bytes.bytes)
        if count > 0 { serverTakesNothing = false }
        http2.output.consume(count)
    }

    public func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
        try checkRoom()
        let headers = try headers(method.service, method.method, timeout, options)
        let body = OutboundBody()
        var count = 0
        try method.requestCodec.lend(request, orElse: .invalidArgument) { (request) throws(RPCError) in
            count = try body.append(request, encoding: MessageEncoding(options.requestCompression), limit: limits.maximumMessageByteCount)
        }
        body.isFinished = true
        return try submit(headers, body, method.shape, timeout, options, byteCount: count)
    }

    public func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
        try checkRoom()
        let headers = try headers(method.service, method.method, timeout, options)
        return try submit(headers, OutboundBody(), method.shape, timeout, options, byteCount: 0)
    }

    /// A server that takes nothing must not cost this side ever more memory, though its calls end at their deadlines. How much may wait for a server
    /// that does take something is the caller's choice.
    private func checkRoom() throws(RPCError) {
        guard serverTakesNothing else { return }
        let byteCount = http2.unsentByteCount
        guard byteCount <= limits.maximumUnsentByteCount else {
            throw RPCError(.resourceExhausted, "\(byteCount) bytes wait on this connection until the server takes them")
        }
    }

    public func send(_ message: borrowing PackableMessage, on id: CallID) throws(RPCError) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        let count = try stream.body.append(message, encoding: MessageEncoding(stream.compression), limit: limits.maximumMessageByteCount)
        http2.bodyHasGrown(id, stream.body, by: count)
    }

    public func send(serialized message: [UInt8], on id: CallID) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        guard let count = stream.body.append(serialized: message, encoding: MessageEncoding(stream.compression)) else { return http2.fail() }
        http2.bodyHasGrown(id, stream.body, by: count)
    }

    /// The room is that of the server's windows. There is none while bytes wait for them.
    public func canSend(on id: CallID) -> Bool {
        guard let stream = streams[id], !stream.hasEnded else { return false }
        http2.pump()
        if stream.body.buffer.count == 0 { return true }
        blocked.insert(id)
        return false
    }

    /// A call that waits for the server's limit of streams begins when another one is cancelled here. Its first message is then written with the
    /// cancellation, and nothing comes from the server.
    public func takeWritable() -> [CallID] {
        guard !blocked.isEmpty else { return [] }
        let writable = blocked.filter { streams[$0]?.body.buffer.count == 0 }
        blocked.subtract(writable)
        return Array(writable)
    }

    public func halfClose(_ id: CallID) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.body.isFinished = true
        http2.bodyHasGrown(id, stream.body, by: 0)
    }

    public func isQueued(_ id: CallID) -> Bool { http2.isQueued(id) }

    /// At its deadline too, as gRPC's clients do.
    public func cancel(_ id: CallID, atDeadline: Bool) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.hasEnded = true
        http2.reset(id, NGHTTP2_CANCEL)
        if http2.isQueued(id) { dropQueuedBody(stream) }
        if http2.unsentByteCount > 0 { serverTakesNothing = true }
    }

    private func submit(
        _ headers: HeaderBlock, _ body: OutboundBody, _ shape: CallShape, _ timeout: Int64, _ options: CallOptions, byteCount: Int
    ) throws(RPCError) -> CallID {
        guard let id = http2.submitRequest(headers, body: body) else {
            throw RPCError(.unavailable, "the connection takes no more calls")
        }
        let deadline: Deadline = timeout == 0 ? .never : Deadline(now: now(), timeoutNanoseconds: timeout)
        streams[id] = ClientCallStream(
            id, shape, options, body: body, deadline: deadline, messageLimit: limits.maximumMessageByteCount)
        http2.bodyHasGrown(id, body, by: byteCount)
        return id
    }

    private func headers(_ service: String, _ method: String, _ timeout: Int64, _ options: CallOptions) throws(RPCError) -> HeaderBlock {
        for entry in options.metadata where !MetadataHeaders.canCarry(entry) {
            throw RPCError(.invalidArgument, "gRPC cannot carry the metadata pair \(entry.key)")
        }
        var headers = HeaderBlock()
        headers.append(":method", "POST")
        headers.append(":scheme", "http")
        headers.append(":path", "/\(service)/\(method)".utf8)
        // A socket has no host. gRPC for Go sends the same.
        headers.append(":authority", "localhost")
        headers.append("content-type", "application/grpc")
        headers.append("te", "trailers")
        headers.append("grpc-accept-encoding", MessageEncoding.accepted)
        if let compression = options.requestCompression { headers.append("grpc-encoding", MessageEncoding(compression.method).name) }
        if timeout != 0 { headers.append("grpc-timeout", Timeout.text(nanoseconds: max(1, timeout)).utf8) }
        MetadataHeaders.append(options.metadata, to: &headers)
        guard headers.byteCount <= http2.headerListLimit else {
            throw RPCError(.resourceExhausted, "the call's headers have \(headers.byteCount) bytes; \(http2.headerListLimit) are possible")
        }
        return headers
    }
}

/// The state of one call on the client's side.
final class ClientCallStream {
    let id: CallID
    let shape: CallShape
    let body: OutboundBody
    /// The deadline of the call. Its caller ends the call then. Here it only explains a reset.
    let deadline: Deadline
    var assembler: MessageAssembler
    var pace = InboundPace()
    var hasHeaders = false
    var encoding = MessageEncoding.identity
    /// Decompresses the messages of a stream when they are taken.
    var decompressor: (any MessageDecompressor)?
    let compression: RequestCompression?
    /// Counts responses that came compressed.
    let responseMetadata: ResponseMetadata?
    /// The one response of a unary or client-streaming call, until its status has come.
    var held: [UInt8]?
    /// Whether the call is over. Then no event of it is reported and nothing of it is sent.
    var hasEnded = false

    init(_ id: CallID, _ shape: CallShape, _ options: CallOptions, body: OutboundBody, deadline: Deadline, messageLimit: Int) {
        self.id = id
        self.shape = shape
        self.deadline = deadline
        compression = options.requestCompression
        responseMetadata = options.responseMetadata
        self.body = body
        assembler = MessageAssembler(limit: messageLimit)
    }

    var takesOneResponse: Bool { shape == .unary || shape == .clientStreaming }
}
