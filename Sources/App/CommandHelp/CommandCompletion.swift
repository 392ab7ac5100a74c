import ArgumentParser

/// What can stand at a place of a command line: commands, options and their values, by the tree of the commands.
package struct CommandCompletion: Sendable {
    private let root: CommandInfo

    /// - Throws: when argument-parser describes its commands in a way that this version does not know.
    package init(of command: any ParsableCommand.Type) throws { root = try CommandInfo.tree(of: command) }

    /// Words that begin as a word does.
    /// - Parameters:
    ///   - line: what stands before the word.
    ///   - word: the word as far as it was typed; empty for a new one.
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
        if word.hasPrefix("-"), !isHelp { all += arguments.filter { $0.kind != .positional }.flatMap { ($0.names ?? []).filter { $0.kind == .long }.map(\.text) } }
        if !word.hasPrefix("-") { all += arguments.filter { $0.kind == .positional }.flatMap { $0.allValues ?? [] } }
        return all.filter { $0.hasPrefix(word) && $0 != "help" }.sorted()
    }
}
