import PulseBoardVocabulary

/// Why an ID token was not believed. The cases stand in the order of the checks: a token that fails several has the first one's reason (C1).
public enum IDTokenRefusal: Error, Hashable, Sendable, CaseIterable {
    /// Too long, not three parts of base64url, no JSON, a claim missing or of the wrong type, or a subject of no or more than 255 bytes.
    case malformed
    /// No issuer of the configuration.
    case issuerUnknown
    /// An algorithm that the issuer may not use, or a header that asks for an extension (`crit`).
    case algorithm
    /// No key of that name and algorithm, or no name and several keys that fit.
    case keyUnknown
    /// The signature is not the key's.
    case signature
    /// Made for another app.
    case audience
    /// Too old.
    case expired
    /// From the future.
    case notYetValid
    /// Not the answer to this sign-in: another nonce, one that was not made here, has expired, or was used with another token.
    case nonce
    /// Used before.
    case replayed
}

/// What an ID token that passed every check but its first use says.
public struct VerifiedIDToken: Hashable, Sendable {
    /// Who signs in. The issuer is the configured one, also when the token names an alias (C2).
    public let account: AccountID
    /// The SHA-256 of `header.payload`, 32 bytes. The signature is not in it, because one signature has several spellings.
    public let hash: [UInt8]
    /// From then on the token is refused as expired, whatever its own `exp` says.
    public let expireTime: Timestamp
    /// Whether the nonce, which is the request's, must also be one that this server has made.
    public let needsServerNonce: Bool

    public init(account: AccountID, hash: [UInt8], expireTime: Timestamp, needsServerNonce: Bool) {
        precondition(hash.count == 32, "the hash of a token is a SHA-256")
        self.account = account
        self.hash = hash
        self.expireTime = expireTime
        self.needsServerNonce = needsServerNonce
    }
}

/// Judges the ID tokens of configured issuers. It keeps nothing of a token, so no refused one changes how later ones are judged (C7).
public protocol IDTokenVerifier: Sendable {
    /// Makes every check but the first use, which the store makes. Reads files and computes signatures, on no thread of an event loop.
    ///
    /// - Parameters:
    ///   - token: in JWS compact form.
    ///   - nonce: the request's; empty for none.
    /// - Throws: every case of ``IDTokenRefusal`` but `replayed`.
    func verify(_ token: String, nonce: String, at now: Timestamp) async throws(IDTokenRefusal) -> VerifiedIDToken

    /// The name of a configured issuer, such as `google`; `nil` for one that is not configured, or not any more.
    func name(ofIssuer issuer: String) -> String?

    /// How many sign-ins of one issuer a second are let through; 0 for one that is not configured.
    func signInsPerSecond(ofIssuer issuer: String) -> Int

    /// How many sign-ins of one caller a second are let through; `nil`: as the services are configured.
    var signInsPerSecondPerCaller: Int? { get }

    /// How the keys of every configured issuer are, in the order of the configuration.
    func issuers() -> [IssuerStatus]
}

extension IDTokenVerifier {
    public var signInsPerSecondPerCaller: Int? { nil }
}

/// How the keys of one issuer are.
public struct IssuerStatus: Hashable, Sendable {
    public let name: String
    public let issuer: String
    /// Keys that tokens may be signed with.
    public let keyCount: Int
    /// When the file that they were read from was last written; `nil` while none could be read.
    public let keysTime: Timestamp?
    /// Why the file as it is now could not be read. The keys are those from before.
    public let problem: String?

    public init(name: String, issuer: String, keyCount: Int, keysTime: Timestamp?, problem: String?) {
        self.name = name
        self.issuer = issuer
        self.keyCount = keyCount
        self.keysTime = keysTime
        self.problem = problem
    }
}

/// The one use of an ID token, which the store notes in the transaction of what it is used for (C3).
public struct IDTokenUse: Hashable, Sendable {
    /// ``VerifiedIDToken/hash``.
    public let hash: [UInt8]
    /// Until when the store must know that the token was used.
    public let expireTime: Timestamp
    /// The caller's name for the use. Under the same name the token may be used again, and ends the session that it opened first (C4).
    public let requestID: RequestID?
    /// The nonce of this server that the token answers; `nil` for none.
    public let nonce: NonceUse?

    /// The one use of a nonce.
    public struct NonceUse: Hashable, Sendable {
        /// Of the nonce's text, 32 bytes.
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
    /// The reason of a token that was not believed.
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
