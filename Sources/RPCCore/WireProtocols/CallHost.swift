import ProtobufC

/// A call's number within its connection (ttrpc and HTTP/2: the stream id).
public typealias CallID = UInt32

/// Where a started unary call delivers its end: one host per connection, used only on that connection's event loop.
///
/// Each call ends exactly once; an end for a call that has already ended (its deadline passed, its connection is gone) is dropped.
public protocol CallHost: AnyObject {
    /// Ends a call with its answer, or with `DEADLINE_EXCEEDED` when its deadline passed while the handler ran.
    func complete<Response: Message>(_ id: CallID, with response: Response, _ context: CallContext)

    /// Ends a call with an error.
    func fail(_ id: CallID, _ error: RPCError, _ context: CallContext)

    /// Runs a handler that may wait, beginning at once on the event loop, and ends the call with what comes of it.
    func run<Response: Message>(
        _ id: CallID, context: CallContext, _ operation: @escaping @Sendable () async throws -> Response)
}
