import PulseBoardVocabulary

/// Why an ID token was refused. The cases are in the order of the checks: if several fail, the first one's reason is reported (C1).
public enum IDTokenRefusal: Error, Hashable, Sendable, CaseIterable {
    /// The token is too long, is not three parts of base64url or not JSON, lacks a claim or has one of the wrong type, or has a subject
    /// that is empty or over 255 bytes. Or it is another kind of token.
    case malformed
    /// The issuer is not in the configuration.
    case issuerUnknown
    /// The issuer may not use the algorithm, or the header asks for an extension (`crit`).
    case algorithm
    /// No key has this name and algorithm, or the token names no key and several fit.
    case keyUnknown
    /// The signature does not fit the key.
    case signature
    /// The token was made for another app.
    case audience
    /// The token has expired.
    case expired
    /// The token is not valid yet.
    case notYetValid
    /// The nonce is not the one of this sign-in, was not made by this server, has expired, or was used with another token.
    case nonce
    /// The token was used before.
    case replayed
}

/// The claims of an ID token that passed every check but the one for repeated use.
public struct VerifiedIDToken: Hashable, Sendable {
    /// The account that signs in. Its issuer is the configured one, even if the token names an alias (C2).
    public let account: AccountID
    /// The SHA-256 of `header.payload`, 32 bytes. The signature is not in it, because one signature has several spellings.
    public let hash: [UInt8]
    /// Until when its use must be remembered. From this instant on no permitted configuration accepts the token.
    public let expireTime: Timestamp
    /// Whether the nonce must also be one that this server made.
    public let needsServerNonce: Bool

    public init(account: AccountID, hash: [UInt8], expireTime: Timestamp, needsServerNonce: Bool) {
        precondition(hash.count == 32, "the hash of a token is a SHA-256")
        self.account = account
        self.hash = hash
        self.expireTime = expireTime
        self.needsServerNonce = needsServerNonce
    }
}

/// Verifies the ID tokens of configured issuers. It keeps nothing of a token, so a refused token does not affect later ones (C7).
public protocol IDTokenVerifier: Sendable {
    /// Makes every check but the one for repeated use, which the store makes. It reads files and verifies signatures, but never on an
    /// event loop.
    ///
    /// - Parameters:
    ///   - token: in JWS compact form.
    ///   - nonce: the nonce of the request; empty for none.
    /// - Throws: every case of ``IDTokenRefusal`` but `replayed`.
    func verify(_ token: String, nonce: String, at now: Timestamp) async throws(IDTokenRefusal) -> VerifiedIDToken

    /// The name of a configured issuer, such as `google`; `nil` if it is not configured.
    func name(ofIssuer issuer: String) -> String?

    /// How many sign-ins a second one issuer may have; 0 if it is not configured.
    func signInsPerSecond(ofIssuer issuer: String) -> Int

    /// How many sign-ins a second one caller may have. `nil` means the services' own setting.
    var signInsPerSecondPerCaller: Int? { get }

    /// The state of every configured issuer's keys, in the order of the configuration.
    func issuers() -> [IssuerStatus]
}

extension IDTokenVerifier {
    public var signInsPerSecondPerCaller: Int? { nil }
}

/// The state of one issuer's keys.
public struct IssuerStatus: Hashable, Sendable {
    public let name: String
    public let issuer: String
    /// How many keys may sign tokens.
    public let keyCount: Int
    /// When the file of the keys was last written; `nil` while none could be read.
    public let keysTime: Timestamp?
    /// Why the present file could not be read; `nil` if it could. The keys from before stay in use.
    public let problem: String?

    public init(name: String, issuer: String, keyCount: Int, keysTime: Timestamp?, problem: String?) {
        self.name = name
        self.issuer = issuer
        self.keyCount = keyCount
        self.keysTime = keysTime
        self.problem = problem
    }
}

/// The single use of an ID token. The store records it in the same transaction as the sign-in or link (C3).
public struct IDTokenUse: Hashable, Sendable {
    /// ``VerifiedIDToken/hash``.
    public let hash: [UInt8]
    /// Until when the store must remember the use.
    public let expireTime: Timestamp
    /// The caller's request id. With the same request id the token may be used again; that ends the session that it opened first (C4). If
    /// that session has ended already, the token is refused.
    public let requestID: RequestID?
    /// The server's nonce in the token; `nil` for none.
    public let nonce: NonceUse?

    /// The single use of a nonce.
    public struct NonceUse: Hashable, Sendable {
        /// SHA-256 of the nonce's decoded bytes, 32 bytes.
        public let hash: [UInt8]
        /// When the nonce would have expired.
        public let expireTime: Timestamp

        public init(hash: [UInt8], expireTime: Timestamp) {
            self.hash = hash
            self.expireTime = expireTime
        }
    }

    public init(hash: [UInt8], expireTime: Timestamp, requestID: RequestID?, nonce: NonceUse?) {
        precondition(hash.count == 32, "the hash of a token is a SHA-256")
        self.hash = hash
        self.expireTime = expireTime
        self.requestID = requestID
        self.nonce = nonce
    }
}

extension Reason {
    /// The reason for a refused token.
    init(_ refusal: IDTokenRefusal) {
        self =
            switch refusal {
            case .malformed: .idTokenMalformed
            case .issuerUnknown: .idTokenIssuerUnknown
            case .algorithm: .idTokenAlgorithm
            case .keyUnknown: .idTokenKeyUnknown
            case .signature: .idTokenSignature
            case .audience: .idTokenAudience
            case .expired: .idTokenExpired
            case .notYetValid: .idTokenNotYetValid
            case .nonce: .idTokenNonce
            case .replayed: .idTokenReplayed
            }
    }
}
