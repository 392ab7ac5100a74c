import CommandHelp
import PulseBoardCLI
import SocketTransport

/// The `pulseboard` program. `PulseBoardCLI` does all the work.
@main
enum PulseBoardMain {
    static func main() {
        ProgramTask.run {
            let program = PulseBoardProgram()
            return ProgramArguments.areValid ? await program.run(ProgramArguments.current) : program.refuseInvalidArguments()
        }
    }
}
