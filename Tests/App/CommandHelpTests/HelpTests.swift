import ArgumentParser
import Foundation
import PulseBoardVocabulary
import Testing

@testable import CommandHelp
@testable import PulseBoardCLI
@testable import pulseboardd

/// A command of a program, by its words.
struct NamedCommand: CustomTestStringConvertible, Sendable {
    let words: [String]
    let type: any ParsableCommand.Type

    var testDescription: String { words.joined(separator: " ") }
    /// The words after the program's name.
    var arguments: [String] { Array(words.dropFirst()) }

    /// A command and all commands below it.
    static func tree(_ type: any ParsableCommand.Type, below words: [String] = []) -> [NamedCommand] {
        let words = words + [type._commandName]
        return [NamedCommand(words: words, type: type)] + type.configuration.subcommands.flatMap { tree($0, below: words) }
    }
}

extension String {
    /// Whether there is a Hangul syllable in it.
    fileprivate var isKorean: Bool { unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } }
}

@Suite("Help and usage errors in Korean and English")
struct HelpTests {
    static let commands = NamedCommand.tree(PulseBoardCommand.self) + NamedCommand.tree(PulseBoardDaemon.self)

    private static func root(of command: NamedCommand) -> any ParsableCommand.Type {
        command.words[0] == "pulseboard" ? PulseBoardCommand.self : PulseBoardDaemon.self
    }

    @Test("Every text of every command and option is in Korean", arguments: commands)
    func everyText(command: NamedCommand) throws {
        try HelpLanguage.$current.withValue(.korean) {
            let configuration = command.type.configuration
            #expect(configuration.abstract.isKorean)
            #expect(configuration.discussion.isEmpty || configuration.discussion.hasPrefix("예: ") || configuration.discussion.isKorean)
            for group in configuration.groupedSubcommands { #expect(group.name.isKorean) }
            for argument in try CommandInfo.tree(of: command.type).arguments ?? [] {
                let label = argument.label(in: .korean)
                #expect(argument.description(in: .korean).isKorean, "\(label)")
                #expect(argument.discussion?.isKorean ?? true, "\(label)")
                #expect(argument.kind == .flag || argument.value(in: .korean).isKorean, "\(label)")
            }
        }
    }

    @Test("What is wrong with a configuration file is said in Korean", arguments: [
        "bogus = 1", "socket = 1", "limit = 1", "log-format = \"xml\"", "metrics = \"x\"", "admin-uid = 1", "[limit]\ncalls = \"x\"", "= 1",
        "withdrawal-grace = 91", "oidc-config = \"/absent\"", "diary-key-file = \"/absent\"",
    ])
    func configurationFile(_ text: String) throws {
        try HelpLanguage.$current.withValue(.korean) {
            let message = try Self.fault(of: text).message
            #expect(message.isKorean && !message.contains(" is ") && !message.contains(" cannot ") && !message.contains("No such"), "\(message)")
        }
    }

    /// What is wrong with the settings of a configuration file, options and variables, and the path of the file.
    private static func fault(
        of text: String, _ options: [String] = [], _ variables: [String: String] = [:]
    ) throws -> (message: String, path: String) {
        let path = FileManager.default.temporaryDirectory.path + "/pb-\(UUID().uuidString).toml"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let parsed = try DaemonOptions.parse(["--config", path] + options)
        let error = #expect(throws: ArgumentParser.ValidationError.self) { _ = try DaemonSettings(parsed, environment: variables, uid: 1000) }
        return (try #require(error?.message), path)
    }

    @Test("What is wrong with a value of a configuration file is said with the file and the key", arguments: [
        ("withdrawal-grace = 91", "withdrawal-grace"), ("trusted-uid = [-1]", "trusted-uid"), ("username-length = \"9\"", "username-length"),
        ("socket = \"/\(String(repeating: "s", count: 107))\"", "socket"), ("log-level = \"loud\"", "log-level"), ("[limit]\ncalls = 0", "limit"),
    ])
    func keyOfConfigurationFile(_ text: String, _ key: String) throws {
        let fault = try Self.fault(of: text)
        #expect(fault.message.hasPrefix("\(fault.path), \(key): "), "\(fault)")
    }

    @Test("A wrong option or variable is not blamed on the configuration file")
    func besideConfigurationFile() throws {
        #expect(
            try Self.fault(of: "withdrawal-grace = 9", ["--withdrawal-grace", "91"]).message
                == "The time to come back is 0 to 90 days, not '91'.")
        #expect(try Self.fault(of: "[limit]\ncalls = 100", ["--limit", "calls=0"]).message.hasPrefix("calls is a whole number"))
        #expect(
            try Self.fault(of: "admin-uid = [1]", [], ["PULSEBOARD_ADMIN_UIDS": "x"]).message.hasPrefix("PULSEBOARD_ADMIN_UIDS: A uid is a number"))
    }

    @Test("Every page has the texts of its language, and no line is wider than the terminal", arguments: commands)
    func everyPage(command: NamedCommand) throws {
        for language in Language.allCases {
            let page = try CommandUsage(of: Self.root(of: command), for: command.arguments, in: language).page(columns: 80)
            let lines = page.split(separator: "\n")
            #expect(lines[0].hasPrefix(language == .korean ? "개요: " : "OVERVIEW: "))
            #expect(lines.contains { $0.hasPrefix((language == .korean ? "사용법: " : "USAGE: ") + command.words.joined(separator: " ")) })
            // A command is not broken, so that it can be pasted.
            let commands = HelpLanguage.$current.withValue(language) { command.type.configuration.discussion }.split(separator: "\n")
                .filter { line in ["  ", "Example: ", "예: "].contains { line.hasPrefix($0) } }
            for line in commands { #expect(lines.contains(line), "\(line)") }
            for line in lines where !commands.contains(line) {
                #expect(String(line).displayWidth <= 80, "\(line)")
                if language == .korean { #expect(line.wholeMatch(of: #/[A-Z ]+:/#) == nil, "\(line)") }
            }
            for argument in try HelpLanguage.$current.withValue(language, operation: { try CommandInfo.tree(of: command.type).shownArguments }) {
                #expect(page.contains(argument.label(in: language)))
            }
        }
    }

    @Test("An English page is laid out as argument-parser does it", arguments: commands)
    func layout(command: NamedCommand) throws {
        let page = try CommandUsage(of: Self.root(of: command), for: command.arguments, in: .english).page(columns: 80)
        let expected = Self.root(of: command).helpMessage(for: command.type, columns: 80)
        func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }
        // argument-parser writes the same of options and subcommands that may be left out.
        let marks = ["<options>", "<subcommand>"]
        #expect(words(page) == words(marks.reduce(expected) { $0.replacing("[\($1)]", with: $1) }).map { word in
            marks.first { page.contains("[\($0)]") && word == $0 }.map { "[\($0)]" } ?? word
        })
    }

    @Test("What may be left out stands in brackets, and a long usage is broken between arguments", arguments: [
        (["pulseboardd"], "USAGE: pulseboardd [<options>] [<subcommand>]"), (["pulseboard", "follow"], "USAGE: pulseboard follow <subcommand>"),
        (["pulseboard", "diary", "list"], "USAGE: pulseboard diary list [<options>]"),
    ])
    func usage(of words: [String], expected: String) throws {
        let command = try #require(Self.commands.first { $0.words == words })
        let usage = try CommandUsage(of: Self.root(of: command), for: command.arguments, in: .english)
        #expect(usage.page(columns: 80).split(separator: "\n").contains { $0 == expected })
        for line in usage.page(columns: 40).split(separator: "\n") where line.hasPrefix("USAGE") || line.hasPrefix("    [") {
            #expect(line.count <= 40 && line.count { $0 == "[" } == line.count { $0 == "]" }, "\(line)")
        }
    }

    @Test("A sentence is one line of its source, so that each terminal breaks it once", arguments: commands)
    func sentences(command: NamedCommand) {
        for language in Language.allCases {
            let text = HelpLanguage.$current.withValue(language) { command.type.configuration.discussion }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty && !line.hasPrefix("  ") && !next.isEmpty {
                #expect(line.hasSuffix(".") || line.hasSuffix(":"), "\(line)")
            }
        }
    }

    /// Invalid arguments, one for each kind of error of the parser, with the expected message.
    static let errors: [([String], String)] = [
        (["profile", "create"], "필요한 인자가 없습니다: '--username <이름>'"),
        (["profile", "image", "set"], "필요한 인자가 없습니다: '<파일>'"),
        (["diary", "settle", "3f2a", "7c41"], "다음 가운데 하나가 필요합니다: '--take', '--forget'"),
        (["auth", "login", "--id-token"], "값이 없습니다: '--id-token <파일>'"),
        (["auth", "login", "--acount", "a"], "알 수 없는 옵션입니다: '--acount'. '--account'을(를) 쓰려고 하셨나요?"),
        (["auth", "sessions", "--end", "x"], "알 수 없는 옵션입니다: '--end'\n"),
        (["diary", "write", "--time", "x"], "알 수 없는 옵션입니다: '--time'\n"),
        (["admin", "set", "log-level", "loud"], "'<수준>'에 쓸 수 없는 값입니다: 'loud'. 쓸 수 있는 값: trace, debug, info, notice, warning, error, critical"),
        (["auth", "login", "--nonsense-everywhere"], "알 수 없는 옵션입니다: '--nonsense-everywhere'"),
        (["auth", "logout", "now"], "쓸 수 없는 인자입니다: 'now'"),
        (["auth", "logout", "right", "now"], "쓸 수 없는 인자가 2개 있습니다: 'right', 'now'"),
        (["ping", "--count", "many"], "'--count <수>'에 쓸 수 없는 값입니다: 'many'"),
        (["rpc", "list", "--protocol", "smtp"], "'--protocol <프로토콜>'에 쓸 수 없는 값입니다: 'smtp'. 쓸 수 있는 값: ttrpc, grpc"),
        (["ping", "--json=yes"], "'--json' 옵션은 값을 받지 않는데 'yes'을(를) 받았습니다."),
        (["diary", "settle", "3f2a", "7c41", "--take", "--forget"], "'--forget'은(는) 이미 쓴 '--take'과(와) 함께 쓸 수 없습니다."),
        (["--generate-completion-script", "csh"], "'csh'의 자동 완성 스크립트는 만들 수 없습니다."),
        (["ping", "--count", "0"], "--count는 1에서 1000000000 사이여야 합니다: 0"),
        (["auth", "nonsense"], "쓸 수 없는 인자입니다: 'nonsense'"),
    ]

    @Test("What the parser has against arguments is said in Korean, with the option's help and the command's usage", arguments: errors)
    func usageError(arguments: [String], expected: String) throws {
        try HelpLanguage.$current.withValue(.korean) {
            let error = try #require(throws: (any Error).self) { _ = try PulseBoardCommand.parseAsRoot(arguments) }
            #expect(PulseBoardCommand.exitCode(for: error) == .validationFailure)
            let text = try CommandUsage(of: PulseBoardCommand.self, for: arguments, in: .korean).text(for: error)
            #expect(text.hasPrefix("오류: " + expected), "\(text)")
            #expect(text.contains("\n사용법: pulseboard"))
            #expect(text.hasSuffix("--help'를 보세요."))
            for line in text.split(separator: "\n") where !line.hasPrefix("사용법: ") { #expect(String(line).isKorean, "\(line)") }
        }
    }
}
