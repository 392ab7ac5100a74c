/// An interceptor that needs no more of a call than its context: it says who calls, which tenant is meant, how errors are put.
///
///     struct RequireToken: ContextInterceptor {
///         func prepare(_ context: inout CallContext) throws -> Bool {
///             guard context.metadata["authorization"] != nil else { throw RPCError(.unauthenticated, "a token is needed") }
///             return true
///         }
///     }
///
/// It stands around calls of every shape. Around a unary call it costs no asynchronous step of its own unless it has to wait: behind it, synchronous
/// handlers stay what they are, and answers come from memory (``Router/answerFromMemory(_:_:)``). These three are all of it: what else it may have
/// of ``ServerInterceptor``, of its own or of a superclass, a server does not call.
public protocol ContextInterceptor: ServerInterceptor {
    /// Before the handler, on the connection's event loop: leaves in the context what those behind are to know, or ends the call by throwing. It must
    /// neither wait nor block.
    ///
    /// It is asked once for a call: for a unary call when its request has come and is not decoded yet, for a stream before its handler.
    /// - Returns: whether that is done. `false`, having changed nothing, where it takes waiting: then ``prepareWaiting(_:)`` is called.
    func prepare(_ context: inout CallContext) throws -> Bool

    /// The same where it takes waiting. Default, for one that never has to wait: ends the call with `INTERNAL`.
    nonisolated(nonsending) func prepareWaiting(_ context: inout CallContext) async throws

    /// What the caller is to be told of an error that this interceptor, or what stands behind it, has thrown. Default: of that error.
    /// - Parameter context: as this interceptor left it, or those behind it did.
    func convert(_ error: any Error, _ context: CallContext) -> any Error
}

extension ContextInterceptor {
    nonisolated(nonsending) public func prepareWaiting(_ context: inout CallContext) async throws {
        throw CannotWait<Self>()
    }

    public func convert(_ error: any Error, _ context: CallContext) -> any Error { error }

    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        try await around(context) { context in try await next(context) }
    }

    /// The whole of it around a call. No requirement, so nobody decides it otherwise; inlined, so that it is no step of its own.
    @inlinable @inline(__always)
    nonisolated(nonsending) func around<Answer>(
        _ context: CallContext, _ next: nonisolated(nonsending) (CallContext) async throws -> Answer
    ) async throws -> Answer {
        var prepared = context
        do {
            if try !prepare(&prepared) { try await prepareWaiting(&prepared) }
            return try await next(prepared)
        } catch {
            throw convert(error, prepared)
        }
    }
}

/// An interceptor has to wait and does not say how: told to the log by its name, and to no caller.
private struct CannotWait<Interceptor>: Error {}
