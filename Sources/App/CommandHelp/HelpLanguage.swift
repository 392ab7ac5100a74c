import ArgumentParser
import PulseBoardVocabulary

/// The language of a program's help and usage errors.
///
/// Commands and options define their texts as phrases. The parser asks for a text each time it needs it, so the phrase is read in the language of
/// that moment.
package enum HelpLanguage {
    /// The language in this task.
    @TaskLocal package static var current = Language.english
}

extension Phrase {
    fileprivate var inHelpLanguage: String { text(in: HelpLanguage.current) }
}

extension ArgumentHelp {
    /// Makes the help of an option or argument.
    /// - Parameters:
    ///   - discussion: a remark on its own line, such as the effect of leaving out the option.
    ///   - valueName: the name of the value in usage texts. ``Phrase/Help/valueName(_:)`` has the Korean one.
    package init(_ abstract: Phrase, discussion: Phrase? = nil, valueName: String? = nil) {
        self.init(abstract.inHelpLanguage, discussion: discussion?.inHelpLanguage ?? "", valueName: valueName)
    }
}

extension CommandConfiguration {
    /// Makes the configuration of a command.
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
    /// Makes a group of commands under one heading.
    package init(name: Phrase, subcommands: [any ParsableCommand.Type]) {
        self.init(name: name.inHelpLanguage, subcommands: subcommands)
    }
}

extension ValidationError {
    /// Makes a usage error.
    package init(_ message: Phrase) {
        self.init(message.inHelpLanguage)
    }
}
