import Testing

@testable import PulseBoardDomain

@Suite("Identifiers and requests") struct IdentifierTests {
    struct FixedBytes: RandomSource {
        let byte: UInt8
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
    }

    @Test("the text of an identifier is the canonical UUID, and reading it gives the same bits")
    func roundTrip() throws {
        let text = "0123abcd-4567-489e-8bcd-ef0123456789"
        let id = try #require(UserID(text: text))
        #expect(id.description == text)
        #expect(UUIDBits(bytes: id.bits.bytes) == id.bits)
        #expect(id.bits.bytes.first == 0x01)
        #expect(id.bits.bytes.last == 0x89)
    }

    @Test(
        "every other spelling is refused",
        arguments: [
            "", "0123ABCD-4567-489e-8bcd-ef0123456789", "0123abcd4567489e8bcdef0123456789",
            "0123abcd-4567-489e-8bcd-ef012345678", "0123abcd-4567-489e-8bcd-ef01234567890",
            "{0123abcd-4567-489e-8bcd-ef0123456789}", "0123abcd-4567-489e-8bcd+ef0123456789",
            "0123abcg-4567-489e-8bcd-ef0123456789", "0123abcd-4567-489e-8bcd-ef012345678９",
        ])
    func refused(_ text: String) {
        #expect(UserID(text: text) == nil)
        #expect(throws: ValidationError(field: "user_id", reason: .identifierInvalid)) {
            try UserID.parse(text, field: "user_id")
        }
    }

    @Test("a random identifier carries version 4 and its variant")
    func random() {
        #expect(UserID.random(using: FixedBytes(byte: 0xFF)).description == "ffffffff-ffff-4fff-bfff-ffffffffffff")
        #expect(UserID.random(using: FixedBytes(byte: 0x00)).description == "00000000-0000-4000-8000-000000000000")
        #expect(UserID.random(using: SystemRandomSource()) != UserID.random(using: SystemRandomSource()))
    }

    @Test("identifiers are ordered as their bytes are")
    func order() throws {
        let small = UserID(bits: UUIDBits(high: 1, low: .max))
        let large = UserID(bits: UUIDBits(high: 2, low: 0))
        #expect(small < large)
        #expect(small.bits.bytes.lexicographicallyPrecedes(large.bits.bytes))
    }

    @Test("a request id is printable ASCII of at most 64 bytes, and empty means none")
    func requestIDs() throws {
        #expect(try RequestID.parse("") == nil)
        #expect(try RequestID.parse(String(repeating: "a", count: 64))?.text.count == 64)
        for text in [String(repeating: "a", count: 65), "a b", "é", "a\n"] {
            #expect(throws: ValidationError(field: "request_id", reason: .requestIDInvalid, limit: 64)) {
                try RequestID.parse(text)
            }
        }
    }

    @Test("an account name is 1 to 64 bytes without white space or control characters")
    func accountNames() throws {
        #expect(try AccountID.named("kim").description == "account:kim")
        #expect(AccountID.unix(uid: 1000).description == "unix:1000")
        for name in ["", " ", "a b", "a\u{7}", String(repeating: "가", count: 22)] {
            #expect(throws: ValidationError(field: "account", reason: .accountNameInvalid, limit: 64)) {
                try AccountID.named(name)
            }
        }
    }

    @Test("a page has 50 items unless asked, at most 200, and never a negative number")
    func pageSizes() throws {
        #expect(try PageRequest().size == 50)
        #expect(try PageRequest(size: 7).size == 7)
        #expect(try PageRequest(size: 1_000).size == 200)
        #expect(throws: ValidationError(field: "page_size", reason: .pageSizeNegative)) { try PageRequest(size: -1) }
    }
}
