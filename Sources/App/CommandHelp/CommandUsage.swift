import ArgumentParser
import PulseBoardVocabulary

/// Makes pages of help and texts of usage errors, in Korean and English, for the width of the terminal.
///
/// argument-parser reads the arguments. But it writes English only, and counts every character as one column. So the pages are made here, from its
/// description of the commands.
package struct CommandUsage {
    /// The command that the arguments name, after all commands above it.
    private let path: [any ParsableCommand.Type]
    private let info: CommandInfo
    private let language: Language

    /// Finds the command that the arguments name. Only commands without subcommands have options, so the names come first.
    /// - Throws: if argument-parser describes its commands in an unknown format.
    package init(of root: any ParsableCommand.Type, for arguments: [String] = [], in language: Language) throws {
        var path = [root]
        var info = try HelpLanguage.$current.withValue(language) { try CommandInfo.tree(of: root) }
        for (number, word) in arguments.enumerated() where !word.hasPrefix("-") {
            if number == 0, word == "help" { continue }
            guard
                let next = path[path.count - 1].configuration.subcommands.first(where: { $0.isCalled(word) }),
                let below = info.subcommands?.first(where: { $0.commandName == next._commandName })
            else { break }
            path.append(next)
            info = below
        }
        self.path = path
        self.info = info
        self.language = language
    }

    /// The command with all commands above it, such as `pulseboard diary list`.
    package var commandLine: String { path.map { $0._commandName }.joined(separator: " ") }
    private var configuration: CommandConfiguration { HelpLanguage.$current.withValue(language) { path[path.count - 1].configuration } }

    // MARK: A page of help

    /// The column in which descriptions begin.
    private static let descriptionColumn = 26
    private static let indent = "  "

    /// Returns the page of help for the command.
    /// - Parameter columns: the width of the terminal.
    package func page(columns: Int) -> String {
        let configuration = configuration
        let abstract = [configuration.abstract, configuration.discussion].filter { !$0.isEmpty }.joined(separator: "\n\n")
        var sections = [
            Self.wrapped(Phrase.Help.overview.text(in: language) + abstract, to: columns),
            usage(columns: columns),
        ]
        let arguments = info.shownArguments
        sections.append(section(.Help.arguments, arguments.filter { $0.kind == .positional }, columns))
        sections.append(section(.Help.options, arguments.filter { $0.kind != .positional }, columns))
        sections.append(section(.Help.subcommands, configuration.ungroupedSubcommands, columns))
        for group in configuration.groupedSubcommands {
            sections.append(section(.Help.group(group.name), group.subcommands, columns))
        }
        var page = sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
        if !configuration.subcommands.isEmpty {
            let names = [path[0]._commandName, "help"] + path.dropFirst().map { $0._commandName }
            page += "\n\n" + Self.indent + Phrase.Help.ofSubcommands(names.joined(separator: " ")).text(in: language)
        }
        return page
    }

    /// Wraps a text. Commands in it stay on one line, so that they can be pasted: indented lines, and lines with an example.
    private static func wrapped(_ text: String, to columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isCommand = [indent, "Example: ", "예: "].contains { line.hasPrefix($0) }
            return isCommand ? String(line) : String(line).wrapped(to: columns)
        }.joined(separator: "\n")
    }

    /// The line of the usage. Further lines stand a little to the right, and no argument is broken in two.
    private func usage(columns: Int) -> String {
        var lines: [String] = []
        var line = Phrase.Help.usage.text(in: language) + synopsis[0]
        for word in synopsis.dropFirst() {
            if line.displayWidth + 1 + word.displayWidth > columns, !line.allSatisfy({ $0 == " " }) {
                lines.append(line)
                line = Self.indent + Self.indent + word
            } else {
                line += " " + word
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// If a command has more options than this, its usage lists only the required ones.
    private static let mostOptionsInUsage = 12

    /// The usage of the command: its name, and a text for each argument.
    private var synopsis: [String] {
        var arguments = info.shownArguments.filter { !$0.isOfEveryCommand }
        let isRunnable = !arguments.isEmpty
        var words = [commandLine]
        if arguments.count > Self.mostOptionsInUsage {
            arguments = arguments.filter { $0.kind == .positional || !$0.isOptional }
            words.append("[<" + Phrase.Help.anyOptions.text(in: language) + ">]")
        }
        words += arguments.map { $0.usage(in: language) }
        if !configuration.subcommands.isEmpty {
            let word = "<" + Phrase.Help.valueName("subcommand").text(in: language) + ">"
            // A command with arguments of its own runs without a subcommand too.
            words.append(isRunnable ? "[\(word)]" : word)
        }
        return words
    }

    private func section(_ title: Phrase, _ arguments: [ArgumentInfo], _ columns: Int) -> String {
        guard !arguments.isEmpty else { return "" }
        let lines = arguments.map { argument in
            let line = Self.line(argument.label(in: language), argument.description(in: language), columns)
            guard let discussion = argument.discussion else { return line }
            return line + "\n" + discussion.wrapped(to: columns, indentedBy: 4 * Self.indent.count)
        }
        return ([title.text(in: language)] + lines).joined(separator: "\n")
    }

    private func section(_ title: Phrase, _ commands: [any ParsableCommand.Type], _ columns: Int) -> String {
        guard !commands.isEmpty else { return "" }
        let lines = HelpLanguage.$current.withValue(language) {
            commands.map { Self.line(([$0._commandName] + $0.configuration.aliases).joined(separator: ", "), $0.configuration.abstract, columns) }
        }
        return ([title.text(in: language)] + lines).joined(separator: "\n")
    }

    /// A label with its description beside it, or below it if the label is long.
    private static func line(_ label: String, _ description: String, _ columns: Int) -> String {
        let label = indent + label
        guard !description.isEmpty else { return label }
        let text = description.wrapped(to: columns, indentedBy: descriptionColumn)
        guard label.displayWidth < descriptionColumn else { return label + "\n" + text }
        return label.paddedRight(to: descriptionColumn) + text.dropFirst(descriptionColumn)
    }

    // MARK: A usage error

    /// Returns the error in the arguments.
    /// - Parameter error: the error from the parser of the program's root command.
    package func message(for error: any Error) -> String { parserMessage(error).text }

    /// Returns the error in the arguments, the description of the option, and the usage of the command.
    package func text(for error: any Error) -> String {
        let message = parserMessage(error)
        var text = Phrase.error.text(in: language) + " " + message.text + "\n"
        if let argument = message.argument, let abstract = argument.abstract {
            text += Phrase.Help.help.text(in: language) + argument.synopsis(in: language) + "  " + abstract + "\n"
        }
        text += Phrase.Help.usageOfError.text(in: language) + synopsis.joined(separator: " ") + "\n"
        return text + Self.indent + Phrase.Help.ofCommand(commandLine).text(in: language)
    }

    private func parserMessage(_ error: any Error) -> ParserMessage {
        ParserMessage(path[0].message(for: error), about: info.arguments ?? [], in: language)
    }

    /// Whether the parser answers with a page of help: the user asked for it, or named a command that only has subcommands.
    package func asksForHelp(_ error: any Error) -> Bool {
        path[0].exitCode(for: error).isSuccess && path[0].message(for: error).hasPrefix(Phrase.Help.overview.english)
    }
}

extension String {
    /// Wraps the text at spaces, so that each line fits the columns. A line that fits stays as it is.
    /// - Parameter indentation: the columns at the left of every line.
    package func wrapped(to columns: Int, indentedBy indentation: Int = 0) -> String {
        let room = max(1, columns - indentation)
        let margin = String(repeating: " ", count: indentation)
        return split(separator: "\n", omittingEmptySubsequences: false).flatMap { $0.lines(of: room) }
            .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }
}

extension Substring {
    /// Lines that fit the columns. A longer word gets its own line.
    fileprivate func lines(of columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for (number, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if number == 0 {
                line = String(word)
            } else if line.displayWidth + 1 + String(word).displayWidth <= columns || line.allSatisfy({ $0 == " " }) {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }
}

extension ParsableCommand {
    /// Whether it is the command's name or another name of it.
    package static func isCalled(_ word: String) -> Bool { _commandName == word || configuration.aliases.contains(word) }
}
