import ProtobufC

/// The waist between a wire protocol and a call, server side: bytes in → call events, ends of calls → bytes out.
///
/// An implementation performs no I/O, takes no lock and knows no service; it is used on one event loop only. Everything that can be
/// said over both ttrpc and gRPC is written once, above this protocol.
public protocol ServerWireProtocol: AnyObject {
    /// Takes what the socket gave and reports the calls in it, in order, before it returns.
    /// - Throws: ``ProtocolViolation`` when the bytes cannot be this protocol at all: the connection is to be closed.
    func receive(_ bytes: RawSpan, events: any ServerCallEvents) throws(ProtocolViolation)

    /// Appends a call's answer to the output. An answer over the size limit ends that call with `RESOURCE_EXHAUSTED` instead.
    func respond<Response: Message>(to id: CallID, with response: Response)

    /// Appends a call's failure to the output.
    func respond(to id: CallID, with error: RPCError)

    /// Bytes that wait to be written.
    var outputByteCount: Int { get }

    /// Lends the waiting bytes; `write` returns how many of them were written and may be forgotten.
    func withOutput(_ write: (RawSpan) -> Int)
}

/// What a server-side wire protocol reports.
public protocol ServerCallEvents: AnyObject {
    /// A whole unary request has arrived.
    /// - Parameters:
    ///   - service: full service name, UTF-8, borrowed.
    ///   - method: method name, UTF-8, borrowed.
    ///   - payload: the request's message, borrowed.
    ///   - timeout: nanoseconds from now; 0 means none, negative means already passed.
    func unaryRequest(
        _ id: CallID, service: RawSpan, method: RawSpan, payload: RawSpan, timeout: Int64, metadata: Metadata)

    /// The wire protocol itself has answered this id with an error, because the peer broke a rule on it. A call that is still running
    /// under it has thereby ended: its handler is to be cancelled and its answer dropped. Mostly there is none.
    func wireProtocolEnded(_ id: CallID)
}

/// A peer broke the wire protocol beyond repair; its connection is closed. Calls on it end with `UNAVAILABLE`.
public struct ProtocolViolation: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
