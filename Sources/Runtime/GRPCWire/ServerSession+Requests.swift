import CNGHTTP2
import RPCCore

/// Calls in: handles the client's frames.
extension ServerSession {
    // MARK: Headers

    func receiveHeaders(_ id: CallID, _ endOfStream: Bool, _ events: any ServerCallEvents) {
        guard let stream = stream(id) else { return }
        // On an open stream these are trailers, which are ignored. A stream that was reset at once never starts.
        guard stream.openedAt == 0 else {
            if !endOfStream { breakOff(stream, events) }
            return
        }
        flood.moved()
        stream.openedAt = partTime
        guard http2.isOpen(id) else { return }
        let head = stream.head
        if let refusal = head.refusal { return refuse(stream, refusal, endOfStream) }
        stream.method = head.method
        guard let method = stream.method else { return }
        if method.takesOneRequest, !endOfStream { awaitRequest(of: stream) }
        guard method.shape != .unary else { return }
        stream.responseEncoding = head.responseEncoding
        events.streamOpened(id, method, timeout: stream.timeout, metadata: head.metadata)
    }

    /// Ends a call whose frames break a rule of HTTP/2: trailers without END_STREAM, or a body with a wrong length (RFC 9113, 8.1).
    private func breakOff(_ stream: ServerCallStream, _ events: any ServerCallEvents) {
        if !stream.hasEnded { events.wireProtocolEnded(stream.id, .internal, unreported: stream.unreportedMethod) }
        stream.hasEnded = true
        // Once is enough.
        stream.announcedRest = nil
        countUnfinished(stream)
        http2.reset(stream.id, NGHTTP2_PROTOCOL_ERROR)
    }

    private func refuse(_ stream: ServerCallStream, _ refusal: RequestHead.Refusal, _ endOfStream: Bool) {
        flood.glitch(at: partTime)
        switch refusal {
        case .malformed:
            stream.hasEnded = true
            http2.reset(stream.id, NGHTTP2_PROTOCOL_ERROR)
        case .http(let refusal):
            stream.hasEnded = true
            if !endOfStream { passOver(stream) }
            let headers = ResponseHeaders.http(refusal)
            // The answer to HEAD has the same headers and no body (RFC 9110, 9.3.2).
            guard !stream.head.isHead else { return http2.submitResponse(stream.id, headers, body: nil) }
            let text = ResponseHeaders.text(refusal)
            stream.body.buffer.append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
            stream.body.isFinished = true
            http2.submitResponse(stream.id, headers, body: stream.body)
            http2.bodyHasGrown(stream.id, stream.body, by: text.utf8CodeUnitCount)
        case .status(let error): respond(to: stream.id, with: error, metadata: nil)
        }
    }

    // MARK: Messages

    func receiveData(_ id: CallID, _ bytes: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        // All streams share the connection's window, so it opens at once. Each stream also has its own window.
        http2.consumeOnConnection(bytes.count)
        guard let stream = stream(id) else {
            // It may have been read together with the request that was refused.
            if !frames.wasClosedHere(id) { flood.idle(1, now) }
            return
        }
        if stream.announcedRest != nil, !takeAnnounced(bytes.count, of: stream) { return breakOff(stream, events) }
        guard !stream.hasEnded else { return drop(bytes.count, of: stream) }
        flood.moved()
        stream.pace.arrived(bytes.count)
        readMessages(stream, bytes, events)
    }

    func readMessages(_ stream: ServerCallStream, _ bytes: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        var input = bytes
        while !stream.hasEnded, let step = stream.assembler.next(&input) {
            switch step {
            case .message(let isCompressed, let payload):
                receiveMessage(stream, isCompressed, payload, input, events)
                // The rest is read when this message is complete.
                if inflating != nil { return countUnfinished(stream) }
            case .oversized(let count): violation(stream, .oversized(count, limit: limits.maximumMessageByteCount), events)
            case .malformed: violation(stream, RPCError(.internal, "a message begins with neither 0 nor 1"), events)
            case .noMemory: violation(stream, .noMemory(input.count), events)
            }
        }
        // A message that has ended its call, or is the only one, is not counted as incomplete. So its memory must not stay.
        if stream.hasEnded || stream.method?.takesOneRequest == true { stream.assembler.freeRoom() }
        countUnfinished(stream)
        if stream.countedUnfinished + stream.countedHeld > 0, unfinished.isExceeded {
            let error = RPCError.limitReached(.connectionUnfinished, "\(unfinished.byteCount) bytes of unfinished messages on this connection")
            events.unfinishedLimitReached()
            violation(stream, error, events)
        }
        if !stream.hasEnded { grant(stream) }
        grantWaiting()
    }

    /// Counts bytes of a body with an announced length. False if there are too many, or too few at the end.
    private func takeAnnounced(_ byteCount: Int, of stream: ServerCallStream) -> Bool {
        let rest = (stream.announcedRest ?? 0) - byteCount
        stream.announcedRest = rest
        return rest == 0 || rest > 0 && !http2.endComesNext(stream.id)
    }

    /// Reads and drops the rest of a request. Clients that do not speak gRPC treat a reset as a failure, even if the answer came before it (curl
    /// 7.88).
    private func passOver(_ stream: ServerCallStream) {
        stream.dropsRest = true
        stream.unfinishedSince = partTime
        expiry.awaits(until: expiry.end(partTime))
    }

    /// Drops input for a call that is over.
    private func drop(_ byteCount: Int, of stream: ServerCallStream) {
        stream.droppedByteCount += byteCount
        guard stream.dropsRest else {
            // The client may have sent it before it knew of the end.
            stream.droppedByteCount += FrameScanner.headerByteCount
            if stream.droppedByteCount > FrameScanner.mostLateBytes { flood.idle(1, now) }
            return
        }
        flood.idle(1, now)
        guard stream.droppedByteCount <= limits.maximumMessageByteCount else { return http2.reset(stream.id, NGHTTP2_NO_ERROR) }
        http2.consume(byteCount, on: stream.id)
    }

    /// Counts the incomplete message of a stream. A call that has ended keeps nothing.
    func countUnfinished(_ stream: ServerCallStream) {
        if stream.hasEnded {
            stream.assembler.forgetUnfinished()
            stream.held = nil
        }
        let now = stream.assembler.unfinishedByteCount
        if stream.isAwaited {
            if stream.hasEnded || stream.isHalfClosed { stopAwaitingRequest(of: stream) }
        } else if now > 0, stream.unfinishedSince == 0 {
            startMessageTimeout(of: stream)
        }
        unfinished.changed(stream.id, from: stream.countedUnfinished, to: now)
        stream.countedUnfinished = now
        let held = stream.held?.count ?? 0
        unfinished.heldChanged(from: stream.countedHeld, to: held)
        stream.countedHeld = held
    }

    /// - Parameter input: the bytes after it.
    private func receiveMessage(
        _ stream: ServerCallStream, _ isCompressed: Bool, _ payload: UnsafeRawBufferPointer, _ input: UnsafeRawBufferPointer,
        _ events: any ServerCallEvents
    ) {
        stream.messageCount += 1
        guard let method = stream.method else { return }
        if stream.messageCount > 1, method.takesOneRequest {
            return violation(stream, .wrongMessageCount(method, "more than one"), events)
        }
        guard isCompressed else {
            return deliver(stream, method, payload, input.isEmpty && http2.endComesNext(stream.id), events)
        }
        guard stream.head.encoding != .identity else {
            return violation(stream, RPCError(.internal, "a compressed message in a call that names no grpc-encoding"), events)
        }
        guard method.takesOneRequest else { return deliverCompressed(stream, payload, events) }
        inflate(stream, payload, input, events)
    }

    /// Reports a compressed message of a stream as it came. The window counts compressed bytes, and a slow handler may have all of it waiting. So the
    /// message is decompressed when the handler takes it.
    private func deliverCompressed(_ stream: ServerCallStream, _ payload: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        noteCompressed(stream)
        noteDelivered(stream, payload.count)
        let limit = limits.maximumMessageByteCount
        let decompressor = stream.decompressor ?? StreamDecompressor(stream.head.encoding, limit: limit, isTrusted: false)
        stream.decompressor = decompressor
        let byteCount = MessageAssembler.prefixByteCount + payload.count
        let failure = events.compressedStreamMessage(stream.id, payload: payload.bytes, byteCount: byteCount, decompressor: decompressor)
        if let failure { violation(stream, failure, events) }
    }

    /// Counts a complete message of a stream.
    private func noteDelivered(_ stream: ServerCallStream, _ byteCount: Int) {
        work.message(byteCount)
        stream.pace.delivered(MessageAssembler.prefixByteCount + byteCount)
        stream.unfinishedSince = 0
    }

    /// - Parameter isLast: whether the client has already closed its half.
    func deliver(
        _ stream: ServerCallStream, _ method: RegisteredMethod, _ message: UnsafeRawBufferPointer, _ isLast: Bool, _ events: any ServerCallEvents
    ) {
        guard method.takesOneRequest else {
            noteDelivered(stream, message.count)
            return events.streamMessage(stream.id, payload: message.bytes, byteCount: MessageAssembler.prefixByteCount + message.count)
        }
        // Not before the client has closed its half, so that there is no second message.
        if isLast {
            http2.dropEvent()
            deliverOnly(stream, method, message, events)
        } else {
            stream.held = Array(message)
        }
    }

    /// Reports the single request of a call whose client has closed its half.
    private func deliverOnly(
        _ stream: ServerCallStream, _ method: RegisteredMethod, _ message: UnsafeRawBufferPointer, _ events: any ServerCallEvents
    ) {
        work.request(message.count)
        stream.isHalfClosed = true
        let id = stream.id
        guard method.shape == .unary else {
            events.streamMessage(id, payload: message.bytes, byteCount: MessageAssembler.prefixByteCount + message.count)
            if !stream.hasEnded { events.streamHalfClosed(id) }
            return
        }
        // If it was reset in the same part of a burst, it never starts.
        guard http2.isOpen(id) else { return }
        stream.isReported = true
        let head = stream.head
        stream.responseEncoding = head.responseEncoding
        // The time that the request needed to arrive counts.
        events.unaryRequest(
            id, method, payload: message.bytes, timeout: stream.timeout, since: stream.openedAt, metadata: head.metadata)
    }

    // MARK: Ends

    /// The client has closed its half.
    func receiveEnd(_ id: CallID, _ events: any ServerCallEvents) {
        guard let stream = stream(id) else { return }
        if let rest = stream.announcedRest, rest != 0 { return breakOff(stream, events) }
        guard !stream.hasEnded, !stream.isHalfClosed, let method = stream.method else { return }
        stream.isHalfClosed = true
        guard stream.assembler.unfinishedByteCount == 0 else {
            return violation(stream, RPCError(.internal, "the call's requests end within a message"), events)
        }
        guard method.takesOneRequest else {
            work.halfCall()
            return events.streamHalfClosed(id)
        }
        guard stream.messageCount > 0 else {
            return violation(stream, .wrongMessageCount(method, "none"), events)
        }
        guard let held = stream.held.take() else { return }
        held.withUnsafeBytes { deliverOnly(stream, method, $0, events) }
        countUnfinished(stream)
    }

    /// The stream is gone: reset by the client, or because it broke a rule of HTTP/2.
    func receiveClose(_ id: CallID, _ events: any ServerCallEvents) {
        guard let stream = stream(id) else { return }
        let wasRunning = !stream.hasEnded && stream.method != nil
        stream.hasEnded = true
        forget(stream)
        guard wasRunning else { return }
        work.halfCall()
        events.wireProtocolEnded(id, .cancelled, unreported: stream.unreportedMethod)
    }

    /// Ends a call whose client has broken a rule of gRPC, and its handler.
    func violation(_ stream: ServerCallStream, _ error: RPCError, _ events: any ServerCallEvents) {
        flood.glitch(at: partTime)
        work.halfCall()
        events.wireProtocolEnded(stream.id, error.code, unreported: stream.unreportedMethod)
        respond(to: stream.id, with: error, metadata: nil)
    }

    // MARK: Pace

    public func consumed(_ byteCount: Int, on id: CallID) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        stream.pace.taken(byteCount)
        grant(stream)
        grantWaiting()
    }

    private func grant(_ stream: ServerCallStream) {
        if stream.pace.isBehind(slack: SessionLimits.unreportedSlack) {
            // It waits for its reader, so it must not have the turn that others wait for.
            unfinished.giveWay(stream.id)
        } else if stream.countedUnfinished > 0 {
            guard unfinished.mayGoOn(stream.id, answersWait: answersWait) else { return stream.isHeldBack = true }
        }
        if stream.countedUnfinished > 0, stream.isHeldBack || waitsForWindow(stream) { restartTimeout(of: stream) }
        let granted = stream.pace.grant(unfinished: stream.assembler.unfinishedByteCount, slack: SessionLimits.unreportedSlack)
        if granted > 0, !stream.isHalfClosed { http2.consume(granted, on: stream.id) }
    }

    /// Whether so many answers are unread that the client must not send more large requests.
    private var answersWait: Bool { http2.bufferedByteCount > limits.maximumBufferedByteCount / 2 }

    /// Continues the streams that had to wait for other messages to become complete, or for answers to be read.
    func grantWaiting() {
        while let id = unfinished.takeReady(answersWait: answersWait) {
            if let stream = stream(id), !stream.hasEnded { grant(stream) }
        }
    }
}

extension RegisteredMethod {
    var takesOneRequest: Bool { shape == .unary || shape == .serverStreaming }
}

extension RPCError {
    /// gRPC's status codes name `UNIMPLEMENTED` for what it calls a cardinality violation (statuscodes.md).
    static func wrongMessageCount(_ method: RegisteredMethod, _ count: String) -> RPCError {
        RPCError(.unimplemented, "\(method.path) takes one request; the call has \(count)")
    }
}
