import Foundation
import PulseBoardVocabulary
import Testing

/// Most texts stand where they are used, as two literals: `Phrase("English", "한국어")`, or a function that takes the same two.
@Suite("The texts in the sources") struct WrittenTextTests {
    /// English texts with two Korean ones, and why. One that is no longer needed fails the test too.
    private static let withTwoMeanings = [
        "SINCE": "since when an identity is linked, and since when a user is followed",
        "NAME": "the name of a device, or one that the reader chooses; and the display name of a user",
        "TEXT": "what the reader looks for; and the text of a diary entry",
        "database": "a database; and the part of an address that names it",
        "A status message": "the text itself; and the subject of a sentence, which has a particle in Korean",
    ]

    @Test("equal English texts have equal Korean ones, except those with two meanings")
    func consistency() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/App").standardizedFileURL
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        var korean: [String: Set<String>] = [:]
        for file in files {
            for text in Self.texts(in: [UInt8](try Data(contentsOf: sources.appending(path: file)))) {
                korean[text.english, default: []].insert(text.korean)
            }
        }
        #expect(korean.count > 500)
        let different = korean.filter { $0.value.count > 1 }
        #expect(Set(different.keys) == Set(Self.withTwoMeanings.keys), "\(different.filter { Self.withTwoMeanings[$0.key] == nil })")
    }

    @Test("a text is found on one line and on two, with interpolations, and not in a comment")
    func finding() {
        let code = """
            // Phrase("No", "아니요")
            Phrase("One", "하나"), text(
                "\\(count("a", 1)) of \\(b)", "\\(b) 가운데 \\(count("a", 1))"), call("x", y, "셋"), ["Two", "둘"], say("Four" + "s", "넷")
            """
        #expect(Self.texts(in: Array(code.utf8)) == [
            Phrase("One", "하나"), Phrase(#"\(count("a", 1)) of \(b)"#, #"\(b) 가운데 \(count("a", 1))"#),
        ])
    }

    // MARK: Reading Swift

    /// The texts in Swift code: a literal after a parenthesis, a comma, and a literal with Korean letters.
    private static func texts(in code: [UInt8]) -> [Phrase] {
        var texts: [Phrase] = []
        // The literal after the last parenthesis, and the last byte that is no white space.
        var english: String?
        var before: UInt8 = 0
        var index = 0
        while index < code.count {
            let byte = code[index]
            if byte == UInt8(ascii: "/"), code[index...].starts(with: "//".utf8) {
                index = code[index...].firstIndex(of: UInt8(ascii: "\n")) ?? code.endIndex
                continue
            }
            guard byte == UInt8(ascii: "\"") else {
                if byte > 0x20 {
                    before = byte
                    if byte != UInt8(ascii: ",") { english = nil }
                }
                index += 1
                continue
            }
            let end = end(ofLiteral: index, in: code)
            let literal = String(decoding: code[index..<end].dropFirst().dropLast(), as: UTF8.self)
            if before == UInt8(ascii: ","), let english, isKorean(literal), !isKorean(english) { texts.append(Phrase(english, literal)) }
            english = before == UInt8(ascii: "(") ? literal : nil
            before = byte
            index = end
        }
        return texts
    }

    /// The end of the literal that begins at `start`. Literals in its interpolations belong to it.
    private static func end(ofLiteral start: Int, in code: [UInt8]) -> Int {
        let quote = UInt8(ascii: "\"")
        let quotes = [UInt8](repeating: quote, count: code[start...].starts(with: [quote, quote, quote]) ? 3 : 1)
        var index = start + quotes.count
        while index < code.count {
            if code[index] == quote, code[index...].starts(with: quotes) { return index + quotes.count }
            if code[index] != UInt8(ascii: "\\") {
                index += 1
            } else if code[index...].starts(with: "\\(".utf8) {
                index = end(ofInterpolation: index + 1, in: code)
            } else {
                index += 2
            }
        }
        return code.count
    }

    private static func end(ofInterpolation start: Int, in code: [UInt8]) -> Int {
        var depth = 0
        var index = start
        while index < code.count {
            if code[index] == UInt8(ascii: "\"") {
                index = end(ofLiteral: index, in: code)
                continue
            }
            if code[index] == UInt8(ascii: "(") { depth += 1 }
            if code[index] == UInt8(ascii: ")") { depth -= 1 }
            index += 1
            if depth == 0 { return index }
        }
        return code.count
    }

    private static func isKorean(_ text: String) -> Bool { text.unicodeScalars.contains { ("가"..."힣").contains($0) } }
}
