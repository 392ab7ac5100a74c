import ProtobufC
import RPCCore

/// The server's side of one ttrpc connection, without any I/O: bytes in → calls; their ends → bytes out.
///
/// Source: ttrpc `PROTOCOL.md`, and how the Go and Rust implementations behave (`docs/wire-protocols.md`). Stream ids are the client's:
/// odd and rising. One frame that breaks a rule costs its own stream, never the connection.
public final class ServerSession: ServerWireProtocol {
    private var reader: FrameReader
    private var output = ByteBuffer()
    private let limit: Int
    private var lastStreamID: UInt32 = 0

    /// - Parameter maximumMessageByteCount: data of one frame, bytes, both ways; at most ttrpc's own limit of 4 MiB.
    public init(maximumMessageByteCount: Int = TTRPCLimits.maximumDataLength) {
        limit = min(maximumMessageByteCount, TTRPCLimits.maximumDataLength)
        reader = FrameReader(limit: limit)
    }

    public var outputByteCount: Int { output.count }

    public func withOutput(_ write: (RawSpan) -> Int) { output.consume(write(output.bytes.bytes)) }

    // MARK: In

    public func receive(_ bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) {
        // No throwing path: on ttrpc every broken frame has an answer of its own.
        bytes.withUnsafeBytes { bytes in
            var input = bytes
            while let frame = reader.next(&input) {
                switch frame {
                case .complete(let header, let data): receive(header, data, events)
                case .oversized(let header): refuseOversized(header, events)
                }
            }
        }
    }

    private func receive(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        switch FrameKind(rawValue: header.kind) {
        case .request: receiveRequest(header, data, events)
        case .data: refuse(header, .invalidArgument, "stream \(header.streamID) takes no data: it is unknown, unary or finished", events)
        case .response: refuse(header, .invalidArgument, "a client sends no responses", events)
        case nil: break
        }
    }

    private func receiveRequest(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ServerCallEvents) {
        guard header.streamID % 2 == 1 else {
            return refuse(header, .invalidArgument, "stream id \(header.streamID) is even; a client's are odd", events)
        }
        guard header.streamID > lastStreamID else {
            return refuse(
                header, .invalidArgument, "stream id \(header.streamID) is not above \(lastStreamID), the last one used", events)
        }
        lastStreamID = header.streamID
        let envelope: RequestEnvelope
        do throws(RequestEnvelope.Failure) {
            envelope = try RequestEnvelope(data)
        } catch .malformed {
            return refuse(header, .invalidArgument, "the request envelope is malformed", events)
        } catch {
            return refuse(
                header, .resourceExhausted, "a request may carry \(RequestEnvelope.maximumMetadataCount) metadata pairs at most", events)
        }
        events.unaryRequest(
            header.streamID, service: envelope.service.bytes, method: envelope.method.bytes, payload: envelope.payload.bytes,
            timeout: envelope.timeoutNanoseconds, metadata: envelope.metadata)
    }

    private func refuseOversized(_ header: FrameHeader, _ events: any ServerCallEvents) {
        // Of an unknown type nothing is expected, so nothing is answered.
        guard let kind = FrameKind(rawValue: header.kind) else { return }
        if kind == .request, header.streamID % 2 == 1, header.streamID > lastStreamID { lastStreamID = header.streamID }
        refuse(header, .resourceExhausted, "the message has \(header.dataLength) bytes; \(limit) are possible", events)
    }

    /// Answers a frame that breaks a rule, and so ends whatever runs under its id: no id is answered by two.
    private func refuse(
        _ header: FrameHeader, _ code: StatusCode, _ message: String, _ events: any ServerCallEvents
    ) {
        events.wireProtocolEnded(header.streamID)
        respond(to: header.streamID, with: RPCError(code, message))
    }

    // MARK: Out

    public func respond<Response: Message>(to id: CallID, with response: Response) {
        let start = output.count
        var writer = PayloadWriter(
            takeOutput(), streamID: id, kind: .response, payloadTag: 2 << 3 | 2, limit: limit)
        var failure: EncodingError?
        do throws(EncodingError) { try response.serialize(into: &writer) } catch { failure = error }
        let oversize = writer.oversize
        output = writer.finish()
        if let oversize {
            respond(to: id, with: RPCError(.resourceExhausted, "the answer has \(oversize) bytes; \(limit) are possible"))
        } else if failure != nil {
            output.truncate(to: start)
            respond(to: id, with: RPCError(.internal, "the answer could not be encoded"))
        }
    }

    public func respond(to id: CallID, with error: RPCError) {
        let data = StatusEnvelope.response(error, limit: limit)
        let room = output.appendRoom(FrameHeader.byteCount + data.count)
        FrameHeader(dataLength: data.count, streamID: id, kind: .response).write(to: room)
        data.withUnsafeBytes { (room + FrameHeader.byteCount).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }

    private func takeOutput() -> ByteBuffer {
        var taken = ByteBuffer()
        swap(&taken, &output)
        return taken
    }
}
