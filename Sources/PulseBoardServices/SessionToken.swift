import Crypto
import PulseBoardDomain

/// The secret that proves a session: 256 random bits, written as 43 characters of base64url.
///
/// It is shown once, in the answer to the sign-in; the store gets only its SHA-256. A plain hash is enough for a secret
/// of full entropy: there is no dictionary to try.
enum SessionToken {
    static let byteCount = 32
    static let textLength = 43

    static func random(using source: some RandomSource) -> String {
        Base64URL.encode(source.bytes(byteCount))
    }

    /// The hash of a token's bytes, or `nil` for a text that cannot be a token.
    static func hash(of text: String) -> TokenHash? {
        guard text.utf8.count == textLength, let bytes = Base64URL.decode(text) else { return nil }
        return TokenHash(bytes: [UInt8](SHA256.hash(data: bytes)))
    }
}
