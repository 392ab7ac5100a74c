import ArgumentParser

/// Completes a command line: finds the commands, options and values that are possible at a place.
package struct CommandCompletion: Sendable {
    private let root: CommandInfo

    /// The completions of a word.
    package struct Fit: Sendable, Hashable {
        /// The completions that the tree of the commands has, sorted.
        package var words: [String] = []
        /// The arguments with which the program lists more completions: argument-parser's `---completion`, as a shell's script calls it. `nil` if
        /// there are no more.
        package var question: [String]?
    }

    /// - Throws: if argument-parser describes its commands in an unknown format.
    package init(of command: any ParsableCommand.Type) throws { root = try CommandInfo.tree(of: command) }

    /// The words that can complete a word.
    /// - Parameters:
    ///   - line: the command line before the word.
    ///   - word: the typed beginning of the word; empty for a new word.
    package func fit(line: String, word: String) -> Fit {
        var command = root
        var words = line.split(separator: " ").map(String.init)
        if words.first == root.commandName { words.removeFirst() }
        let isHelp = words.first == "help"
        if isHelp { words.removeFirst() }
        var path: [String] = []
        for word in words {
            let known = command.subcommands?.first { $0.commandName == word || $0.aliases?.contains(word) == true }
            guard let known else { break }
            command = known
            path.append(known.commandName)
        }
        let question = { (argument: String) in
            ["---completion"] + path + ["--", argument, String(words.count), String(word.count)] + words + [word]
        }
        let arguments = command.shownArguments
        if let last = words.last, let option = Self.option(last, of: arguments) {
            return Fit(words: (option.allValues ?? []).filter { $0.hasPrefix(word) }.sorted(), question: option.asksProgram ? question(last) : nil)
        }
        var fit = Fit(words: (command.subcommands ?? []).map(\.commandName))
        if word.hasPrefix("-") {
            if !isHelp {
                fit.words += arguments.filter { $0.kind != .positional }.flatMap { ($0.names ?? []).filter { $0.kind == .long }.map(\.text) }
            }
        } else if !isHelp {
            let positional = arguments.filter { $0.kind == .positional }
            let place = Self.positionalCount(in: words.dropFirst(path.count), of: arguments)
            let index = place < positional.count ? place : positional.last?.isRepeating == true ? positional.count - 1 : nil
            if let index {
                fit.words += positional[index].allValues ?? []
                if positional[index].asksProgram { fit.question = question("positional@\(index)") }
            }
        }
        fit.words = fit.words.filter { $0.hasPrefix(word) && $0 != "help" }.sorted()
        return fit
    }

    /// The option of this name, if it takes a value.
    private static func option(_ name: String, of arguments: [ArgumentInfo]) -> ArgumentInfo? {
        arguments.first { $0.kind == .option && ($0.names ?? []).contains { $0.text == name } }
    }

    /// How many of the words are arguments without a name.
    private static func positionalCount(in words: ArraySlice<String>, of arguments: [ArgumentInfo]) -> Int {
        var count = 0, isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if word.hasPrefix("-") {
                isValue = option(word, of: arguments) != nil
            } else {
                count += 1
            }
        }
        return count
    }
}
