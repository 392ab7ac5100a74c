import CNGHTTP2
import RPCCore

/// What is not sent yet: messages that wait for a client's windows, the streams that wait because of them, and the objects that handlers keep until
/// their answers are sent. A waiting message may also be dropped.
extension ServerSession {
    public var blockedStreams: [CallID] {
        let blocked = streams.values.filter(isBlocked)
        return blocked.count < streams.count ? blocked.map(\.id) : []
    }

    public func neglectedStreams(unlessTaken byteCount: Int) -> [CallID] {
        var neglected: [CallID] = []
        for stream in streams.values where isBlocked(stream) {
            let body = stream.body
            if body.sentOfWaiting < body.enough {
                neglected.append(stream.id)
            } else {
                body.enough = body.sentOfWaiting + min(body.buffer.count, byteCount)
            }
        }
        return neglected
    }

    public func endBlockedStreams(_ ids: ArraySlice<CallID>, events: any ServerCallEvents) {
        for id in ids {
            guard let stream = stream(id), isBlocked(stream) else { continue }
            dropWaiting(of: stream)
            let wasRunning = !stream.hasEnded
            reset(stream, NGHTTP2_ENHANCE_YOUR_CALM)
            if wasRunning { events.wireProtocolEnded(id, .resourceExhausted, unreported: stream.unreportedMethod) }
        }
    }

    private func isBlocked(_ stream: ServerCallStream) -> Bool { stream.body.buffer.count > stream.body.packedByteCount }

    public func dropUnsent(on id: CallID) {
        guard let stream = stream(id), !stream.hasEnded, stream.body.buffer.count > 0 else { return }
        // What the windows permit is sent.
        http2.pump()
        dropWaiting(of: stream)
    }

    /// Drops waiting messages of a stream, except what nghttp2 has packed into a frame.
    private func dropWaiting(of stream: ServerCallStream) {
        let body = stream.body
        let (waiting, packed) = (body.buffer.count, body.packedByteCount)
        guard waiting > packed else { return }
        if body.sentOfWaiting + packed > 0 { stream.isTorn = true }
        body.buffer.truncate(to: packed)
        http2.bodyHasShrunk(by: waiting - packed)
        hasMadeRoom = true
    }

    /// Tells the streams that wait for room when there is some.
    func tellWritable(_ events: any ServerCallEvents) {
        hasMadeRoom = false
        guard !blocked.isEmpty else { return }
        for id in blocked {
            guard let stream = stream(id), !stream.hasEnded else {
                blocked.remove(id)
                continue
            }
            // If much output waits for the socket, the connection asks again after it was written.
            guard (stream.body.buffer.count == 0 && !buffersTooMuch) || http2.outputIsFull else { continue }
            blocked.remove(id)
            events.streamWritable(id)
        }
    }

    /// Bytes of output that wait for the socket. If there are more when a stream ends, the stream's kept objects stay until that output is written
    /// (``CallContext/keepUntilSent(_:)``). Otherwise they are freed at once.
    static let unwrittenOfConcern = 64 << 10

    /// Takes over the objects that a stream's handler keeps, until the present output has been written. The stream itself ends earlier: as soon as
    /// its last bytes are in the output.
    func keepUntilWritten(_ stream: ServerCallStream) {
        guard let kept = stream.responseMetadata?.takeKept(), !kept.isEmpty else { return }
        unwritten.append((http2.output.count, kept))
    }

    /// Notes how many bytes of the output were written.
    func noteWritten(_ byteCount: Int) {
        for index in unwritten.indices { unwritten[index].byteCount -= byteCount }
        unwritten.removeAll { $0.byteCount <= 0 }
    }
}
