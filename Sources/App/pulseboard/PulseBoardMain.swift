import CommandHelp
import PulseBoardCLI

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The `pulseboard` program. `PulseBoardCLI` does all the work.
@main
enum PulseBoardMain {
    static func main() async {
        exit(await PulseBoardProgram().run(ProgramArguments.current))
    }
}
