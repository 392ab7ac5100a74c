import RPCCore

/// What a client has begun to send and not finished.
extension ServerSession {
    /// What an open stream takes, bytes, its place in the table included.
    private static let streamByteCount = 128

    public var heldByteCount: Int { reader.heldByteCount + output.count + streams.count * Self.streamByteCount }

    /// What there is to send waits for the socket alone: a stream whose client has no room takes no message.
    public var blockedByteCount: Int { 0 }

    /// ttrpc compresses nothing.
    public var hasUnfinishedWork: Bool { false }

    public var nextExpiry: Int64 { frameSince == 0 ? .max : Deadline(now: frameSince, timeoutNanoseconds: frameTimeout).nanoseconds }

    /// Notes at the end of a part whether a frame is unfinished: another than before where one has ended.
    @inline(__always)
    func noteFrame(isNew: Bool) {
        if !reader.isMidFrame {
            frameSince = 0
        } else if isNew || frameSince == 0 {
            frameSince = max(1, now())
        }
    }

    public func expireUnfinished(at now: Int64, events: any ServerCallEvents) throws(ProtocolViolation) {
        if nextExpiry <= now { throw ProtocolViolation("a frame has taken too long to arrive") }
    }

    public func dropUnfinished(_ error: RPCError, events: any ServerCallEvents) {
        guard let header = reader.dropPartial() else { return }
        refuseUnread(header, error, events)
    }

    public func noteRefusal() { glitches.take(at: now()) }
}
