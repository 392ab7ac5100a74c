import PulseBoardVocabulary
import Testing

extension Phrase {
    /// Whether each language has a text, and only the Korean text is Korean.
    fileprivate var isComplete: Bool {
        korean.unicodeScalars.contains { ("가"..."힣").contains($0) } && !english.isEmpty && english.unicodeScalars.allSatisfy(\.isASCII)
    }
}

@Suite("The catalogue of texts") struct CatalogueTests {
    @Test("B18, C35: every reason has a text of its own in Korean and in English, with its limit and without", arguments: Reason.allCases)
    func reasons(_ reason: Reason) {
        for text in [reason.text(limit: 9), reason.text()] {
            #expect(text.isComplete)
            #expect(text.english.hasSuffix(".") && text.korean.hasSuffix("."))
        }
        #expect(Reason.allCases.filter { $0.text(limit: 9) == reason.text(limit: 9) } == [reason])
        #expect(Reason.allCases.filter { $0.text() == reason.text() } == [reason])
    }

    @Test("a text that names its limit names it in both languages, and one without a limit has no number", arguments: Reason.allCases)
    func limits(_ reason: Reason) {
        let with = reason.text(limit: 4_711), without = reason.text()
        #expect(with.english.contains("4711") == with.korean.contains("4711"))
        #expect(with.english.contains("4711") == (with != without))
    }

    @Test("a reason that fields share names the field", arguments: ProfileTextField.allCases)
    func shared(_ field: ProfileTextField) {
        for reason in [Reason.textTooLong, .textInvalidCharacters] {
            let text = reason.text(limit: 9, of: field)
            #expect(text.english.contains(field.facts.label.english))
            #expect(text.korean.contains(field.facts.label.korean))
        }
    }

    @Test("every status code of gRPC has a text of its own in Korean and in English")
    func codes() {
        let texts = (Int32(0)...16).map { Phrase(statusCode: $0) }
        #expect(texts.filter { !$0.isComplete } == [])
        #expect(Set(texts).count == 17)
        #expect(Phrase(statusCode: 17) == Phrase(statusCode: 2))
    }

    @Test("what both sides say without a reason is in both languages")
    func others() {
        let texts = [Phrase.next, .error, .noProfileYet, .namedAccountsNeedTrust, .noServer(at: "/a")]
        #expect(texts.filter { !$0.isComplete } == [])
    }
}

@Suite("The table of a profile's texts") struct ProfileTextFieldTests {
    @Test("each field has a path and a tag of its own, limits that fit, and labels in both languages")
    func facts() {
        let facts = ProfileTextField.allCases.map(\.facts)
        #expect(Set(facts.map(\.path)).count == facts.count)
        #expect(Set(facts.map(\.tag)).count == facts.count)
        for fact in facts {
            // The path is also a column's name in SQL.
            #expect(!fact.path.isEmpty && fact.path.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) })
            #expect(fact.label.isComplete)
            // A character has up to four bytes. The upper limit is a fifth of the length of a remembered result's field.
            #expect(fact.maximumCharacters > 0 && fact.maximumBytes >= 4 * fact.maximumCharacters && fact.maximumBytes <= 12_000)
        }
    }

    @Test("a field is found by its path, and by no other")
    func paths() {
        for field in ProfileTextField.allCases { #expect(ProfileTextField(path: field.facts.path) == field) }
        for path in ["", "username", "DISPLAY_NAME", "display_name "] { #expect(ProfileTextField(path: path) == nil) }
    }
}
