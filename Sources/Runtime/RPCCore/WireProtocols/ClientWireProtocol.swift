import ProtobufC

/// What lies between a wire protocol and calls, on the client's side: calls become output bytes, and input bytes become call events.
///
/// An implementation performs no I/O, takes no lock and knows no service; it is used on one event loop only.
public protocol ClientWireProtocol: AnyObject {
    /// Appends a whole unary request, or the only request of a server-streaming call, and returns the call's id.
    /// - Parameters:
    ///   - timeout: nanoseconds that the server has; 0 means no timeout.
    ///   - options: the call's options. Only those that are sent with the call are used.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` for a request over the limit, `INVALID_ARGUMENT` for one that cannot be encoded.
    func send<Request: Message, Response: Message>(
        _ request: Request, to method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID

    /// Opens a client-streaming or bidirectional call and returns its id.
    /// - Throws: ``RPCError``: `RESOURCE_EXHAUSTED` when its metadata is over the limit.
    func open<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, timeout: Int64, options: CallOptions
    ) throws(RPCError) -> CallID

    /// Appends a message of a client-streaming or bidirectional call.
    /// - Throws: ``RPCError`` if it is over the size limit. Then nothing is appended, and the call continues.
    func send(_ message: borrowing PackableMessage, on id: CallID) throws(RPCError)

    /// The same for a message that was encoded elsewhere and is within the limit.
    func send(serialized message: [UInt8], on id: CallID)

    /// Whether the peer has room for more messages of a stream. If not, ``ClientCallEvents/streamWritable(_:)`` is called later.
    func canSend(on id: CallID) -> Bool

    /// Says that no more messages will be sent on a stream.
    func halfClose(_ id: CallID)

    /// Whether a call waits for its turn, so that nothing of it is in the output yet. Default: false.
    func isQueued(_ id: CallID) -> Bool

    /// Ends a call that its caller has cancelled, or whose deadline has passed. Nothing more is reported about it.
    func cancel(_ id: CallID, atDeadline: Bool)

    /// The reader has taken received messages with `byteCount` wire bytes, so the peer may send more.
    func consumed(_ byteCount: Int, on id: CallID)

    /// Takes received bytes, and reports their call events in order before it returns.
    /// - Throws: ``ProtocolViolation`` if the bytes are not this protocol. The connection must be closed.
    func receive(_ bytes: RawSpan, events: any ClientCallEvents) throws(ProtocolViolation)

    /// Whether all has come that a server sends first. Default: true, because a ttrpc server sends nothing first.
    var hasGreeted: Bool { get }

    /// Whether new calls should use a new connection, because this one has few call ids left, or its server drains it.
    var needsRenewal: Bool { get }

    /// Bytes that wait to be written.
    var outputByteCount: Int { get }

    /// Lends the waiting bytes. `write` returns how many of them were written; those are removed.
    func withOutput(_ write: (RawSpan) -> Int)

    /// Streams that had no room for messages and have room now because output was written, not because input came. Each is returned once. Default:
    /// none.
    func takeWritable() -> [CallID]

    /// Whether a call or the connection has ended while output was made. The next input reports it, or ``reportEvents(to:)`` does. Default: false.
    var hasUnreportedEvents: Bool { get }

    /// Reports events that do not come from input. Default: there are none.
    /// - Throws: ``ProtocolViolation`` if the connection is over, and must be closed.
    func reportEvents(to events: any ClientCallEvents) throws(ProtocolViolation)
}

extension ClientWireProtocol {
    public func isQueued(_ id: CallID) -> Bool { false }
    public var hasGreeted: Bool { true }
    public func takeWritable() -> [CallID] { [] }
    public var hasUnreportedEvents: Bool { false }
    public func reportEvents(to events: any ClientCallEvents) throws(ProtocolViolation) {}
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

/// The events that a client-side wire protocol reports. Each call ends exactly once. No event of a call comes after its end.
public protocol ClientCallEvents: StreamMessageEvents {
    /// Metadata that the server sent before its first message. Not on ttrpc.
    func initialMetadata(_ id: CallID, _ metadata: Metadata)

    /// Data of a stream came for a call that is no stream here, or has ended. If it still waits, the server has another idea of its method, and will
    /// never answer it. Only on ttrpc. Default: nothing happens.
    func unexpectedData(_ id: CallID)

    /// The call has ended. `payload` is the answer of a unary or client-streaming call that succeeded, borrowed; else empty.
    func ended(_ id: CallID, _ end: ClientCallEnd, payload: RawSpan, trailing: Metadata)

    /// The call ends here, and may be made again: the server said that it has not begun it, or the call was never sent. Not
    /// on ttrpc.
    func unprocessed(_ id: CallID, _ error: RPCError)

    /// The peer has room again for messages of a stream.
    func streamWritable(_ id: CallID)

    /// ``ClientWireProtocol/needsRenewal`` has become true because the server asked for it.
    func serverDrains()
}

extension ClientCallEvents {
    public func unexpectedData(_ id: CallID) {}

    /// The default treats it as an ordinary failure.
    public func unprocessed(_ id: CallID, _ error: RPCError) {
        let nothing: [UInt8] = []
        ended(id, .failure(error), payload: nothing.span.bytes, trailing: Metadata())
    }
}

extension RPCError {
    /// For a call with one answer, when its server sends a stream.
    package static let streamInsteadOfAnswer = RPCError(.internal, "the server sent a stream where one answer was due")
}

/// How a call ended, as the client's wire protocol reports it.
public enum ClientCallEnd: Sendable {
    /// OK.
    case success
    case failure(RPCError)
}
