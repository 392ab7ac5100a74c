import Crypto
import PulseBoardDomain

/// A nonce for one sign-in. The client passes it to the identity provider, which puts it into the ID token.
public struct SignInNonce: Hashable, Sendable {
    /// 76 characters of base64url.
    public let text: String
    /// When the nonce expires. From then on no token with it can sign in.
    public let expireTime: Timestamp
}

/// Makes nonces that nobody else can make. They take no storage until they are used.
///
/// A nonce is base64url of a format byte (1), its expiry (8 bytes), 16 random bytes, and the HMAC-SHA256 of these under a key that is derived
/// from the deployment's secret. So it survives a restart, and unused nonces take no memory.
struct SignInNonceSealer: Sendable {
    /// How long a nonce may be used.
    static let lifetime = Timestamp.Interval.seconds(600)
    /// How far the clock of the server that made a nonce may be ahead of the one that reads it.
    private static let slack = Timestamp.Interval.seconds(60)
    private static let format: UInt8 = 1
    private static let randomByteCount = 16
    private static let bodyByteCount = 1 + 8 + randomByteCount

    private let key: SymmetricKey

    /// - Parameter secret: the deployment's secret. The nonces' own key is derived from it, so that nothing sealed for another purpose is a
    ///   valid nonce.
    init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("pulseboard sign-in nonce".utf8), outputByteCount: SHA256.byteCount)
    }

    func make(at now: Timestamp, using random: some RandomSource) -> SignInNonce {
        let expireTime = now.advanced(by: Self.lifetime)
        let body = [Self.format] + expireTime.microseconds.bigEndianBytes + random.bytes(Self.randomByteCount)
        let code = HMAC<SHA256>.authenticationCode(for: body, using: key)
        return SignInNonce(text: Base64URL.encode(body + Array(code)), expireTime: expireTime)
    }

    /// Reads a nonce of this deployment; `nil` for any other text and for an expired nonce. A nonce that lasts longer than a new one is refused too.
    /// It was made while the clock was ahead.
    func use(of text: String, at now: Timestamp) -> IDTokenUse.NonceUse? {
        guard
            text.utf8.count <= 128, let bytes = Base64URL.decode(text), bytes.count == Self.bodyByteCount + SHA256.byteCount,
            bytes[0] == Self.format,
            HMAC<SHA256>.isValidAuthenticationCode(
                Array(bytes[Self.bodyByteCount...]), authenticating: Array(bytes[..<Self.bodyByteCount]), using: key)
        else { return nil }
        let expireTime = Timestamp(microseconds: bytes[1..<9].reduce(Int64(0)) { $0 << 8 | Int64($1) })
        guard now < expireTime, expireTime <= now.advanced(by: Self.lifetime).advanced(by: Self.slack) else { return nil }
        return IDTokenUse.NonceUse(hash: Array(SHA256.hash(data: bytes)), expireTime: expireTime)
    }
}
