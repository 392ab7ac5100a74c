import PulseBoardVocabulary
import Testing

@testable import PulseBoardDomain

@Suite("Profile texts") struct ProfileTextTests {
    /// One grapheme of 25 bytes: a family of four.
    static let family = "👨‍👩‍👧‍👦"

    private func messageReasons(_ text: String) -> [Reason] {
        reasons { () throws(ValidationError) in _ = try ProfileTextField.statusMessage.checked(text, rules: UsernameRules()) }
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
        #expect(messageReasons(String(repeating: Self.family, count: 45)) == [.statusMessageTooManyBytes])
        let zalgo = "a" + String(repeating: "\u{0316}", count: 600)
        #expect(zalgo.count == 1)
        #expect(messageReasons(zalgo) == [.statusMessageTooManyBytes])
        #expect(messageReasons(String(repeating: "abcdefgh", count: 17)) == [])
        // Too many characters and too many bytes are both reported.
        #expect(messageReasons(String(repeating: "abcdefgh", count: 141)) == [.statusMessageTooLong, .statusMessageTooManyBytes])
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
        #expect(nameReasons(String(repeating: Self.family, count: 17)) == [.displayNameTooManyBytes])
        #expect(nameReasons(String(repeating: "a\n", count: 30)) == [.displayNameTooLong, .displayNameInvalidCharacters])
    }

    @Test(
        "a display name has something to see",
        arguments: ["\u{3164}", "\u{200B}", " ", "\u{3164} \u{200D}\u{FE0F}", "\u{115F}\u{1160}", "\u{2800}", "\u{00AD}", "\u{FFA0}", "\u{3000}"])
    func invisibleNames(_ name: String) {
        #expect(nameReasons(name) == [.displayNameInvisible])
        #expect(nameReasons(name + "가") == [])
        #expect(messageReasons(name) == [])
    }

    @Test("an empty display name is none, and is allowed")
    func emptyName() {
        #expect(nameReasons("") == [])
    }

    @Test(
        "a display name is no reserved account's, however it is spelled",
        arguments: [
            "관리자", " 관리자 ", "관 리 자", "[관리자]", "관\u{200B}리\u{3164}자", "\u{1100}\u{116A}\u{11AB}리자", "Admin", "ＡＤＭＩＮ", "аdmin", "Ádmin", "adm1n",
            "A.d.m.i.n ✅", "AD\u{39C}IN", "ADMI\u{39D}", "\u{41D}ELP", "S\u{3A5}STEM",
            "🅿️ ρυΙse_bоard", "ＳＵＰＰＯＲＴ", "Ｒ00t",
        ])
    func reservedNames(_ name: String) {
        #expect(nameReasons(name) == [.displayNameReserved])
    }

    @Test("a display name may contain a reserved name, or be a word that is reserved in addresses only", arguments: [
        "관리자 민지", "Minji, not admin", "Me", "me", "None", "익명", "Rooty", "👻", "ㅋㅋㅋ", "민지", "Зоя", "管理",
    ])
    func ordinaryNames(_ name: String) {
        #expect(nameReasons(name) == [])
    }

    @Test("a text that is not shown as a name may be anything that is reserved")
    func reservedMessage() {
        #expect(messageReasons("관리자") == [])
    }

    /// Alternating marks above and below. Sorting them in NFC takes time that grows with the square of their number.
    private static func marks(_ count: Int) -> String { String(repeating: "\u{0301}\u{0323}", count: count / 2) }

    @Test("a text with too many bytes is refused by their number, and nothing else is said of it")
    func byteCounts() {
        // Half a million marks: if they were composed first, this test would take an hour.
        let hostile = "\u{7}" + Self.marks(500_000)
        #expect(messageReasons(hostile) == [.statusMessageTooManyBytes])
        #expect(nameReasons(hostile) == [.displayNameTooManyBytes])
        #expect(reasons { () throws(ValidationError) in _ = try AccountID.named(hostile) } == [.accountNameInvalid])
        let verdict = UsernameRules().judge(hostile)
        #expect(verdict.violations.map(\.reason) == [.usernameTooLong])
        #expect(verdict.normalized == "")
        let draft = reasons { () throws(ValidationError) in
            _ = try ProfileDraft(username: hostile, texts: [.displayName: hostile, .statusMessage: hostile], rules: UsernameRules())
        }
        #expect(draft == [.usernameTooLong, .displayNameTooManyBytes, .statusMessageTooManyBytes])
        // The same in an update, even if the mask does not select the text.
        let change = reasons { () throws(ValidationError) in
            _ = try ProfileChange(
                paths: ["username"], username: "name", texts: [.displayName: hostile, .statusMessage: hostile], rules: UsernameRules())
        }
        #expect(change == [.displayNameTooManyBytes, .statusMessageTooManyBytes])
    }

    @Test("what fits when it is composed is not refused for its bytes before")
    func decomposed() throws {
        let syllable = "\u{1112}\u{1161}\u{11AB}"
        #expect(syllable.utf8.count == 9)
        let (name, status) = (ProfileTextField.displayName.facts, ProfileTextField.statusMessage.facts)
        #expect(messageReasons(String(repeating: syllable, count: status.maximumCharacters)) == [])
        #expect(nameReasons(String(repeating: syllable, count: name.maximumCharacters)) == [])
        #expect(UsernameRules().judge(String(repeating: syllable, count: 9)).violations == [])
        #expect(UsernameRules(length: 2...60).judge(String(repeating: syllable, count: 60)).violations == [])
        // Greek with three marks: eight bytes become three.
        let letter = "\u{03B1}\u{0313}\u{0300}\u{0345}"
        #expect(letter.normalizedNFC.utf8.count == 3)
        #expect(messageReasons(String(repeating: letter, count: status.maximumCharacters)) == [])
        #expect("".mayCompose(within: 0))
        #expect(String(repeating: letter, count: 10).mayCompose(within: 30))
        #expect(!String(repeating: "a", count: 91).mayCompose(within: 30))
        #expect(("a" + Self.marks(18)).mayCompose(within: 30))
        #expect(!("a" + Self.marks(20)).mayCompose(within: 30))
    }

    @Test("a mask has at most 32 paths, and an error does not repeat a long one")
    func longMasks() {
        func violations(_ paths: [String]) -> [FieldViolation] {
            do throws(ValidationError) {
                _ = try ProfileChange(paths: paths, username: "", texts: [.displayName: "", .statusMessage: ""], rules: UsernameRules())
                return []
            } catch {
                return error.violations
            }
        }
        #expect(violations([String](repeating: "display_name", count: 32)) == [])
        let tooMany = FieldViolation(field: "update_mask", reason: .tooManyItems, limit: 32)
        #expect(violations([String](repeating: "display_name", count: 33)) == [tooMany])
        #expect(violations([String](repeating: "x", count: 1_000_000)) == [tooMany])
        #expect(violations([Self.marks(500_000)]) == [FieldViolation(field: "update_mask", reason: .fieldUnknown)])
    }

    @Test("X15: texts are composed before they are kept")
    func composed() throws {
        let name = try DisplayName("\u{1112}\u{1161}\u{11AB}")
        #expect(name.text.unicodeScalars.count == 1)
    }

    @Test("a draft names every violated field at once")
    func draft() {
        let expected = [Reason.usernameTooShort, .displayNameInvalidCharacters, .statusMessageTooLong]
        let status = String(repeating: "a", count: ProfileTextField.statusMessage.facts.maximumCharacters + 1)
        let found = reasons { () throws(ValidationError) in
            _ = try ProfileDraft(username: "a", texts: [.displayName: "\u{7}", .statusMessage: status], rules: UsernameRules())
        }
        #expect(found == expected)
    }
}
