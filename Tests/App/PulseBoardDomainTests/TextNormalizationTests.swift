import Foundation
import TestHarness
import Testing

@testable import PulseBoardDomain

@Suite("Normal form of texts") struct TextNormalizationTests {
    /// Marks of four classes, in no order.
    private static let marks = "\u{0301}\u{0316}\u{0334}\u{0345}"

    @Test("the marks of a long run are in canonical order before a text is composed, so composing never sorts many")
    func longRuns() {
        for text in [
            "a" + String(repeating: Self.marks, count: 4_990), String(repeating: "가" + String(repeating: Self.marks, count: 40), count: 50),
            "a" + String(repeating: "\u{0344}\u{0316}", count: 2_000), "ཀ" + String(repeating: "\u{0F73}", count: 2_000),
            "ཀ" + String(repeating: "\u{0F75}\u{0316}\u{0F81}", count: 1_000),
            "\u{1EA5}" + String(repeating: "\u{0334}", count: 10_000), String(repeating: "\u{0334}\u{0302}", count: 5_000),
        ] {
            let ordered = text.inCanonicalOrder
            var last = UInt8(0)
            var unsorted = 0
            for scalar in ordered.unicodeScalars {
                // Tibetan vowel signs that are two marks would hide marks from the library.
                #expect(!["\u{0F73}", "\u{0F75}", "\u{0F81}"].contains(scalar))
                let rank = scalar.properties.canonicalCombiningClass.rawValue
                if rank != 0, rank < last { unsorted += 1 }
                last = rank
            }
            #expect(unsorted == 0)
            #expect(!ordered.unicodeScalars.contains("\u{1EA5}"))
            #expect(text.normalizedNFC.normalizedNFC.hasSameBytes(as: text.normalizedNFC))
        }
    }

    @Test("the characters that control a terminal or the direction of text are those of Unicode's categories, and the bidirectional marks")
    func controls() {
        let categories: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        let directions: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]
        for scalar in (0...0x10_FFFF).lazy.compactMap(Unicode.Scalar.init(_:)) {
            let isControl = categories.contains(scalar.properties.generalCategory) || directions.contains { $0.contains(scalar.value) }
            if scalar.isControl != isControl { Issue.record("U+\(String(scalar.value, radix: 16))") }
        }
    }

    @Test("sorting the marks first changes no composed text, and a composed text stays as it is")
    func sameForm() {
        let scalars: [Unicode.Scalar] = [
            "a", "e", "α", "가", "\u{1100}", "\u{1161}", "ཀ", "\u{0301}", "\u{0302}", "\u{0316}", "\u{0334}", "\u{0345}", "\u{0344}", "\u{0F71}",
            "\u{0F72}", "\u{1F82}", "\u{1EA5}", "\u{05B0}", "\u{3099}", "\u{1D165}", "\u{200D}",
        ]
        // The library composes texts with these in ways of its own.
        let strange: [Unicode.Scalar] = ["\u{0F73}", "\u{0F75}", "\u{0F81}", "\u{FB2C}", "\u{1D15E}"]
        var state = 7 as UInt64
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var longRuns = 0
        for round in 0..<2_000 {
            var view = String.UnicodeScalarView()
            let used = round % 4 < 2 ? scalars : scalars + strange
            // Every second text is mostly marks.
            let first = round % 2 == 0 ? 0 : 7
            for _ in 0..<(10 + next(80)) { view.append(next(20) == 0 ? "o" : used[first + next(used.count - first)]) }
            let text = String(view), composed = text.normalizedNFC
            if !text.inCanonicalOrder.hasSameBytes(as: text) { longRuns += 1 }
            if round % 4 < 2 { #expect(composed.hasSameBytes(as: text.precomposedStringWithCanonicalMapping), "\(text.unicodeScalars.map(\.value))") }
            #expect(composed.normalizedNFC.hasSameBytes(as: composed), "\(text.unicodeScalars.map(\.value))")
        }
        #expect(longRuns > 100)
    }

    @Test("texts with marks are kept as they are: Thai, Hebrew, Vietnamese, Devanagari, a flag, and fifty marks on one letter")
    func realTexts() throws {
        for text in ["ที่นี่", "שָׁלוֹם", "Tiếng Việt", "क्षत्रिय", "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
            "Z" + String(repeating: "\u{0316}", count: 25) + String(repeating: "\u{0301}", count: 25)] {
            let composed = text.precomposedStringWithCanonicalMapping
            #expect(try DiaryValue.text(text).checked() == .text(composed))
        }
    }

    @Test("two texts have the same bytes or not, however canonically equivalent they are")
    func sameBytes() {
        #expect("é".hasSameBytes(as: "\u{E9}") && "".hasSameBytes(as: ""))
        #expect(!"\u{E9}".hasSameBytes(as: "e\u{301}") && !"a".hasSameBytes(as: "b"))
        #expect(DiaryValue.text("\u{E9}") != .text("e\u{301}"))
        #expect(DiaryContent(stored: Timestamp(microseconds: 1), emotion: "", text: "\u{E9}")
            != DiaryContent(stored: Timestamp(microseconds: 1), emotion: "", text: "e\u{301}"))
    }

    @Test("the short way for texts of ASCII and Hangul syllables gives what the tables give")
    func shortWay() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<2_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<random.below(20) {
                scalars.append(Unicode.Scalar(UInt32(random.chance(60) ? random.below(0x80) : 0xAC00 + random.below(11_172)))!)
            }
            let text = String(scalars)
            #expect(text.characterCount == text.count)
            #expect(text.searchFolded.hasSameBytes(as: text.uppercased().lowercased()))
            // Neither a zero-width space nor the decomposed form takes the short way.
            for same in [text + "\u{200B}", text.decomposedStringWithCanonicalMapping + "\u{200B}"] {
                #expect(same.displaySkeleton.hasSameBytes(as: text.displaySkeleton), "\(text.debugDescription)")
            }
        }
        #expect("관 리-자\r\n0rnV v".displaySkeleton.hasSameBytes(as: "관리자omw"))
    }
}
