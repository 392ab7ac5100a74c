import ArgumentParser

/// The commands that a wrong word may have meant.
struct Suggestion: Hashable {
    /// The typed word.
    let word: String
    /// The command before it, such as `pulseboard follow`.
    let command: String
    /// Subcommands with a similar spelling, the most similar first; empty if there are none.
    let near: [String]
    /// All subcommands.
    let all: [String]

    /// Finds the first word that stands where a subcommand belongs and names no subcommand. Returns `nil` if there is no such word.
    ///
    /// The search ends at an option, and at a command that has no subcommands.
    static func find(_ arguments: [String], of root: any ParsableCommand.Type) -> Suggestion? {
        var command: any ParsableCommand.Type = root
        var path = [root._commandName]
        for word in arguments {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = known.first(where: { $0._commandName == word }) {
                command = next
                path.append(word)
                continue
            }
            guard word != "help" else { return nil }
            let all = known.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
            return Suggestion(word: word, command: path.joined(separator: " "), near: nearest(to: word, among: all), all: all)
        }
        return nil
    }

    /// Known words that begin with the word, or differ from it in at most a third of its length: at least one and at most
    /// three changes.
    private static func nearest(to word: String, among known: [String]) -> [String] {
        let limit = min(3, max(1, word.count / 3))
        return known.map { ($0, $0.hasPrefix(word) && word.count > 1 ? 0 : distance(Array(word), Array($0))) }
            .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
    }

    /// The number of changes between two words (optimal string alignment): letters added, left out, replaced, or exchanged
    /// with their neighbour.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
