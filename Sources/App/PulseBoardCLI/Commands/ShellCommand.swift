import ArgumentParser
import CommandHelp
import PulseBoardVocabulary

/// `pulseboard shell`
struct ShellCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "shell",
            abstract: Phrase("Type many commands over one connection, or run a script of them.", "연결 하나로 여러 명령을 입력하거나, 명령 스크립트를 실행합니다."),
            discussion: Phrase(
                """
                Commands are written as after the program's name, with quotation marks as in a shell; # begins a remark. At a terminal, Tab \
                completes, the arrow keys bring back what was typed, \\timing says how long commands take, and Ctrl-C ends a command. What is typed \
                is kept in pulseboard/history below XDG_STATE_HOME or ~/.local/state, but for lines that begin with a space. From a file or a pipe, \
                the first command that fails ends the script, with its exit code.

                Examples:
                  pulseboard shell
                  pulseboard shell < commands.txt
                  printf 'auth login\\nprofile show\\n' | pulseboard shell
                """,
                """
                프로그램 이름 뒤에 쓰는 명령을 그대로 씁니다. 따옴표는 셸과 같고, #부터는 주석입니다. 터미널에서는 Tab으로 자동 완성하고, 화살표 키로 이전 입력을 불러오며, \
                \\timing으로 걸린 시간을 보고, Ctrl-C로 명령을 멈춥니다. 입력은 XDG_STATE_HOME이나 ~/.local/state의 pulseboard/history에 남으며, 공백으로 시작하는 줄은 \
                남기지 않습니다. 파일이나 파이프에서 읽으면, 처음 실패한 명령에서 그 종료 코드로 끝납니다.

                예:
                  pulseboard shell
                  pulseboard shell < commands.txt
                  printf 'auth login\\nprofile show\\n' | pulseboard shell
                """))
    }

    @OptionGroup var server: ServerOptions

    @Flag(help: ArgumentHelp(Phrase("Say how long each command takes.", "명령마다 걸린 시간을 보여 줍니다.")))
    var timing = false

    // These options of all commands change nothing here, so the page of help leaves them out.
    @OptionGroup(visibility: .hidden) var answer: AnswerOptions

    func validate() throws {
        if answer.json || !answer.fields.isEmpty {
            throw ValidationError(Phrase("--json and --field are for the commands in the shell.", "--json과 --field는 셸 안의 명령에 씁니다."))
        }
    }

    func run() async throws {
        let environment = CommandEnvironment.current
        let shell = Shell(
            environment: environment, socket: server.socketPath(in: environment), account: server.accountName(in: environment), timing: timing)
        let code = await shell.run()
        if code != 0 { throw ExitCode(code) }
    }
}
