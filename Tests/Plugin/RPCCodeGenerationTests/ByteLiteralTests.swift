import Testing

@testable import RPCCodeGeneration

@Suite struct ByteLiteralTests {
    @Test("printable ASCII stands for itself, everything else is escaped", arguments: [
        ("a ~", "a ~"), ("\0\u{1}9", #"\0\u{1}9"#), ("\t\n\r", #"\t\n\r"#), (#""\("#, #"\"\\("#), ("\u{7F}", #"\u{7f}"#),
    ])
    func escapes(text: String, expected: String) {
        #expect(ByteLiteral(Array(text.utf8)).lines == [expected])
    }

    @Test("bytes beyond ASCII are the scalars of their numbers")
    func highBytes() {
        #expect(ByteLiteral([0x80, 0xFF]).lines == [#"\u{80}\u{ff}"#])
    }

    @Test("long literals are broken between bytes, at most 100 characters a line, and a backslash joins the lines")
    func lines() {
        let bytes = (0..<10).flatMap { _ in (0...255).map { UInt8($0) } }
        let lines = ByteLiteral(bytes).lines
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.count <= 100 && $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } })
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix("\\") })
        let joined = lines.dropLast().map { $0.dropLast() }.joined() + (lines.last ?? "")
        let once = bytes.prefix(256).map { ByteLiteral([$0]).lines.joined() }.joined()
        #expect(joined == String(repeating: once, count: 10))
    }
}
