import PulseBoardVocabulary

extension String {
    fileprivate var droppingDashes: String { String(drop { $0 == "-" }) }
}

/// An error message of argument-parser. The parser writes English, in a few forms; each has its Korean form here.
struct ParserMessage {
    /// The text of the error.
    let text: String
    /// The argument that the error is about; `nil` if there is none.
    let argument: ArgumentInfo?

    /// - Parameters:
    ///   - english: the parser's message.
    ///   - arguments: the arguments of the command.
    init(_ english: String, about arguments: [ArgumentInfo], in language: Language) {
        /// The argument with the parser's name, and its name in the language.
        func named(_ synopsis: Substring) -> (ArgumentInfo?, String) {
            let argument = arguments.first { [$0.synopsis(in: .english), $0.label(in: .english)].contains(String(synopsis)) }
                ?? arguments.first { ($0.names ?? []).contains { synopsis == $0.text || synopsis.hasPrefix($0.text + " ") } }
            return (argument, argument?.synopsis(in: language) ?? String(synopsis))
        }
        var argument: ArgumentInfo?
        var phrase = Phrase(english, english)
        if let match = english.wholeMatch(of: #/Missing expected argument '(.+)'/#) {
            let name: String
            (argument, name) = named(match.1)
            phrase = Phrase(english, "필요한 인자가 없습니다: '\(name)'")
        } else if let match = english.wholeMatch(of: #/Missing one of: '(.+)'/#) {
            let names = match.1.split(separator: "', '").map { named($0).1 }
            phrase = Phrase(english, "다음 가운데 하나가 필요합니다: '\(names.joined(separator: "', '"))'")
        } else if let match = english.wholeMatch(of: #/Missing value for '(.+)'/#) {
            let name: String
            (argument, name) = named(match.1)
            phrase = Phrase(english, "값이 없습니다: '\(name)'")
        } else if let match = english.wholeMatch(of: #/(?s)Unknown option '(.+)'\. Did you mean '(.+)'\?/#) {
            let near = String(match.2)
            let isMeant = Spelling.isNear(String(match.1).droppingDashes, near.droppingDashes)
            phrase = isMeant
                ? Phrase(english, "알 수 없는 옵션입니다: '\(match.1)'. '\(near)'을(를) 쓰려고 하셨나요?")
                : Phrase("Unknown option '\(match.1)'", "알 수 없는 옵션입니다: '\(match.1)'")
        } else if let match = english.wholeMatch(of: #/(?s)Unknown option '(.+)'/#) {
            phrase = Phrase(english, "알 수 없는 옵션입니다: '\(match.1)'")
        } else if let match = english.wholeMatch(of: #/(?s)Unexpected argument '(.*)'/#) {
            phrase = Phrase(english, "쓸 수 없는 인자입니다: '\(match.1)'")
        } else if let match = english.wholeMatch(of: #/(?s)(\d+) unexpected arguments: '(.*)'/#) {
            phrase = Phrase(english, "쓸 수 없는 인자가 \(match.1)개 있습니다: '\(match.2)'")
        } else if let match = english.wholeMatch(of: #/(?s)The value '(.*)' is invalid for '(.+?)'(?:: .*|\. Please provide one of .+)?/#) {
            let name: String
            (argument, name) = named(match.2)
            let values = argument?.allValues?.joined(separator: ", ") ?? ""
            phrase = Phrase(english, "'\(name)'에 쓸 수 없는 값입니다: '\(match.1)'" + (values.isEmpty ? "" : ". 쓸 수 있는 값: \(values)"))
        } else if let match = english.wholeMatch(of: #/(?s)The option '(.+?)' does not take any value, but '(.*)' was specified\./#) {
            phrase = Phrase(english, "'\(match.1)' 옵션은 값을 받지 않는데 '\(match.2)'을(를) 받았습니다.")
        } else if let match = english.wholeMatch(of: #/(?s)Value to be set with flag '(.+)' had already been set with flag '(.+)'/#) {
            phrase = Phrase(english, "'\(match.1)'은(는) 이미 쓴 '\(match.2)'과(와) 함께 쓸 수 없습니다.")
        } else if let match = english.wholeMatch(of: #/(?s)Invalid option: (.*)/#) {
            phrase = Phrase(english, "옵션이 아닙니다: \(match.1)")
        } else if let match = english.wholeMatch(of: #/(?s)Can't generate completion scripts for '(.*?)'\..*:\s*(.+)/#) {
            phrase = Phrase(english, "'\(match.1)'의 자동 완성 스크립트는 만들 수 없습니다. --generate-completion-script=<셸>에 쓸 수 있는 셸: \(match.2)")
        } else if let match = english.wholeMatch(of: #/(?s)Can't autodetect a supported shell\..*:\s*(.+)/#) {
            phrase = Phrase(english, "어떤 셸인지 알 수 없습니다. --generate-completion-script=<셸>에 쓸 수 있는 셸: \(match.1)")
        }
        text = phrase.text(in: language)
        self.argument = argument
    }
}

/// How much two spellings differ.
package enum Spelling {
    /// Whether a typed name may have meant a known one: at most two changes, and at most a third of the known name.
    fileprivate static func isNear(_ typed: String, _ known: String) -> Bool {
        distance(Array(typed), Array(known)) <= min(2, max(1, known.count / 3))
    }

    /// The number of changes between two words (optimal string alignment): letters added, left out, replaced, or exchanged
    /// with their neighbour.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var rows = [Array(0...right.count)]
        for (index, letter) in left.enumerated() {
            var row = [index + 1]
            for (other, character) in right.enumerated() {
                var cost = min(rows[index][other + 1] + 1, row[other] + 1, rows[index][other] + (letter == character ? 0 : 1))
                if index > 0, other > 0, letter == right[other - 1], left[index - 1] == character { cost = min(cost, rows[index - 1][other - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
