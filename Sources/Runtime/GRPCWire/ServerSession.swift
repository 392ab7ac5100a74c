import CNGHTTP2
import ProtobufC
import RPCCore
import WireBytes

/// The server's side of one gRPC connection, without I/O: HTTP/2 bytes become call events, and answers become output bytes (PROTOCOL-HTTP2.md).
///
/// This file has the connection's events, the streams and the answers. `+Requests` has the requests, `+Inflation` compressed messages,
/// `+Unfinished` incomplete input, `+Unsent` messages that are dropped unsent, and `PartSize.swift` the size of a part.
public final class ServerSession: ServerWireProtocol {
    let limits: SessionLimits
    let http2: HTTP2Session
    /// What handlers keep until this much of the output has been written.
    var unwritten: [(byteCount: Int, kept: [any AnyObject & Sendable])] = []
    let now: () -> Int64
    // The marked properties are unchecked in release builds: together thirty accesses a call, and each check is expensive. Each access is a single
    // look-up or change that calls no other code.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private(set) var streams = StreamTable<ServerCallStream>()
    /// The stream that was used last. Most input and its answer belong to one stream.
    private var lastStream: ServerCallStream?
    /// Streams that were told to wait for the client's window, or until fewer bytes of all streams wait.
    var blocked: Set<CallID> = []
    /// Whether waiting bytes were dropped since ``blocked`` was looked at. Then no input of the client comes to resume a stream.
    var hasMadeRoom = false
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var unfinished: UnfinishedBudget
    private var pings = PingPolicy()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var flood: FloodGuard
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private(set) var frames = FrameScanner()
    /// The frames of `frames` and of nghttp2's reports that were already counted.
    private var judged = JudgedFrames()
    /// Pings of this side without an answer.
    private var unansweredPings = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var expiry: UnfinishedExpiry
    /// The bytes of all header blocks that are kept.
    let headerBytes = HeaderBytes()
    /// The message whose inflation was interrupted. No input is read and no event handled until it is complete.
    var inflating: InflatingMessage?
    /// The ``Inflation/work`` of this part.
    private(set) var inflationWork = 0
    /// When the present part began, nanoseconds; 0 until it is needed.
    private var partBeganAt: Int64 = 0
    /// Whether nghttp2 is reading. Then there may be events of a stream that is already gone.
    private var isReading = false
    private var drainState = DrainState.none
    private var partSize = PartSize()
    /// What the present part has done.
    var work = PartWork()
    /// Whether events wait for the next part, because the present one is full. No input is read until they are handled, so their order stays.
    private(set) var hasKeptEvents = false

    private enum DrainState { case none, noticed, final }

    /// Nil if there is no memory for it.
    /// - Parameter now: the monotonic clock, nanoseconds.
    public init?(limits: SessionLimits = SessionLimits(), now: @escaping () -> Int64) {
        guard let http2 = HTTP2Session(.server, limits) else { return nil }
        self.http2 = http2
        self.limits = limits
        flood = FloodGuard(maximumGlitchCount: limits.maximumGlitchCount)
        self.now = now
        unfinished = UnfinishedBudget(limit: limits.maximumUnfinishedByteCount)
        expiry = UnfinishedExpiry(timeout: limits.unfinishedTimeout.wholeNanoseconds)
        http2.owner = self
    }

    public var maximumMessageByteCount: Int { limits.maximumMessageByteCount }

    /// When the present part began, nanoseconds on the monotonic clock. The clock is read once.
    var partTime: Int64 {
        if partBeganAt == 0 { partBeganAt = max(1, now()) }
        return partBeganAt
    }

    // MARK: In

    public func receivePart(of bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) -> Int {
        do throws(ProtocolViolation) { return try handlePart(of: bytes, events) } catch {
            dropEvents()
            throw error
        }
    }

    /// Drops the events that wait when the connection ends. The input whose bytes they name is not valid any more, and none of their calls may run.
    private func dropEvents() {
        http2.dropEvents(freeing: true)
        hasKeptEvents = false
    }

    private func handlePart(of bytes: RawSpan, _ events: any ServerCallEvents) throws(ProtocolViolation) -> Int {
        partBeganAt = 0
        inflationWork = 0
        work = PartWork()
        guard !hasUnfinishedWork else {
            try goOnInflating(events)
            http2.pump()
            try endPart(events)
            return 0
        }
        let start = now()
        let taken = try receive(bytes.extracting(first: partSize.byteCount), events)
        // A part with kept events was too large, whatever is in them.
        partSize.adapt(
            callCount: hasKeptEvents ? .max : work.callCount, wasCut: taken < bytes.byteCount, nanoseconds: now() - start)
        return taken
    }

    /// - Returns: how many bytes were read. The others are for the next part.
    private func receive(_ bytes: RawSpan, _ events: any ServerCallEvents) throws(ProtocolViolation) -> Int {
        isReading = true
        defer { isReading = false }
        var violation: ProtocolViolation?
        var taken = 0
        bytes.withUnsafeBytes { bytes in
            do throws(ProtocolViolation) {
                taken = try read(bytes)
                if http2.receivedResetCount != judged.receivedResets { try countReceivedResets() }
                try act(events)
            } catch {
                violation = error
            }
            if hasUnfinishedWork { http2.keepEvents() }
        }
        http2.pump()
        if let violation { throw violation }
        try endPart(events)
        return taken
    }

    private func endPart(_ events: any ServerCallEvents) throws(ProtocolViolation) {
        try act(events)
        // The useful frames among kept events permit idle ones that were read with them.
        if !hasKeptEvents { try judge() }
        grantWaiting()
        tellWritable(events)
        expiry.noteFrame(frames) { partTime }
        if isOver { throw ProtocolViolation("the connection has ended by HTTP/2's rules") }
    }

    /// Reads input. nghttp2 would end the connection for HEADERS on a half-closed stream, but they must end only the stream (RFC 9113, 5.1). So the
    /// stream is removed before they are read, and nghttp2 skips them. It also skips HEADERS and DATA on closed streams, and HEADERS with an id that
    /// was passed over (RFC 9113, 5.1.1). These are answered here. Frames on a stream that the server has reset stay without an answer, because the
    /// client may have sent them before.
    /// - Returns: how many bytes were read: all, or up to a frame before which the part has enough work.
    private func read(_ bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) -> Int {
        frames.beginPart()
        var counted = 0
        var read = 0
        while let mishandled = frames.take(bytes, &counted) {
            try http2.receive(UnsafeRawBufferPointer(rebasing: bytes[read..<mishandled.offset]))
            read = mishandled.offset
            switch mishandled.cause {
            case .priorityOfConnection: try protocolError("priority_on_stream_0", "PRIORITY on stream 0")
            case .passedOver: try protocolError("stream_id_went_back", "HEADERS with an id that was passed over")
            case .headers, .ended: break
            }
            guard http2.isHalfClosed(mishandled.id) || mishandled.cause == .ended && !http2.isOpen(mishandled.id) else { continue }
            http2.reset(mishandled.id, NGHTTP2_STREAM_CLOSED)
            http2.pump()
        }
        try http2.receive(read == 0 && counted == bytes.count ? bytes : UnsafeRawBufferPointer(rebasing: bytes[read..<counted]))
        return counted
    }

    /// Ends the connection for a mistake that nghttp2 lets pass.
    private func protocolError(_ reason: StaticString, _ text: String) throws(ProtocolViolation) {
        http2.submitGoAway(NGHTTP2_PROTOCOL_ERROR, reason)
        throw ProtocolViolation(text)
    }

    /// Handles the waiting events, until the part is full. nghttp2 may have read a thousand calls.
    private func act(_ events: any ServerCallEvents) throws(ProtocolViolation) {
        while inflating == nil {
            guard !work.isFull || !http2.hasEvents else { return hasKeptEvents = true }
            guard let event = http2.takeEvent() else { return hasKeptEvents = false }
            switch event {
            case .headers(let id, let headers, let endOfStream):
                work.halfCall()
                if let headers { openStream(id, headers, events) }
                receiveHeaders(id, endOfStream, events)
                if endOfStream { receiveEnd(id, events) }
            case .data(let id, let bytes): receiveData(id, bytes, events)
            case .endOfData(let id): receiveEnd(id, events)
            case .closed(let id, _): receiveClose(id, events)
            case .ping: try receivePing()
            case .settings: if !flood.receivedSettings() { try calmDown("too_many_settings") }
            case .pingAcknowledged: receivePingAcknowledgement()
            case .goAway: break
            }
        }
    }

    func noteInflated(_ work: Int) {
        inflationWork += work
    }

    private func receivePing() throws(ProtocolViolation) {
        if http2.sentCallFrameCount != judged.sentBeforePing { pings.sentCallFrame() }
        judged.sentBeforePing = http2.sentCallFrameCount
        if !pings.receivedPing(at: now()) { try calmDown("too_many_pings") }
    }

    private func receivePingAcknowledgement() {
        guard unansweredPings > 0 else { return flood.glitch(at: partTime) }
        unansweredPings -= 1
        endDrain()
    }

    /// Counts idle frames and glitches since the last call, and ends the connection if there are too many.
    private func judge() throws(ProtocolViolation) {
        flood.moved(judged.sentFrames(http2))
        let idle = judged.idleFrames(begun: frames, http2)
        if idle > 0 { flood.idle(idle, now) }
        if http2.resetCount != judged.resets { countResets() }
        if flood.glitches.isExceeded { try calmDown("too_many_glitches") }
    }

    private func countResets() {
        for _ in judged.resets..<http2.resetCount { flood.glitch(at: partTime) }
        judged.resets = http2.resetCount
    }

    /// Counts the calls that the client has reset, before those of the same input begin.
    private func countReceivedResets() throws(ProtocolViolation) {
        for _ in judged.receivedResets..<http2.receivedResetCount { flood.reset(at: partTime) }
        judged.receivedResets = http2.receivedResetCount
        if flood.resets.isExceeded { try calmDown("too_many_resets") }
    }

    public func noteRefusal() { flood.glitch(at: now()) }

    /// Sends ENHANCE_YOUR_CALM to a client that floods the server, and ends its connection.
    private func calmDown(_ reason: StaticString) throws(ProtocolViolation) {
        http2.submitGoAway(NGHTTP2_ENHANCE_YOUR_CALM, reason)
        throw ProtocolViolation("\(reason)", isFlood: true)
    }

    public func connectionClosed() -> [AnyObject] {
        let blocks = http2.end()
        lastStream = nil
        blocked = []
        defer { streams = StreamTable() }
        return blocks + streams.values
    }

    public func freeBuffers() {
        http2.dropEvents(freeing: true)
        hasKeptEvents = false
        http2.output.giveBack()
        inflating = nil
        unwritten = []
    }

    // MARK: Drain

    /// Drains in two steps (RFC 9113, 6.8). First it sends a notice that the connection will end, and then a ping. The answer to the ping shows that
    /// the client has read the notice. Then it sends the last call that is served. No call is lost in between.
    public func drain() {
        guard drainState == .none else { return }
        drainState = .noticed
        unansweredPings += 1
        http2.submitShutdownNotice()
    }

    public func endDrain() {
        guard drainState == .noticed else { return }
        drainState = .final
        http2.submitGoAway(NGHTTP2_NO_ERROR, "draining")
    }

    /// True until the client knows which calls are served, and has room for all its answers. Closing earlier would lose some.
    public var peerClosesDrained: Bool {
        http2.pump()
        return drainState == .noticed || !streams.isEmpty
    }

    /// Whether a client that has sent GOAWAY has all its answers, or an error has ended the connection.
    public var isOver: Bool { http2.isOver }

    /// A call has a stream from its headers on, even if its request has not arrived. Kept events may be calls without a stream.
    public var hasPartialInput: Bool { !streams.isEmpty || hasUnfinishedWork }

    // MARK: Out

    public func sendHeartbeat() { http2.submitHeartbeat() }

    public var outputByteCount: Int { http2.outputByteCount }

    public func withOutput(_ write: (RawSpan) -> Int) {
        http2.pump()
        // Written answers make room for requests, so windows are opened now.
        grantWaiting()
        http2.pump()
        let written = write(http2.output.bytes.bytes)
        http2.output.consume(written)
        if !unwritten.isEmpty { noteWritten(written) }
    }

    /// Kept events of input wait for the next part.
    public var hasUnreportedEvents: Bool {
        !isReading && !hasUnfinishedWork && (http2.hasEvents || hasMadeRoom && !blocked.isEmpty && !buffersTooMuch)
    }

    public func reportEvents(to events: any ServerCallEvents) throws(ProtocolViolation) {
        guard hasUnreportedEvents else { return }
        work = PartWork()
        try act(events)
        // They are ends of streams, without bytes of the input. No next part comes for the rest, so they stay to be reported.
        hasKeptEvents = false
        http2.pump()
        tellWritable(events)
    }

    public var hasResponseMetadata: Bool { true }

    public func makeResponseMetadata(for id: CallID) -> ResponseMetadata? {
        let metadata = ResponseMetadata()
        if let stream = stream(id) {
            if stream.compressedCount > 0 { metadata.receivedCompressed(stream.compressedCount) }
            stream.responseMetadata = metadata
        }
        return metadata
    }
}

// MARK: - Streams

extension ServerSession: HTTP2SessionOwner {
    private func openStream(_ id: CallID, _ headers: InboundHeaders.Received, _ events: any ServerCallEvents) {
        let limit = limits.maximumHeaderListByteCount
        let head = headers.block.requestHead ?? RequestHead(headers, limit: limit, headerBytes) { events.method(service: $0, method: $1) }
        headers.block.requestHead = head
        streams.insert(ServerCallStream(id, head, timeout: headers.timeout, messageLimit: limits.maximumMessageByteCount), id)
    }

    func streamClosed(_ id: CallID) -> Bool {
        let mayHaveEvents = isReading || hasUnfinishedWork || http2.hasEvents
        // Its headers may be an event that is not handled yet.
        guard let stream = streams[id] else { return !mayHaveEvents }
        if stream.hasEnded, !stream.isHalfClosed { frames.noteClosedHere(id) }
        // If it was answered before its announced body came, the waiting events are still handled.
        guard stream.hasEnded, !mayHaveEvents || stream.announcedRest ?? 0 == 0 else { return false }
        forget(stream)
        return true
    }

    func takesRest(of id: CallID) -> Bool { stream(id)?.dropsRest ?? false }

    func stream(_ id: CallID) -> ServerCallStream? {
        if let lastStream, lastStream.id == id { return lastStream }
        guard let stream = streams[id] else { return nil }
        lastStream = stream
        return stream
    }

    /// Removes the state of a stream that is gone.
    func forget(_ stream: ServerCallStream) {
        if http2.output.count > Self.unwrittenOfConcern { keepUntilWritten(stream) }
        if stream.body.buffer.count > 0 { hasMadeRoom = true }
        http2.bodyHasShrunk(by: stream.body.buffer.count)
        stream.hasEnded = true
        if stream.dropsRest { expiry.awaitsNoMore() }
        countUnfinished(stream)
        unfinished.forget(stream.id)
        if !blocked.isEmpty { blocked.remove(stream.id) }
        streams.remove(stream.id)
        if lastStream === stream { lastStream = nil }
        grantWaiting()
    }
}

/// Answers out.
extension ServerSession {
    @discardableResult
    public func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) -> StatusCode {
        guard let stream = stream(id), !stream.hasEnded else { return .cancelled }
        do throws(RPCError) {
            try send(response, on: id, metadata: metadata)
        } catch {
            respond(to: id, with: error, metadata: metadata)
            return error.code
        }
        end(stream, ResponseHeaders.success(metadata?.trailing))
        return .ok
    }

    public func respond(to id: CallID, with error: RPCError, metadata: ResponseMetadata?) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        // Initial metadata of the handler is sent even if there is no message.
        if !stream.hasSentHeaders, let metadata, metadata.initial.count > 0 { begin(stream, metadata) }
        guard !stream.hasSentHeaders else {
            // No trailers can follow half a message.
            guard !stream.isTorn else { return reset(stream, NGHTTP2_CANCEL) }
            return end(stream, ResponseHeaders.failure(error, metadata?.trailing, isAlone: false))
        }
        stream.hasEnded = true
        countUnfinished(stream)
        http2.submitResponse(id, ResponseHeaders.failure(error, metadata?.trailing, isAlone: true), body: nil)
    }

    /// REFUSED_STREAM: gRPC clients send such a call again by themselves (gRFC A6). Each reset of this side is a glitch.
    public func refuseUnstarted(_ id: CallID, with error: RPCError, metadata: ResponseMetadata?) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        reset(stream, NGHTTP2_REFUSED_STREAM)
    }

    public func send(_ message: borrowing PackableMessage, on id: CallID, metadata: ResponseMetadata?) throws(RPCError) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        guard !buffersTooMuch else { throw .tooMuchBuffered(http2.bufferedByteCount) }
        let count = try stream.body.append(
            message, encoding: encoding(stream, metadata), limit: limits.maximumMessageByteCount)
        appended(count, to: stream, metadata)
    }

    public func send(serialized message: [UInt8], on id: CallID, metadata: ResponseMetadata?) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        guard let count = stream.body.append(serialized: message, encoding: encoding(stream, metadata)) else { return http2.fail() }
        appended(count, to: stream, metadata)
    }

    public func finish(_ id: CallID, metadata: ResponseMetadata?) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        if !stream.hasSentHeaders { begin(stream, metadata) }
        end(stream, ResponseHeaders.success(metadata?.trailing))
    }

    /// False while bytes of the stream wait for the client's windows, or while all streams together have too many waiting bytes.
    public func canSend(on id: CallID) -> Bool {
        guard let stream = stream(id), !stream.hasEnded else { return false }
        http2.pump()
        if stream.body.buffer.count == 0, !buffersTooMuch { return true }
        blocked.insert(id)
        return false
    }

    // MARK: Steps

    /// Whether no message may be added to those that wait for the client's windows.
    var buffersTooMuch: Bool { http2.bufferedByteCount > limits.maximumBufferedByteCount }

    private func encoding(_ stream: ServerCallStream, _ metadata: ResponseMetadata?) -> MessageEncoding {
        // The encoding of the response headers. If they were sent without one, there is none.
        metadata?.compressesMessages == true ? stream.responseEncoding : .identity
    }

    private func appended(_ byteCount: Int, to stream: ServerCallStream, _ metadata: ResponseMetadata?) {
        http2.bodyHasGrown(stream.id, stream.body, by: byteCount)
        if !stream.hasSentHeaders { begin(stream, metadata) }
    }

    /// Sends the headers that come before the first message.
    private func begin(_ stream: ServerCallStream, _ metadata: ResponseMetadata?) {
        stream.hasSentHeaders = true
        if metadata?.compressesMessages != true { stream.responseEncoding = .identity }
        http2.submitResponse(stream.id, ResponseHeaders.begin(stream.responseEncoding, metadata?.initial), body: stream.body)
    }

    /// Ends a stream without a status.
    func reset(_ stream: ServerCallStream, _ code: nghttp2_error_code) {
        stream.hasEnded = true
        countUnfinished(stream)
        http2.reset(stream.id, code)
    }

    /// Sends the trailers after the waiting messages.
    private func end(_ stream: ServerCallStream, _ trailers: HeaderBlock) {
        stream.hasEnded = true
        countUnfinished(stream)
        stream.body.isFinished = true
        // nghttp2 would send them after an empty DATA frame, and DATA waits for the client's window. Trailers do not (RFC 9113, 6.9).
        guard stream.body.buffer.count > 0 else {
            http2.needsPump = true
            return http2.submitTrailers(Int32(stream.id), trailers)
        }
        stream.body.trailers = trailers
        http2.bodyHasGrown(stream.id, stream.body, by: 0)
    }
}

extension RPCError {
    static func tooMuchBuffered(_ byteCount: Int) -> RPCError {
        limitReached(.connectionUnread, "\(byteCount) bytes of answers wait for this client's flow control")
    }
}
