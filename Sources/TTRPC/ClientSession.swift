import ProtobufC
import RPCCore

/// The client's side of one ttrpc connection, without any I/O: calls → bytes out; bytes in → their ends.
public final class ClientSession {
    /// Stream ids from which on the connection should be replaced by a fresh one, long before they run out at 2^31 calls.
    public static let defaultRenewalStreamID: UInt32 = 1 << 30

    private var reader: FrameReader
    private var output = ByteBuffer()
    private let limit: Int
    private let renewalStreamID: UInt32
    private var nextStreamID: UInt32 = 1

    /// - Parameters:
    ///   - maximumMessageByteCount: data of one frame, bytes, both ways; at most ttrpc's own limit of 4 MiB.
    ///   - renewalStreamID: the id from which on ``needsRenewal`` is true.
    public init(
        maximumMessageByteCount: Int = TTRPCLimits.maximumDataLength, renewalStreamID: UInt32 = defaultRenewalStreamID
    ) {
        self.renewalStreamID = renewalStreamID
        limit = min(maximumMessageByteCount, TTRPCLimits.maximumDataLength)
        reader = FrameReader(limit: limit)
    }

    /// Whether the connection has used up so many stream ids that it should be replaced.
    public var needsRenewal: Bool { nextStreamID >= renewalStreamID }

    public var outputByteCount: Int { output.count }

    public func withOutput(_ write: (RawSpan) -> Int) { output.consume(write(output.bytes.bytes)) }

    /// Appends a unary request and gives the call's id.
    /// - Parameter timeout: nanoseconds that the server has; 0 means none.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` for a request over the limit, `INVALID_ARGUMENT` for one that cannot be encoded.
    public func sendUnary<Request: Message>(
        service: String, method: String, request: Request, timeout: Int64, metadata: Metadata
    ) throws(RPCError) -> CallID {
        let id = nextStreamID
        var prefix: [UInt8] = []
        prefix.reserveCapacity(service.utf8.count + method.utf8.count + 8)
        appendField(1, service.utf8, to: &prefix)
        appendField(2, method.utf8, to: &prefix)
        let start = output.count
        var taken = ByteBuffer()
        swap(&taken, &output)
        var writer = PayloadWriter(
            taken, streamID: id, kind: .request, payloadTag: 3 << 3 | 2, prefix: prefix,
            suffix: Self.suffix(timeout, metadata), limit: limit)
        var failure: EncodingError?
        do throws(EncodingError) { try request.serialize(into: &writer) } catch { failure = error }
        let oversize = writer.oversize
        output = writer.finish()
        if let failure {
            output.truncate(to: start)
            throw RPCError(.invalidArgument, "the request cannot be encoded: \(failure)")
        }
        if let oversize { throw RPCError(.resourceExhausted, "the request has \(oversize) bytes; \(limit) are possible") }
        nextStreamID += 2
        return id
    }

    private static func suffix(_ timeout: Int64, _ metadata: Metadata) -> [UInt8] {
        var suffix: [UInt8] = []
        if timeout != 0 {
            suffix.append(4 << 3)
            appendVarint(UInt64(bitPattern: timeout), to: &suffix)
        }
        for entry in metadata {
            var pair: [UInt8] = []
            appendField(1, entry.key.utf8, to: &pair)
            appendField(2, entry.value.utf8, to: &pair)
            appendField(5, pair, to: &suffix)
        }
        return suffix
    }

    /// Takes what the socket gave and reports each call that ended; `payload` is lent for the call only.
    ///
    /// Frames of unknown types, and data for streams that this side never opened, are ignored.
    public func receive(_ bytes: RawSpan, ended: (CallID, ClientCallEnd, RawSpan) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var input = bytes
            while let frame = reader.next(&input) {
                switch frame {
                case .complete(let header, let data):
                    if header.kind == FrameKind.response.rawValue { receiveResponse(header, data, ended) }
                case .oversized(let header):
                    // What would be ignored at any length is ignored at this one.
                    guard header.kind == FrameKind.response.rawValue else { continue }
                    let error = RPCError(.resourceExhausted, "the answer has \(header.dataLength) bytes; \(limit) are possible")
                    ended(header.streamID, .failure(error), UnsafeRawBufferPointer(start: nil, count: 0).bytes)
                }
            }
        }
    }

    private func receiveResponse(
        _ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ ended: (CallID, ClientCallEnd, RawSpan) -> Void
    ) {
        var cursor = FieldCursor(data)
        var payload = UnsafeRawBufferPointer(start: nil, count: 0)
        var end = ClientCallEnd.success
        let malformed = ClientCallEnd.failure(RPCError(.internal, "the response envelope is malformed"))
        walk: while !cursor.isAtEnd {
            guard let tag = cursor.varint(), tag >> 3 != 0 else { end = malformed; break }
            switch tag {
            case 1 << 3 | 2:
                guard let value = cursor.bytes() else { end = malformed; break walk }
                switch StatusEnvelope.read(value) {
                case .ok: break
                case .failure(let error): end = .failure(error)
                case .malformed: end = malformed
                }
            case 2 << 3 | 2:
                guard let value = cursor.bytes() else { end = malformed; break walk }
                payload = value
            default:
                guard cursor.skip(wireType: tag & 7) else { end = malformed; break walk }
            }
        }
        ended(header.streamID, end, payload.bytes)
    }
}

/// How a call ended, as the client's wire protocol read it.
public enum ClientCallEnd: Sendable {
    /// OK; the answer's message is the payload.
    case success
    case failure(RPCError)
}
