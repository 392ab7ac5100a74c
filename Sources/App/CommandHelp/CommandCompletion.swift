import ArgumentParser

/// Completes a command line: finds the commands, options and values that are possible at a place.
package struct CommandCompletion: Sendable {
    private let root: CommandInfo

    /// - Throws: if argument-parser describes its commands in an unknown format.
    package init(of command: any ParsableCommand.Type) throws { root = try CommandInfo.tree(of: command) }

    /// The words that can complete a word.
    /// - Parameters:
    ///   - line: the command line before the word.
    ///   - word: the typed beginning of the word; empty for a new word.
    package func candidates(line: String, word: String) -> [String] {
        var command = root
        var words = line.split(separator: " ").map(String.init)
        if words.first == root.commandName { words.removeFirst() }
        let isHelp = words.first == "help"
        if isHelp { words.removeFirst() }
        for word in words {
            guard let next = command.subcommands?.first(where: { $0.commandName == word }) else { break }
            command = next
        }
        let arguments = command.shownArguments
        if let last = words.last, let option = arguments.first(where: { $0.kind == .option && ($0.names ?? []).contains { $0.text == last } }) {
            return (option.allValues ?? []).filter { $0.hasPrefix(word) }
        }
        var all = (command.subcommands ?? []).map(\.commandName)
        if word.hasPrefix("-"), !isHelp {
            all += arguments.filter { $0.kind != .positional }.flatMap { ($0.names ?? []).filter { $0.kind == .long }.map(\.text) }
        }
        if !word.hasPrefix("-") { all += arguments.filter { $0.kind == .positional }.flatMap { $0.allValues ?? [] } }
        return all.filter { $0.hasPrefix(word) && $0 != "help" }.sorted()
    }
}
