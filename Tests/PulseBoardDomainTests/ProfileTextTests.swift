import Testing

@testable import PulseBoardDomain

@Suite("Profile texts") struct ProfileTextTests {
    /// One grapheme of 25 bytes: a family of four.
    static let family = "👨‍👩‍👧‍👦"

    private func messageReasons(_ text: String) -> [Reason] {
        reasons { () throws(ValidationError) in _ = try StatusMessage(text) }
    }

    private func nameReasons(_ text: String) -> [Reason] {
        reasons { () throws(ValidationError) in _ = try DisplayName(text) }
    }

    private func reasons(_ check: () throws(ValidationError) -> Void) -> [Reason] {
        do throws(ValidationError) {
            try check()
            return []
        } catch {
            return error.violations.map(\.reason)
        }
    }

    @Test("B13: a status message has at most 140 characters, and a grapheme counts as one")
    func messageCharacters() {
        #expect(messageReasons(String(repeating: "가", count: 140)) == [])
        #expect(messageReasons(String(repeating: "가", count: 141)) == [.statusMessageTooLong])
        #expect(messageReasons(String(repeating: Self.family, count: 44)) == [])
    }

    @Test("X10: a status message has at most 1,120 bytes, however few characters they make")
    func messageBytes() {
        #expect(Self.family.utf8.count == 25)
        #expect(messageReasons(String(repeating: Self.family, count: 45)) == [.statusMessageTooLong])
        let zalgo = "a" + String(repeating: "\u{0316}", count: 600)
        #expect(zalgo.count == 1)
        #expect(messageReasons(zalgo) == [.statusMessageTooLong])
        #expect(messageReasons(String(repeating: "abcdefgh", count: 17)) == [])
    }

    @Test("a status message may have line breaks and no other control characters")
    func messageControls() {
        #expect(messageReasons("a\nb") == [])
        for text in ["a\u{1B}[31m", "a\u{0}", "a\u{202E}b", "a\tb"] {
            #expect(messageReasons(text) == [.statusMessageInvalidCharacters])
        }
    }

    @Test("X10: a display name has at most 50 characters and 400 bytes, and no control characters")
    func displayName() {
        #expect(nameReasons(String(repeating: "가", count: 50)) == [])
        #expect(nameReasons(String(repeating: "가", count: 51)) == [.displayNameTooLong])
        #expect(nameReasons(String(repeating: Self.family, count: 17)) == [.displayNameTooLong])
        #expect(nameReasons(String(repeating: "a\n", count: 30)) == [.displayNameTooLong, .displayNameInvalidCharacters])
    }

    @Test("X15: texts are composed before they are kept")
    func composed() throws {
        let name = try DisplayName("\u{1112}\u{1161}\u{11AB}")
        #expect(name.text.unicodeScalars.count == 1)
    }

    @Test("a draft names every violated field at once")
    func draft() {
        let expected = [Reason.usernameTooShort, .displayNameInvalidCharacters, .statusMessageTooLong]
        let found = reasons { () throws(ValidationError) in
            _ = try ProfileDraft(
                username: "a", displayName: "\u{7}", statusMessage: String(repeating: "a", count: 141),
                rules: UsernameRules())
        }
        #expect(found == expected)
    }
}
