/// An identity as others know it: an issuer and a subject, written `issuer:subject`.
///
/// Sign-in proves the pair. Everything else is stored under the `UserID`. `unix:1000` is the account of Unix uid 1000, and `account:kim` is a
/// named account of this server. Other issuers are OpenID Connect providers.
public struct AccountID: Hashable, Sendable, CustomStringConvertible {
    /// Who proves the identity: `unix`, `account`, or the issuer of ID tokens.
    public let issuer: String
    /// The identity, as its issuer names it.
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// The account that belongs to a Unix uid, as the kernel proves it.
    public static func unix(uid: UInt32) -> AccountID {
        AccountID(issuer: "unix", subject: String(uid))
    }

    /// Longest name of a named account, in UTF-8 bytes.
    public static let maximumNameBytes = 64

    /// A named account. The name is 1…64 UTF-8 bytes of NFC text without control characters or white space.
    ///
    /// - Throws: `ValidationError` for the field `account`.
    public static func named(_ name: String) throws(ValidationError) -> AccountID {
        let invalid = ValidationError(field: "account", reason: .accountNameInvalid, limit: maximumNameBytes)
        guard name.mayCompose(within: maximumNameBytes) else { throw invalid }
        let normalized = name.normalizedNFC
        guard !normalized.isEmpty, normalized.utf8.count <= maximumNameBytes,
            normalized.unicodeScalars.allSatisfy({ !$0.isControl && !$0.properties.isWhitespace })
        else { throw invalid }
        return AccountID(issuer: "account", subject: normalized)
    }

    public var description: String { "\(issuer):\(subject)" }
}
