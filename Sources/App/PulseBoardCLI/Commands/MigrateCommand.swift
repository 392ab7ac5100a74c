import ArgumentParser
import CommandHelp
import PulseBoardVocabulary

/// `pulseboard admin migrate`: `pulseboardd migrate` by another name. Only the server's program contains both stores.
struct AdminMigrate: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: Phrase(
                "Copy everything from one store into another, and compare the two. No server may run on them.",
                "한 저장소의 모든 것을 다른 저장소로 복사하고 둘을 비교합니다. 서버는 멈춰 있어야 합니다."),
            discussion: Phrase(
                """
                Runs `pulseboardd migrate` of the server that is installed here. A store is sqlite:DIRECTORY, with the data directory of a server, \
                or the address of a PostgreSQL database as `pulseboardd --store` takes it. An interrupted copy goes on where it ended.

                Example: pulseboard admin migrate --from sqlite:/var/lib/pulseboard --to 'postgresql:///pulseboard?user=pulseboard'
                """,
                """
                여기에 설치된 서버의 `pulseboardd migrate`를 실행합니다. 저장소는 서버의 데이터 디렉터리를 적은 sqlite:디렉터리이거나 \
                `pulseboardd --store`에 쓰는 PostgreSQL 데이터베이스 주소입니다. 중단된 복사는 멈춘 곳에서 이어집니다.

                예: pulseboard admin migrate --from sqlite:/var/lib/pulseboard --to 'postgresql:///pulseboard?user=pulseboard'
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp(Phrase("The store that is copied. Its data stay.", "복사할 저장소. 데이터는 그대로 남습니다."), valueName: "store"))
    var from: String

    @Option(help: ArgumentHelp(Phrase("The store that gets everything.", "모든 것을 받을 저장소."), valueName: "store"))
    var to: String

    func run() async throws {
        try await options.run { invocation in
            guard let code = invocation.environment.runServerProgram(["migrate", "--from", from, "--to", to]) else {
                let phrase = Phrase("The server's program `pulseboardd` is not installed here.", "서버 프로그램 `pulseboardd`가 설치되어 있지 않습니다.")
                throw CommandFailure(code: .notFound, reason: "SERVER_PROGRAM_NOT_FOUND", message: phrase.text(in: invocation.language))
            }
            if code != 0 { throw ExitCode(code) }
        }
    }
}
