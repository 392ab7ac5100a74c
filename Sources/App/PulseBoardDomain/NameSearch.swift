/// A search by the beginning of a name, as ranges of terms. A store needs only an ordered index of terms.
///
/// A text finds the terms that begin with it. While its last Hangul syllable is being composed, it also finds what the syllable can still become:
/// "하" finds "한", "한" finds "하나", "고" finds "과", and "민ㅈ" finds "민지". A text of initial consonants finds names by those: "ㅁㅈ" finds "민지". Among
/// syllables such a letter stands for each syllable that it begins: "ㅁ지" and "김ㅁㅈ" find "민지" and "김민지".
public struct NameSearch: Hashable, Sendable {
    /// A range of terms in the order of UTF-8 bytes, without its end. It may have gaps.
    public struct Terms: Hashable, Sendable {
        /// The first text of the range.
        public let start: String
        /// The first text after the range; `nil` when every later term is in it.
        public let end: String?

        /// The scalars that may stand in each place of a term. Empty when the range has no gaps.
        let places: [Range<UInt32>]

        init(start: String, end: String?, places: [Range<UInt32>] = []) {
            self.start = start
            self.end = end
            self.places = places
        }

        /// Whether the range has gaps.
        public var isScattered: Bool { !places.isEmpty }

        /// Whether the range has a term.
        public func contains(_ term: String) -> Bool {
            guard start.precedesOrEquals(term), end.map({ !$0.precedesOrEquals(term) }) ?? true else { return false }
            return places.isEmpty || firstMismatch(Array(term.unicodeScalars)) == nil
        }

        /// The next text of the range after a term that lies in a gap; `nil` when there is none.
        public func resumption(after term: String) -> String? {
            let scalars = Array(term.unicodeScalars)
            guard var place = firstMismatch(scalars) else { return term }
            if place < scalars.count, scalars[place].value >= places[place].upperBound {
                // Advance the last place before the mismatch that has a later scalar.
                repeat {
                    guard place > 0 else { return nil }
                    place -= 1
                } while (scalars[place].next?.value ?? .max) >= places[place].upperBound
                guard let next = scalars[place].next else { return nil }
                return Self.text(scalars[..<place] + [next], places[(place + 1)...])
            }
            return Self.text(scalars[..<place], places[place...])
        }

        /// The first place where a term has no scalar or one that is not permitted.
        private func firstMismatch(_ scalars: [Unicode.Scalar]) -> Int? {
            places.indices.first { $0 >= scalars.count || !places[$0].contains(scalars[$0].value) }
        }

        private static func text(_ scalars: ArraySlice<Unicode.Scalar>, _ places: ArraySlice<Range<UInt32>>) -> String {
            String(String.UnicodeScalarView(scalars + places.compactMap { Unicode.Scalar($0.lowerBound) }))
        }

        /// Terms that have certain scalars in their first places.
        /// - Parameter places: none of them empty.
        static func withPlaces(_ places: [Range<UInt32>]) -> Terms {
            let common = places.prefix { $0.count == 1 }
            let end = places[common.count...].first.flatMap { Unicode.Scalar($0.upperBound) }
            return Terms(
                start: text([], places[...]), end: end.map { text([], common) + String($0) } ?? text([], common).endOfPrefix, places: places)
        }
    }

    /// The text in its folded form (`searchFolded`). Page tokens are bound to it.
    public let text: String
    /// Ranges that do not overlap, in the order of the results. Names that begin with the text come first.
    public let ranges: [Terms]

    /// - Parameter text: what the user typed, in any case, composed or not.
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
            let initials = String(String.UnicodeScalarView(head.flatMap(HangulSyllable.consonants))), typed = String(head)
            let literal = typed.hasSameBytes(as: initials) ? [] : [Terms(start: typed, end: typed.endOfPrefix)]
            ranges = literal + [Terms(start: initials, end: initials.endOfPrefix)]
            return
        }
        guard let last = head.popLast() else {
            ranges = []
            return
        }
        let scattered = Self.scattered(head, last)
        let prefix = String(head)
        func terms(_ texts: HangulSyllable.Texts) -> Terms { Terms(start: prefix + texts.first, end: prefix + texts.end) }
        if let syllable = HangulSyllable(last) {
            ranges = syllable.completions.map(terms) + scattered
            return
        }
        let typed = prefix + String(last)
        ranges =
            [Terms(start: typed, end: typed.endOfPrefix)] + [HangulSyllable.syllables(beginningWith: last)].compactMap(\.self).map(terms) + scattered
    }

    /// The terms of a text with an initial consonant before its last letter. Each such consonant stands for the syllables that it begins.
    private static func scattered(_ head: String.UnicodeScalarView, _ last: Unicode.Scalar) -> [Terms] {
        /// The scalars that match a letter; `nil` for a consonant that begins no syllable.
        func places(_ scalar: Unicode.Scalar) -> [Range<UInt32>]? {
            guard HangulSyllable.isConsonant(scalar) else { return [scalar.value..<scalar.value + 1] }
            let syllables = HangulSyllable.consonants(scalar).map { HangulSyllable.syllables(beginningWith: $0).map(Self.places) }
            return syllables.contains { $0 == nil } ? nil : syllables.compactMap(\.self).flatMap(\.self)
        }
        let isMixed = head.contains(where: HangulSyllable.isConsonant) || HangulSyllable.consonants(last).count > 1
        guard isMixed, !head.isEmpty else { return [] }
        var first: [Range<UInt32>] = []
        for scalar in head {
            guard let more = places(scalar) else { return [] }
            first += more
        }
        let lasts = HangulSyllable(last).map { $0.completions.map(Self.places) } ?? places(last).map { [$0] } ?? []
        return lasts.map { Terms.withPlaces(first + $0) }
    }

    /// Texts that differ in their last scalar, place by place.
    private static func places(_ texts: HangulSyllable.Texts) -> [Range<UInt32>] {
        let (first, end) = (Array(texts.first.unicodeScalars), Array(texts.end.unicodeScalars))
        return zip(first, end).map { $0.value..<max($0.value + 1, $1.value) }
    }

    /// Whether the search finds a term.
    public func finds(_ term: String) -> Bool { ranges.contains { $0.contains(term) } }
}

/// The terms under which a search finds a profile.
public struct SearchTerms: Hashable, Sendable {
    /// What a term was made from. The store keeps the numbers.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        case username = 0
        case displayName = 1
        /// The names with only the initial consonants of their Hangul syllables.
        case usernameInitials = 2
        case displayNameInitials = 3
    }

    /// One term and its kind.
    public struct Term: Hashable, Sendable {
        public let kind: Kind
        public let text: String
    }

    /// The terms in the order of their kinds, each once and none empty. If a search matches several terms of a profile, the first one counts.
    public let all: [Term]

    public init(_ profile: Profile) { self.init(usernameKey: profile.username.key, displayName: profile.displayName.text) }

    /// - Parameter usernameKey: the folded username.
    package init(usernameKey: String, displayName: String) {
        var all = [Term(kind: .username, text: usernameKey)]
        let displayed = displayName.searchFolded
        for (kind, text) in [
            (.displayName, displayed), (.usernameInitials, usernameKey.initialConsonants), (.displayNameInitials, displayed.initialConsonants),
        ] as [(Kind, String?)] {
            // By bytes, as the store compares terms.
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

    /// Whether a text is equal to or before another one in the order of UTF-8 bytes. Swift's own order uses canonical equivalence.
    fileprivate func precedesOrEquals(_ other: String) -> Bool { !other.utf8.lexicographicallyPrecedes(utf8) }

    /// The first text after all that begin with this one: its last scalar is replaced by the next one. `nil` when there is none. The
    /// order of UTF-8 bytes is that of scalars.
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
    /// The next scalar; `nil` after U+10FFFF. U+E000 follows U+D7FF.
    var next: Unicode.Scalar? { Unicode.Scalar(value == 0xD7FF ? 0xE000 : value + 1) }
}
