import PulseBoardVocabulary

extension String {
    /// What a display name says to a reader, for comparison with the names of reserved accounts only.
    ///
    /// A display name has any characters. So everything but letters and digits counts for nothing, nor do accents and width, and Cyrillic and Greek
    /// letters count as the Latin ones that they look like. Then the look-alikes of usernames are the same.
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

    /// The small letters of other scripts that are drawn as Latin ones.
    private static let latinLookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
        // Cyrillic.
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p",
        "ѕ": "s", "т": "t", "ս": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y",
        // Greek.
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "ɑ": "a",
    ]
}
