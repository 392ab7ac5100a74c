import ArgumentParser

/// The commands that a wrong word may have meant.
struct Suggestion: Hashable {
    /// What was typed.
    let word: String
    /// The command that it stands behind, such as `pulseboard follow`.
    let command: String
    /// Subcommands that are spelled nearly so, the nearest first; empty when none is.
    let near: [String]
    /// All subcommands.
    let all: [String]

    /// Finds the first word that is no subcommand where one has to stand; `nil` when there is no such.
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

    /// Words within a third of the length, at least one and at most three changes away, or that begin so.
    private static func nearest(to word: String, among known: [String]) -> [String] {
        let limit = min(3, max(1, word.count / 3))
        return known.map { ($0, $0.hasPrefix(word) && word.count > 1 ? 0 : distance(Array(word), Array($0))) }
            .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
    }

    /// How many letters have to be added, left out, replaced or exchanged with their neighbour (optimal string alignment).
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
