import ProtobufC
import RPCCore

extension ServerSession {
    private static let responsePayloadTag: UInt8 = 2 << 3 | 2

    public var outputByteCount: Int { output.count }

    public func withOutput(_ write: (RawSpan) -> Int) { output.write(write) }

    /// ttrpc has no metadata in this direction.
    public func makeResponseMetadata(for id: CallID) -> ResponseMetadata? { nil }

    public func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) {
        forget(id)
        do throws(RPCError) {
            try output.append(response, .response, id, payloadTag: Self.responsePayloadTag)
        } catch {
            respond(to: id, with: error, metadata: nil)
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

    /// A call that has ended leaves no trace. Unary calls never had one.
    private func forget(_ id: CallID) {
        if !streams.isEmpty { streams[id] = nil }
    }
}
