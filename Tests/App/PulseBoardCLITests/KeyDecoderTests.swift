import Testing

@testable import PulseBoardCLI

@Suite("Keys of a terminal") struct KeyDecoderTests {
    private func keys(_ bytes: [UInt8]) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.decode($0) }
    }

    @Test("characters of one to four bytes are keys, and so are Enter, backspace, Ctrl-U and Ctrl-D")
    func characters() {
        #expect(keys(Array("aé한😀".utf8)) == [.character("a"), .character("é"), .character("한"), .character("😀")])
        #expect(keys([0x0D, 0x0A, 0x7F, 0x08, 0x15, 0x04]) == [.enter, .enter, .backspace, .backspace, .clear, .end])
    }

    @Test("sequences of cursor and function keys are passed over; what follows them is not")
    func sequences() {
        #expect(keys(Array("\u{1B}[Aa\u{1B}OPb\u{1B}[1;5Cc\u{1B}xd".utf8)) == [.character("a"), .character("b"), .character("c"), .character("d")])
    }

    @Test("bytes that are no text are passed over")
    func malformed() {
        #expect(keys([0x80, 0x61, 0xE3, 0x81, 0x62, 0xFF, 0x63]).filter { $0 == .character("a") || $0 == .character("b") }.count == 2)
        #expect(keys([0x01, 0x02, 0x09]) == [])
    }

    @Test("a line takes and loses characters as people see them, and has an end")
    func line() {
        var line = TypedLine(question: "?")
        for key in keys(Array("한글".utf8)) { line.take(key) }
        line.take(.backspace)
        #expect(line.text == "한")
        line.take(.clear)
        #expect(line.text == "")
        for _ in 0..<2_000 { line.take(.character("a")) }
        #expect(line.text.count == 1_000)
    }
}
