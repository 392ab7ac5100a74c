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

    private static let bearer = Array("bearer".utf8)

    /// The session token of `authorization: Bearer …`, or nil.
    var bearerToken: String? {
        guard let value = metadata["authorization"] else { return nil }
        // As bytes: a comparison of characters costs each call as much as finding its session.
        let bytes = value.utf8Span.span
        guard bytes.count >= 7, bytes[6] == UInt8(ascii: " ") else { return nil }
        // The scheme's name is of any case (RFC 9110, 11.1); in ASCII, one bit is the case of a letter.
        for (index, letter) in Self.bearer.enumerated() where bytes[index] | 0x20 != letter { return nil }
        return String(value.utf8.dropFirst(7))
    }

    /// The language for texts that people read, from `accept-language`.
    var language: Language { Language(acceptLanguage: metadata["accept-language"] ?? "") }
}
