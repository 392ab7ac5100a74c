import PulseBoardDomain
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore

/// The key under which ``DomainInterceptor`` stores the caller.
private enum CallerKey: CallContextKey {
    typealias Value = Caller
}

extension CallContext {
    /// The caller that the call's token proves.
    ///
    /// - Throws: `notAuthenticated` without a proved caller: in a method that needs no session, and on a server without
    ///   ``DomainInterceptor``, so that such a server serves nobody by mistake.
    var caller: Caller {
        get throws(RepositoryError) {
            guard let caller = self[CallerKey.self] else { throw .notAuthenticated }
            return caller
        }
    }

    /// Where the call comes from: one connection of a gateway, or a uid.
    var source: CallSource {
        switch origin {
        case .inProcess: .inProcess
        case .local(let peer): .uid(peer.uid)
        // Unmapped uids cannot be told apart, so they count as one.
        case .unmapped: .uid(.max)
        case .remote(let connection): .connection(connection)
        }
    }

    /// Stores the caller for the handler.
    mutating func leave(_ caller: Caller) { self[CallerKey.self] = caller }

    private static let scheme = Array("bearer".utf8)
    /// Bytes before the token: the scheme and a space.
    private static let tokenOffset = scheme.count + 1
    /// Longest value that may hold a token, in bytes. A longer one is ignored.
    private static let maximumBytes = 256

    /// The session token of `authorization: Bearer …`, or nil.
    var bearerToken: String? {
        bearerAuthorization.flatMap { String($0.utf8.dropFirst(Self.tokenOffset)) }
    }

    /// Lends the token's UTF-8 bytes without copying.
    func withBearerToken<Result, Failure>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result? {
        guard let value = bearerAuthorization else { return nil }
        return try body(value.utf8Span.span.extracting(droppingFirst: Self.tokenOffset))
    }

    /// The value of `authorization` if its scheme is `Bearer`.
    private var bearerAuthorization: String? {
        guard let value = metadata["authorization"], value.utf8.count <= Self.maximumBytes, Self.isBearer(value.utf8Span.span)
        else { return nil }
        return value
    }

    /// It compares bytes: comparing characters would cost each call as much as finding its session.
    private static func isBearer(_ value: Span<UInt8>) -> Bool {
        guard value.count >= tokenOffset, value[scheme.count] == UInt8(ascii: " ") else { return false }
        // The scheme's case does not matter (RFC 9110, 11.1). In ASCII one bit is the case of a letter.
        for (index, letter) in scheme.enumerated() where value[index] | 0x20 != letter { return false }
        return true
    }

    /// How new the answers have to be, from the first `pulseboard-consistency` in the metadata. `nil` if the value is invalid.
    var consistency: Consistency? {
        guard let text = metadata[Self.consistencyKey] else { return .bounded }
        return Consistency(text: text)
    }

    /// ``consistency`` for a method that needs no session.
    /// - Throws: `consistencyInvalid`.
    var requiredConsistency: Consistency {
        get throws(RepositoryError) {
            guard let consistency else { throw .consistencyInvalid }
            return consistency
        }
    }

    /// Puts the token of a write into the answer's metadata, if other servers share the store and the protocol has response metadata
    /// (gRPC).
    func answer(with token: ConsistencyToken?) {
        guard let token, let responseMetadata else { return }
        responseMetadata.initial.append(token.description, for: Self.consistencyKey)
    }

    private static let consistencyKey = "pulseboard-consistency"

    /// The language for texts that people read, from `accept-language`.
    var language: Language { Language(acceptLanguage: metadata["accept-language"] ?? "") }
}
