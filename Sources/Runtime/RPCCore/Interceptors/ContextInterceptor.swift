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
    /// It may be asked several times for a call, for an answer from memory and for the handler, each time from the beginning: with the metadata that the call brought,
    /// and with what the interceptors outside of it have left. These two are what it may change. What it puts into the response's metadata stays there
    /// from one time to the next, so it is to be `set`, not appended.
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

/// Interceptors that know contexts alone as one, as far as none of them has to wait.
@usableFromInline
struct ContextInterceptors: Sendable {
    /// Prepares a context by all of them; false when one has to wait.
    @usableFromInline let prepare: @Sendable (inout CallContext) throws -> Bool
    /// What the caller is told of an error that comes from behind all of them.
    @usableFromInline let convert: @Sendable (any Error, CallContext) -> any Error

    /// - Parameter interceptors: the outermost first. Nil when one of them sees more than the context.
    @usableFromInline
    init?(_ interceptors: [any ServerInterceptor]) {
        var all = ContextInterceptors(prepare: { _ in true }, convert: { error, _ in error })
        for interceptor in interceptors.reversed() {
            guard let interceptor = interceptor as? any ContextInterceptor else { return nil }
            all = all.behind(interceptor)
        }
        self = all
    }

    private init(
        prepare: @escaping @Sendable (inout CallContext) throws -> Bool, convert: @escaping @Sendable (any Error, CallContext) -> any Error
    ) {
        self.prepare = prepare
        self.convert = convert
    }

    /// The interceptor's type is opened here, and not again for each call.
    private func behind(_ outer: some ContextInterceptor) -> ContextInterceptors {
        ContextInterceptors(
            prepare: { [prepare] context in
                do { return try outer.prepare(&context) && prepare(&context) } catch { throw outer.convert(error, context) }
            },
            convert: { [convert] error, context in outer.convert(convert(error, context), context) })
    }
}
