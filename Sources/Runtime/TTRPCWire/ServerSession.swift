import ProtobufC
import RPCCore
import WireBytes

/// The server's side of one ttrpc connection, without I/O: input bytes become calls, and their ends become output bytes.
///
/// Source: ttrpc `PROTOCOL.md`, and the behaviour of the Go and Rust implementations (`docs/wire-protocols.md`). The client chooses stream ids, which
/// are odd and increasing. A frame that breaks a rule ends only its own stream.
public final class ServerSession: ServerWireProtocol {
    /// (Unchecked in release builds, like ``output``: one access a call. The reader calls no other code.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var reader: FrameReader
    private let limit: Int
    private var lastStreamID: UInt32 = 0
    /// The methods of earlier requests. It changes only while a method is looked up, so not while a method is lent to a request.
    /// (Unchecked in release builds, like ``output``: one access a call. It calls no other code.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var knownMethods = KnownMethods()
    /// (Unchecked in release builds, like ``output``: one access a call. It calls no other code.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var knownMetadata = KnownMetadata()
    /// (Unchecked in release builds: five accesses a call, and each check is expensive. Code that is called during an access does not know
    /// the session: `FrameOutput` calls protobuf-c, and the socket's `write`, which lends bytes.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var output: FrameOutput
    /// The open streaming calls. Unary calls are not here.
    /// (Unchecked in release builds, like ``output``: one access a call. No other code runs during an access.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private(set) var streams: [UInt32: ServerStreamState] = [:]
    /// Refused frames of the present part.
    private var refusedInPart = 0
    private var peerKnowsDrain = false
    private var isDraining = false
    /// Whether the client has been sent a Drain. A client that asked for Drain closes the connection itself.
    public var peerClosesDrained: Bool { hasToldPeerToClose }
    private var hasToldPeerToClose = false
    /// The monotonic clock, nanoseconds.
    private let now: () -> Int64
    /// How long a frame may take to arrive, nanoseconds.
    private let frameTimeout: Int64
    /// When the incomplete frame began, nanoseconds on the monotonic clock; 0 if there is none.
    private var frameSince: Int64 = 0
    /// (Unchecked in release builds, like ``output``: one access for each read. It calls no other code.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var glitches: GlitchBudget
    /// The calls that the client has cancelled. (Checked in release builds too, because only Cancel frames use it.)
    private var cancels = GlitchBudget(burst: GlitchBudget.cancelBurst)
    /// The most bytes of a stream that its client may have sent before it knew that the server had ended it: what waits in it and in the sockets.
    static let mostLateBytes = 2 << 20
    private var ended = StreamsEndedHere(byteCount: mostLateBytes)

    /// - Parameters:
    ///   - maximumMessageByteCount: data of one frame, bytes, both ways; at most ttrpc's own limit of 4 MiB.
    ///   - frameTimeout: how long a frame may take to arrive.
    ///   - maximumGlitchCount: glitches that may come at once.
    ///   - now: the monotonic clock, nanoseconds.
    public init(
        maximumMessageByteCount: Int = TTRPCLimits.maximumDataLength, frameTimeout: Duration = .seconds(10),
        maximumGlitchCount: Int = GlitchBudget.burst, now: @escaping () -> Int64
    ) {
        glitches = GlitchBudget(burst: maximumGlitchCount)
        self.now = now
        self.frameTimeout = frameTimeout.wholeNanoseconds
        limit = min(maximumMessageByteCount, TTRPCLimits.maximumDataLength)
        reader = FrameReader(limit: limit)
        output = FrameOutput(limit: limit)
    }

    public var hasPartialInput: Bool { reader.isMidFrame }

    /// ttrpc's connections end when one side closes them, or has no memory for them.
    public var isOver: Bool { output.isIncomplete || reader.isLost }

    /// In ttrpc every broken frame gets an answer. Only too many of them end the connection.
    public func receivePart(of bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) -> Int {
        let taken = bytes.withUnsafeBytes { bytes in
            var input = bytes
            // Frames that count for the part: all except messages of open streams.
            var callCount = 0
            var frameCount = 0
            var byteCount = 0
            refusedInPart = 0
            // Read once, because they are not inlined.
            let (mostCalls, mostFrames, mostBytes) = (Self.callsInPart, Self.messagesInPart, Self.bytesInPart)
            // Also without input, because the reader then frees the last frame.
            while callCount + refusedInPart < mostCalls, frameCount < mostFrames,
                byteCount < mostBytes || input.isEmpty, let frame = reader.next(&input)
            {
                frameCount += 1
                switch frame {
                case .complete(let header, let data):
                    byteCount += data.count
                    if header.kind != FrameKind.data.rawValue { callCount += 1 }
                    receive(header, data, events)
                case .oversized(let header): refuseOversized(header, events)
                }
            }
            noteFrame(isNew: frameCount > 0)
            return bytes.count - input.count
        }
        if isOver { throw ProtocolViolation("there is no memory for this connection") }
        if glitches.isExceeded {
            throw ProtocolViolation("the client floods the connection with frames that move nothing", isFlood: true)
        }
        return taken
    }

    @inline(__always)
    private func receive(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        switch FrameKind(rawValue: header.kind) {
        case .request:
            do throws(RequestEnvelope.Failure) { try receiveRequest(header, data, events) } catch { refuse(header, error, events) }
        case .data: receiveData(header, data, events)
        case .response: refuse(header, .invalidArgument, "a client sends no responses", events)
        case .cancel:
            // Like a reset in HTTP/2: it is normal to cancel a call that runs or has just ended, but not thousands each second.
            cancels.take(at: now())
            if cancels.isExceeded { glitches.exceed() }
            streams[header.streamID] = nil
            events.wireProtocolEnded(header.streamID, .cancelled, unreported: nil)
        case .window: receiveWindow(header, data, events)
        case .drain, nil: glitches.take(at: now())
        }
    }

    public var maximumMessageByteCount: Int { limit }

    // MARK: Requests

    @inline(__always)
    private func receiveRequest(
        _ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents
    ) throws(RequestEnvelope.Failure) {
        guard header.streamID % 2 == 1 else {
            return refuse(header, .invalidArgument, "stream id \(header.streamID) is even; a client's are odd", events)
        }
        guard header.streamID > lastStreamID else {
            return refuse(
                header, .invalidArgument, "stream id \(header.streamID) is not above \(lastStreamID), the last one used", events)
        }
        lastStreamID = header.streamID
        // Tried before the look-up. Then the names need not be read.
        if let known = knownMethods.match(data) {
            let envelope = try readEnvelope(data, from: known.byteCount)
            // If the names occur twice, the last ones count.
            if !envelope.namesMethod { return known.method._withUnsafeGuaranteedRef { start($0, header, envelope, events) } }
        }
        try receiveByName(header, data, events)
    }

    /// Takes a request whose method is looked up. (Not inlined, so that the path of known methods is inlined.)
    @inline(never)
    private func receiveByName(
        _ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents
    ) throws(RequestEnvelope.Failure) {
        let whole = try readEnvelope(data, from: 0)
        guard let found = events.method(service: whole.service.bytes, method: whole.method.bytes) else {
            glitches.take(at: now())
            noteRest(of: header)
            return respond(
                to: header.streamID, with: .unimplemented(service: whole.service.bytes, method: whole.method.bytes), metadata: nil)
        }
        knownMethods.note(found)
        start(found, header, whole, events)
    }

    /// Reads a request's envelope after the bytes that name its method, if those are known. (It throws if the request is refused, because an optional
    /// of this size is slow.)
    @inline(__always)
    private func readEnvelope(_ data: UnsafeRawBufferPointer, from offset: Int) throws(RequestEnvelope.Failure) -> RequestEnvelope {
        let envelope = try RequestEnvelope(UnsafeRawBufferPointer(rebasing: data[offset...]), &knownMetadata)
        if envelope.extensions.drain { learnDrain() }
        return envelope
    }

    private func start(_ method: RegisteredMethod, _ header: FrameHeader, _ envelope: RequestEnvelope, _ events: any ServerCallEvents) {
        guard method.shape == .unary else { return openStream(header, method, envelope, events) }
        events.unaryRequest(
            header.streamID, method, payload: envelope.payload.bytes, timeout: envelope.timeoutNanoseconds, since: .max, metadata: envelope.metadata)
    }

    /// The method decides the shape, not the flags, because a client without streaming may call a streaming method.
    private func openStream(
        _ header: FrameHeader, _ method: RegisteredMethod, _ envelope: RequestEnvelope, _ events: any ServerCallEvents
    ) {
        let id = header.streamID
        let clientStreams = method.shape != .serverStreaming
        streams[id] = ServerStreamState(clientStreams: clientStreams, window: envelope.extensions.window)
        if clientStreams, envelope.extensions.window != nil { output.appendWindow(ReceiveWindow.initialLimit, id) }
        events.streamOpened(id, method, timeout: envelope.timeoutNanoseconds, metadata: envelope.metadata)
        if streams[id] != nil, !clientStreams || envelope.payload.count > 0 {
            events.streamMessage(id, payload: envelope.payload.bytes, byteCount: FrameHeader.byteCount + envelope.payload.count)
        }
        if !clientStreams || header.flags & FrameFlags.remoteClosed != 0 { halfClose(id, events) }
    }

    private func learnDrain() {
        peerKnowsDrain = true
        if isDraining { drain() }
    }

    public func freeBuffers() {
        reader.giveBack()
        output.giveBack()
        streams = [:]
    }

    public func drain() {
        isDraining = true
        guard peerKnowsDrain, !hasToldPeerToClose else { return }
        hasToldPeerToClose = true
        output.append([], .drain, 0)
    }

    /// Does nothing, because the Drain frame is enough.
    public func endDrain() {}

    // MARK: Streams

    private func receiveData(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        let id = header.streamID
        let isLast = header.flags & FrameFlags.remoteClosed != 0
        let hasMessage = header.flags & FrameFlags.noData == 0
        guard let stream = streams[id] else {
            // Without a message and an end, a frame is never needed.
            if !hasMessage, !isLast, ended.contains(id) { return glitches.take(at: now()) }
            if ended.take(FrameHeader.byteCount + data.count, of: id) { return }
            return refuse(header, .invalidArgument, "stream \(id) takes no data: it is unknown, unary or finished", events)
        }
        guard !stream.isHalfClosed else {
            // The single request of a server-streaming call closes the client's half. A client may close it again.
            if isLast, !hasMessage, !stream.clientStreams { return glitches.take(at: now()) }
            return refuse(header, .invalidArgument, "stream \(id) takes no data: its client has closed it", events)
        }
        if hasMessage {
            events.streamMessage(id, payload: data.bytes, byteCount: FrameHeader.byteCount + data.count)
        } else if !isLast {
            glitches.take(at: now())
        }
        if isLast { halfClose(id, events) }
    }

    private func halfClose(_ id: UInt32, _ events: any ServerCallEvents) {
        // The stream is gone if the previous message has ended the call.
        guard streams[id] != nil else { return }
        streams[id]?.isHalfClosed = true
        events.streamHalfClosed(id)
    }

    private func receiveWindow(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        // A Window for a stream that has just ended is not a mistake.
        guard streams[header.streamID] != nil else { return glitches.take(at: now()) }
        guard let limit = FrameOutput.windowLimit(data) else {
            return refuse(header, .invalidArgument, "a window has eight bytes, not \(data.count)", events)
        }
        if streams[header.streamID]?.sending.gives(limit) == false { glitches.take(at: now()) }
        if streams[header.streamID]?.sending.raise(to: limit) == true { events.streamWritable(header.streamID) }
    }

    // MARK: Refusals

    private func refuseOversized(_ header: FrameHeader, _ events: any ServerCallEvents) {
        refuseUnread(
            header, header.dataLength > limit
                ? .oversized(header.dataLength, limit: limit) : .noMemory(header.dataLength),
            events)
    }

    /// Answers a frame whose data was not kept.
    private func refuseUnread(_ header: FrameHeader, _ error: RPCError, _ events: any ServerCallEvents) {
        // A frame of an unknown type gets no answer.
        guard let kind = FrameKind(rawValue: header.kind), [.request, .response, .data].contains(kind) else {
            return glitches.take(at: now())
        }
        if kind == .request, header.streamID % 2 == 1, header.streamID > lastStreamID {
            lastStreamID = header.streamID
            noteRest(of: header)
        }
        refuse(header, error, events)
    }

    /// A refused request may be the beginning of a stream. Its client may send messages before it knows of the refusal, and they get no answers.
    private func noteRest(of header: FrameHeader) {
        if header.flags & FrameFlags.remoteClosed == 0 { ended.append(header.streamID) }
    }

    private func refuse(_ header: FrameHeader, _ failure: RequestEnvelope.Failure, _ events: any ServerCallEvents) {
        noteRest(of: header)
        switch failure {
        case .malformed: refuse(header, .invalidArgument, "the request envelope is malformed", events)
        case .tooMuchMetadata:
            refuse(
                header,
                .limitReached(
                    .metadataSize,
                    "a request may carry \(RequestEnvelope.maximumMetadataCount) metadata pairs of \(RequestEnvelope.maximumMetadataByteCount) bytes at most"),
                events)
        }
    }

    /// Answers a frame that breaks a rule, and ends the call with its id, because an id gets only one answer.
    private func refuse(
        _ header: FrameHeader, _ code: StatusCode, _ message: String, _ events: any ServerCallEvents
    ) {
        refuse(header, RPCError(code, message), events)
    }

    private func refuse(_ header: FrameHeader, _ error: RPCError, _ events: any ServerCallEvents) {
        glitches.take(at: now())
        refusedInPart += 1
        events.wireProtocolEnded(header.streamID, error.code, unreported: nil)
        respond(to: header.streamID, with: error, metadata: nil)
    }
}

/// The state of one open streaming call on the server's side.
struct ServerStreamState {
    let clientStreams: Bool
    var isHalfClosed = false
    var sending: SendWindow
    /// Nil for a client without windows.
    var receiving: ReceiveWindow?

    init(clientStreams: Bool, window: UInt64?) {
        self.clientStreams = clientStreams
        sending = SendWindow(limit: window)
        receiving = window == nil ? nil : ReceiveWindow()
    }
}

extension ServerSession {
    private static let responsePayloadTag: UInt8 = 2 << 3 | 2

    public var outputByteCount: Int { output.count }

    public func withOutput(_ write: (RawSpan) -> Int) { output.write(write) }

    @discardableResult
    public func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) -> StatusCode {
        forget(id)
        do throws(RPCError) {
            try output.append(response, .response, id, payloadTag: Self.responsePayloadTag)
            return .ok
        } catch {
            respond(to: id, with: error, metadata: nil)
            return error.code
        }
    }

    public func respond(to id: CallID, with error: RPCError, metadata: ResponseMetadata?) {
        forget(id)
        output.append(StatusEnvelope.response(error, limit: output.limit), .response, id)
    }

    public func send(_ message: borrowing PackableMessage, on id: CallID, metadata: ResponseMetadata?) throws(RPCError) {
        let before = output.count
        try output.append(message, .data, id, payloadTag: nil)
        streams[id]?.sending.sent(output.count - before)
    }

    public func send(serialized message: [UInt8], on id: CallID, metadata: ResponseMetadata?) {
        output.append(message, .data, id)
        streams[id]?.sending.sent(FrameHeader.byteCount + message.count)
    }

    public func canSend(on id: CallID) -> Bool { streams[id]?.sending.isOpen ?? false }

    public func finish(_ id: CallID, metadata: ResponseMetadata?) {
        forget(id)
        output.append([], .data, id, flags: FrameFlags.remoteClosed | FrameFlags.noData)
    }

    public func consumed(_ byteCount: Int, on id: CallID) {
        guard streams[id]?.isHalfClosed == false, let limit = streams[id]?.receiving?.consumed(byteCount) else { return }
        output.appendWindow(limit, id)
    }

    /// Removes the state of an ended stream. Unary calls have none.
    private func forget(_ id: CallID) {
        guard !streams.isEmpty, let stream = streams.removeValue(forKey: id) else { return }
        if stream.clientStreams, !stream.isHalfClosed { ended.append(id) }
    }
}

/// Incomplete input, and the memory of the session.
extension ServerSession {
    /// Memory of an open stream, bytes, with its entry in the table.
    private static let streamByteCount = 128

    public var heldByteCount: Int { reader.heldByteCount + output.heldByteCount + streams.count * Self.streamByteCount }

    /// All output waits only for the socket, because a stream whose client has no room takes no message.
    public var blockedByteCount: Int { 0 }

    public var unfinishedByteCount: Int { reader.isMidFrame ? reader.heldByteCount : 0 }

    /// ttrpc compresses nothing.
    public var hasUnfinishedWork: Bool { false }

    public var nextExpiry: Int64 { frameSince == 0 ? .max : Deadline(now: frameSince, timeoutNanoseconds: frameTimeout).nanoseconds }

    /// Notes at the end of a part whether a frame is incomplete. If a frame has ended since the last part, it is a new one.
    @inline(__always)
    private func noteFrame(isNew: Bool) {
        if !reader.isMidFrame {
            frameSince = 0
        } else if isNew || frameSince == 0 {
            frameSince = max(1, now())
        }
    }

    public func expireUnfinished(at now: Int64, events: any ServerCallEvents) throws(ProtocolViolation) {
        if nextExpiry <= now { throw ProtocolViolation("a frame has taken too long to arrive") }
    }

    public func dropUnfinished(_ byteCount: Int, _ error: RPCError, events: any ServerCallEvents) {
        guard let header = reader.dropPartial() else { return }
        refuseUnread(header, error, events)
    }

    public func noteRefusal() { glitches.take(at: now()) }
}
