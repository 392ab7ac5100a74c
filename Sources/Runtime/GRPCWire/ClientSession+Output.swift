import CNGHTTP2
import ProtobufC
import RPCCore

/// Calls out.
extension ClientSession {
    public var outputByteCount: Int { http2.outputByteCount }

    public func withOutput(_ write: (RawSpan) -> Int) {
        http2.pump()
        http2.output.consume(write(http2.output.bytes.bytes))
    }

    public func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
        let headers = try headers(method.service, method.method, timeout, options)
        let body = OutboundBody()
        var count = 0
        try method.requestCodec.lend(request, orElse: .invalidArgument) { (request) throws(RPCError) in
            count = try body.append(request, encoding: MessageEncoding(options.requestCompression), limit: limits.maximumMessageByteCount)
        }
        body.isFinished = true
        return try submit(headers, body, method.shape, options, byteCount: count)
    }

    public func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID {
        try submit(try headers(method.service, method.method, timeout, options), OutboundBody(), method.shape, options, byteCount: 0)
    }

    public func send(_ message: borrowing PackableMessage, on id: CallID) throws(RPCError) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        let count = try stream.body.append(message, encoding: MessageEncoding(stream.compression), limit: limits.maximumMessageByteCount)
        http2.bodyHasGrown(id, stream.body, by: count)
    }

    public func send(serialized message: [UInt8], on id: CallID) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        guard let count = stream.body.append(serialized: message, encoding: MessageEncoding(stream.compression)) else { return http2.fail() }
        http2.bodyHasGrown(id, stream.body, by: count)
    }

    /// Room is what the server's windows give: while bytes wait for them, there is none.
    public func canSend(on id: CallID) -> Bool {
        guard let stream = streams[id], !stream.hasEnded else { return false }
        http2.pump()
        if stream.body.buffer.count == 0 { return true }
        blocked.insert(id)
        return false
    }

    public func halfClose(_ id: CallID) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.body.isFinished = true
        http2.bodyHasGrown(id, stream.body, by: 0)
    }

    public func cancel(_ id: CallID) {
        guard let stream = streams[id], !stream.hasEnded else { return }
        stream.hasEnded = true
        http2.reset(id, NGHTTP2_CANCEL)
    }

    private func submit(
        _ headers: HeaderBlock, _ body: OutboundBody, _ shape: CallShape, _ options: CallOptions, byteCount: Int
    ) throws(RPCError) -> CallID {
        guard let id = http2.submitRequest(headers, body: body) else {
            throw RPCError(.unavailable, "the connection takes no more calls")
        }
        streams[id] = ClientCallStream(id, shape, options, body: body, messageLimit: limits.maximumMessageByteCount)
        http2.bodyHasGrown(id, body, by: byteCount)
        return id
    }

    private func headers(_ service: String, _ method: String, _ timeout: Int64, _ options: CallOptions) throws(RPCError) -> HeaderBlock {
        for entry in options.metadata where !MetadataHeaders.isSettable(entry.key) || !MetadataHeaders.isSendable(entry.value) {
            throw RPCError(.invalidArgument, "gRPC cannot carry the metadata pair \(entry.key)")
        }
        var headers = HeaderBlock()
        headers.append(":method", "POST")
        headers.append(":scheme", "http")
        headers.append(":path", "/\(service)/\(method)".utf8)
        // A socket has no host; this is what gRPC for Go says too.
        headers.append(":authority", "localhost")
        headers.append("content-type", "application/grpc")
        headers.append("te", "trailers")
        headers.append("grpc-accept-encoding", MessageEncoding.accepted)
        if let compression = options.requestCompression { headers.append("grpc-encoding", MessageEncoding(compression.method).name) }
        if timeout != 0 { headers.append("grpc-timeout", Timeout.text(nanoseconds: max(1, timeout)).utf8) }
        MetadataHeaders.append(options.metadata, to: &headers)
        guard headers.byteCount <= http2.peerHeaderListLimit else {
            throw RPCError(.resourceExhausted, "the call's headers have \(headers.byteCount) bytes; the server takes \(http2.peerHeaderListLimit)")
        }
        return headers
    }
}
