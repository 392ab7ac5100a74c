import CommandHelp
import PulseBoardCLI
import SocketTransport

/// The `pulseboard` program. `PulseBoardCLI` does all the work.
@main
enum PulseBoardMain {
    static func main() {
        ProgramTask.run {
            let arguments = ProgramArguments.current
            // A shell that asks for completions shows what they print.
            guard arguments.areValid || arguments.words.first == "---completion" else {
                return PulseBoardProgram().refuse(invalidArguments: arguments.words)
            }
            return await PulseBoardProgram().run(arguments.words)
        }
    }
}
