import CNGHTTP2
import RPCCore

/// Incomplete input of a client: its memory, and when it expires.
extension ServerSession {
    /// Memory of an open stream besides its headers and bodies, here and in nghttp2, bytes. A body or a piece of a message takes at least a block of
    /// 1 KiB, however short it is.
    private static let streamByteCount = 2 << 10

    public var heldByteCount: Int {
        http2.sessionByteCount + http2.output.heldByteCount + http2.bufferedByteCount + unfinished.byteCount + headerBytes.count
            + http2.inbound.heldByteCount + streams.count * Self.streamByteCount + (inflating?.heldByteCount ?? 0) + http2.keptByteCount
    }

    public var blockedByteCount: Int { http2.bufferedByteCount }

    public var unfinishedByteCount: Int { unfinished.byteCount }

    // MARK: Time

    public var nextExpiry: Int64 {
        if expiry.awaitsNothing, unfinished.byteCount == 0 { expiry.isKnown(.max) }
        return expiry.next
    }

    /// The streams that are ended at once. The others have an expiry in the past, so the host asks again soon.
    private static let expiredAtOnce = 32

    public func expireUnfinished(at now: Int64, events: any ServerCallEvents) throws(ProtocolViolation) {
        var next = Int64.max
        var ended = 0
        for stream in streams.values {
            guard let end = expiry(of: stream) else { continue }
            if end > now || ended == Self.expiredAtOnce {
                next = min(next, end)
                continue
            }
            ended += 1
            if stream.dropsRest {
                http2.reset(stream.id, NGHTTP2_NO_ERROR)
            } else {
                violation(stream, .tookTooLong(hasDeadline: deadline(of: stream) <= now, expiry.timeout), events)
            }
        }
        expiry.isKnown(next)
        http2.pump()
        // What the ended calls had buffered makes room for others.
        tellWritable(events)
        if expiry.frameExpiry <= now {
            tellWhyClosing("unfinished_frame")
            throw ProtocolViolation("a frame has taken too long to arrive")
        }
    }

    public func tellWhyClosing(_ reason: StaticString) {
        http2.submitGoAway(NGHTTP2_ENHANCE_YOUR_CALM, reason)
        http2.pump()
    }

    public func dropUnfinished(_ byteCount: Int, _ error: RPCError, events: any ServerCallEvents) {
        var dropped = 0
        for stream in streams.values where stream.isAwaited || stream.countedUnfinished > 0 || stream === inflating?.stream {
            guard dropped < byteCount else { break }
            dropped +=
                Self.streamByteCount + stream.countedUnfinished + stream.countedHeld
                + (stream === inflating?.stream ? inflating?.heldByteCount ?? 0 : 0)
            violation(stream, error, events)
        }
        http2.pump()
    }

    /// When the incomplete input of a stream expires; nil if there is none, or if it waits for this side.
    private func expiry(of stream: ServerCallStream) -> Int64? {
        if stream.dropsRest { return expiry.end(stream.unfinishedSince) }
        // The message is complete.
        if stream === inflating?.stream { return stream.isAwaited ? deadline(of: stream) : nil }
        guard stream.isAwaited || stream.countedUnfinished > 0 else { return nil }
        // The client is not to blame for the time in which it may not send. The call's deadline counts all the same.
        let deadline = stream.isAwaited ? deadline(of: stream) : .max
        if stream.isHeldBack || waitsForWindow(stream) { return deadline }
        return min(expiry.end(stream.unfinishedSince), deadline)
    }

    /// Whether the incomplete message of a stream waits for this side: its client may send less than a frame of it now. A client with more window
    /// than that has to use it, however long the message is.
    func waitsForWindow(_ stream: ServerCallStream) -> Bool {
        http2.receiveWindow(of: stream.id) < min(stream.assembler.missingByteCount, Self.frameByteCount)
    }

    /// The most bytes of a DATA frame, unless the peers agree on more (RFC 9113, section 6.5.2).
    private static let frameByteCount = 16 << 10

    /// The deadline of the call.
    private func deadline(of stream: ServerCallStream) -> Int64 {
        stream.timeout == 0 ? .max : Deadline(now: stream.openedAt, timeoutNanoseconds: max(0, stream.timeout)).nanoseconds
    }

    // MARK: Beginning and end

    /// A call waits for its single request.
    func awaitRequest(of stream: ServerCallStream) {
        stream.isAwaited = true
        stream.unfinishedSince = stream.openedAt
        expiry.awaits(until: min(expiry.end(stream.openedAt), deadline(of: stream)))
    }

    /// A message of a stream has begun to arrive.
    func startMessageTimeout(of stream: ServerCallStream) {
        stream.unfinishedSince = partTime
        expiry.messageBegan(expiry.end(stream.unfinishedSince))
    }

    /// The single request of a call has arrived, or is not needed any more.
    func stopAwaitingRequest(of stream: ServerCallStream) {
        stream.isAwaited = false
        expiry.awaitsNoMore()
    }

    /// A stream that had to wait for this side may send again.
    func restartTimeout(of stream: ServerCallStream) {
        stream.isHeldBack = false
        stream.unfinishedSince = now()
        let end = expiry.end(stream.unfinishedSince)
        expiry.messageBegan(stream.isAwaited ? min(end, deadline(of: stream)) : end)
    }
}

extension RPCError {
    static func tookTooLong(hasDeadline: Bool, _ timeout: Int64) -> RPCError {
        hasDeadline
            ? RPCError(.deadlineExceeded, "the call's deadline passed before its request was whole")
            : RPCError(.deadlineExceeded, "a request has taken more than \(timeout / 1_000_000) ms to arrive")
    }
}
