import ArgumentParser
import PulseBoardVocabulary

/// The language in which a program's help and its usage errors are written.
///
/// Commands and options give their texts as phrases. The parser asks for the texts each time it needs them, so the phrase is read in the language that
/// holds then.
package enum HelpLanguage {
    /// What holds in this task.
    @TaskLocal package static var current = Language.english
}

extension Phrase {
    fileprivate var inHelpLanguage: String { text(in: HelpLanguage.current) }
}

extension ArgumentHelp {
    /// What an option or argument is for.
    /// - Parameters:
    ///   - discussion: a remark of its own line, such as what holds without the option.
    ///   - valueName: what the value is called in usage texts; ``Phrase/Help/valueName(_:)`` has it in Korean.
    package init(_ abstract: Phrase, discussion: Phrase? = nil, valueName: String? = nil) {
        self.init(abstract.inHelpLanguage, discussion: discussion?.inHelpLanguage ?? "", valueName: valueName)
    }
}

extension CommandConfiguration {
    /// What a command is for.
    package init(
        commandName: String, abstract: Phrase, discussion: Phrase? = nil, version: String = "", subcommands: [any ParsableCommand.Type] = [],
        groupedSubcommands: [CommandGroup] = [], aliases: [String] = []
    ) {
        self.init(
            commandName: commandName, abstract: abstract.inHelpLanguage, discussion: discussion?.inHelpLanguage ?? "", version: version,
            subcommands: subcommands, groupedSubcommands: groupedSubcommands, aliases: aliases)
    }
}

extension CommandGroup {
    /// Commands under one heading.
    package init(name: Phrase, subcommands: [any ParsableCommand.Type]) {
        self.init(name: name.inHelpLanguage, subcommands: subcommands)
    }
}

extension ValidationError {
    /// Arguments that make no sense, said in words.
    package init(_ message: Phrase) {
        self.init(message.inHelpLanguage)
    }
}
