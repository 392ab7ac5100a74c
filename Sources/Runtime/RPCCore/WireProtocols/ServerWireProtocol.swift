import ProtobufC

/// A call's number within its connection (ttrpc and HTTP/2: the stream id).
public typealias CallID = UInt32

/// The waist between a wire protocol and a call, server side: bytes in → call events, output of calls → bytes out.
///
/// An implementation performs no I/O, takes no lock and knows no service; it is used on one event loop only. Everything that can be
/// said over both ttrpc and gRPC is written once, above this protocol. Unary calls are first-class: one event in, one answer out. Streams
/// are the general case beside them.
public protocol ServerWireProtocol: AnyObject {
    /// The most bytes that one message may have, either way.
    var maximumMessageByteCount: Int { get }

    /// Takes a part of what the socket gave, from its beginning, and reports the calls in it, in order, before it returns. A part ends after
    /// some ``callsInPart`` calls, so that their answers can be written, and the peer go on, while the rest is worked on; and where what came
    /// takes much work, see ``hasUnfinishedWork``.
    /// - Parameter bytes: at least one, unless there is unfinished work. What this leaves of them comes next.
    /// - Returns: how many bytes were taken, at least one, unless there was unfinished work.
    /// - Throws: ``ProtocolViolation`` when the bytes cannot be this protocol at all, or the peer floods the connection with what moves nothing: the
    ///   connection is to be closed once its output has been written.
    func receivePart(of bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation) -> Int

    /// A place for a call's response metadata; nil where the protocol carries none.
    func makeResponseMetadata(for id: CallID) -> ResponseMetadata?

    /// Ends a unary or client-streaming call with its answer. An answer over the size limit ends it with `RESOURCE_EXHAUSTED` instead.
    /// - Returns: how the call has ended.
    @discardableResult
    func respond(to id: CallID, with response: borrowing PackableMessage, metadata: ResponseMetadata?) -> StatusCode

    /// Ends a call of any shape with a failure.
    func respond(to id: CallID, with error: RPCError, metadata: ResponseMetadata?)

    /// Appends a message of a server-streaming or bidirectional call.
    /// - Throws: ``RPCError``: over the size limit; nothing was appended then, and the call goes on.
    func send(_ message: borrowing PackableMessage, on id: CallID, metadata: ResponseMetadata?) throws(RPCError)

    /// The same for a message that was encoded elsewhere and is within the limit. Only after ``canSend(on:)``, which bounds what waits.
    func send(serialized message: [UInt8], on id: CallID, metadata: ResponseMetadata?)

    /// Whether the peer has room for more messages of a stream. When it has none, ``ServerCallEvents/streamWritable(_:)`` tells when.
    func canSend(on id: CallID) -> Bool

    /// Ends a server-streaming or bidirectional call with OK.
    func finish(_ id: CallID, metadata: ResponseMetadata?)

    /// Received messages of so many wire bytes have been taken by their reader: the peer may send more.
    func consumed(_ byteCount: Int, on id: CallID)

    /// Says that the connection is there, where the protocol has words for that which no call hears. Nothing by default.
    func beat()

    /// The connection is to be closed once its calls have ended: tells the peer, where the protocol has words for that, to open no new ones.
    func drain()

    /// The connection is about to be closed from this side: says, where the protocol has words for that, which calls were taken. Without a drain
    /// before it nothing is said.
    func endDrain()

    /// Whether the peer knows that the connection drains and closes it itself, so that no call of its can be lost.
    var peerClosesDrained: Bool { get }

    /// Whether the connection has come to its end by the protocol's own rules: it is to be closed once its output has been written.
    var isOver: Bool { get }

    /// Whether a part of something has come whose rest is on its way: a request that is still to be answered, maybe.
    var hasPartialInput: Bool { get }

    /// Bytes that wait to be written.
    var outputByteCount: Int { get }

    /// Lends the waiting bytes; `write` returns how many of them were written and may be forgotten.
    func withOutput(_ write: (RawSpan) -> Int)

    // MARK: What a peer takes of this side

    /// Bytes of memory that the session holds for its peer: frames and messages that are not whole, messages that wait for their client's half-close,
    /// header blocks and the metadata of calls that it keeps, messages being inflated, answers that wait for the peer's windows or the socket, and a
    /// fixed sum for each open stream. What it reports in an event, such as a message of a stream, is the host's from then on. A few instructions
    /// to ask for.
    var heldByteCount: Int { get }

    /// Bytes of answers that wait for the peer's own flow control, beside ``outputByteCount``. Nothing of them goes out until the peer asks for
    /// more, however much room the socket has.
    var blockedByteCount: Int { get }

    /// Whether what was taken in is not worked on to its end, as it takes more work than one part should: ``receivePart(of:events:)`` goes on with
    /// it first, and takes no bytes until that has ended. The host calls it again, now or in a later turn, with the bytes that come next or with
    /// none.
    var hasUnfinishedWork: Bool { get }

    /// When something that has begun to arrive will have taken too long, nanoseconds on the monotonic clock; `Int64.max` when nothing has begun.
    /// It is half a frame, a message that is not whole, or the request of a call that takes one, which also has until the call's own deadline:
    /// the host knows nothing of such a call yet. What waits for this side's flow control is not counted. May be too early, never too late. A few
    /// instructions to ask for, once after each part or burst.
    var nextExpiry: Int64 { get }

    /// Gives up what has taken too long to arrive: ends its call with `DEADLINE_EXCEEDED`, and frees what was kept of it. To be called at
    /// ``nextExpiry``, or later; not while this side reads nothing of what the peer sends.
    /// - Throws: ``ProtocolViolation`` when it is a frame, without whose end nothing more can be read: the connection is to be closed.
    func expireUnfinished(at now: Int64, events: any ServerCallEvents) throws(ProtocolViolation)

    /// Ends calls whose messages are not whole with `error`, and frees what was kept of them. For a host that has to win memory back; the connection
    /// and its other calls go on.
    /// - Parameter byteCount: how much to free; what holds it goes, or all that is unfinished where that is less. `Int.max` for all.
    func dropUnfinished(_ byteCount: Int, _ error: RPCError, events: any ServerCallEvents)

    /// The host has refused a call for one of its limits. Each counts among the peer's glitches: too many of them, by number and rate, and the
    /// next ``receivePart(of:events:)``, or the one that this happens in, ends the connection.
    func noteRefusal()
}

extension ServerWireProtocol {
    public func beat() {}

    /// Calls that a part of a burst has. With 64 in flight on one connection, answered together, a client and a server take turns, and each waits
    /// until the other has been woken; with 16 answered at once both work all the time, twice the calls a second. Fewer cost more than they win.
    public static var callsInPart: Int { 16 }
}

/// What a server-side wire protocol reports.
public protocol ServerCallEvents: AnyObject {
    /// The method of these names (UTF-8, borrowed), or nil, which the wire protocol answers with `UNIMPLEMENTED`. The method's shape decides
    /// what the frames that follow mean.
    func method(service: RawSpan, method: RawSpan) -> RegisteredMethod?

    /// A whole unary request has arrived.
    /// - Parameters:
    ///   - payload: the request's message, borrowed.
    ///   - timeout: nanoseconds from now; 0 means none, negative means already passed.
    func unaryRequest(_ id: CallID, _ method: RegisteredMethod, payload: RawSpan, timeout: Int64, metadata: Metadata)

    /// A streaming call has been opened. It may be answered before this returns; then nothing more is reported of it.
    func streamOpened(_ id: CallID, _ method: RegisteredMethod, timeout: Int64, metadata: Metadata)

    /// A message of an open stream, borrowed.
    /// - Parameter byteCount: what it took on the wire, for ``ServerWireProtocol/consumed(_:on:)``.
    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int)

    /// The peer sends no more messages on a stream.
    func streamHalfClosed(_ id: CallID)

    /// The peer has room again for messages of a stream.
    func streamWritable(_ id: CallID)

    /// The call is over for the peer: it has cancelled it, or broken a rule on it and been answered by the wire protocol itself. A handler
    /// that is running for it is to be cancelled and its answer dropped. Mostly there is none.
    /// - Parameters:
    ///   - code: how it ended: `CANCELLED` if the peer gave it up.
    ///   - method: the method of a unary call of which nothing was reported, as its request was not whole; else nil.
    func wireProtocolEnded(_ id: CallID, _ code: StatusCode, unreported method: RegisteredMethod?)
}

/// A peer broke the wire protocol beyond repair; its connection is closed. Calls on it end with `UNAVAILABLE`.
public struct ProtocolViolation: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
