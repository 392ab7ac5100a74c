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
