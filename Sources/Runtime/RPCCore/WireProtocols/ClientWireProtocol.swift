import ProtobufC

/// The waist between a wire protocol and a call, client side: calls → bytes out; bytes in → what comes of them.
///
/// An implementation performs no I/O, takes no lock and knows no service; it is used on one event loop only.
public protocol ClientWireProtocol: AnyObject {
    /// Appends a whole unary request, or the only request of a server-streaming call, and gives the call's id.
    /// - Parameters:
    ///   - timeout: nanoseconds that the server has; 0 means none.
    ///   - options: the call's; of these only what travels with it.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` for a request over the limit, `INVALID_ARGUMENT` for one that cannot be encoded.
    func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID

    /// Opens a client-streaming or bidirectional call and gives its id.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` when its metadata is over the limit.
    func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID

    /// Appends a message of a client-streaming or bidirectional call.
    /// - Throws: ``RPCError`` if it is over the size limit. Nothing was appended then, and the call goes on.
    func send(_ message: borrowing PackableMessage, on id: CallID) throws(RPCError)

    /// The same for a message that was encoded elsewhere and is within the limit.
    func send(serialized message: [UInt8], on id: CallID)

    /// Whether the peer has room for more messages of a stream. When it has none, ``ClientCallEvents/streamWritable(_:)`` tells when.
    func canSend(on id: CallID) -> Bool

    /// Says that no more messages will be sent on a stream.
    func halfClose(_ id: CallID)

    /// Ends a call that its caller has cancelled. Nothing more is reported about it.
    func cancel(_ id: CallID)

    /// Received messages of so many wire bytes have been taken by their reader: the peer may send more.
    func consumed(_ byteCount: Int, on id: CallID)

    /// Takes what the socket gave and reports what it means for the calls, in order, before it returns.
    /// - Throws: ``ProtocolViolation`` when the bytes cannot be this protocol at all: the connection is to be closed.
    func receive(_ bytes: RawSpan, events: any ClientCallEvents) throws(ProtocolViolation)

    /// Whether new calls should go to a fresh connection: this one's call ids run low, or its server drains it.
    var needsRenewal: Bool { get }

    /// Bytes that wait to be written.
    var outputByteCount: Int { get }

    /// Lends the waiting bytes; `write` returns how many of them were written and may be forgotten.
    func withOutput(_ write: (RawSpan) -> Int)
}

extension ClientWireProtocol {
    /// The same for a call that has metadata and no other options.
    public func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, metadata: Metadata
    ) throws(RPCError) -> CallID {
        try send(request, to: method, timeout: timeout, options: CallOptions(metadata: metadata))
    }

    /// The same for a call that has metadata and no other options.
    public func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, timeout: Int64, metadata: Metadata
    ) throws(RPCError) -> CallID {
        try open(method, timeout: timeout, options: CallOptions(metadata: metadata))
    }
}

/// What a client-side wire protocol reports. Each call ends exactly once; nothing is reported of a call after its end.
public protocol ClientCallEvents: AnyObject {
    /// Metadata that the server sent before its first message. Not on ttrpc.
    func initialMetadata(_ id: CallID, _ metadata: Metadata)

    /// A message of a server-streaming or bidirectional call, borrowed.
    /// - Parameter byteCount: what it took on the wire, for ``ClientWireProtocol/consumed(_:on:)``.
    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int)

    /// The call has ended. `payload` is the answer of a unary or client-streaming call that succeeded, borrowed; else empty.
    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata)

    /// The server has certainly not begun the call, so that it may be made again: it said so, or the call never left. This ends it here. Not
    /// on ttrpc.
    func unprocessed(_ id: CallID, _ error: RPCError)

    /// The peer has room again for messages of a stream.
    func streamWritable(_ id: CallID)

    /// ``ClientWireProtocol/needsRenewal`` has become true because the server asked for it.
    func serverDrains()
}

extension ClientCallEvents {
    /// For those who make no call again, it is a failure like any other.
    public func unprocessed(_ id: CallID, _ error: RPCError) {
        let nothing: [UInt8] = []
        ended(id, .failure(error), payload: nothing.span.bytes, trailing: Metadata())
    }
}

/// How a call ended, as the client's wire protocol read it.
public enum ClientCallEnd: Sendable {
    /// OK.
    case success
    case failure(RPCError)
}
