// The only file of the domain that needs Foundation: the standard library compares strings by canonical equivalence
// but does not offer the composed form itself.
import Foundation

extension String {
    /// The text in Unicode normalisation form C, so that decomposed Hangul is what the reader takes it for (X15).
    package var normalizedNFC: String {
        isKnownComposed ? self : precomposedStringWithCanonicalMapping
    }

    /// The text in compatibility decomposition (NFKD): without what is only another shape of a letter, such as its full width.
    package var decomposedNFKD: String { decomposedStringWithCompatibilityMapping }

    /// Whether the composed form can have at most so many bytes of UTF-8. It composes nothing: with many combining marks, NFC takes time that grows
    /// with the square of the length.
    ///
    /// Ask this before any other work on a text from outside. Composing shortens a text to a third at most: a Hangul syllable of three letters has 3
    /// bytes and its letters have 9. It takes in at most three marks of each character.
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

    /// Whether every scalar is ASCII or a Hangul syllable: such text is its own composed form.
    var isKnownComposed: Bool {
        unicodeScalars.allSatisfy { $0.isASCII || Unicode.Scalar.hangulSyllables.contains($0) }
    }
}

extension Unicode.Scalar {
    /// The precomposed Hangul syllables, 가…힣.
    static let hangulSyllables: ClosedRange<Unicode.Scalar> = "\u{AC00}"..."\u{D7A3}"

    /// Whether the scalar steers a terminal or the direction of text instead of being seen: C0 and C1 controls, line
    /// and paragraph separators, and the bidirectional embeddings, overrides and isolates.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default:
            return ("\u{202A}"..."\u{202E}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
        }
    }

    /// Whether a reader sees anything: no blank, no mark that only steers its neighbours (U+200B), and no letter without a shape (U+3164).
    package var isVisible: Bool {
        if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return false }
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
        // The empty braille pattern, and the null note head.
        default: return self != "\u{2800}" && self != "\u{1D159}"
        }
    }
}
