import ProtobufC

/// A call's number within its connection (ttrpc and HTTP/2: the stream id).
public typealias CallID = UInt32

/// What lies between a wire protocol and calls, on the server's side: input bytes become call events, and answers become output bytes. The
/// connection that gives it the bytes and gets the events is its host.
///
/// An implementation performs no I/O, takes no lock and knows no service. It is used on one event loop only. Everything that
/// ttrpc and gRPC have in common is written once, above this protocol. A unary call is one event and one answer. Streams have more
/// events.
public protocol ServerWireProtocol: AnyObject {
    /// The most bytes that one message may have, either way.
    var maximumMessageByteCount: Int { get }

    /// Takes the first part of the received bytes, and reports the calls in it, in order, before it returns. A part ends after
    /// about ``callsInPart`` calls, ``messagesInPart`` messages of streams, or messages of ``bytesInPart`` bytes, so that their answers can be
    /// written before the rest is handled. It also ends early if the input needs much work, see ``hasUnfinishedWork``.
    /// - Parameter bytes: at least one, unless there is unfinished work. The next call gets the bytes that this call did not take.
    /// - Returns: how many bytes were taken: at least one, unless there was unfinished work.
    /// - Throws: ``ProtocolViolation`` if the bytes are not this protocol, or the peer floods the connection with useless frames. The
    ///   connection must be closed after its output has been written.
    func receivePart(of bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) -> Int

    /// Whether answers have metadata. Default: no, as in ttrpc.
    var hasResponseMetadata: Bool { get }

    /// Makes the response metadata of a call; nil if the protocol has none, the default.
    func makeResponseMetadata(for id: CallID) -> ResponseMetadata?

    /// Ends a unary or client-streaming call with its answer. An answer over the size limit ends it with `RESOURCE_EXHAUSTED` instead.
    /// - Returns: the code with which the call has ended.
    @discardableResult
    func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) -> StatusCode

    /// Ends a call of any shape with a failure.
    func respond(to id: CallID, with error: RPCError, metadata: ResponseMetadata?)

    /// Ends a call that was not started although its client keeps to its limits. If the protocol can, it tells the client that the call has not
    /// begun and may be sent again. Counts as a glitch, like ``noteRefusal()``. Default: a failure.
    func refuseUnstarted(_ id: CallID, with error: RPCError, metadata: ResponseMetadata?)

    /// Appends a message of a server-streaming or bidirectional call.
    /// - Throws: ``RPCError`` if it is over the size limit. Then nothing is appended, and the call continues.
    func send(_ message: borrowing PackableMessage, on id: CallID, metadata: ResponseMetadata?) throws(RPCError)

    /// The same for a message that was encoded elsewhere and is within the limit. Only if ``canSend(on:)`` is true, so that the waiting output is
    /// limited.
    func send(serialized message: [UInt8], on id: CallID, metadata: ResponseMetadata?)

    /// Whether the peer has room for more messages of a stream. If not, ``ServerCallEvents/streamWritable(_:)`` is called later.
    func canSend(on id: CallID) -> Bool

    /// Ends a server-streaming or bidirectional call with OK.
    func finish(_ id: CallID, metadata: ResponseMetadata?)

    /// The reader has taken received messages with `byteCount` wire bytes, so the peer may send more.
    func consumed(_ byteCount: Int, on id: CallID)

    /// Sends a heartbeat that no call sees, if the protocol has one. Default: nothing.
    func sendHeartbeat()

    /// Begins a drain: the connection will be closed after its calls. If the protocol can, it tells the peer to open no new calls.
    func drain()

    /// Ends a drain before this side closes the connection. If the protocol can, it tells the peer which calls were accepted. It does nothing
    /// without a drain before it.
    func endDrain()

    /// Tells the peer why this side is about to close the connection, if the protocol can: GOAWAY has a reason, ttrpc has nothing.
    /// - Parameter reason: a few words in snake case, for developers.
    func tellWhyClosing(_ reason: StaticString)

    /// Whether the peer knows of the drain and closes the connection itself, so that none of its calls can be lost.
    var peerClosesDrained: Bool { get }

    /// Whether the connection has ended by the protocol's own rules. It must be closed after its output has been written.
    var isOver: Bool { get }

    /// Whether an incomplete frame or message has come. It may be a request that is still to be answered.
    var hasPartialInput: Bool { get }

    /// Bytes that wait to be written.
    var outputByteCount: Int { get }

    /// Lends the waiting bytes. `write` returns how many of them were written; those are removed.
    func withOutput(_ write: (RawSpan) -> Int)

    /// Whether a call has ended while output was made, or there is room for a stream that waits because of others. The next input reports it, or
    /// ``reportEvents(to:)`` does. Default: false.
    var hasUnreportedEvents: Bool { get }

    /// Reports events that do not come from input. Default: there are none.
    /// - Throws: ``ProtocolViolation`` if the connection is over, and must be closed.
    func reportEvents(to events: any ServerCallEvents) throws(ProtocolViolation)

    // MARK: What the session uses for its peer

    /// Bytes of memory that the session holds for its peer. Cheap to read. It counts:
    /// - incomplete frames and messages, and messages that wait for their client's half-close;
    /// - header blocks and the metadata of calls that it keeps;
    /// - messages being inflated;
    /// - answers that wait for the peer's windows or the socket;
    /// - a fixed sum for each open stream.
    ///
    /// A message that was reported in an event belongs to the host and is not counted.
    var heldByteCount: Int { get }

    /// Bytes of answers that wait for the peer's flow control. They are not in ``outputByteCount``, and are not sent until the peer opens its
    /// window, even if the socket has room.
    var blockedByteCount: Int { get }

    /// Drops messages of a stream that wait for the peer's flow control, because its call ends now and the peer may never take them. Then
    /// ``respond(to:with:metadata:)-(_,RPCError,_)`` ends the call, by a reset if a part of the messages was sent. Default: nothing.
    func dropUnsent(on id: CallID)

    /// The streams whose answers wait for the peer's flow control. If all streams wait, the list is empty. Default: empty.
    var blockedStreams: [CallID] { get }

    /// Those of which the peer has taken too little since the last call. The first call for a stream only notes what waits. What is taken of other
    /// streams does not count. Default: empty.
    /// - Parameter byteCount: how much the peer has to take of each, or all if less waited.
    func neglectedStreams(unlessTaken byteCount: Int) -> [CallID]

    /// Ends streams whose answers still wait for the peer's flow control, with `RESOURCE_EXHAUSTED`, and frees the answers. Other streams go on:
    /// behind a gateway they may be those of other clients. The end of a thousand takes longer than a turn. Default: does nothing.
    func endBlockedStreams(_ ids: ArraySlice<CallID>, events: any ServerCallEvents)

    /// Whether input that was taken needs more work than one part may do. ``receivePart(of:events:)`` first continues with
    /// it, and takes no bytes until it is done. The host calls it again, now or in a later turn, with the next bytes or with
    /// none.
    var hasUnfinishedWork: Bool { get }

    /// When the first incomplete input expires, nanoseconds on the monotonic clock; `Int64.max` if there is none.
    /// Incomplete input is half a frame, an incomplete message, or the missing request of a call. The last also expires at the call's own deadline,
    /// because the host does not know such a call yet. Time in which the input waits for this side's flow control does not count. The value may be
    /// too early, never too late. Cheap to read, once after each part or burst.
    var nextExpiry: Int64 { get }

    /// Drops input that has taken too long to arrive: ends its call with `DEADLINE_EXCEEDED`, and frees its memory. Call it at
    /// ``nextExpiry`` or later, but not while this side has stopped reading.
    /// - Throws: ``ProtocolViolation`` for half a frame, because nothing after it can be read. The connection must be closed.
    func expireUnfinished(at now: Int64, events: any ServerCallEvents) throws(ProtocolViolation)

    /// Bytes of messages that have arrived in part. Default: 0.
    var unfinishedByteCount: Int { get }

    /// Ends calls with incomplete messages with `error`, and frees their memory. For a host that needs memory. The connection
    /// and its other calls continue.
    /// - Parameter byteCount: how many bytes to free, at most all of the incomplete messages. `Int.max` for all.
    func dropUnfinished(_ byteCount: Int, _ error: RPCError, events: any ServerCallEvents)

    /// The host has refused a call because its client has reached a limit. Each such refusal is a glitch of the peer. After too many glitches, the
    /// present or the next ``receivePart(of:events:)`` ends the connection.
    func noteRefusal()

    /// The connection has closed. The session reads and sends nothing more.
    /// - Returns: what it held for calls that had not ended. The host frees these objects in steps, because those of a thousand calls together would
    ///   take longer than a turn. Default: none.
    func connectionClosed() -> [AnyObject]

    /// Frees the waiting output and the incomplete input. The host calls it after ``connectionClosed()``, when no code of the session runs. So a
    /// handler that does not end keeps no buffers of a connection that has closed. Default: frees nothing.
    func freeBuffers()
}

extension ServerWireProtocol {
    public func dropUnsent(on id: CallID) {}

    public var blockedStreams: [CallID] { [] }

    public func neglectedStreams(unlessTaken byteCount: Int) -> [CallID] { [] }

    public func endBlockedStreams(_ ids: ArraySlice<CallID>, events: any ServerCallEvents) {}

    public var hasResponseMetadata: Bool { false }

    public func makeResponseMetadata(for id: CallID) -> ResponseMetadata? { nil }

    public var unfinishedByteCount: Int { 0 }

    public var hasUnreportedEvents: Bool { false }

    public func reportEvents(to events: any ServerCallEvents) throws(ProtocolViolation) {}

    public func connectionClosed() -> [AnyObject] { [] }

    public func freeBuffers() {}

    public func sendHeartbeat() {}

    public func tellWhyClosing(_ reason: StaticString) {}

    public func refuseUnstarted(_ id: CallID, with error: RPCError, metadata: ResponseMetadata?) {
        noteRefusal()
        respond(to: id, with: error, metadata: metadata)
    }

    /// The number of calls in a part of a burst. If 64 calls of one connection were answered together, client and server would take turns, and each
    /// would wait until the other is woken. If 16 are answered together, both work all the time (docs/performance.md).
    @inlinable public static var callsInPart: Int { 16 }

    /// The number of messages of streams in a part. They cost less than calls, but a read may have tens of thousands of them.
    @inlinable public static var messagesInPart: Int { 256 }

    /// The bytes of messages in a part: 64 KiB. The message that passes it is the part's last one. Decoding is not free even if it only copies, and
    /// a read may have 256 KiB.
    @inlinable public static var bytesInPart: Int { 64 << 10 }
}

/// The events that a server-side wire protocol reports.
public protocol ServerCallEvents: StreamMessageEvents {
    /// Returns the method with these names (UTF-8, borrowed). If it is nil, the wire protocol answers `UNIMPLEMENTED`. The shape of the method
    /// decides the meaning of the next frames.
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod?

    /// A whole unary request has arrived.
    /// - Parameters:
    ///   - payload: the request's message, borrowed.
    ///   - timeout: nanoseconds from the beginning of the call; 0 means no timeout, negative means already passed.
    ///   - start: when the wire protocol saw the beginning of the call, on the clock of `MonotonicClock`; `.max` if that is not known. The call
    ///     began then, or when this part of the input was read, whichever is earlier.
    func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, since start: Int64, metadata: Metadata)

    /// A streaming call has been opened. It may be answered before this returns; then no more events of it are reported.
    /// - Parameter timeout: nanoseconds from the time at which this part of the input was read; 0 means no timeout, negative means already passed.
    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata)

    /// The peer sends no more messages on a stream.
    func streamHalfClosed(_ id: CallID)

    /// The peer has room again for messages of a stream.
    func streamWritable(_ id: CallID)

    /// The incomplete messages of the connection take more memory than they may. The call of the last one ends next. Default: nothing.
    func unfinishedLimitReached()

    /// The call is over for the peer: it has cancelled the call, or broken a rule and got its answer from the wire protocol. If a handler
    /// is running for the call, it must be cancelled and its answer dropped. Usually there is none.
    /// - Parameters:
    ///   - code: the code of the call: `CANCELLED` if the peer cancelled it.
    ///   - method: the method of a unary call that was not reported because its request was incomplete; else nil.
    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?)
}

extension ServerCallEvents {
    public func unfinishedLimitReached() {}
}

/// A peer broke the wire protocol, so that its connection must be closed. Calls on it end with `UNAVAILABLE`.
public struct ProtocolViolation: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// Whether the peer sent too much without use: glitches, or a flood that the HTTP/2 library noticed.
    public let isFlood: Bool

    public init(_ description: String, isFlood: Bool = false) {
        self.description = description
        self.isFlood = isFlood
    }
}
