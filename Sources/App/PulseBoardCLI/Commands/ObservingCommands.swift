import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard admin metrics`
struct AdminMetrics: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "metrics",
            abstract: Phrase("Write the server's figures as OpenMetrics text.", "서버의 수치를 OpenMetrics 형식으로 씁니다."),
            discussion: Phrase(
                "Prometheus reads them by itself where the server runs with --metrics.", "서버를 --metrics로 실행하면 Prometheus가 스스로 읽습니다."))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.getMetrics(PBGetMetricsRequest(), options: invocation.callOptions())
            }
            try invocation.show(answer) { answer.text.linesSafeForTerminal }
        }
    }
}

/// `pulseboard admin set …`
struct AdminSet: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: Phrase("Change a setting of the running server.", "실행 중인 서버의 설정을 바꿉니다."),
            subcommands: [AdminSetLogLevel.self])
    }
}

/// `pulseboard admin set log-level`
struct AdminSetLogLevel: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "log-level",
            abstract: Phrase(
                "Log more or less, until the server ends or reads its configuration again.", "서버가 끝나거나 설정을 다시 읽을 때까지 로그를 더 많이 또는 더 적게 남깁니다."))
    }

    @OptionGroup var options: GlobalOptions

    /// The levels of the server's log, the most talkative first.
    enum Level: String, CaseIterable, ExpressibleByArgument { case trace, debug, info, notice, warning, error, critical }

    @Argument(help: ArgumentHelp(Phrase("What is logged: this level, and those behind it.", "이 수준과 그 뒤의 수준을 남깁니다."), valueName: "level"))
    var level: Level

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.setLogLevel(PBSetLogLevelRequest(level: level.rawValue), options: invocation.callOptions())
            }
            try invocation.show(answer) {
                invocation.text(
                    "The log level is \(answer.level); it was \(answer.formerLevel).", "로그 수준: \(answer.formerLevel) → \(answer.level)").safeForTerminal + "\n"
            }
        }
    }
}
