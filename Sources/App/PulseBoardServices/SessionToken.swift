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

    /// The key of a token in the session cache: its text as six words, so that no call has to make a string.
    struct Key: Hashable, Sendable {
        private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

        /// Nil for UTF-8 text that is not as long as a token. The characters are not checked, because only tokens are in the cache.
        init?(_ text: Span<UInt8>) {
            guard text.count == textLength else { return nil }
            words = (
                Self.word(text, 0..<8), Self.word(text, 8..<16), Self.word(text, 16..<24), Self.word(text, 24..<32), Self.word(text, 32..<40),
                Self.word(text, 40..<43)
            )
        }

        private static func word(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
            var word: UInt64 = 0
            for index in range { word = word << 8 | UInt64(text[index]) }
            return word
        }

        static func == (left: Key, right: Key) -> Bool {
            left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
                && left.words.3 == right.words.3 && left.words.4 == right.words.4 && left.words.5 == right.words.5
        }

        /// Eight characters are enough: those of a token are random, and only tokens get among the keys, so nobody can make them collide.
        func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
    }
}
