import PulseBoardDomain
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore

/// Where ``DomainInterceptor`` leaves who calls.
private enum CallerKey: CallContextKey {
    typealias Value = Caller
}

extension CallContext {
    /// Who calls, as the call's token proved.
    ///
    /// - Throws: `notAuthenticated` where nobody has proved it: for a method that needs no session, and on a server without
    ///   ``DomainInterceptor``, which thus serves nobody by mistake.
    var caller: Caller {
        get throws(RepositoryError) {
            guard let caller = self[CallerKey.self] else { throw .notAuthenticated }
            return caller
        }
    }

    /// Leaves who calls for the handler.
    mutating func leave(_ caller: Caller) { self[CallerKey.self] = caller }

    private static let scheme = Array("bearer".utf8)
    /// Bytes before the token: the scheme and a space.
    private static let tokenOffset = scheme.count + 1
    /// Longest value that may hold a token, in bytes; a longer one is not looked at, and proves nobody.
    private static let maximumBytes = 256

    /// The session token of `authorization: Bearer …`, or nil.
    var bearerToken: String? {
        bearerAuthorization.flatMap { String($0.utf8.dropFirst(Self.tokenOffset)) }
    }

    /// Lends the same in UTF-8, where it lies.
    func withBearerToken<Result, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result? {
        guard let value = bearerAuthorization else { return nil }
        return try body(value.utf8Span.span.extracting(droppingFirst: Self.tokenOffset))
    }

    /// `authorization`, if it is a token's.
    private var bearerAuthorization: String? {
        guard let value = metadata["authorization"], value.utf8.count <= Self.maximumBytes, Self.isBearer(value.utf8Span.span)
        else { return nil }
        return value
    }

    /// As bytes: a comparison of characters costs each call as much as finding its session.
    private static func isBearer(_ value: Span<UInt8>) -> Bool {
        guard value.count >= tokenOffset, value[scheme.count] == UInt8(ascii: " ") else { return false }
        // The scheme's name is of any case (RFC 9110, 11.1); in ASCII, one bit is the case of a letter.
        for (index, letter) in scheme.enumerated() where value[index] | 0x20 != letter { return false }
        return true
    }

    /// How new the answers have to be: metadata `pulseboard-consistency`, the first of them. `nil` when it cannot be understood.
    var consistency: Consistency? {
        guard let text = metadata[Self.consistencyKey] else { return .bounded }
        return Consistency(text: text)
    }

    /// The same for a method that needs no session. - Throws: `consistencyInvalid`.
    var requiredConsistency: Consistency {
        get throws(RepositoryError) {
            guard let consistency else { throw .consistencyInvalid }
            return consistency
        }
    }

    /// Has the answer to a write carry the token of the write, where there may be other servers and the protocol carries metadata (gRPC).
    func answer(with token: ConsistencyToken?) {
        guard let token, let responseMetadata else { return }
        responseMetadata.initial.append(token.description, for: Self.consistencyKey)
    }

    private static let consistencyKey = "pulseboard-consistency"

    /// The language for texts that people read, from `accept-language`.
    var language: Language { Language(acceptLanguage: metadata["accept-language"] ?? "") }
}
