import ProtobufC
import RPCCore

/// Answers out.
extension ServerSession {
    public func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        do throws(RPCError) {
            try send(response, on: id, metadata: metadata)
        } catch {
            return respond(to: id, with: error, metadata: metadata)
        }
        end(stream, StatusHeaders.success(metadata?.trailing))
    }

    public func respond(to id: CallID, with error: RPCError, metadata: ResponseMetadata?) {
        guard let stream = stream(id), !stream.hasEnded else { return }
        // Initial metadata that the handler has set goes out even when nothing else comes of the call.
        if !stream.hasSentHeaders, let metadata, metadata.initial.count > 0 { begin(stream, metadata) }
        guard !stream.hasSentHeaders else { return end(stream, StatusHeaders.failure(error, metadata?.trailing, isAlone: false)) }
        stream.hasEnded = true
        countUnfinished(stream)
        http2.submitResponse(id, StatusHeaders.failure(error, metadata?.trailing, isAlone: true), body: nil)
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
        end(stream, StatusHeaders.success(metadata?.trailing))
    }

    /// Room is what the client's windows give: while bytes wait for them, there is none. Nor is there for any stream while all of them together
    /// have too much that waits.
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

    private func encoding(_ stream: ServerStream, _ metadata: ResponseMetadata?) -> MessageEncoding {
        // What the headers have named, or will name; once they have gone out without a name there is none.
        metadata?.compressesMessages == true ? stream.responseEncoding : .identity
    }

    private func appended(_ byteCount: Int, to stream: ServerStream, _ metadata: ResponseMetadata?) {
        http2.bodyHasGrown(stream.id, stream.body, by: byteCount)
        if !stream.hasSentHeaders { begin(stream, metadata) }
    }

    /// Sends the headers that come before the first message.
    private func begin(_ stream: ServerStream, _ metadata: ResponseMetadata?) {
        stream.hasSentHeaders = true
        if metadata?.compressesMessages != true { stream.responseEncoding = .identity }
        http2.submitResponse(stream.id, StatusHeaders.begin(stream.responseEncoding, metadata?.initial), body: stream.body)
    }

    /// Sends the trailers, behind what waits to be sent.
    private func end(_ stream: ServerStream, _ trailers: HeaderBlock) {
        stream.hasEnded = true
        countUnfinished(stream)
        stream.body.trailers = trailers
        stream.body.isFinished = true
        http2.bodyHasGrown(stream.id, stream.body, by: 0)
    }
}

extension RPCError {
    static func tooMuchBuffered(_ byteCount: Int) -> RPCError {
        RPCError(.resourceExhausted, "\(byteCount) bytes of answers wait for this client's flow control")
    }
}
