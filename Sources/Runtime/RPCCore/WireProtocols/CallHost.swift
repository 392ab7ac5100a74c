import ProtobufC

/// A call's number within its connection (ttrpc and HTTP/2: the stream id).
public typealias CallID = UInt32

/// Where a started unary call delivers its end: one host per connection.
///
/// Each call ends exactly once; an end for a call that has already ended (its deadline passed, its connection is gone) is dropped.
public protocol CallHost: AnyObject {
    /// Ends a call with its answer, or with `DEADLINE_EXCEEDED` when its deadline passed while the handler ran. On the event loop.
    func complete(_ id: CallID, with response: borrowing PackableMessage, _ context: CallContext)

    /// Ends a call with an error. On the event loop.
    func fail(_ id: CallID, _ error: RPCError, _ context: CallContext)

    /// Runs a call's handler, which may wait, beginning on the event loop. On the event loop.
    func run(_ call: consuming ServerCall)

    /// Ends a call that was run with its handler's answer. Anywhere; mostly on the event loop, and then the answer is encoded there in place,
    /// elsewhere it is encoded first.
    func handlerEnded(_ call: ServerCall, with response: borrowing PackableMessage)

    /// Ends a call that was run with what its handler threw, or `INTERNAL` for an answer that cannot be encoded. Anywhere.
    func handlerEnded(_ call: ServerCall, throwing error: any Error)

    /// Ends a streaming call that was run, whose handler has written all of its responses. Anywhere.
    func handlerEnded(_ call: ServerCall)
}

extension CallHost {
    /// Ends a call with what its handler threw. An error that nobody foresaw is logged by its type; its text may be none of the log's business. On
    /// the event loop.
    public func fail(_ id: CallID, throwing error: any Error, _ context: CallContext) {
        fail(id, RPCError(logging: error, of: context), context)
    }
}

extension RPCError {
    /// What the caller is told of an error that a handler threw. An error that nobody foresaw is logged by its type.
    package init(logging error: any Error, of context: CallContext) {
        if !(error is RPCError), !(error is CancellationError) {
            context.logger.error("a handler failed", metadata: ["error.type": "\(type(of: error))"])
        }
        self.init(handlerFailure: error)
    }
}
