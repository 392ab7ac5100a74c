import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// The options of commands that show a server repeatedly.
struct MonitorOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp(Phrase("Seconds between two looks.", "살펴보는 간격(초)."), valueName: "seconds"))
    var interval = 2.0

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("End after so many looks; without it Ctrl-C ends it.", "이만큼 살펴본 뒤 끝냅니다. 생략하면 Ctrl-C로 끝냅니다."), valueName: "count"))
    var count: Int?

    @Flag(help: ArgumentHelp(Phrase("Look once, show the figures since the server's start, and end.", "한 번만 살펴보고 서버 시작 이후의 수치를 보여 준 뒤 끝냅니다.")))
    var once = false

    func validate() throws {
        guard interval >= 0.1, interval <= 3_600 else {
            throw ValidationError(Phrase(
                "--interval must be 0.1 to 3600 seconds, not \(interval).", "--interval은 0.1초에서 3600초 사이여야 합니다: \(interval)"))
        }
        if let count, !(1...1_000_000_000).contains(count) {
            throw ValidationError(Phrase("--count must be 1 to 1000000000, not \(count).", "--count는 1에서 1000000000 사이여야 합니다: \(count)"))
        }
        if once, count != nil { throw ValidationError(Phrase("--once and --count exclude each other.", "--once와 --count는 함께 쓸 수 없습니다.")) }
    }
}

/// `pulseboard admin monitor`
struct AdminMonitor: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "monitor",
            abstract: Phrase(
                "Watch the server: methods with their rates, errors and latencies, loops, store.",
                "서버를 지켜봅니다: 메서드별 호출 수, 오류, 지연 시간, 루프, 저장소."),
            discussion: Phrase(
                """
                Each look shows what has happened since the last one. At a terminal the table is drawn in place; elsewhere the tables follow each \
                other, and --json writes a document a line. While the server is away it says so, and goes on when it is back.

                Examples:
                  pulseboard admin monitor
                  pulseboard admin monitor --interval 0.5
                  pulseboard admin monitor --once
                """,
                """
                마지막으로 살펴본 뒤에 일어난 일을 보여 줍니다. 터미널에서는 제자리에 다시 그리고, 그 밖에서는 표를 이어서 쓰며, --json은 한 줄에 문서 하나를 씁니다. \
                서버가 없는 동안에는 그렇게 알리고, 돌아오면 계속합니다.

                예:
                  pulseboard admin monitor
                  pulseboard admin monitor --interval 0.5
                  pulseboard admin monitor --once
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var pace: MonitorOptions

    func run() async throws {
        try await options.run { invocation in
            try await Monitor(invocation: invocation, options: pace).run { MonitorView.methods($0, $1, invocation) }
        }
    }
}

/// `pulseboard admin top`
struct AdminTop: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "top",
            abstract: Phrase("Watch who uses the server: users by calls, bytes, places and connections.", "누가 서버를 쓰는지 지켜봅니다: 사용자별 호출, 바이트, 자리, 연결."),
            discussion: Phrase(
                """
                A user is all connections of one uid, or everybody who comes through a gateway's socket. Those with most calls since the last look \
                come first.

                Examples:
                  pulseboard admin top
                  pulseboard admin top --once --json
                """,
                """
                사용자는 uid 하나의 모든 연결, 또는 게이트웨이 소켓으로 오는 모두입니다. 마지막으로 살펴본 뒤 호출이 많은 순서로 보여 줍니다.

                예:
                  pulseboard admin top
                  pulseboard admin top --once --json
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var pace: MonitorOptions

    func run() async throws {
        try await options.run { invocation in
            try await Monitor(invocation: invocation, options: pace).run { MonitorView.users($0, $1, invocation) }
        }
    }
}
