import PulseBoardVocabulary
import TestHarness
import Testing

@testable import PulseBoardCLI

@Suite struct UsernameMappingTests {
    /// Names that collide: they differ only in case, hyphens or the end, are too short, have no permitted characters, or
    /// are decomposed.
    private static func nastyNames(count: Int, seed: UInt64) -> [String] {
        var generator = SeededRandom(seed: seed)
        let pieces = [
            "a", "A", "b", "-", "_", "0", "o", "1", "l", "rn", "m", "9", "가", "힣", "\u{1112}\u{1161}\u{11AB}", "é", "한", " ", ".", "😀", "ß", "ﬁ", "İ",
            "samestem", "SameStem",
        ]
        return (0..<count).map { _ in
            (0..<Int.random(in: 0...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
    }

    private func isLegal(_ name: String) -> Bool {
        (2...9).contains(name.count)
            && name.unicodeScalars.allSatisfy {
                switch $0.value {
                case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xAC00...0xD7A3: true
                default: false
                }
            }
    }

    @Test("B18, X15: every name is legal, and no two look alike", arguments: [1, 2, 3] as [UInt64])
    func legalAndUnique(_ seed: UInt64) {
        let logins = Self.nastyNames(count: 5000, seed: seed)
        let mapping = UsernameMapping(logins: logins)
        #expect(mapping.usernames.count == logins.count)
        #expect(mapping.usernames.allSatisfy(isLegal))
        #expect(Set(mapping.usernames.map { $0.lowercased().usernameSkeleton }).count == logins.count)
    }

    @Test("The same list maps alike every time")
    func deterministic() {
        let logins = Self.nastyNames(count: 2000, seed: 7)
        #expect(UsernameMapping(logins: logins).usernames == UsernameMapping(logins: logins).usernames)
    }

    @Test("A login that keeps the rule keeps itself, even if an illegal one before it would fit into the same name")
    func legalFirst() {
        let mapping = UsernameMapping(logins: ["foo-bar", "foobar", "FooBar", "ok", "하늘"])
        #expect(mapping.usernames == ["foobar0", "foobar", "FooBar1", "ok", "하늘"])
    }

    @Test("Long logins are shortened, short ones filled up, foreign characters dropped")
    func shapes() {
        let mapping = UsernameMapping(logins: ["shawflying", "a", "日本", "Jean-Luc", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"])
        #expect(mapping.usernames == ["shawflyin", "a0", "user", "JeanLuc", "한글"])
        #expect(mapping.usernames[4].unicodeScalars.count == 2, "X15: decomposed Hangul becomes composed")
    }

    @Test("Every name and every alternative has a length that the server permits", arguments: [1...4, 3...5, 5...5, 8...20, 64...64])
    func lengths(_ lengths: ClosedRange<Int>) {
        let logins = Self.nastyNames(count: 300, seed: 5)
        let mapping = UsernameMapping(logins: logins, lengths: lengths)
        #expect(mapping.usernames.allSatisfy { lengths.contains($0.count) })
        #expect(Set(mapping.usernames.map { $0.lowercased().usernameSkeleton }).count == logins.count)
        #expect(mapping.usernames == UsernameMapping(logins: logins, lengths: lengths).usernames)
        for index in logins.indices {
            guard let name = mapping.alternative(at: index, attempt: 1) else { continue }
            #expect(lengths.contains(name.count))
        }
    }

    @Test("Where the permitted names do not suffice, a login gets a name that the server refuses")
    func tooFewNames() {
        let mapping = UsernameMapping(logins: ["a", "A", "a-"], lengths: 1...1)
        #expect(mapping.usernames == ["a", "A", "a"])
        #expect(mapping.alternative(at: 1, attempt: 1) == nil)
    }

    @Test("Thousands of logins with one stem find a name each")
    func oneStem() {
        let logins = (0..<20_000).map { "samename-\($0 % 7)-" + String(repeating: "-", count: $0 % 3) }
        let mapping = UsernameMapping(logins: logins)
        #expect(mapping.usernames.allSatisfy(isLegal))
        #expect(Set(mapping.usernames.map { $0.lowercased().usernameSkeleton }).count == logins.count)
    }

    @Test("Alternatives are legal, nobody's username and nobody else's alternative")
    func alternatives() {
        let logins = Self.nastyNames(count: 1500, seed: 11) + ["user_0", "user_1", "_0", "aa_3"]
        let mapping = UsernameMapping(logins: logins)
        var seen = Set(mapping.usernames.map { $0.lowercased().usernameSkeleton })
        for index in logins.indices {
            for attempt in 1...3 {
                let name = mapping.alternative(at: index, attempt: attempt) ?? ""
                #expect(isLegal(name))
                let isNew = seen.insert(name.lowercased().usernameSkeleton).inserted
                #expect(isNew, "\(name) is taken")
            }
        }
        #expect(mapping.alternative(at: 0, attempt: 1) == mapping.alternative(at: 0, attempt: 1))
        #expect(mapping.alternative(at: 0, attempt: 1000) == nil, "the tries end")
    }
}
