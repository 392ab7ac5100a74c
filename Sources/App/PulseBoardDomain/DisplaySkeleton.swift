import PulseBoardVocabulary

extension String {
    /// What a display name looks like to a reader. It is compared only with the names of reserved accounts.
    ///
    /// A display name may have any characters. So everything but letters and digits is dropped, accents and width are ignored, and Cyrillic and
    /// Greek letters become the Latin letters that they look like. Then the rules for look-alikes of usernames apply.
    var displaySkeleton: String {
        var letters = ""
        for scalar in decomposedNFKD.uniquenessKey.decomposedNFKD.unicodeScalars where scalar.isVisible {
            switch scalar.properties.generalCategory {
            case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .otherNumber, .letterNumber:
                letters.unicodeScalars.append(Self.latinLookAlikes[scalar] ?? scalar)
            default: continue
            }
        }
        return letters.usernameSkeleton
    }

    /// Lower-case letters of other scripts that look like Latin letters.
    private static let latinLookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
        // Cyrillic.
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p",
        "ѕ": "s", "т": "t", "ս": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y",
        // Greek.
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "ɑ": "a",
    ]
}
