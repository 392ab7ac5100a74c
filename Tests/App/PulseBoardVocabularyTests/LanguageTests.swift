import PulseBoardVocabulary
import Testing

@Suite("Languages") struct LanguageTests {
    @Test(
        "the language is the accepted one with the highest weight, else English",
        arguments: [
            ("ko", Language.korean), ("ko-KR,ko;q=0.9,en;q=0.8", .korean), ("en-US", .english), ("", .english),
            ("fr, ko;q=0.3, en;q=0.5", .english), ("en;q=0.1,KO", .korean), ("fr", .english), ("ko;q=0", .english),
            ("*", .english), ("en;q=x, ko;q=0.1", .korean), ("en;q=0, *", .korean), ("ko;q=0.5, *;q=0.9", .english), ("*;q=0.1, en;q=0.2", .english),
            ("ko;q=0, *", .english), ("en;q=0, ko;q=0, *", .english), ("*, en;q=0.5", .korean),
        ])
    func language(_ header: String, _ expected: Language) {
        #expect(Language(acceptLanguage: header) == expected)
    }

    @Test("of accept-language 256 bytes are read, and a range that does not end within them is none")
    func longLanguage() {
        let padding = String(repeating: "x", count: 252)
        #expect(Language(acceptLanguage: padding + ",ko,") == .korean)
        #expect(Language(acceptLanguage: padding + ",ko,en;q=0.1") == .korean)
        #expect(Language(acceptLanguage: padding + "x,ko,") == .english)
        #expect(Language(acceptLanguage: padding + ",ko-KR") == .english)
        #expect(Language(acceptLanguage: padding + ",ko") == .korean)
        #expect(Language(acceptLanguage: "ko,en;q=0." + String(repeating: "9", count: 4_000_000)) == .korean)
        #expect(Language(acceptLanguage: String(repeating: "k", count: 4_000_000)) == .english)
        #expect(Language(acceptLanguage: " k o ; q = 0.9 ,\ten;q=0.1") == .korean)
    }
}
