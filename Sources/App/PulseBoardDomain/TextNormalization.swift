// The only file of the domain that needs Foundation: the standard library compares strings by canonical equivalence
// but does not offer the composed form itself.
import Foundation

extension String {
    /// The text in Unicode normalisation form C. So composed and decomposed Hangul are equal (X15).
    package var normalizedNFC: String {
        isKnownComposed ? self : precomposedStringWithCanonicalMapping
    }

    /// The text in compatibility decomposition (NFKD). Variants of a letter, such as its full-width form, become the plain letter.
    var decomposedNFKD: String { decomposedStringWithCompatibilityMapping }

    /// Whether the composed form could fit into `bytes` bytes of UTF-8. It composes nothing, because with many combining marks the time of NFC
    /// grows with the square of the length.
    ///
    /// Call this before any other work on a text from outside. Composing shortens a text to a third at most: a Hangul syllable has 3 bytes and its
    /// three letters have 9. Composing joins at most three marks to a character.
    package func mayCompose(within bytes: Int) -> Bool {
        if utf8.count <= bytes { return true }
        guard utf8.count <= 3 * bytes else { return false }
        var marks = 0
        var left = bytes
        for scalar in unicodeScalars {
            guard scalar.properties.canonicalCombiningClass != .notReordered else {
                marks = 0
                continue
            }
            marks += 1
            if marks > 3 { left -= scalar.utf8.count }
        }
        return left >= 0
    }

    /// Whether every scalar is ASCII or a Hangul syllable. Such a text is in NFC already.
    var isKnownComposed: Bool {
        unicodeScalars.allSatisfy { $0.isASCII || Unicode.Scalar.hangulSyllables.contains($0) }
    }
}

extension Unicode.Scalar {
    /// The precomposed Hangul syllables, 가…힣.
    static let hangulSyllables: ClosedRange<Unicode.Scalar> = "\u{AC00}"..."\u{D7A3}"

    /// Whether the scalar controls a terminal or the direction of text: C0 and C1 controls, line and paragraph
    /// separators, and bidirectional embeddings, overrides and isolates.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default:
            return ("\u{202A}"..."\u{202E}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
        }
    }

    /// Whether the scalar is visible. White space, format characters (U+200B) and letters without a shape (U+3164) are not.
    var isVisible: Bool {
        if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return false }
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
        // The empty braille pattern, and the null note head.
        default: return self != "\u{2800}" && self != "\u{1D159}"
        }
    }
}
