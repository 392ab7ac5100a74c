/// A composed Hangul syllable as the numbers of its letters: initial consonant 0…18, vowel 0…20, final consonant 0…27, where 0 is none
/// (Unicode, section 3.12).
struct HangulSyllable {
    let initial: Int
    let vowel: Int
    let final: Int

    private static let first: UInt32 = 0xAC00
    private static let vowelCount = 21
    private static let finalCount = 28

    /// `nil` for every scalar that is not a composed syllable.
    init?(_ scalar: Unicode.Scalar) {
        guard Unicode.Scalar.hangulSyllables.contains(scalar) else { return nil }
        let index = Int(scalar.value - Self.first)
        initial = index / (Self.vowelCount * Self.finalCount)
        vowel = index / Self.finalCount % Self.vowelCount
        final = index % Self.finalCount
    }

    /// The initial consonant as a letter of its own, such as ㅎ.
    var initialConsonant: Unicode.Scalar { Self.initials[initial] }

    // MARK: Consonants

    /// The letters of the initial consonants, in the order of syllables.
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

    /// Letters that keyboards compose from two consonants.
    private static let pairs: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ㄳ": ["ㄱ", "ㅅ"], "ㄵ": ["ㄴ", "ㅈ"], "ㄶ": ["ㄴ", "ㅎ"], "ㄺ": ["ㄹ", "ㄱ"], "ㄻ": ["ㄹ", "ㅁ"], "ㄼ": ["ㄹ", "ㅂ"],
        "ㄽ": ["ㄹ", "ㅅ"], "ㄾ": ["ㄹ", "ㅌ"], "ㄿ": ["ㄹ", "ㅍ"], "ㅀ": ["ㄹ", "ㅎ"], "ㅄ": ["ㅂ", "ㅅ"],
    ]

    /// Whether a scalar is a consonant that stands alone, ㄱ…ㅎ.
    static func isConsonant(_ scalar: Unicode.Scalar) -> Bool { ("\u{3131}"..."\u{314E}").contains(scalar) }

    /// The consonants of one letter that can begin a syllable: the letter itself, or the two that it was composed from.
    static func consonants(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] { pairs[scalar] ?? [scalar] }

    /// The letter of an initial consonant of decomposed Hangul (U+1100…U+1112).
    static func initialConsonant(conjoining scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard ("\u{1100}"..."\u{1112}").contains(scalar) else { return nil }
        return initials[Int(scalar.value - 0x1100)]
    }

    // MARK: Composing

    /// A range of texts in the order of scalars, without its end.
    typealias Texts = (first: String, end: String)

    /// What this last syllable of a text can become while the user types on. Texts that begin with the syllable itself come first.
    var completions: [Texts] {
        guard final > 0 else {
            // Any final consonant, and the vowels that begin with this one.
            return [Self.texts(from: Self.scalar(initial, vowel, 0), to: Self.scalar(initial, vowel + Self.laterVowels[vowel, default: 0], 27))]
        }
        let present = Self.scalar(initial, vowel, final)
        var completions = [Self.texts(from: present, to: Self.scalar(initial, vowel, final + Self.laterFinals[final, default: 0]))]
        if final == 1 {
            // ㄱ becomes ㄳ. Between them is ㄲ, which has a key of its own.
            let pair = Self.scalar(initial, vowel, 3)
            completions.append(Self.texts(from: pair, to: pair))
        }
        // If a vowel follows, the final consonant, or the second of two, begins the next syllable.
        let (rest, next) = Self.splits[final - 1]
        let syllable = String(Self.scalar(initial, vowel, rest))
        let following = Self.syllables(initial: next)
        completions.append((syllable + following.first, syllable + following.end))
        return completions
    }

    /// The syllables that begin with a consonant; `nil` for what begins none.
    static func syllables(beginningWith consonant: Unicode.Scalar) -> Texts? { initials.firstIndex(of: consonant).map { syllables(initial: $0) } }

    private static func syllables(initial: Int) -> Texts { texts(from: scalar(initial, 0, 0), to: scalar(initial, vowelCount - 1, finalCount - 1)) }

    private static func texts(from first: Unicode.Scalar, to last: Unicode.Scalar) -> Texts {
        // The end is the scalar after the last syllable. It is no letter, but it exists.
        (String(first), String(last.next ?? last))
    }

    private static func scalar(_ initial: Int, _ vowel: Int, _ final: Int) -> Unicode.Scalar {
        let index = UInt32((initial * vowelCount + vowel) * finalCount + final)
        return Unicode.Scalar(first + index) ?? Unicode.Scalar.hangulSyllables.lowerBound
    }

    /// For a vowel, how many of the following vowels begin with it: ㅗ becomes ㅘ, ㅙ, ㅚ.
    private static let laterVowels = [8: 3, 9: 1, 13: 3, 14: 1, 18: 1]
    /// For a final consonant, how many of the following ones begin with it: ㄴ becomes ㄵ, ㄶ.
    private static let laterFinals = [4: 2, 8: 7, 17: 1]
    /// For each final consonant from 1: what stays of it when a vowel follows, and the initial consonant that the next syllable gets.
    private static let splits: [(rest: Int, next: Int)] = [
        (0, 0), (0, 1), (1, 9), (0, 2), (4, 12), (4, 18), (0, 3), (0, 5), (8, 0), (8, 6), (8, 7), (8, 9), (8, 16), (8, 17), (8, 18), (0, 6), (0, 7),
        (17, 9), (0, 9), (0, 10), (0, 11), (0, 12), (0, 14), (0, 15), (0, 16), (0, 17), (0, 18),
    ]
}
