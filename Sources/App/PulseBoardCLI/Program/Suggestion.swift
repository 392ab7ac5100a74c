import ArgumentParser
import CommandHelp

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
        // A wrong name is wrong too when help is asked about it.
        let asksForHelp = arguments.first.map { ["help", "--help", "-h"].contains($0) } ?? false
        for word in asksForHelp ? arguments.dropFirst() : arguments[...] {
            let known = command.configuration.subcommands
            guard !known.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = known.first(where: { $0.isCalled(word) }) {
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

    /// The arguments with `help` first, where argument-parser knows it: `follow help` becomes `help follow`. Others stay as they are.
    static func movingHelpFirst(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
        guard let place = arguments.firstIndex(of: "help"), place > 0 else { return arguments }
        var command: any ParsableCommand.Type = root
        for word in arguments[..<place] {
            guard let next = command.configuration.subcommands.first(where: { $0.isCalled(word) }) else { return arguments }
            command = next
        }
        guard !command.configuration.subcommands.isEmpty else { return arguments }
        return ["help"] + arguments[..<place] + arguments[(place + 1)...]
    }

    /// Known words that begin with the word, or differ from it in at most a third of its length: at least one and at most
    /// three changes.
    private static func nearest(to word: String, among known: [String]) -> [String] {
        let limit = min(3, max(1, word.count / 3))
        return known.map { ($0, $0.hasPrefix(word) && word.count > 1 ? 0 : Spelling.distance(Array(word), Array($0))) }
            .filter { $0.1 <= limit }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(3).map(\.0)
    }
}
