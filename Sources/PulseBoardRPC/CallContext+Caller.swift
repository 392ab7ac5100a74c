import PulseBoardDomain
import PulseBoardServices
import RPCCore

extension CallContext {
    /// The session token of `authorization: Bearer …`, or nil.
    var bearerToken: String? {
        guard let value = metadata["authorization"] else { return nil }
        let scheme = value.prefix(7)
        guard scheme.count == 7, scheme.lowercased() == "bearer " else { return nil }
        return String(value.dropFirst(7))
    }

    /// The language for texts that people read, from `accept-language`.
    var language: Language { Language(acceptLanguage: metadata["accept-language"] ?? "") }
}

/// Runs a service call as the caller that the token proves; no user id in a request is ever believed.
///
/// Whatever the domain refuses becomes a status in the caller's language.
func asCaller<Answer>(
    _ auth: AuthService, _ context: CallContext, _ body: (Caller) async throws(RepositoryError) -> Answer
) async throws(RPCError) -> Answer {
    do throws(RepositoryError) {
        return try await body(try await auth.authenticate(context.bearerToken))
    } catch {
        throw RPCError(error, in: context.language)
    }
}

/// Runs a service call that needs no caller.
func answering<Answer>(
    _ context: CallContext, _ body: () async throws(RepositoryError) -> Answer
) async throws(RPCError) -> Answer {
    do throws(RepositoryError) {
        return try await body()
    } catch {
        throw RPCError(error, in: context.language)
    }
}
