import Testing

@testable import PulseBoardDomain

@Suite("Folding names") struct NameFoldingTests {
    @Test("X15: spellings of one name have one key of uniqueness, and other names another")
    func uniqueness() {
        for (one, other) in [("Minji", "mINJI"), ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("A_1", "a_1")] {
            #expect(one.uniquenessKey == other.uniquenessKey)
        }
        for (one, other) in [("minji", "minjl"), ("국가", "구까"), ("a_1", "a1")] { #expect(one.uniquenessKey != other.uniquenessKey) }
    }

    @Test("a search finds a name however it is cased or composed")
    func search() {
        #expect("MÜLLER".searchFolded.hasPrefix("mu\u{308}l".searchFolded))
        #expect("Straße".searchFolded == "STRASSE".searchFolded)
        #expect("ΟΔΟΣ".searchFolded == "οδοσ".searchFolded)
        #expect("\u{1112}\u{1161}\u{11AB}".searchFolded == "한")
    }

    @Test("for every username both foldings are the same, which the order of search results relies on")
    func alphabet() {
        let ascii = (UInt8(0x30)...0x39).map { $0 } + (UInt8(0x41)...0x5A) + (UInt8(0x61)...0x7A) + [0x5F]
        for letter in ascii.map({ String(Unicode.Scalar($0)) }) + ["가", "힣", "뷁"] { #expect(letter.uniquenessKey == letter.searchFolded) }
    }
}
