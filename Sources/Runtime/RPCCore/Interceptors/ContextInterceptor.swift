/// An interceptor that needs only the context of a call. For example, it finds the caller of a call, or converts errors.
///
///     struct RequireToken: ContextInterceptor {
///         func prepare(_ context: inout CallContext) throws -> Bool {
///             guard context.metadata["authorization"] != nil else { throw RPCError(.unauthenticated, "a token is needed") }
///             return true
///         }
///     }
///
/// It runs for calls of every shape. Around a unary call it adds no asynchronous step unless it has to wait. Behind it, synchronous
/// handlers stay synchronous, and answers come from memory (``Router/answerFromMemory(_:_:)``). A server calls only the three functions below, and
/// none of the other requirements of ``ServerInterceptor``.
public protocol ContextInterceptor: ServerInterceptor {
    /// Runs before the handler, once for a call. It puts values for the handler into the context, or ends the call by throwing. It must neither wait
    /// nor block.
    ///
    /// For a unary call it runs on the connection's event loop, before the request is decoded. This changes if an interceptor before it had to wait,
    /// or is no ``ContextInterceptor``. Then it runs in the handler's task, and the request may be decoded already. That task is on the event loop
    /// too, but on another thread if the call is handled apart from the loop: ``Router/register(_:_:)``. For a stream it always runs in the
    /// handler's task.
    /// - Returns: true when the context is prepared; `false`, with an unchanged context, if it has to wait. Then ``prepareWaiting(_:)`` is called.
    func prepare(_ context: inout CallContext) throws -> Bool

    /// Prepares the context and may wait. Called after ``prepare(_:)`` has returned `false`. Default: ends the call with `INTERNAL`.
    nonisolated(nonsending) func prepareWaiting(_ context: inout CallContext) async throws

    /// Converts an error that was thrown by this interceptor, or behind it, into the error for the caller. Default: the same error.
    /// - Parameter context: the context as it was when the error was thrown.
    func convert(_ error: any Error, _ context: CallContext) -> any Error
}

extension ContextInterceptor {
    nonisolated(nonsending) public func prepareWaiting(_ context: inout CallContext) async throws {
        throw CannotWait<Self>()
    }

    /// Changes nothing.
    public func convert(_ error: any Error, _ context: CallContext) -> any Error { error }

    nonisolated(nonsending) public func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        try await around(context) { context in try await next(context) }
    }

    /// Runs the whole interceptor around a call. It is not a requirement, so no type can change it. It is inlined, so that it adds no step.
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

/// An interceptor has to wait but does not implement `prepareWaiting`. The log names the interceptor; the caller only gets `INTERNAL`.
private struct CannotWait<Interceptor>: Error {}
