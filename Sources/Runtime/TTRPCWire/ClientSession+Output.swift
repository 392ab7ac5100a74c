import ProtobufC
import RPCCore
import WireBytes

extension ClientSession {
    private static let requestPayloadTag: UInt8 = 3 << 3 | 2

    public var outputByteCount: Int { output.count }

    public func withOutput(_ write: (RawSpan) -> Int) { output.write(write) }

    public func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
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
        let id = nextStreamID
        let envelope = Self.prefix(method.service, method.method) + suffix(timeout, options.metadata, isStream: true)
        guard envelope.count <= output.limit else { throw .oversized(envelope.count, limit: output.limit) }
        output.append(envelope, .request, id, flags: FrameFlags.remoteOpen)
        nextStreamID += 2
        streams[id] = ClientStreamState(serverStreams: method.shape == .bidirectionalStreaming)
        return id
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
        // Never with a message in it: ttrpc-go's server takes that for an error.
        output.append([], .data, id, flags: FrameFlags.remoteClosed | FrameFlags.noData)
    }

    public func cancel(_ id: CallID) {
        if !streams.isEmpty { streams[id] = nil }
        output.append([], .cancel, id)
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
        // Asked once a connection, and for each stream.
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
