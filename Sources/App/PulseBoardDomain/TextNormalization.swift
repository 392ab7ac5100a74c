// The only file of the domain that needs Foundation: the standard library compares strings by canonical equivalence
// but does not offer the composed form itself.
import Foundation
import PulseBoardVocabulary

extension String {
    /// The text in Unicode normalisation form C. So composed and decomposed Hangul are equal (X15).
    package var normalizedNFC: String {
        isKnownComposed ? self : inCanonicalOrder.precomposedStringWithCanonicalMapping
    }

    /// The same text with every long run of combining marks in canonical order, which has the same NFC.
    ///
    /// The library sorts the marks of a run by exchanging neighbours. So a run in no order takes time that grows with its square, and a run in order
    /// does not (docs/performance.md). Runs of up to 30 marks, the limit of Stream-Safe Text (UAX #15, section 13), are left to the library.
    package var inCanonicalOrder: String {
        guard needsOrder else { return self }
        var ordered = UnicodeScalarView()
        // The scalar before the run, and the run.
        var letter: Unicode.Scalar?
        var run: [Unicode.Scalar] = []
        func endRun() {
            if run.count > Self.longestUnsortedRun {
                if let letter {
                    // The marks of a composed letter are sorted with the others.
                    let parts = String(letter).decomposedStringWithCanonicalMapping.unicodeScalars
                    let count = parts.reversed().prefix { $0.properties.canonicalCombiningClass != .notReordered }.count
                    ordered.append(contentsOf: parts.dropLast(count))
                    run.insert(contentsOf: parts.suffix(count), at: 0)
                }
                // Marks of one class keep their order.
                let classes = Dictionary(grouping: run) { $0.properties.canonicalCombiningClass.rawValue }
                for (_, marks) in classes.sorted(by: { $0.key < $1.key }) { ordered.append(contentsOf: marks) }
            } else {
                if let letter { ordered.append(letter) }
                ordered.append(contentsOf: run)
            }
            letter = nil
            run.removeAll(keepingCapacity: true)
        }
        for scalar in unicodeScalars {
            if let marks = scalar.hiddenMarks {
                run += marks
            } else if scalar.properties.canonicalCombiningClass != .notReordered {
                run.append(scalar)
            } else {
                endRun()
                letter = scalar
            }
        }
        endRun()
        return String(ordered)
    }

    /// Marks of a run that the library may sort.
    private static let longestUnsortedRun = 30

    /// Whether the text has a long run, or marks that the library does not take for marks.
    private var needsOrder: Bool {
        var count = 0
        for scalar in unicodeScalars {
            // No mark is ASCII.
            guard !scalar.isASCII, scalar.properties.canonicalCombiningClass != .notReordered else {
                if scalar.hiddenMarks != nil { return true }
                count = 0
                continue
            }
            count += 1
            if count > Self.longestUnsortedRun { return true }
        }
        return false
    }

    /// Whether two texts have the same bytes. `==` compares by canonical equivalence, and composes both texts for that.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // memcmp is much faster than a comparison of sequences.
        let isSame = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { two in
                guard let start = one.baseAddress, let otherStart = two.baseAddress else { return true }
                return memcmp(start, otherStart, one.count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// The text in compatibility decomposition (NFKD). Variants of a letter, such as its full-width form, become the plain letter.
    private var decomposedNFKD: String { decomposedStringWithCompatibilityMapping }

    /// Whether the composed form could fit into `bytes` bytes of UTF-8. It composes nothing.
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

    /// The number of characters (extended grapheme clusters).
    package var characterCount: Int {
        // Then only a line break of two scalars is a character of more than one.
        isKnownComposed && !utf8.contains(UInt8(ascii: "\r")) ? unicodeScalars.count : count
    }

    /// Whether every scalar is ASCII or a Hangul syllable. Such a text is in NFC already.
    private var isKnownComposed: Bool {
        unicodeScalars.allSatisfy { $0.isASCII || Unicode.Scalar.hangulSyllables.contains($0) }
    }
}

extension Unicode.Scalar {
    /// The precomposed Hangul syllables, 가…힣.
    static let hangulSyllables: ClosedRange<Unicode.Scalar> = "\u{AC00}"..."\u{D7A3}"

    /// The two marks of a Tibetan vowel sign that is always decomposed, although it is not a mark itself; `nil` for other scalars.
    fileprivate var hiddenMarks: [Unicode.Scalar]? {
        switch self {
        case "\u{0F73}": ["\u{0F71}", "\u{0F72}"]
        case "\u{0F75}": ["\u{0F71}", "\u{0F74}"]
        case "\u{0F81}": ["\u{0F71}", "\u{0F80}"]
        default: nil
        }
    }

    /// Whether the scalar controls a terminal or the direction of text: C0 and C1 controls, line and paragraph
    /// separators, and bidirectional embeddings, overrides and isolates.
    ///
    /// The ranges are written out, because looking up the general category of each scalar is slow (docs/performance.md). Unicode never adds to the
    /// categories Cc, Zl and Zp.
    package var isControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether the scalar is visible. White space, format characters (U+200B) and letters without a shape (U+3164) are not.
    var isVisible: Bool {
        if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return false }
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return false
        default: break
        }
        switch self {
        // The empty braille pattern, the null note head, the blank hieroglyphs, and the filler of Khitan script.
        case "\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}", "\u{16FE4}": return false
        default: return true
        }
    }
}

extension String {
    /// The key that all spellings of one name share (X15). Two names with the same key are the same name.
    ///
    /// It is stored, and unique, in `username`. A change of this function needs a migration that finds names which become equal.
    package var uniquenessKey: String { caseFolded }

    /// The folded form that a search compares. A search text finds the names whose folded form begins with its own.
    ///
    /// It is stored in `profile_term`. A change of this function needs new terms, but no user loses a name. For a username it equals the
    /// ``uniquenessKey``, because matches by username are compared with that.
    package var searchFolded: String { caseFolded }

    /// Unicode full case folding, by the standard library's upper-case and then lower-case mappings, composed afterwards. The mappings agree with it
    /// for `ß`, final sigma and every name that the username rule admits.
    private var caseFolded: String {
        isKnownComposed ? inSmallASCII : normalizedNFC.uppercased().lowercased().normalizedNFC
    }

    /// The text with small letters for A…Z. The standard library looks up each scalar of a text that is not all ASCII.
    private var inSmallASCII: String {
        String(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension String {
    /// What a display name looks like to a reader, in NFC. It is compared only with the names of reserved accounts.
    ///
    /// A display name may have any characters. So everything but letters and digits is dropped, accents and width are ignored, and Cyrillic and
    /// Greek letters become the Latin letters that they look like. Then the rules for look-alikes of usernames apply.
    var displaySkeleton: String {
        var letters = UnicodeScalarView()
        // Most names. They need no table.
        if isKnownComposed {
            for scalar in inSmallASCII.unicodeScalars {
                switch scalar {
                case "a"..."z", "0"..."9": letters.append(scalar)
                default: if !scalar.isASCII { letters.append(scalar) }
                }
            }
            return String(letters).usernameSkeleton
        }
        let capitals = String(String.UnicodeScalarView(decomposedNFKD.unicodeScalars.map { Self.latinLookAlikesOfCapitals[$0] ?? $0 }))
        for scalar in capitals.uniquenessKey.decomposedNFKD.unicodeScalars where scalar.isVisible {
            switch scalar.properties.generalCategory {
            case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .otherNumber, .letterNumber:
                letters.append(Self.latinLookAlikes[scalar] ?? scalar)
            default: continue
            }
        }
        return String(letters).usernameSkeleton.normalizedNFC
    }

    /// Capitals of other scripts that look like Latin letters, and whose small letters look like others.
    private static let latinLookAlikesOfCapitals: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{41D}": "h",  // Cyrillic.
        "\u{396}": "z", "\u{397}": "h", "\u{39C}": "m", "\u{39D}": "n", "\u{3A5}": "y",  // Greek.
    ]

    /// Lower-case letters of other scripts that look like Latin letters.
    private static let latinLookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
        // Cyrillic.
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p",
        "ѕ": "s", "т": "t", "ս": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y",
        // Greek.
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "ɑ": "a",
    ]
}
