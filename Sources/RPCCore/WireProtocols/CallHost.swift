import ProtobufC

/// A call's number within its connection (ttrpc and HTTP/2: the stream id).
public typealias CallID = UInt32

/// Where a started unary call delivers its end: one host per connection, used only on that connection's event loop.
///
/// Each call ends exactly once; an end for a call that has already ended (its deadline passed, its connection is gone) is dropped.
public protocol CallHost: AnyObject {
    /// Ends a call with its answer, or with `DEADLINE_EXCEEDED` when its deadline passed while the handler ran.
    func complete(_ id: CallID, with response: borrowing PackableMessage, _ context: CallContext)

    /// Ends a call with an error.
    func fail(_ id: CallID, _ error: RPCError, _ context: CallContext)

    /// Runs a handler that may wait, beginning at once on the event loop. `operation` tells the end that it is given what came of it.
    func run(_ id: CallID, context: consuming CallContext, _ operation: @escaping UnaryOperation)
}

/// A unary handler with decoding before it and encoding after it. It stays on the executor that calls it, here and in every step to the
/// handler: each change of executor that might be one costs 0.1 µs, whether it is one or not.
public typealias UnaryOperation = nonisolated(nonsending) @Sendable (any UnaryCallEnd, CallContext) async -> Void

/// The end of one unary call whose handler may wait: told once, wherever the handler has come to its end. Mostly that is the call's event
/// loop, and then the answer is encoded there in place.
public protocol UnaryCallEnd: AnyObject, Sendable {
    /// The handler's answer.
    func succeed(with response: borrowing PackableMessage)

    /// What the handler threw instead, or `INTERNAL` for an answer that cannot be encoded.
    func fail(_ error: any Error)
}
