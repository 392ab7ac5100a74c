import ProtobufC
import RPCCore
import WireBytes

/// The client's side of one ttrpc connection, without I/O: calls become output bytes, and input bytes become call events.
public final class ClientSession: ClientWireProtocol {
    /// The stream id from which the connection should be replaced by a new one, long before the ids run out after 2^31 calls.
    public static let defaultRenewalStreamID: UInt32 = 1 << 30

    private var reader: FrameReader
    private let limit: Int
    private let maximumUnsentByteCount: Int
    /// Whether a call has ended while output waited, and the server has taken nothing since.
    private var serverTakesNothing = false
    let renewalStreamID: UInt32
    var output: FrameOutput
    var nextStreamID: UInt32 = 1
    /// The open streaming calls. Unary calls are not here, because their callers keep them.
    var streams: [UInt32: ClientStreamState] = [:]
    private var serverDrains = false

    /// - Parameters:
    ///   - maximumMessageByteCount: data of one frame, bytes, both ways; at most ttrpc's own limit of 4 MiB.
    ///   - renewalStreamID: the id from which ``needsRenewal`` is true.
    ///   - maximumUnsentByteCount: frames that wait to be written, bytes, while the server takes nothing although calls have ended meanwhile.
    ///     Default: no limit. Over it: new calls end with `RESOURCE_EXHAUSTED`.
    public init(
        maximumMessageByteCount: Int = TTRPCLimits.maximumDataLength, renewalStreamID: UInt32 = defaultRenewalStreamID,
        maximumUnsentByteCount: Int = .max
    ) {
        self.renewalStreamID = renewalStreamID
        self.maximumUnsentByteCount = maximumUnsentByteCount
        limit = min(maximumMessageByteCount, TTRPCLimits.maximumDataLength)
        reader = FrameReader(limit: limit)
        output = FrameOutput(limit: limit)
    }

    public var needsRenewal: Bool { serverDrains || nextStreamID >= renewalStreamID }

    /// Frames of unknown types, and data for calls that this side never made, are ignored. A broken answer ends only its own call. The connection
    /// ends if there is not enough memory to continue.
    public func receive(_ bytes: RawSpan, events: any ClientCallEvents) throws(ProtocolViolation) {
        bytes.withUnsafeBytes { bytes in
            var input = bytes
            while let frame = reader.next(&input) {
                switch frame {
                case .complete(let header, let data): receive(header, data, events)
                case .oversized(let header): receiveOversized(header, events)
                }
            }
        }
        try checkMemory()
    }

    private var lacksMemory: Bool { reader.isLost || output.isIncomplete }

    private func checkMemory() throws(ProtocolViolation) {
        if lacksMemory { throw ProtocolViolation("there is no memory for this connection") }
    }

    /// Without memory, a frame is lost. If it was to be sent, the server never answers it.
    public var hasUnreportedEvents: Bool { lacksMemory }

    public func reportEvents(to events: any ClientCallEvents) throws(ProtocolViolation) { try checkMemory() }

    private func receive(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ClientCallEvents) {
        switch FrameKind(rawValue: header.kind) {
        case .response: receiveResponse(header, data, events)
        case .data: receiveData(header, data, events)
        case .window:
            guard let limit = FrameOutput.windowLimit(data) else { return }
            if streams[header.streamID]?.sending.raise(to: limit) == true { events.streamWritable(header.streamID) }
        case .drain:
            serverDrains = true
            events.serverDrains()
        case .request, .cancel, nil: break
        }
    }

    private func receiveOversized(_ header: FrameHeader, _ events: any ClientCallEvents) {
        switch FrameKind(rawValue: header.kind) {
        case .response: break
        case .data:
            guard streams[header.streamID] != nil else { return tellUnexpectedData(header.streamID, events) }
            cancel(header.streamID, atDeadline: false)
        // An unknown frame is ignored, also if it is too long.
        default: return
        }
        end(header.streamID, .failure(.oversized(header.dataLength, limit: limit)), .empty, events)
    }

    // MARK: Streams

    private func receiveData(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ClientCallEvents) {
        let id = header.streamID
        guard let stream = streams[id] else { return tellUnexpectedData(id, events) }
        if header.flags & FrameFlags.noData == 0 {
            guard stream.serverStreams else {
                cancel(id, atDeadline: false)
                return end(id, .failure(.streamInsteadOfAnswer), .empty, events)
            }
            events.streamMessage(id, payload: data.bytes, byteCount: FrameHeader.byteCount + data.count)
        }
        // The stream is gone if the caller cancelled the call because of the message.
        guard header.flags & FrameFlags.remoteClosed != 0, streams[id] != nil else { return }
        // Without a response the caller gets a failure, and not an empty response.
        end(id, stream.serverStreams ? .success : .failure(.endedWithoutResponse), .empty, events)
    }

    /// The id may be that of a unary call, which is not in `streams`.
    private func tellUnexpectedData(_ id: UInt32, _ events: any ClientCallEvents) {
        if id < nextStreamID, id % 2 == 1 { events.unexpectedData(id) }
    }

    private func end(
        _ id: UInt32, _ end: ClientCallEnd, _ payload: UnsafeRawBufferPointer, _ events: any ClientCallEvents
    ) {
        if !streams.isEmpty { streams[id] = nil }
        events.ended(id, end, payload: payload.bytes, trailing: Metadata())
    }

    // MARK: Responses

    private func receiveResponse(_ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ events: any ClientCallEvents) {
        let (ending, payload) = Self.readResponse(data)
        if case .success = ending, payload.count > 0, streams[header.streamID]?.serverStreams == true {
            // A stream should not end with a Response that has a message, but the message is delivered.
            events.streamMessage(header.streamID, payload: payload.bytes, byteCount: FrameHeader.byteCount + payload.count)
            return end(header.streamID, ending, .empty, events)
        }
        end(header.streamID, ending, payload, events)
    }

    /// Reads `Response { google.rpc.Status status=1; bytes payload=2 }`.
    private static func readResponse(_ data: UnsafeRawBufferPointer) -> (ClientCallEnd, payload: UnsafeRawBufferPointer) {
        var cursor = FieldCursor(data), fieldsLeft = FieldCursor.mostGroupFields
        var payload = UnsafeRawBufferPointer.empty
        var end = ClientCallEnd.success
        let malformed = ClientCallEnd.failure(RPCError(.internal, "the response envelope is malformed"))
        while !cursor.isAtEnd {
            guard let tag = cursor.varint(), tag >> 3 != 0 else { return (malformed, .empty) }
            switch tag {
            case 1 << 3 | 2:
                guard let value = cursor.bytes() else { return (malformed, .empty) }
                switch StatusBytes.read(value) {
                case .ok: break
                case .failure(let error): end = .failure(error)
                case .malformed: end = malformed
                }
            case 2 << 3 | 2:
                guard let value = cursor.bytes() else { return (malformed, .empty) }
                payload = value
            default:
                guard cursor.skip(tag: tag, fieldsLeft: &fieldsLeft) else { return (malformed, .empty) }
            }
        }
        return (end, payload)
    }
}

extension RPCError {
    static let endedWithoutResponse = RPCError(.internal, "the server ended the call without its response")
}

/// The state of one open streaming call on the client's side.
struct ClientStreamState {
    let serverStreams: Bool
    /// There is no limit until the server names one. Other implementations never do.
    var sending = SendWindow()
    var receiving = ReceiveWindow()
}

extension UnsafeRawBufferPointer {
    static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

extension ClientSession {
    private static let requestPayloadTag: UInt8 = 3 << 3 | 2

    public var outputByteCount: Int { output.count }

    public func withOutput(_ write: (RawSpan) -> Int) {
        let before = output.count
        output.write(write)
        if output.count < before { serverTakesNothing = false }
    }

    public func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
        try checkRoom()
        let id = nextStreamID
        let isStream = method.shape == .serverStreaming
        try method.requestCodec.lend(request, orElse: .invalidArgument) { (request) throws(RPCError) in
            try output.append(
                request, .request, id, flags: isStream ? FrameFlags.remoteClosed : 0, payloadTag: Self.requestPayloadTag,
                prefix: Self.prefix(method.service, method.method), suffix: suffix(timeout, options.metadata, isStream: isStream))
        }
        nextStreamID += 2
        if isStream { streams[id] = ClientStreamState(serverStreams: true) }
        return id
    }

    public func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
        try checkRoom()
        let id = nextStreamID
        let envelope = Self.prefix(method.service, method.method) + suffix(timeout, options.metadata, isStream: true)
        guard envelope.count <= output.limit else { throw .oversized(envelope.count, limit: output.limit) }
        output.append(envelope, .request, id, flags: FrameFlags.remoteOpen)
        nextStreamID += 2
        streams[id] = ClientStreamState(serverStreams: method.shape == .bidirectionalStreaming)
        return id
    }

    /// A server that takes nothing must not cost this side ever more memory, though its calls end at their deadlines. (Their requests stay in the
    /// output.) How much may wait for a server that does take something is the caller's choice.
    private func checkRoom() throws(RPCError) {
        guard !serverTakesNothing || output.count <= maximumUnsentByteCount else {
            throw RPCError(.resourceExhausted, "\(output.count) bytes wait on this connection until the server takes them")
        }
    }

    public func send(_ message: borrowing PackableMessage, on id: CallID) throws(RPCError) {
        let before = output.count
        try output.append(message, .data, id, payloadTag: nil)
        streams[id]?.sending.sent(output.count - before)
    }

    public func send(serialized message: [UInt8], on id: CallID) {
        output.append(message, .data, id)
        streams[id]?.sending.sent(FrameHeader.byteCount + message.count)
    }

    public func canSend(on id: CallID) -> Bool { streams[id]?.sending.isOpen ?? false }

    public func halfClose(_ id: CallID) {
        guard streams[id] != nil else { return }
        // Never with a message, because ttrpc-go's server treats that as an error.
        output.append([], .data, id, flags: FrameFlags.remoteClosed | FrameFlags.noData)
    }

    public func cancel(_ id: CallID, atDeadline: Bool) {
        if !streams.isEmpty { streams[id] = nil }
        if output.count > 0 { serverTakesNothing = true }
        // The server has the deadline too. If calls that time out were also cancelled, a server under load would take the cancels for a flood.
        if !atDeadline { output.append([], .cancel, id) }
    }

    public func consumed(_ byteCount: Int, on id: CallID) {
        if let limit = streams[id]?.receiving.consumed(byteCount) { output.appendWindow(limit, id) }
    }

    private static func prefix(_ service: String, _ method: String) -> [UInt8] {
        var prefix: [UInt8] = []
        prefix.reserveCapacity(service.utf8.count + method.utf8.count + 8)
        appendField(1, service.utf8, to: &prefix)
        appendField(2, method.utf8, to: &prefix)
        return prefix
    }

    private func suffix(_ timeout: Int64, _ metadata: Metadata, isStream: Bool) -> [UInt8] {
        var suffix: [UInt8] = []
        if timeout != 0 {
            suffix.append(4 << 3)
            appendVarint(UInt64(bitPattern: timeout), to: &suffix)
        }
        for entry in metadata { Self.appendPair(entry.key, entry.value, to: &suffix) }
        // `drain` is requested once for a connection, `window` for each stream.
        let extensions = Extensions(drain: nextStreamID == 1, window: isStream ? ReceiveWindow.initialLimit : nil)
        if extensions != Extensions() { Self.appendPair(Extensions.metadataKey, extensions.text, to: &suffix) }
        return suffix
    }

    private static func appendPair(_ key: String, _ value: String, to suffix: inout [UInt8]) {
        var pair: [UInt8] = []
        appendField(1, key.utf8, to: &pair)
        appendField(2, value.utf8, to: &pair)
        appendField(5, pair, to: &suffix)
    }
}
