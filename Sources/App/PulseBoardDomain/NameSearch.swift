/// What a search by the beginning of a name looks for, as ranges of terms: a store needs only an ordered index of terms.
///
/// A text finds the terms that begin with it. While its last Hangul syllable is being composed, it also finds what the syllable can still become:
/// "하" finds "한", "한" finds "하나", "고" finds "과", and "민ㅈ" finds "민지". A text of initial consonants finds names by those: "ㅁㅈ" finds "민지".
public struct NameSearch: Hashable, Sendable {
    /// Terms from a first one up to one that is no longer among them, in the order of UTF-8 bytes.
    public struct Terms: Hashable, Sendable {
        public let start: String
        /// `nil` when every later term is among them.
        public let end: String?

        /// Whether a term is among them.
        public func contains(_ term: String) -> Bool { start.precedesOrEquals(term) && end.map { !$0.precedesOrEquals(term) } ?? true }
    }

    /// The text in its folded form (`searchFolded`), which a page token is bound to.
    public let text: String
    /// Ranges that do not overlap, in the order in which what is found is listed: names that begin with the text come first.
    public let ranges: [Terms]

    /// - Parameter text: what people typed, in any case and composed or not.
    public init(_ text: String) {
        self.text = text.searchFolded
        var head = self.text.unicodeScalars
        for index in head.indices.reversed() where head[index].value < 0x1113 {
            // An initial consonant of decomposed Hangul, without a vowel yet.
            guard let letter = HangulSyllable.initialConsonant(conjoining: head[index]) else { continue }
            head.replaceSubrange(index...index, with: CollectionOfOne(letter))
        }
        if !head.isEmpty, head.allSatisfy(HangulSyllable.isConsonant) {
            // Keyboards make one letter of some pairs.
            let initials = String(String.UnicodeScalarView(head.flatMap(HangulSyllable.consonants)))
            ranges = [Terms(start: initials, end: initials.endOfPrefix)]
            return
        }
        guard let last = head.popLast() else {
            ranges = []
            return
        }
        let prefix = String(head)
        func terms(_ texts: HangulSyllable.Texts) -> Terms { Terms(start: prefix + texts.first, end: prefix + texts.end) }
        if let syllable = HangulSyllable(last) {
            ranges = syllable.completions.map(terms)
            return
        }
        let typed = prefix + String(last)
        ranges = [Terms(start: typed, end: typed.endOfPrefix)] + [HangulSyllable.syllables(beginningWith: last)].compactMap(\.self).map(terms)
    }

    /// Whether it finds a term.
    public func finds(_ term: String) -> Bool { ranges.contains { $0.contains(term) } }
}

/// The terms under which a search finds a profile.
public struct SearchTerms: Hashable, Sendable {
    /// What a term is of. The numbers stand in the store.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        case username = 0
        case displayName = 1
        /// The names with only the initial consonants of their Hangul syllables.
        case usernameInitials = 2
        case displayNameInitials = 3
    }

    /// One term, and what it is of.
    public struct Term: Hashable, Sendable {
        public let kind: Kind
        public let text: String
    }

    /// The terms in the order of their kinds, each once and none empty. A profile that several of them would find is listed under the first of those.
    public let all: [Term]

    public init(_ profile: Profile) { self.init(usernameKey: profile.username.key, displayName: profile.displayName.text) }

    /// - Parameter usernameKey: the folded username.
    package init(usernameKey: String, displayName: String) {
        var all = [Term(kind: .username, text: usernameKey)]
        let displayed = displayName.searchFolded
        for (kind, text) in [
            (.displayName, displayed), (.usernameInitials, usernameKey.initialConsonants), (.displayNameInitials, displayed.initialConsonants),
        ] as [(Kind, String?)] {
            // By bytes: what differs in them is another term to the store.
            guard let text, !text.isEmpty, !all.contains(where: { $0.text.utf8.elementsEqual(text.utf8) }) else { continue }
            all.append(Term(kind: kind, text: text))
        }
        self.all = all
    }
}

extension String {
    /// The text with each Hangul syllable replaced by its initial consonant; `nil` when it has no syllable.
    fileprivate var initialConsonants: String? {
        guard unicodeScalars.contains(where: Unicode.Scalar.hangulSyllables.contains) else { return nil }
        return String(String.UnicodeScalarView(unicodeScalars.map { HangulSyllable($0)?.initialConsonant ?? $0 }))
    }

    /// Whether a text comes before another one in the order of UTF-8 bytes, or is that one. Swift's own order takes one character for
    /// another that means the same.
    fileprivate func precedesOrEquals(_ other: String) -> Bool { !other.utf8.lexicographicallyPrecedes(utf8) }

    /// The first text after all that start with this one, in the order of UTF-8 bytes, which is that of scalars: this one with its last
    /// scalar replaced by the next. `nil` when nothing comes after them.
    fileprivate var endOfPrefix: String? {
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            guard let next = last.next else { continue }
            scalars.append(next)
            return String(scalars)
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// The next one; between U+D7FF and U+E000 there are none, after U+10FFFF neither.
    var next: Unicode.Scalar? { Unicode.Scalar(value == 0xD7FF ? 0xE000 : value + 1) }
}
