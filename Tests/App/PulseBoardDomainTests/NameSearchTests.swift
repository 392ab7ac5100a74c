import Testing

@testable import PulseBoardDomain

@Suite("Searches by name") struct NameSearchTests {
    private func finds(_ text: String, _ username: String, _ displayName: String = "") -> Bool {
        let search = NameSearch(text)
        return SearchTerms(usernameKey: username, displayName: displayName).all.contains { search.finds($0.text) }
    }

    @Test(
        "B37: a syllable finds what it can still become",
        arguments: [
            ("하", ["하나", "한결", "학생"], ["호수", "해", "허"]),
            ("한", ["한결", "하나", "하니", "핞", "핝"], ["학생", "하마", "할미"]),
            ("고", ["고래", "과자", "괘", "굉장"], ["구름", "가", "교"]),
            ("구", ["구름", "궈", "귀", "권"], ["규", "그"]),
            ("그", ["그림", "긔"], ["기린"]),
            ("과", ["과자", "괘", "관리"], ["괴물", "고래"]),
            ("닭", ["닭", "달기"], ["달", "담"]),
            ("달", ["달", "닭", "닮", "다리"], ["담", "다나"]),
            ("각", ["각", "갃", "가가"], ["갂", "간"]),
            ("앉", ["앉", "안자"], ["안", "안하"]),
            ("값", ["값", "갑사"], ["갑", "가사"]),
            ("밖", ["밖", "바까"], ["박", "바가"]),
            ("민지", ["민지", "민직", "민진이"], ["민", "민주"]),
            ("힣", ["힣", "히히"], ["히", "ㅎ"]),
            ("가", ["가", "갛"], ["개", "나"]),
        ])
    func composing(_ text: String, _ found: [String], _ others: [String]) {
        for name in found { #expect(finds(text, name), "\(text) finds \(name)") }
        for name in others { #expect(!finds(text, name), "\(text) does not find \(name)") }
    }

    @Test(
        "B37: initial consonants find names by theirs",
        arguments: [
            ("ㅁㅈ", ["민지", "문준영", "마자"], ["미니", "민", "ㅈㅁ"]),
            ("ㅁ", ["민지", "문어"], ["나무"]),
            ("ㄱㅅ", ["가수", "강산"], ["가나", "까시"]),
            ("ㄳ", ["가수", "강산", "ㄳㄳ", "ㄳ"], ["가나"]),
            ("ㅄ", ["바수"], ["바나"]),
            ("ㄲ", ["까치"], ["가지"]),
            ("\u{1106}\u{110C}", ["민지"], ["미니"]),
            ("민ㅈ", ["민지", "민준", "민재"], ["민", "민수", "만지"]),
            ("ㅁㅈk", ["민지kim"], ["민지lee"]),
        ])
    func initials(_ text: String, _ found: [String], _ others: [String]) {
        for name in found { #expect(finds(text, name), "\(text) finds \(name)") }
        for name in others { #expect(!finds(text, name), "\(text) does not find \(name)") }
    }

    @Test(
        "B37: initial consonants among syllables stand for what they begin",
        arguments: [
            ("ㅁ지", ["민지", "먼지", "마지막", "미직"], ["민", "만주", "ㅁㅈ", "인지", "m지"]),
            ("김ㅁㅈ", ["김민지", "김문정", "김마자"], ["김민", "이민지", "김나지", "김ㅁ"]),
            ("ㄱ민지", ["김민지", "강민지", "강민진"], ["김문지", "나민지"]),
            ("ㄱㅁ지", ["김민지", "강만지혜"], ["김민주", "김지"]),
            ("ㄱ민ㅈ", ["김민지", "강민준"], ["김만지"]),
            ("ㅁ안", ["미안", "마아나", "마안"], ["미아", "미앗"]),
            ("김ㄳ", ["김가수", "김강산"], ["김가나"]),
            ("ㅁ_k", ["민_kim"], ["민kim", "나_k"]),
            ("ㅁ지", ["ㅁ지"], []),
        ])
    func mixed(_ text: String, _ found: [String], _ others: [String]) {
        for name in found { #expect(finds(text, name), "\(text) finds \(name)") }
        for name in others { #expect(!finds(text, name), "\(text) does not find \(name)") }
    }

    @Test("B37: a reader that jumps over what a search does not find meets all that it finds", arguments: ["ㅁ지", "김ㅁㅈ", "ㄱㅁ지", "ㄱ민ㅈ", "ㅁ안"])
    func resumption(_ text: String) {
        let syllables = ["가", "각", "김", "깋", "마", "만", "민", "밓", "바", "아", "안", "자", "지", "짛", "하", "힣", "k", "_"]
        var terms: [String] = [text]
        for first in syllables { for second in syllables { for third in ["", "가", "자", "지", "나", "힣"] { terms.append(first + second + third) } } }
        terms = Set(terms).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let search = NameSearch(text)
        #expect(search.ranges.contains { $0.isScattered })
        for range in search.ranges where range.isScattered {
            var met: [String] = []
            var index = terms.firstIndex { !$0.utf8.lexicographicallyPrecedes(range.start.utf8) } ?? terms.count
            while index < terms.count, let end = range.end, terms[index].utf8.lexicographicallyPrecedes(end.utf8) {
                let term = terms[index]
                index += 1
                if range.contains(term) {
                    met.append(term)
                    continue
                }
                guard let next = range.resumption(after: term) else { break }
                #expect(term.utf8.lexicographicallyPrecedes(next.utf8) && range.contains(next), "\(term) → \(next)")
                while index < terms.count, terms[index].utf8.lexicographicallyPrecedes(next.utf8) { index += 1 }
            }
            #expect(met == terms.filter(range.contains))
        }
        // The text itself is among the terms.
        #expect(terms.filter(search.finds).count > 1)
    }

    @Test("B37: display names are found in the same ways, and in any case and composition")
    func displayNames() {
        #expect(finds("ㄱ ㅁㅈ", "explorer", "김 민지"))
        #expect(finds("김 미", "explorer", "김 민지"))
        #expect(finds("MINJI K", "explorer", "Minji Kim"))
        #expect(finds("\u{1112}\u{1161}", "한글"))
        #expect(finds("ㅋㅋ", "explorer", "ㅋㅋㅋ"))
        #expect(!finds("하", "explorer", "Hana"))
    }

    @Test("what begins with the text itself is listed before what it can become, and no term twice")
    func order() {
        for text in ["한", "각", "ㅁㅈ", "민ㅈ", "a", "하", "달"] {
            let search = NameSearch(text)
            #expect(search.ranges[0].contains(text))
            for (number, range) in search.ranges.enumerated() {
                for other in search.ranges.dropFirst(number + 1) { #expect(!range.contains(other.start) && !other.contains(range.start)) }
            }
        }
        #expect(NameSearch("").ranges == [])
    }

    @Test("the ranges of every syllable are in order and hold the syllable")
    func everySyllable() throws {
        for value in 0xAC00...0xD7A3 as ClosedRange<UInt32> {
            let text = String(try #require(Unicode.Scalar(value)))
            let ranges = NameSearch(text).ranges
            #expect(ranges.first?.contains(text) == true)
            #expect(ranges.allSatisfy { range in range.end.map { range.start.utf8.lexicographicallyPrecedes($0.utf8) } == true })
        }
    }

    @Test("a name has each term once; names without Hangul have no initials")
    func terms() {
        func texts(_ username: String, _ displayName: String) -> [String] {
            SearchTerms(usernameKey: username, displayName: displayName).all.map { "\($0.kind.rawValue) \($0.text)" }
        }
        #expect(texts("minji", "") == ["0 minji"])
        #expect(texts("minji", "Minji") == ["0 minji"])
        #expect(texts("민지", "민지") == ["0 민지", "2 ㅁㅈ"])
        #expect(texts("민지", "문정") == ["0 민지", "1 문정", "2 ㅁㅈ"])
        #expect(texts("minji", "김민지 Kim") == ["0 minji", "1 김민지 kim", "3 ㄱㅁㅈ kim"])
        #expect(texts("민지", "ㅁㅈ") == ["0 민지", "1 ㅁㅈ"])
    }

    @Test("texts with the last of all scalars have no end")
    func lastScalar() {
        #expect(NameSearch("\u{10FFFF}").ranges == [NameSearch.Terms(start: "\u{10FFFF}", end: nil)])
        #expect(NameSearch("\u{10FFFF}").finds("\u{10FFFF}a"))
        #expect(NameSearch("a\u{D7FF}").ranges == [NameSearch.Terms(start: "a\u{D7FF}", end: "a\u{E000}")])
    }
}
