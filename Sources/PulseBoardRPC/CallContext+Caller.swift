import PulseBoardDomain
import PulseBoardServices
import RPCCore

/// Where ``AuthenticationInterceptor`` leaves who calls.
private enum CallerKey: CallContextKey {
    typealias Value = Caller
}

extension CallContext {
    /// Who calls, as the call's token proved.
    ///
    /// - Throws: `notAuthenticated` where nobody has proved it: for a method that needs no session, and on a server without
    ///   ``AuthenticationInterceptor``, which thus serves nobody by mistake.
    var caller: Caller {
        get throws(RepositoryError) {
            guard let caller = self[CallerKey.self] else { throw .notAuthenticated }
            return caller
        }
    }

    /// The same context with who calls.
    func called(by caller: Caller) -> CallContext {
        var context = self
        context[CallerKey.self] = caller
        return context
    }

    /// The session token of `authorization: Bearer …`, or nil.
    var bearerToken: String? {
        guard let value = metadata["authorization"] else { return nil }
        // As clients write it first: a comparison of bytes, where folding the case costs each call as much as finding its session.
        guard value.hasPrefix("Bearer ") || value.prefix(7).lowercased() == "bearer " else { return nil }
        return String(value[value.utf8.index(value.startIndex, offsetBy: 7)...])
    }

    /// The language for texts that people read, from `accept-language`.
    var language: Language { Language(acceptLanguage: metadata["accept-language"] ?? "") }
}
