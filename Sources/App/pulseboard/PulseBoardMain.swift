import PulseBoardCLI

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The `pulseboard` program; everything it does is in `PulseBoardCLI`.
@main
enum PulseBoardMain {
    static func main() async {
        exit(await PulseBoardProgram().run(Array(CommandLine.arguments.dropFirst())))
    }
}
