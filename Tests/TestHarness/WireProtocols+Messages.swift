import ProtobufC
import RPCCore

/// Sends messages of tests. The layers above the wire protocol handle messages that cannot be encoded.
extension ServerWireProtocol {
    /// Receives all bytes, part by part.
    package func receive(_ bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) {
        var taken = 0
        while taken < bytes.byteCount || hasUnfinishedWork {
            taken += try receivePart(of: bytes.extracting(taken..<bytes.byteCount), events: events)
        }
    }

    package func respond(to id: CallID, with response: some Message, metadata: ResponseMetadata?) {
        do throws(EncodingError) {
            try response.withPackable { respond(to: id, with: $0, metadata: metadata) }
        } catch {
            respond(to: id, with: .unencodableAnswer, metadata: metadata)
        }
    }

    package func send(_ message: some Message, on id: CallID, metadata: ResponseMetadata?) throws(RPCError) {
        try MessageCodec().lend(message, orElse: .internal) { (message) throws(RPCError) in try send(message, on: id, metadata: metadata) }
    }
}

extension ClientWireProtocol {
    package func send(_ message: some Message, on id: CallID) throws(RPCError) {
        try MessageCodec().lend(message, orElse: .invalidArgument) { (message) throws(RPCError) in try send(message, on: id) }
    }
}
