import PulseBoardVocabulary
import Testing

@testable import PulseBoardDomain

@Suite("Usernames") struct UsernameRulesTests {
    let rules = UsernameRules()

    private func reasons(_ text: String) -> [Reason] { rules.judge(text).violations.map(\.reason) }

    @Test(
        "B18: two to nine characters of Hangul, Latin letters, digits and underscores",
        arguments: ["ab", "탐험", "a_1", "Explorer8", "밤새는탐험가", "가힣", "__"])
    func wellFormed(_ name: String) {
        #expect(reasons(name) == [])
        #expect(rules.judge(name).username?.text == name)
    }

    @Test(
        "B18: every broken rule is named, in the fixed order",
        arguments: [
            ("", [Reason.usernameEmpty]),
            ("a", [.usernameTooShort]),
            ("가", [.usernameTooShort]),
            ("abcdefghij", [.usernameTooLong]),
            ("ab cd", [.usernameInvalidCharacters]),
            ("ㄱㄴ", [.usernameInvalidCharacters]),
            ("ab\u{0}", [.usernameInvalidCharacters]),
            ("!", [.usernameTooShort, .usernameInvalidCharacters]),
            ("ab-cdefghij", [.usernameTooLong, .usernameInvalidCharacters]),
            ("ａｂ", [.usernameInvalidCharacters]),
            ("аb", [.usernameInvalidCharacters]),
        ])
    func violations(_ name: String, _ expected: [Reason]) {
        #expect(reasons(name) == expected)
        #expect(rules.judge(name).username == nil)
    }

    @Test("B18: a bound that was crossed is part of the violation and of its text")
    func limits() throws {
        let short = try #require(rules.judge("a").violations.first)
        #expect(short.limit == 2)
        #expect(short.message(in: .korean) == "사용자 이름은 2자 이상이어야 합니다.")
        #expect(short.message(in: .english) == "A username has at least 2 characters.")
        let long = try #require(UsernameRules(length: 3...4).judge("abcde").violations.first)
        #expect(long.message(in: .english) == "A username has at most 4 characters.")
    }

    @Test("X15: decomposed Hangul is the same name as composed Hangul")
    func decomposed() throws {
        let decomposed = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"
        #expect(decomposed.unicodeScalars.count == 6)
        let verdict = rules.judge(decomposed)
        #expect(verdict.violations == [])
        // Swift compares strings by canonical equivalence, so the scalars themselves are compared.
        #expect(Array(verdict.normalized.unicodeScalars) == Array("한글".unicodeScalars))
        #expect(Array(try #require(verdict.username).key.utf8) == Array("한글".utf8))
    }

    @Test("X15: the length counts characters after composition")
    func lengthAfterComposition() {
        // Nine syllables, twenty-seven scalars.
        #expect(reasons(String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 9)) == [])
        #expect(reasons(String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 10)) == [.usernameTooLong])
    }

    @Test("X15: names differing in case have one key")
    func caseFolding() {
        #expect(rules.judge("NaMe").username?.key == rules.judge("nAmE").username?.key)
        #expect(rules.judge("NaMe").username?.text == "NaMe")
        #expect("Straße".uniquenessKey == "STRASSE".uniquenessKey)
        #expect("ΣΊΣΥΦΟΣ".uniquenessKey == "σίσυφος".uniquenessKey)
    }

    @Test(
        "X15: reserved names are refused in every case and look-alike spelling",
        arguments: ["admin", "ADMIN", "Adm1n", "adrnin", "_admin_", "r00t", "sy5tem", "nu11", "me", "관리자", "관리자_"])
    func reserved(_ name: String) {
        #expect(reasons(name) == [.usernameReserved])
    }

    @Test("X15: only names that look like reserved ones are refused", arguments: ["admins", "rooty", "merry", "관리", "oll", "o11"])
    func notReserved(_ name: String) {
        #expect(reasons(name) == [])
    }

    @Test("reserved names can be configured, and given names outlive it")
    func configuredReserved() {
        #expect(UsernameRules(reserved: ["boss"]).judge("b0ss").violations.map(\.reason) == [.usernameReserved])
        #expect(UsernameRules(reserved: []).judge("admin").violations == [])
        #expect(Username(storedText: "admin", storedKey: "admin") != nil)
    }

    @Test("X17: a stored name with a foreign key or alphabet is not a name")
    func storedNames() {
        #expect(Username(storedText: "Name", storedKey: "name")?.text == "Name")
        #expect(Username(storedText: "Name", storedKey: "Name") == nil)
        #expect(Username(storedText: "na me", storedKey: "na me") == nil)
        #expect(Username(storedText: "", storedKey: "") == nil)
    }
}

@Suite("Names that look alike") struct UsernameSkeletonTests {
    private func skeleton(_ name: String) throws -> String {
        try #require(UsernameRules(length: 1...64, reserved: []).judge(name).username).skeleton
    }

    @Test(
        "C13: names that are read as one have one skeleton",
        arguments: [
            ("minji1", "minjil"), ("minji1", "MINJII"), ("o0o", "ooO"), ("5am", "sam"), ("sarn", "SAM"), ("vvill", "will"), ("vvv", "wv"),
            ("a_1", "a_l")
        ])
    func alike(_ one: String, _ other: String) throws {
        #expect(try skeleton(one) == skeleton(other))
    }

    @Test(
        "C13: names that are read as different have different skeletons",
        arguments: [
            ("구까", "국가"), ("minji", "min_ji"), ("minji1", "minji2"), ("민지", "민자"), ("rm", "rrn1"), ("a8", "ab"), ("nn", "m"), ("하나", "한아"),
        ])
    func different(_ one: String, _ other: String) throws {
        #expect(try skeleton(one) != skeleton(other))
    }
}
