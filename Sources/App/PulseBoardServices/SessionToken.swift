import Crypto
import PulseBoardDomain

/// The secret of a session: 256 random bits, written as 43 characters of base64url.
///
/// Only the answer to the sign-in contains it; the store gets only its SHA-256. A plain hash is enough, because random
/// bits cannot be guessed from a dictionary.
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

    /// The key of a token in the session cache: its text as six words. So no call has to make a string.
    struct Key: Hashable, Sendable {
        private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

        /// `nil` if the text does not have the length of a token. The characters are not checked, because the cache holds only real
        /// tokens.
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

        /// Hashes only eight characters. They are random, and only real tokens become keys, so nobody can make them collide.
        func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
    }
}
