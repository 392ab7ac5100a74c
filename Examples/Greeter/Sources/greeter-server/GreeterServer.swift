import Glibc
import GreeterMessages
import Logging
import RPCServer

@main
struct GreeterServer {
    /// Serves until SIGTERM or Ctrl-C: `greeter-server [SOCKET]`.
    static func main() async {
        let logger = Logger(label: "greeter")
        do {
            let server = try Server(services: [GreeterService()], interceptors: [RequireCaller()], logger: logger)
            try await server.run(socketPath: CommandLine.arguments.dropFirst().first ?? "/tmp/greeter.sock")
        } catch {
            logger.critical("cannot serve: \(error)")
            exit(1)
        }
    }
}
