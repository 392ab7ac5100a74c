import RPCCore

/// An interceptor, which runs before every handler. It refuses calls without the metadata `caller`.
struct RequireCaller: ServerInterceptor {
    func intercept<Answer>(
        _ context: CallContext, _ next: NextCall<Answer>
    ) async throws -> Answer {
        guard let caller = context.metadata["caller"] else {
            throw RPCError(.unauthenticated, "say who you are: metadata `caller`")
        }
        context.logger.info("called", metadata: ["caller": "\(caller)"])
        return try await next(context)
    }
}
