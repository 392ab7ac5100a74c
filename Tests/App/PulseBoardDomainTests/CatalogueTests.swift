import Testing

@testable import PulseBoardDomain

@Suite("Texts and states") struct CatalogueTests {
    @Test("B18: every reason has a text of its own in Korean and in English", arguments: Reason.allCases)
    func texts(_ reason: Reason) {
        let text = reason.text(limit: 9)
        #expect(text.korean.unicodeScalars.contains { ("가"..."힣").contains($0) })
        #expect(text.english.utf8.count == text.english.unicodeScalars.count)
        #expect(!text.english.isEmpty)
        let sharing = Reason.allCases.filter { $0.text(limit: 9) == text }
        #expect(sharing == [reason])
    }

    @Test(
        "the language is the accepted one with the highest weight, else English",
        arguments: [
            ("ko", Language.korean), ("ko-KR,ko;q=0.9,en;q=0.8", .korean), ("en-US", .english), ("", .english),
            ("fr, ko;q=0.3, en;q=0.5", .english), ("en;q=0.1,KO", .korean), ("fr", .english), ("ko;q=0", .english),
            ("*", .english), ("en;q=x, ko;q=0.1", .korean),
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

    @Test("the machine's clock tells no instant before this program was written")
    func earliest() {
        #expect(SystemWallClock.instant(seconds: -86_400, nanoseconds: 0) == SystemWallClock.earliest)
        #expect(SystemWallClock.instant(seconds: 0, nanoseconds: 7_000) == SystemWallClock.earliest)
        #expect(SystemWallClock.instant(seconds: 1_800_000_000, nanoseconds: 7_999).microseconds == 1_800_000_000_000_007)
        #expect(SystemWallClock().now() > SystemWallClock.earliest)
    }

    @Test("instants saturate instead of trapping")
    func instants() {
        #expect(Timestamp(microseconds: .max).advanced(by: .days(1)) == Timestamp(microseconds: .max))
        #expect(Timestamp(microseconds: 0).advanced(by: .hours(2)).microseconds == 7_200_000_000)
    }
}
