import CommandHelp
import PulseBoardCLI
import SocketTransport

/// The `pulseboard` program. `PulseBoardCLI` does all the work.
@main
enum PulseBoardMain {
    static func main() {
        ProgramTask.run { await PulseBoardProgram().run(ProgramArguments.current) }
    }
}
