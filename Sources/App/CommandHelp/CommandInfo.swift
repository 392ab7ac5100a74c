import ArgumentParser
import FoundationEssentials
import PulseBoardVocabulary
import Synchronization

/// A command and its arguments, from argument-parser's `ToolInfoV0`: the parts that a page of help needs.
struct CommandInfo: Decodable {
    let commandName: String
    let aliases: [String]?
    let subcommands: [CommandInfo]?
    let arguments: [ArgumentInfo]?

    /// The tree of a program's commands. The texts are in ``HelpLanguage/current``. A tree is made once, because a shell needs it again and again.
    static func tree(of root: any ParsableCommand.Type) throws -> CommandInfo {
        struct ToolInfo: Decodable { let command: CommandInfo }
        let key = TreeKey(root: ObjectIdentifier(root), language: HelpLanguage.current)
        if let known = trees.withLock({ $0[key] }) { return known }
        let tree = try JSONDecoder().decode(ToolInfo.self, from: Data(root._dumpHelp().utf8)).command
        trees.withLock { $0[key] = tree }
        return tree
    }

    private struct TreeKey: Hashable {
        let root: ObjectIdentifier
        let language: Language
    }

    /// The trees that were made: at most one for each command and language.
    private static let trees = Mutex<[TreeKey: CommandInfo]>([:])

    /// The visible arguments, in order.
    var shownArguments: [ArgumentInfo] { (arguments ?? []).filter(\.shouldDisplay) }
}

/// An argument, option or flag of a command.
struct ArgumentInfo: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
        enum Kind: String, Decodable { case long, short, longWithSingleDash }

        let kind: Kind
        let name: String

        var text: String { (kind == .long ? "--" : "-") + name }
    }

    let kind: Kind
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let preferredName: Name?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
    let discussion: String?
    /// Has one key: how a value is completed, such as `file` or `customAsync`.
    let completionKind: [String: Details]?

    struct Details: Decodable {}

    /// Whether the program itself completes the value.
    var asksProgram: Bool { ["custom", "customAsync"].contains(completionKind?.keys.first) }

    /// Whether the parser adds it to every command.
    var isOfEveryCommand: Bool { ["--help", "--version"].contains(preferredName?.text) }

    /// The name of its value in angle brackets, such as `<file>`; empty for a flag.
    func value(in language: Language) -> String {
        guard kind != .flag, let valueName else { return "" }
        return "<" + Phrase.Help.valueName(valueName).text(in: language) + ">"
    }

    /// Its form in texts: `--picture <file>`.
    func synopsis(in language: Language) -> String {
        [preferredName?.text ?? "", value(in: language)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Its form in the usage of its command: in brackets if it is optional.
    func usage(in language: Language) -> String {
        let text = synopsis(in: language) + (isRepeating ? " ..." : "")
        return isOptional ? "[\(text)]" : text
    }

    /// Its form in the list of options: with all its names, short ones first.
    func label(in language: Language) -> String {
        let names = (names ?? []).filter { $0.kind == .short } + (names ?? []).filter { $0.kind != .short }
        return [names.map(\.text).joined(separator: ", "), value(in: language)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Its description, with its values and its default.
    func description(in language: Language) -> String {
        let text =
            switch preferredName?.text {
            case "--help": Phrase.Help.showsHelp.text(in: language)
            case "--version": Phrase.Help.showsVersion.text(in: language)
            default: abstract ?? ""
            }
        let values = (allValues ?? []).filter { !$0.isEmpty }.joined(separator: ", ")
        let remark: Phrase? =
            switch (values.isEmpty, defaultValue) {
            case (true, nil): nil
            case (true, let value?): .Help.default(value)
            case (false, nil): .Help.values(values)
            case (false, let value?): .Help.values(values, default: value)
            }
        return [text, remark?.text(in: language) ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
