import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard admin metrics`
struct AdminMetrics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Write the server's figures as OpenMetrics text.",
        discussion: "Prometheus reads them by itself where the server runs with --metrics.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.getMetrics(PBGetMetricsRequest(), options: invocation.callOptions())
            }
            try invocation.show(answer) { answer.text }
        }
    }
}

/// `pulseboard admin set …`
struct AdminSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting of the running server.", subcommands: [AdminSetLogLevel.self])
}

/// `pulseboard admin set log-level`
struct AdminSetLogLevel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-level",
        abstract: "Log more or less, until the server ends or reads its configuration again.")

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var level: String

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.setLogLevel(PBSetLogLevelRequest(level: level.lowercased()), options: invocation.callOptions())
            }
            try invocation.show(answer) {
                invocation.text(
                    "The log level is \(answer.level); it was \(answer.formerLevel).", "로그 수준: \(answer.formerLevel) → \(answer.level)") + "\n"
            }
        }
    }
}
